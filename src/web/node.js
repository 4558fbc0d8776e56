// The package for Node.js: there, init() without an argument reads the module from disk, because Node's
// fetch knows no file: addresses. Everything else is the same.
import { readFile } from "node:fs/promises";
import load from "./quorate.js";

export * from "./quorate.js";

export default async function init(options) {
  return load(options ?? { module_or_path: await readFile(new URL("engine_bg.wasm", import.meta.url)) });
}
