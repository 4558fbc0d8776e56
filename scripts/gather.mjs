// After wasm-split-cli: the pieces that parts share, more than a hundred, are gathered, so that few files are loaded.
// Small ones go into few files, by what is the first to need them; large ones stay files of their own.
//   node scripts/gather.mjs FROM TO   FROM: what wasm-split-cli wrote; TO: where pieces and their loader go
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Bytes below which a piece is small. */
const SMALL = 15_000;
/** The files of small pieces: the parts of the first screen, those of the default run, all others. */
const STAGES = { first: ["presets"], run: ["justice", "forecasts"], rest: [] };
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

const told = readFileSync(join(from, "__wasm_split.js"), "utf8");
const nameOf = Object.fromEntries([...told.matchAll(/const (__chunk_\d+) = makeLoad\([^"]*"\.\/([^"]+)"/g)].map(([, chunk, name]) => [chunk, name]));
/** Part to the pieces that it needs. */
const needs = Object.fromEntries([...told.matchAll(/const __wasm_split_load_(\w+) = [^"]*"\.\/([^"]+)"[^[]*\[([^\]]*)\]/g)]
  .map(([, part, own, chunks]) => [part, [own, ...chunks.split(",").map((chunk) => nameOf[chunk.trim()])]]));
for (const part of Object.values(STAGES).flat()) if (!needs[part]) throw new Error(`wasm-split-cli tells nothing of the part ${part}`);
const stageOf = (name) => Object.keys(STAGES).find((stage) => STAGES[stage].some((part) => needs[part].includes(name))) ?? "rest";

const places = {};
const small = Object.fromEntries(Object.keys(STAGES).map((stage) => [stage, []]));
for (const name of readdirSync(from).filter((one) => one.endsWith(".wasm") && one !== "engine.wasm").sort()) {
  const bytes = bare(readFileSync(join(from, name)));
  if (bytes.length >= SMALL) {
    writeFileSync(join(to, name), bytes);
    continue;
  }
  const stage = stageOf(name);
  const begin = small[stage].reduce((sum, one) => sum + one.length, 0);
  places[name] = `${stage}, ${begin}, ${begin + bytes.length}`;
  small[stage].push(bytes);
}
const stages = Object.keys(small).filter((stage) => small[stage].length);
for (const stage of stages) writeFileSync(join(to, `${stage}.bin`), Buffer.concat(small[stage]));

const LOADER = `
let have = (url) => fetch(url);
/** From now on the files beside this one are had in another way: Node.js fetches none of its own. */
export const haveBy = (other) => (have = other);
const gathered = (ask) => {
  let came;
  return () => (came ??= ask().then((answer) => {
    if (!answer.ok) throw new Error(\`\${answer.url}: \${answer.status}\`);
    return answer.arrayBuffer();
  }).catch((error) => {
    came = undefined;
    throw error;
  }));
};
const piece = (file, begin, end) => () => {
  const source = file();
  source.catch(() => {});
  return async (imports) => WebAssembly.instantiate((await source).slice(begin, end), imports);
};
${stages.map((stage) => `const ${stage} = gathered(() => have(new URL("./${stage}.bin", import.meta.url)));`).join("\n")}
`;
const fetched = /\(\) => \{\s*const src = fetch\(new URL\("\.\/([^"]+)", import\.meta\.url\)\);\s*src\.catch\(\(\) => \{\}\);\s*return async \(imports\) => \(WebAssembly\.instantiateStreaming\(src, imports\)\);\s*\}/g;
let count = 0;
const loader = told.replace(fetched, (whole, name) => {
  count += 1;
  return places[name] ? `piece(${places[name]})` : whole.replace("fetch(", "have(");
});
if (count < Object.keys(places).length) throw new Error("wasm-split-cli writes its loader in another way than was expected");
const AHEAD = `
let engine;
const parts = new Map(Object.entries({ ${Object.keys(needs).join(", ")} }));
/** Asks for the files of a part before the engine, a promise of it, is there to take them. */
export const ahead = (part, coming) => {
  engine = coming;
  parts.get(part)?.().catch(() => {});
};
`;
const parted = loader
  .replace("let sharedImports", `${LOADER}let sharedImports`)
  .replace("const imports = getSharedImports();\n        return instantiate", "await engine;\n        const imports = getSharedImports();\n        return instantiate")
  .replace(/export const __wasm_split_load_(\w+) = wrapAsyncCb\(([^]*?)\);(?=\s*(?:export|$|\/\*))/g, "const $1 = $2;\nexport const __wasm_split_load_$1 = wrapAsyncCb($1);");
for (const part of Object.keys(needs)) if (!parted.includes(`const ${part} = makeLoad(`)) throw new Error(`wasm-split-cli writes the loader of ${part} in another way than was expected`);
if (!parted.includes("await engine;")) throw new Error("wasm-split-cli writes its loader in another way than was expected");
writeFileSync(join(to, "__wasm_split.js"), parted + AHEAD);
