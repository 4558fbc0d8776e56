// Splits long work so that other tasks run in between.

/** Milliseconds of work in one go: with the page's other work, a task stays below 50. */
const BUSY = 8;

/** Resolves in a new task; unlike timers, messages are not slowed down in a hidden tab. */
export function nextTask() {
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

/** Calls `work` on each member of a list in turn, until it returns `false`. Stays synchronous while the time allows. */
export async function runInSlices(list, work) {
  let from = performance.now();
  for (const one of list) {
    if (work(one) === false) return;
    if (performance.now() - from < BUSY) continue;
    await nextTask();
    from = performance.now();
  }
}
