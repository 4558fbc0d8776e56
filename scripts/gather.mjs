// After wasm-split-cli: the pieces that parts share, more than a hundred, are gathered, so that few files are loaded.
// Small ones go into one file, which is loaded with the first part; large ones stay files of their own.
//   node scripts/gather.mjs FROM TO   FROM: what wasm-split-cli wrote; TO: where pieces and their loader go
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Bytes below which a piece is small. */
const SMALL = 15_000;
const [from, to] = process.argv.slice(2);

/** A module without names and other sections that no engine reads. */
function bare(bytes) {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const begin = at;
    const id = bytes[at];
    let size = 0;
    let shift = 0;
    do size += (bytes[++at] & 127) * 2 ** shift, shift += 7;
    while (bytes[at] & 128);
    at += 1 + size;
    if (id !== 0) kept.push(bytes.subarray(begin, at));
  }
  return Buffer.concat(kept);
}

const places = {};
const small = [];
let length = 0;
for (const name of readdirSync(from).filter((one) => one.endsWith(".wasm") && one !== "engine.wasm").sort()) {
  const bytes = bare(readFileSync(join(from, name)));
  if (bytes.length >= SMALL) {
    writeFileSync(join(to, name), bytes);
    continue;
  }
  places[name] = [length, length + bytes.length];
  length += bytes.length;
  small.push(bytes);
}
writeFileSync(join(to, "small.bin"), Buffer.concat(small));

const LOADER = `
let gathered;
const smallPieces = () => (gathered ??= fetch(new URL("./small.bin", import.meta.url)).then((answer) => {
  if (!answer.ok) throw new Error(\`\${answer.url}: \${answer.status}\`);
  return answer.arrayBuffer();
}).catch((error) => {
  gathered = undefined;
  throw error;
}));
const piece = (begin, end) => () => {
  const source = smallPieces();
  source.catch(() => {});
  return async (imports) => WebAssembly.instantiate((await source).slice(begin, end), imports);
};
`;
const told = readFileSync(join(from, "__wasm_split.js"), "utf8");
const fetched = /\(\) => \{\s*const src = fetch\(new URL\("\.\/([^"]+)", import\.meta\.url\)\);\s*src\.catch\(\(\) => \{\}\);\s*return async \(imports\) => \(WebAssembly\.instantiateStreaming\(src, imports\)\);\s*\}/g;
let count = 0;
const loader = told.replace(fetched, (whole, name) => {
  count += 1;
  return places[name] ? `piece(${places[name].join(", ")})` : whole;
});
if (count < Object.keys(places).length) throw new Error("wasm-split-cli writes its loader in another way than was expected");
writeFileSync(join(to, "__wasm_split.js"), loader.replace("let sharedImports", `${LOADER}let sharedImports`));
