// Makes the static site in site/ from www/: for each page one bundle for its first view and the rest on demand, every file
// but the pages and the service worker named by its content in site/a/, each compressed beside it (.br) for hosts that
// hand that out. Needs www/pkg and www/vendor.   node scripts/site.mjs
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants } from "node:zlib";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const www = join(root, "www");
const site = join(root, "site");
/** Modules under names that stay: for tests, the console and other programs of the origin. They lead into the bundle. */
const NAMED = ["engine.js", "keys.js", "vault.js", "origins.js", "costs.js", "deliver.js", "inpage/remote.js", "pkg/quorate.js"];
const WORKERS = ["rehearsal_worker.js", "exports_worker.js", "inpage/worker.js"];
/** The module and its parts. */
const PARTS = inside("pkg").filter((path) => /\.(wasm|bin)$/.test(path));
/** Both a module of the page and a worker of its own. */
const TIMER = inside("pkg/snippets", { recursive: true }).find((path) => path.endsWith("/timer.js"));
const ASSETS = ["favicon.svg", ...PARTS, "vendor/wllama.wasm", ...inside("i18n"), ...inside("icons"), ...inside("vendor").filter((name) => name.endsWith(".js"))];
/** Too large to be fetched ahead of being wanted: models inside the page. */
const ON_DEMAND = /^a\/(wllama|webllm|gguf|worker)-/;

function inside(folder, options = {}) {
  return readdirSync(join(www, folder), options).map((name) => `${folder}/${String(name).split(sep).join("/")}`);
}

const read = (path) => readFileSync(join(www, path));
/** Path in site/ to content. */
const out = new Map();
/** Path in www/ to path in site/. */
const names = new Map();
const digest = (content, kind = "hex") => createHash("sha256").update(content).digest(kind);

function add(path, content) {
  const end = extname(path);
  const name = `a/${basename(path, end)}-${digest(content).slice(0, 8).toUpperCase()}${end}`;
  out.set(name, content);
  names.set(path, name);
  return name;
}

/** What stands for www/files.js in the bundles. */
const table = () => `const names = ${JSON.stringify(Object.fromEntries([...names].map(([path, name]) => [path, basename(name)])))};
export const file = (path) => new URL(names[path], import.meta.url).href;`;

const options = { absWorkingDir: root, bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", legalComments: "none", write: false, logLevel: "warning",
  logOverride: { "duplicate-object-key": "silent" } /* as wasm-bindgen writes it */ };

/** The view that Start leads to. */
const SECOND = "run.js";

/**
 * Bundles modules. Chunks that need anything of the `first` module's need all of it, so that it becomes one file, and so
 * with the `second`, which is loaded when the first is there. The `named` are modules beside the pages that lead into
 * the bundle.
 */
