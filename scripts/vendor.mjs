// Bundles the libraries that the page uses, from the locked npm packages, as modules into www/vendor/.
// Only what the page needs of each: add a name here to use more of a library.
import { build } from "esbuild";
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(root, "www/vendor");
const LIBRARIES = {
  // Draws on a canvas and styles by the DOM alone, so that it needs no exception in the page's security policy.
  chart: `
    import { Chart, BarController, LineController, BarElement, LineElement, PointElement,
      CategoryScale, LinearScale, Filler, Legend, Tooltip } from "chart.js";
    Chart.register(BarController, LineController, BarElement, LineElement, PointElement,
      CategoryScale, LinearScale, Filler, Legend, Tooltip);
    export { Chart };`,
  // Word by word, for the versions of a proposal in debates.
  diff: `export { diffWords } from "diff";`,
  // QR codes of links to rooms.
  qr: `export { encode } from "uqr";`,
  // Models inside the page, loaded only when somebody chooses one.
  webllm: `export { MLCEngine, deleteModelAllInfoInCache, hasModelInCache, prebuiltAppConfig } from "@mlc-ai/web-llm";`,
  wllama: `export { Wllama } from "@wllama/wllama";`,
  yaml: `export { LineCounter, parseDocument, parse, stringify } from "yaml";`,
};

rmSync(out, { recursive: true, force: true });
const packages = new Set();
for (const [name, contents] of Object.entries(LIBRARIES)) {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root, sourcefile: `${name}.js` },
    outfile: join(out, `${name}.js`),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  for (const input of Object.keys(metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
  }
}

copyFileSync(join(root, "node_modules/@wllama/wllama/esm/wasm/wllama.wasm"), join(out, "wllama.wasm"));

const licenses = [...packages].sort().map((name) => {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} ${version} (${license}) comes without its licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
// The program inside wllama.wasm, which its package names and does not ship the licence of. The same words as ours.
const own = readFileSync(join(root, "LICENSE"), "utf8");
licenses.push(`llama.cpp, inside wllama.wasm\n\n${own.trim().replace(/^Copyright .*$/m, "Copyright (c) 2023-2026 The ggml authors")}\n`);
writeFileSync(join(out, "LICENSES.txt"), licenses.join(`\n${"-".repeat(80)}\n\n`));
