// Refuses a module that no host can load or that grew too large: node scripts/check-wasm.mjs FILE LIMIT
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const [file, limit] = process.argv.slice(2);
const bytes = readFileSync(file);
// An import from `env` is a C function that nobody supplies, mostly of a crate that was not made for the web.
const foreign = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(({ module }) => module === "env");
// The standard library's table for reading numbers, 10 kB that do not shrink: src/number.rs reads them by JSON's.
const TABLE = Buffer.from("5ad63b92d653f4ee3f3ba10629aa3f11", "hex");
const isTwice = bytes.includes(TABLE);
const packed = brotliCompressSync(bytes, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
}).length;
const kB = (n) => `${(n / 1000).toFixed(1)} kB`;

console.log(`module: ${kB(bytes.length)}, ${kB(packed)} as brotli (limit ${kB(Number(limit))})`);
if (foreign.length) console.error(`imports that nobody supplies: ${foreign.map(({ name }) => `env.${name}`).join(", ")}`);
if (isTwice) console.error("a number is read by str::parse::<f64>: crate::number::decimal does it without a table of its own");
if (packed > Number(limit)) console.error("the module is larger than its limit");
process.exitCode = foreign.length || isTwice || packed > Number(limit) ? 1 : 0;