async function bundle(paths, { first = null, second = null, entryNames, named = [], plugins = [] }) {
  const entryPoints = paths.map((path) => join(www, path));
  const settings = { ...options, outbase: www, outdir: site, splitting: true, metafile: true, entryNames, chunkNames: "a/[name]-[hash]" };
  const { inputs } = (await build({ ...settings, entryPoints, minify: false })).metafile;
  const later = new Set(Object.values(inputs).flatMap(({ imports }) => imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path)));
  /** A module and what it imports, not what it loads later. */
  const closure = (path, all = new Set()) => {
    if (!all.has(path)) inputs[all.add(path) && path].imports.forEach(({ path: other, kind, external }) => kind === "dynamic-import" || external || closure(other, all));
    return all;
  };
  const ofFirst = first ? closure(`www/${first}`) : new Set();
  const ofSecond = new Set(second ? [...closure(`www/${second}`)].filter((path) => !ofFirst.has(path)) : []);
  const leans = (at) => second && !ofFirst.has(at) && !ofSecond.has(at) && [...closure(at)].some((path) => ofSecond.has(path));
  const fill = {
    name: "fill",
    setup({ onLoad, onResolve }) {
      // Libraries are bundles already.
      onResolve({ filter: /\/vendor\/.*\.js$/ }, ({ path }) => ({ path: `./${basename(names.get(path.slice(path.indexOf("vendor/"))))}`, external: true }));
      onResolve({ filter: /^named:/ }, ({ path }) => ({ path: path.slice("named:".length), namespace: "named" }));
      onLoad({ filter: /./, namespace: "named" }, ({ path }) => ({ contents: `import "./${first}"; export * from "./${path}";`, resolveDir: www }));
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const at = relative(root, path).split(sep).join("/");
        let contents = at === "www/files.js" ? table() : readFileSync(path, "utf8");
        if (/^www\/pkg\/\w+\.js$/.test(at)) contents = contents.replace(/new URL\((['"])(?:\.\/)?(\w+\.(?:wasm|bin))\1/g, (_, quote, name) => `new URL("./${basename(names.get(`pkg/${name}`))}"`);
        if (at === `www/${TIMER}`) contents = replaced(contents, '"./timer.js"', `"./${basename(names.get(TIMER))}"`);
        const needed = later.has(at) ? [first && at !== `www/${first}` && first, leans(at) && second].filter(Boolean) : [];
        contents = [...needed.map((path) => `import ${JSON.stringify(join(www, path))};`), contents].join("\n");
        return { contents, resolveDir: dirname(path) };
      });
    },
  };
  const { outputFiles, metafile } = await build({ ...settings, entryPoints: [...entryPoints.map((path) => ({ in: path, out: relative(www, path).slice(0, -".js".length) })), ...named.map((path) => ({ in: `named:${path}`, out: path.slice(0, -".js".length) }))], plugins: [...plugins, fill] });
  for (const { path, contents } of outputFiles) out.set(relative(site, path).split(sep).join("/"), Buffer.from(contents));
  /** The output in which a module's own code is. */
  return (path) => relative(site, join(root, Object.entries(metafile.outputs).find(([, { inputs: within }]) => `www/${path}` in within)[0])).split(sep).join("/");
}

function replaced(text, from, to) {
  if (!text.includes(from)) throw new Error(`no ${from} to replace`);
  return text.replaceAll(from, to);
}

/** Words of the lab's that participants meet as well; the guest's page takes no others of them along. */
const SHARED = /^(principle\.\w+$|class\.|step\.(?!count|state)|moment\.|human\.(about|points)$|delphi\.(told|missing|nobody)$|vote\.by$|round$|debate\.(kind\.|leads$|whole$|result\.answer$)|applied\.none$|drawn\.)/;
/** The lab's forms speak the words of the guest's page there. */
const guestWords = {
  name: "words",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\.\/i18n\.js$/ }, () => ({ path: join(www, "join/words.js") }));
    onLoad({ filter: /[\\/]www[\\/]i18n[\\/]\w+\.json$/ }, ({ path }) => ({ loader: "json", contents: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(readFileSync(path, "utf8"))).filter(([key]) => SHARED.test(key)))) }));
  },
};
/** Bytes of the guest's page after brotli, with everything. */
const GUEST_LIMIT = 60_000;
/** What a visitor of a page loads before anything is asked of it. */
const weight = (name) => [name, ...[...out.get(name).toString().matchAll(/(?:href|src)="(a\/.*?)"/g)].map(([, path]) => path)]
  .filter((path, at, all) => all.indexOf(path) === at).reduce((sum, path) => sum + brotliCompressSync(out.get(path)).length, 0);

async function styles(paths) {
  const contents = paths.map((path) => `@import "./${path}";`).join("\n");
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: www, loader: "css" }, outdir: site });
  return Buffer.from(outputFiles[0].contents);
}

/** A page with the names of what was built: its style sheets are one, its first script goes before all, its module is a bundle. */
async function page(name) {
  const html = read(name).toString();
  const all = (pattern) => [...html.matchAll(pattern)];
  const sheets = all(/<link rel="stylesheet" href="(.*?)">\n/g);
  const [[moduleTag, entry]] = all(/<script type="module" async src="(.*?)"><\/script>/g);
  const codeOf = await bundle([entry], name === "join.html" ? { entryNames: "a/[name]-[hash]", plugins: [guestWords] } : { first: entry, second: SECOND, entryNames: "[dir]/[name]", named: name === "index.html" ? NAMED : [] });
  const module = codeOf(entry);
  if (module !== entry) out.delete(entry);
  const sheet = add(`${basename(name, ".html")}.css`, await styles(sheets.map(([, path]) => path)));
  let made = sheets.slice(1).reduce((text, [whole]) => text.replace(whole, ""), html)
    .replace(sheets[0][0], `<link rel="stylesheet" href="${sheet}">\n<link rel="modulepreload" href="${module}">\n`)
    .replace(moduleTag, moduleTag.replace(entry, module));
  // A page does not wait for its first script on its way: that stands in it, and the policy names it.
  const [[firstTag, first]] = all(/<script src="(.*?)"><\/script>/g);
  const script = await alone(first);
  made = replaced(made, firstTag, `<script>${script}</script>`);
  made = replaced(made, "script-src 'self'", `script-src 'self' 'sha256-${digest(script, "base64")}'`);
  for (const [, path] of all(/<link rel="(?:icon|manifest|preload)" href="(.*?)"/g)) made = made.replace(`"${path}"`, `"${names.get(path)}"`);
  out.set(name, Buffer.from(made));
}

