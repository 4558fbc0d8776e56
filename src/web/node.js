// The package for Node.js. `init()` without an argument reads the module from disk, because Node's fetch has no `file:`
// addresses. A run that can no longer end rejects, so that a waiting program does not exit without a message. `folder` stores
// runs as files.
import { readFile } from "node:fs/promises";
import load, { LabError, Session } from "./quorate.js";

export { folder } from "./folder.js";
export * from "./quorate.js";

export default async function init(options) {
  rejectStalledRuns();
  if (options) return load(options);
  // `module_or_path` would make Node load its fetch to check for a Response, which takes half of the start
  // time.
  return load({ module: await WebAssembly.compile(await readFile(new URL("engine_bg.wasm", import.meta.url))) });
}

let running = null;

/** Makes runs reject when the event loop is empty while they are still waiting. */
function rejectStalledRuns() {
  if (running) return;
  running = new Map();
  const { run } = Session.prototype;
  Session.prototype.run = function runs(options) {
    let rejectRun;
    const stalled = new Promise((_, reject) => (rejectRun = reject));
    running.set(rejectRun, this);
    return Promise.race([run.call(this, options), stalled]).finally(() => running.delete(rejectRun));
  };
  process.on("beforeExit", () => {
    for (const [rejectRun, session] of running) {
      const { status, waitsFor } = session;
      rejectRun(new LabError("waiting", waitsFor ?? `the run cannot end: the session is ${status.state} and no call is in progress`, status));
    }
  });
}
