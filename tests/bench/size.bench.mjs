// What a visitor downloads.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

export async function measure() {
  const rows = [];
  const files = { module: "dist/engine_bg.wasm", "module's JavaScript": "dist/engine.js" };
  for (const [name, file] of Object.entries(files)) {
    const bytes = readFileSync(new URL(`../../${file}`, import.meta.url));
    const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
    rows.push({ what: `${name}, raw`, value: bytes.length / 1000, unit: "kB" });
    rows.push({ what: `${name}, brotli`, value: packed / 1000, unit: "kB" });
  }
  return rows;
}
