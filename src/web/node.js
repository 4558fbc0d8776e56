// The package for Node.js: there, init() without an argument reads the module from disk, because Node's
// fetch knows no file: addresses. And a run that nothing will bring to its end rejects: else a program that waits for it
// would end without a word. Everything else is the same.
import { readFile } from "node:fs/promises";
import load, { LabError, Session } from "./quorate.js";

export * from "./quorate.js";

export default async function init(options) {
  tellsWhoWaits();
  if (options) return load(options);
  // Not by `module_or_path`: to see whether that is a Response, Node would load its fetch, in half the time of all this.
  return load({ module: await WebAssembly.compile(await readFile(new URL("engine_bg.wasm", import.meta.url))) });
}

let running = null;

/** From now on a run rejects when the program would end while it waits for it. */
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
