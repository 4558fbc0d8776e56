// How far a study is: a line that is written over on a terminal, else a line of JSON a minute.
const MINUTE = 60_000;
/** Cells that have room on the line. */
const MOST_CELLS = 6;

/** Returns a function that shows progress, which it gets by a function; `isLast`: in any case. */
export function showProgress(stream) {
  let last = -MINUTE;
  /** When it began, and how many runs had ended then. */
  let first = null;
  return (read, isLast = false) => {
    const now = performance.now();
    if (!stream.isTTY && !isLast && now - last < MINUTE) return;
    last = now;
    const { runs, ended, running, standing, used, cells } = read();
    first ??= { now, ended };
    if (!stream.isTTY) {
      stream.write(`${JSON.stringify({ at: new Date().toISOString(), runs, ended, running, standing: standing.length, used })}\n`);
      return;
    }
    const minutes = ((runs - ended) * (now - first.now)) / (ended - first.ended) / MINUTE;
    const parts = [
      `${ended} of ${runs} ended`, `${running} running`, `${standing.length} standing still`,
      used && `${used.calls} calls and ${used.cost.toFixed(2)} spent or set aside`,
      running && Number.isFinite(minutes) && `about ${Math.ceil(minutes)} min left`,
      cells.length <= MOST_CELLS && cells.map((cell) => `${cell.name} ${cell.ended}/${cell.runs}`).join(" "),
    ];
    stream.write(`\r\x1b[K${parts.filter(Boolean).join(", ")}${isLast ? "\n" : ""}`);
  };
}