const pages = readdirSync(www).filter((name) => name.endsWith(".html"));
for (const path of ASSETS) add(path, read(path));
// Those that some view asks for by itself; a page's own are one sheet.
for (const path of inside("style").filter((path) => !read("index.html").includes(path))) add(path, await styles([path]));
const alone = async (path) => Buffer.from((await build({ ...options, format: "iife", entryPoints: [join(www, path)] })).outputFiles[0].contents);
add(TIMER, await alone(TIMER));
const manifest = JSON.parse(read("manifest.webmanifest").toString());
for (const icon of manifest.icons) icon.src = basename(names.get(icon.src));
for (const key of ["id", "start_url", "scope"]) manifest[key] = "../";
add("manifest.webmanifest", Buffer.from(JSON.stringify(manifest)));
const codeOfWorker = await bundle(WORKERS, { entryNames: "a/[name]-[hash]" });
for (const path of WORKERS) names.set(path, codeOfWorker(path));

for (const name of pages) await page(name);
if (weight("join.html") > GUEST_LIMIT) throw new Error(`the guest's page has ${weight("join.html")} bytes after brotli, more than ${GUEST_LIMIT}`);

// Every address that the page's code asks for by a name is in the table.
for (const path of readdirSync(www, { recursive: true }).map(String).filter((name) => name.endsWith(".js") && !/^(pkg|vendor)/.test(name))) {
  for (const [, asked] of read(path).toString().matchAll(/\bfile\("(.*?)"\)/g)) if (!names.has(asked)) throw new Error(`${path} asks for ${asked}, which scripts/site.mjs does not know`);
}

const files = [...out.keys()].filter((name) => name.startsWith("a/") && !ON_DEMAND.test(name)).sort();
const digests = Object.fromEntries(pages.map((name) => [name === "index.html" ? "./" : name, digest(out.get(name))]));
const told = { version: digest(JSON.stringify([files, digests])).slice(0, 16), files, pages: digests };
const [{ contents }] = (await build({ ...options, format: "iife", entryPoints: [join(www, "service-worker.js")], banner: { js: `self.quorateSite=${JSON.stringify(told)};` } })).outputFiles;
out.set("service-worker.js", Buffer.from(contents));
out.set("pkg/quorate.schema.json", read("pkg/quorate.schema.json"));
out.set("LICENSES.txt", read("vendor/LICENSES.txt"));

// Names say the content, so what is compressed already stays.
const isText = (name) => /\.(js|css|html|json|svg|wasm|bin|webmanifest|txt)$/.test(name);
const kept = new Set();
const pack = promisify(brotliCompress);
const work = [...out].map(([name, content]) => async () => {
  const path = join(site, name);
  const packed = `${name}.br`;
  kept.add(name);
  const isSame = existsSync(path) && readFileSync(path).equals(content);
  mkdirSync(dirname(path), { recursive: true });
  if (!isSame) writeFileSync(path, content);
  if (!isText(name) || content.length < 600) return;
  kept.add(packed);
  if (isSame && existsSync(join(site, packed))) return;
  const quality = content.length > 5_000_000 ? 9 : 11;
  writeFileSync(join(site, packed), await pack(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }));
});
await Promise.all(Array.from({ length: availableParallelism() }, async () => {
  for (let next = work.pop(); next; next = work.pop()) await next();
}));
for (const name of readdirSync(join(site, "a"))) if (!kept.has(`a/${name}`)) rmSync(join(site, "a", name));
