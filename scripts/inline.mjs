// Writes pkg/inline.js, the package in one file with the module inside it: for bundlers that do not take along a file named
// by `new URL(…, import.meta.url)`, and for pages made of one file.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const pkg = fileURLToPath(new URL("../pkg", import.meta.url));
const packed = gzipSync(readFileSync(join(pkg, "engine_bg.wasm")), { level: 9 }).toString("base64");

const entry = `
import load from "./quorate.js";
export * from "./quorate.js";
const PACKED = ${JSON.stringify(packed)};
async function unpacked() {
  const bytes = Uint8Array.from(atob(PACKED), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": "application/wasm" } });
}
export default async function init(options) {
  return load(options ?? { module_or_path: await unpacked() });
}
`;
/** Where a file is named beside the one at work, what stands in its place: no bundler is to take one along. */
const BESIDE = {
  "engine.js": [/new URL\(\s*['"]engine_bg\.wasm['"],\s*import\.meta\.url\s*\)/g, () => "undefined"],
  // A page that forbids workers from nowhere keeps time by its own timers.
  "timer.js": [/new URL\("\.\/timer\.js", import\.meta\.url\)/g, (text) => `new URL(URL.createObjectURL(new Blob([${JSON.stringify(text)}], { type: "text/javascript" })))`],
};
const inside = {
  name: "inside",
  setup: (one) => one.onLoad({ filter: /[\\/](engine|timer)\.js$/ }, ({ path }) => {
    const text = readFileSync(path, "utf8");
    const [beside, instead] = BESIDE[basename(path)];
    if (!beside.test(text)) throw new Error(`${path} no longer names the file beside it as expected`);
    return { contents: text.replace(beside, () => instead(text)), loader: "js" };
  }),
};
const { outputFiles } = await build({ stdin: { contents: entry, resolveDir: pkg }, bundle: true, format: "esm", minify: true, charset: "utf8", write: false, plugins: [inside], logLevel: "error", legalComments: "none" });
writeFileSync(join(pkg, "inline.js"), outputFiles[0].contents);
