// The package for Node.js. `init()` without an argument reads the module from disk, because Node's fetch has no `file:`
// addresses. A run that can no longer end rejects, so that a waiting program does not exit without a message.
import { readFile } from "node:fs/promises";
import load, { LabError, Session } from "./quorate.js";

export * from "./quorate.js";

export default async function init(options) {
  tellsWhoWaits();
  if (options) return load(options);
  // Not by `module_or_path`: to check whether that is a Response, Node would load its fetch, which takes half of the
  // start time.
  return load({ module: await WebAssembly.compile(await readFile(new URL("engine_bg.wasm", import.meta.url))) });
}

let running = null;

/** Makes runs reject when the event loop is empty while they are still waiting. */
function tellsWhoWaits() {
  if (running) return;
  running = new Map();
  const { run } = Session.prototype;
  Session.prototype.run = function runs(options) {
    let fails;
    const waits = new Promise((_, reject) => (fails = reject));
    running.set(fails, this);
    return Promise.race([run.call(this, options), waits]).finally(() => running.delete(fails));
  };
  process.on("beforeExit", () => {
    for (const [fails, session] of running) {
      const { status, waitsFor } = session;
      fails(new LabError("waiting", waitsFor ?? `the run is ${status.state}, and nothing is under way`, status));
    }
  });
}
