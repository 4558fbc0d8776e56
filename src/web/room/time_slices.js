// Long work in pieces: whoever does one thing after another asks in between whether others want their turn.

/** Milliseconds that work goes on for in one go: with what else a page has to do, a task stays below 50. */
const BUSY = 8;

/** Resolves in a task of its own; messages are not slowed down in a hidden tab, as timers are. */
function turn() {
  if (typeof setImmediate === "function") return new Promise((done) => setImmediate(done));
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

/** Does `work` with each of a list in turn; ends where it says `false`. Nothing is waited for while that takes no time. */
export async function inTurns(list, work) {
  let from = performance.now();
  for (const one of list) {
    if (work(one) === false) return;
    if (performance.now() - from < BUSY) continue;
    await turn();
    from = performance.now();
  }
}
