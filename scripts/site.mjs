// Makes the static site in site/ from www/: modules are bundled in pieces that are loaded when they are needed, every file but
// the pages and the service worker is named by its content in site/a/, and has a brotli copy beside it.   node scripts/site.mjs
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import init, { presets } from "../dist/node.js";
import { LANGUAGES, languageTag } from "../www/languages.js";
import { crateLicences, npmLicences } from "./licences.mjs";
import { pageWords } from "./words.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const www = join(root, "www");
const site = join(root, "site");
/** Modules under names that stay, for tests, the console and other programs of the origin. */
const NAMED = ["engine.js", "keys.js", "vault.js", "origins.js", "costs.js", "deliver.js", "inpage/remote.js", "pkg/quorate.js"];
const WORKERS = ["rehearsal_worker.js", "exports_worker.js", "yaml_worker.js", "inpage/worker.js"];
const TIMER = inside("pkg/snippets", { recursive: true }).find((path) => path.endsWith("/timer.js"));
/** Too large to be fetched before they are wanted: models inside the page. */
const ON_DEMAND = /^a\/(wllama|webllm|gguf|worker)-/;

function inside(folder, options = {}) {
  return readdirSync(join(www, folder), options).map((name) => `${folder}/${name}`.replaceAll("\\", "/"));
}
const read = (path) => readFileSync(join(www, path), "utf8");
const digest = (content, encoding = "hex") => createHash("sha256").update(content).digest(encoding);

/** What the site holds: path to content. */
const out = new Map();
/** What files of www/ are called there: `favicon.svg` is `a/favicon-1A2B3C4D.svg`. */
const names = new Map();
function add(path, content) {
  const end = extname(path);
  const name = `a/${basename(path, end)}-${digest(content).slice(0, 8).toUpperCase()}${end}`;
  out.set(name, content);
  names.set(path, name);
}

/** Modules find files by a table in place of www/files.js, and the timer its worker by the name that it has. */
const renamed = {
  name: "renamed",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]www[\\/]files\.js$/ }, () => ({
      contents: `const names = ${JSON.stringify(Object.fromEntries([...names].map(([path, name]) => [path, basename(name)])))};
        export const file = (path) => new URL(names[path], import.meta.url).href;`,
    }));
    onLoad({ filter: /[\\/]timer\.js$/ }, () => ({ contents: read(TIMER).replace("./timer.js", basename(names.get(TIMER))) }));
  },
};
const options = { absWorkingDir: root, bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", legalComments: "none", logLevel: "warning", metafile: true, write: false, outdir: site,
  logOverride: { "duplicate-object-key": "silent" } /* as wasm-bindgen writes it */ };
const results = [];
/** Bundles modules and style sheets of www/; resolves to what each loads at once, itself first. */
async function bundle(paths, plugins = []) {
  const result = await build({ ...options, entryPoints: paths.map((path) => join(www, path)), splitting: true, entryNames: "a/[name]-[hash]", chunkNames: "a/[name]-[hash]", plugins: [renamed, ...plugins] });
  results.push(result);
  for (const { path, contents } of result.outputFiles) out.set(relative(site, path).replaceAll("\\", "/"), Buffer.from(contents));
  const { outputs } = result.metafile;
  const within = (path) => relative("site", path).replaceAll("\\", "/");
  const loads = (output, all = new Set()) => {
    if (!all.has(output)) outputs[all.add(output) && output].imports.forEach(({ path, kind }) => kind === "import-statement" && loads(path, all));
    return all;
  };
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => paths.some((path) => entryPoint === `www/${path}`));
  for (const [path, { entryPoint }] of entries) names.set(relative("www", entryPoint).replaceAll("\\", "/"), within(path));
  return new Map(entries.map(([path, { entryPoint }]) => [relative("www", entryPoint), [...loads(path)].map(within)]));
}
/** One script that needs nothing else. */
const alone = async (path, more = {}) => (await build({ ...options, format: "iife", entryPoints: [join(www, path)], ...more })).outputFiles[0].contents;

/** The guest's page has its own words, and of the lab's those that participants see as well. */
const SHARED = /^(human\.(about|back|points)$|number\.|amount\.|world|close$|ranking\.label$)/;
const guestWords = {
  name: "words",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\.?\/i18n\.js$/ }, () => ({ path: join(www, "join/words.js") }));
    onLoad({ filter: /[\\/]www[\\/]i18n[\\/]\w+\.json$/ }, ({ path }) => ({ loader: "json", contents: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(readFileSync(path, "utf8"))).filter(([key]) => SHARED.test(key)))) }));
  },
};

/** What a page says in each language where scripts do not run. */
function noscript(folder) {
  const texts = Object.keys(LANGUAGES).map((code) => `<span lang="${languageTag(code)}">${JSON.parse(read(`${folder}/${code}.json`)).noscript}</span>`);
  return `<noscript><p class="noscript">${texts.join(" · ")}</p></noscript>`;
}

