// Others of our kind, in the same run: the bytes of WebAssembly modules that a page may load, and the time of programs
// that deliberate, where they can be had. QUORATE_PEERS names a folder in which `python3 experiment.py` and
// `python3 debate.py` each print the milliseconds of one whole run (5 × 10 and 8 × 9, instant answers).
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import init, * as quorate from "../../dist/node.js";
import { experiment, nineRounds } from "./measure.mjs";

/** Packages with the module in them that a page loads. */
const MODULES = { ywasm: ["ywasm@0.18.3", /\.wasm$/], automerge: ["@automerge/automerge@3.5.0", /web\/.*\.wasm$/], loro: ["loro-crdt@1.17.1", /web\/.*\.wasm$/] };

const files = (folder) => readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));
const packed = (file) => brotliCompressSync(readFileSync(file)).length / 1000;

export async function measure() {
  const rows = [];
  const ours = packed(new URL("../../dist/engine_bg.wasm", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "quorate-peers-"));
  try {
    for (const [name, [specifier, module]] of Object.entries(MODULES)) {
      try {
        execFileSync("npm", ["install", "--silent", "--ignore-scripts", "--no-save", "--prefix", folder, specifier], { stdio: "ignore", timeout: 120_000 });
      } catch {
        console.error(`bench: ${specifier} cannot be had here`);
        continue;
      }
      const found = files(join(folder, "node_modules", specifier.replace(/@[^@]*$/, ""))).filter((file) => module.test(file));
      const value = Math.max(...found.map(packed));
      rows.push({ what: `module of ${name}, brotli`, value, unit: "kB" }, { what: `ours to that of ${name}`, value: ours / value, unit: "×" });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const programs = process.env.QUORATE_PEERS;
  if (programs) {
    await init();
    for (const [name, run] of Object.entries({ experiment, debate: nineRounds })) {
      const file = join(programs, `${name}.py`);
      if (!existsSync(file)) continue;
      const value = Number(execFileSync("python3", [file], { encoding: "utf8" }));
      await run(quorate);
      const before = performance.now();
      await run(quorate);
      rows.push({ what: `${name} of the program in Python`, value, unit: "ms" }, { what: `ours (warm) to that`, value: (performance.now() - before) / value, unit: "×" });
    }
  }
  return rows;
}
