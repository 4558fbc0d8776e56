// The package in parts for Node.js: they are read from the disk as the first is.
import { readFile } from "node:fs/promises";
import { haveBy } from "./__wasm_split.js";
import load from "./node.js";

export * from "./node.js";

export default function init(options) {
  haveBy(async (url) => new Response(await readFile(url), { headers: { "content-type": "application/wasm" } }));
  return load(options);
}