/** A page with the names of what was built, and its texts in `words`. Its first script stands in it, so that nothing waits for it, and the policy allows it by its hash. */
async function page(name, words, modules) {
  const html = read(name);
  const [tag, first] = /<script src="(.*?)"><\/script>/.exec(html);
  const script = Buffer.from(await alone(first));
  const named = html.replace(/(href|src)="([^"]+)"/g, (whole, attribute, path) => (names.has(path) ? `${attribute}="${names.get(path)}"` : whole))
    .replace("</head>", `${modules.map((path) => `<link rel="modulepreload" href="${path}">\n`).join("")}</head>`)
    .replace("script-src 'self'", `script-src 'self' 'sha256-${digest(script, "base64")}'`)
    .replace("<noscript></noscript>", () => noscript(words))
    .replace(tag, () => `<script>${script}</script>`);
  out.set(name, Buffer.from(named));
}

await init();
for (const path of ["favicon.svg", "pkg/engine_bg.wasm", ...inside("icons")]) add(path, readFileSync(join(www, path)));
for (const code of Object.keys(LANGUAGES)) add(`i18n/${code}.json`, Buffer.from(JSON.stringify(pageWords(code))));
add("wllama.wasm", readFileSync(join(root, "node_modules/@wllama/wllama/esm/wasm/wllama.wasm")));
add("presets.json", Buffer.from(JSON.stringify(presets())));
add(TIMER, await alone(TIMER));
const manifest = JSON.parse(read("manifest.webmanifest"));
for (const icon of manifest.icons) icon.src = basename(names.get(icon.src));
for (const key of ["id", "start_url", "scope"]) manifest[key] = "../";
add("manifest.webmanifest", Buffer.from(JSON.stringify(manifest)));
await bundle(inside("style"));
await bundle(WORKERS);
await page("join.html", "join/words", (await bundle(["join/main.tsx"], [guestWords])).get("join/main.tsx"));
await page("index.html", "i18n", (await bundle(["app.tsx", ...NAMED])).get("app.tsx"));
for (const path of NAMED) out.set(path, Buffer.from(`export * from "./${relative(dirname(path), names.get(path)).replaceAll("\\", "/")}";\n`));
out.set("pkg/quorate.schema.json", readFileSync(join(www, "pkg/quorate.schema.json")));
const llama = read("../LICENSE").replace(/^Copyright .*$/m, "Copyright (c) 2023-2026 The ggml authors");
out.set("LICENSES.txt", Buffer.from(`${crateLicences()}${npmLicences(results)}llama.cpp, inside wllama.wasm (MIT)\n\n${llama}`));

const pages = ["index.html", "join.html"];
const digestsOf = (names) => Object.fromEntries(names.sort().map((name) => [name, digest(out.get(name)).slice(0, 32)]));
const lasting = [...out.keys()].filter((name) => name.startsWith("a/"));
const files = digestsOf(lasting.filter((name) => !ON_DEMAND.test(name)));
const onDemand = digestsOf(lasting.filter((name) => ON_DEMAND.test(name)));
const digests = Object.fromEntries(pages.map((name) => [name === "index.html" ? "./" : name, digest(out.get(name))]));
const version = { version: digest(JSON.stringify([files, digests])).slice(0, 16), files, onDemand, pages: digests };
out.set("service-worker.js", await alone("service-worker.js", { banner: { js: `self.quorateSite=${JSON.stringify(version)};` } }));

// What is there already, with its brotli copy, stays: compressing takes the longest.
for (const name of existsSync(site) ? readdirSync(site, { recursive: true, withFileTypes: true }) : []) {
  const path = join(name.parentPath ?? name.path, name.name);
  if (name.isFile() && !out.has(relative(site, path).replaceAll("\\", "/").replace(/\.br$/, ""))) rmSync(path);
}
const pack = promisify(brotliCompress);
const work = [...out].filter(([name, content]) => !existsSync(join(site, name)) || !readFileSync(join(site, name)).equals(content));
await Promise.all(Array.from({ length: availableParallelism() }, async () => {
  for (let next = work.pop(); next; next = work.pop()) {
    const [name, content] = next;
    const path = join(site, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const params = { [constants.BROTLI_PARAM_QUALITY]: content.length > 5_000_000 ? 9 : 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    if (/\.(js|css|html|json|svg|wasm|webmanifest|txt)$/.test(name)) writeFileSync(`${path}.br`, await pack(content, { params }));
  }
}));
const size = (path) => statSync(join(site, path)).size;
const packed = (path) => size(existsSync(join(site, `${path}.br`)) ? `${path}.br` : path);
const kB = (bytes) => `${Math.round(bytes / 1000)} kB`;
const module = names.get("pkg/engine_bg.wasm");
console.log(`The module: ${kB(size(module))}, ${kB(packed(module))} after brotli`);
for (const name of pages) {
  const first = new Set([name, ...[...out.get(name).toString().matchAll(/(?:href|src)="(a\/.*?)"/g)].map(([, path]) => path)]);
  console.log(`A first visit of ${name}: ${kB([...first].map(packed).reduce((sum, one) => sum + one))} after brotli, in ${first.size} files`);
}
