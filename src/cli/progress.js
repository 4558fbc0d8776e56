// How far a study is: a line that is written over on a terminal, else a line of JSON a minute.
const MINUTE = 60_000;

/** Returns a function that shows progress; `isLast`: in any case. */
export function showProgress(stream) {
  let last = -MINUTE;
  return (progress, isLast = false) => {
    const { runs, ended, running, standing, used } = progress;
    if (stream.isTTY) {
      const money = used ? `, ${used.cost.toFixed(2)} spent or set aside` : "";
      const cells = progress.cells.map((cell) => `${cell.name} ${cell.ended}/${cell.runs}`).join("  ");
      stream.write(`\r\x1b[K${ended} of ${runs} ended, ${running} running, ${standing.length} standing still${money}   ${cells}${isLast ? "\n" : ""}`);
      return;
    }
    if (!isLast && performance.now() - last < MINUTE) return;
    last = performance.now();
    stream.write(`${JSON.stringify({ at: new Date().toISOString(), runs, ended, running, standing: standing.length, used })}\n`);
  };
}
