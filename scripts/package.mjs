// Assembles the npm package in dist/: the engine from target/engine (made by wasm-pack), the JavaScript around
// it and the types from src/web, and three bundles.   node scripts/package.mjs
import { build } from "esbuild";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { crateLicences, npmLicences } from "./licences.mjs";

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), ".."));
rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");

for (const name of ["engine.js", "engine_bg.wasm", "snippets"]) cpSync(`target/engine/${name}`, `dist/${name}`, { recursive: true });
const overlay = ["quorate.js", "node.js", "node.d.ts", "folder.js", "study/study.d.ts", "room/intake.js", "quorate.d.ts", "config.d.ts", "guest.d.ts", "room/room.d.ts", "wasm.d.ts", "quorate.schema.json"];
for (const file of overlay) cpSync(`src/web/${file}`, `dist/${basename(file)}`);
for (const file of ["capsule_page.js", "capsule_page.css"]) cpSync(`src/cli/${file}`, `dist/${file}`);
for (const file of ["README.md", "LICENSE"]) cpSync(file, `dist/${file}`);

const { name, ...rest } = JSON.parse(readFileSync("pkg.json", "utf8"));
const { version } = JSON.parse(readFileSync("target/engine/package.json", "utf8"));
writeFileSync("dist/package.json", `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);

const options = { bundle: true, format: "esm", platform: "browser", target: "es2022", charset: "utf8", legalComments: "none", logLevel: "warning", metafile: true,
  logOverride: { "duplicate-object-key": "silent" } /* as wasm-bindgen writes it */ };
// The host's side of rooms shares the engine with the rest of the package; the guest's side is one file without it.
const room = await build({ ...options, entryPoints: ["src/web/room/room.js"], outfile: "dist/room.js", external: ["./quorate.js", "./engine.js", "./intake.js"] });
const besidePackage = { name: "beside", setup: ({ onResolve }) => onResolve({ filter: /^quorate$/ }, () => ({ path: "./quorate.js", external: true })) };
const study = await build({ ...options, entryPoints: ["src/web/study/study.js"], outfile: "dist/study.js", plugins: [besidePackage] });
// The command line names the package as its users do, and takes the reader of YAML along.
const cli = await build({ ...options, entryPoints: ["src/cli/main.js"], outfile: "dist/cli.js", external: ["node:*", "quorate", "quorate/study"] });
const guest = await build({ ...options, entryPoints: ["src/web/room/guest_api.js"], outfile: "dist/guest.js", minify: true });

// The package in one file, for bundlers that take no other files along, and for pages made of one file. Nothing in it is
// looked for beside it: not the module, which is inside, nor the timer's worker, which becomes a blob.
const bytes = readFileSync("dist/engine_bg.wasm");
const contents = `
import load from "./quorate.js";
export * from "./quorate.js";
const packed = ${JSON.stringify(gzipSync(bytes, { level: 9 }).toString("base64"))};
async function unpacked() {
  const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": "application/wasm" } });
}
export default async function init(options) {
  return load(options ?? { module_or_path: await unpacked() });
}`;
const timer = readFileSync("src/web/timer.js", "utf8");
const timerInside = {
  name: "timer",
  setup: ({ onLoad }) => onLoad({ filter: /timer\.js$/ }, () => ({
    contents: timer.replace('new URL("./timer.js", import.meta.url)', () => `new URL(URL.createObjectURL(new Blob([${JSON.stringify(timer)}], { type: "text/javascript" })))`),
  })),
};
await build({ ...options, stdin: { contents, resolveDir: "dist" }, outfile: "dist/inline.js", minify: true, define: { "import.meta.url": '""' }, plugins: [timerInside] });

writeFileSync("dist/LICENSES.txt", crateLicences() + npmLicences([room, study, guest, cli]));
