// The packed package as programmers build it into their pages: bundled, served, and run in a page, with the same record.
// The bundlers are installed from tests/bundlers by its lock file, once.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { open } from "../support/browser.mjs";
import { installPackage, root, version } from "../support/package.mjs";

const TOOLS = join(root, ".tools/bundlers");
const same = JSON.parse(readFileSync(join(root, "tests/same_record.json"), "utf8"));
const expected = [`quorate ${version}`, same.sha256];
const PAGE = `<!doctype html><meta charset="utf-8"><title>page</title><link rel="icon" href="data:,"><script type="module" src="SCRIPT"></script>`;
const main = (entry, how = "") => `
import init, { Session, version } from "${entry}";
${how}
const same = ${JSON.stringify(same)};
globalThis.told = (async () => {
  await init(${how ? "{ module_or_path: url }" : ""});
  const session = await Session.create(same.config, { id: same.id, now: () => same.now, store: "memory" });
  await session.run();
  const { text } = await session.export("jsonl");
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [version(), Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("")];
})();
`;

let installed;
let tools;

before(async () => {
  mkdirSync(TOOLS, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(root, "tests/bundlers", name), join(TOOLS, name));
  const lock = readFileSync(join(TOOLS, "package-lock.json"), "utf8");
  const done = join(TOOLS, "node_modules/.quorate-lock");
  if (!existsSync(done) || readFileSync(done, "utf8") !== lock) {
    // Not `npm ci`, which wants the packages of all platforms in the lock file, and npm leaves some out.
    try {
      execFileSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: TOOLS });
    } catch (error) {
      console.error(`SKIPPED: the bundlers cannot be installed here (${error.message.split("\n")[0]})`);
      return;
    }
    writeFileSync(done, lock);
  }
  writeFileSync(join(TOOLS, "load.mjs"), "export const load = (name) => import(name);");
  ({ load: tools } = await import(pathToFileURL(join(TOOLS, "load.mjs")).href));
  installed = installPackage();
});
after(() => installed?.remove());

/** A project with the package: its folder. */
function project(name, entry, { script = "main.js", how = "" } = {}) {
  const folder = join(installed.folder, name);
  mkdirSync(join(folder, "dist"), { recursive: true });
  symlinkSync(join(installed.folder, "node_modules"), join(folder, "node_modules"), "dir");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "index.html"), PAGE.replace("SCRIPT", script));
  writeFileSync(join(folder, "dist/index.html"), PAGE.replace("SCRIPT", "main.js"));
  writeFileSync(join(folder, "main.js"), main(entry, how));
  return folder;
}

/** What a page at an address tells, or one in a folder. */
async function told({ folder, url }) {
  const web = await open(folder ?? installed.folder);
  try {
    const { page, problems } = await web.newPage();
    await page.goto(url ?? web.url);
    await page.waitForFunction(() => globalThis.told);
    const result = await page.evaluate(() => globalThis.told);
    // A development server talks to its page; what matters is whether anything went wrong.
    assert.deepEqual(problems.filter((one) => !/\[vite\]|other host|elsewhere/.test(one)), []);
    return result;
  } finally {
    await web.close();
  }
}

for (const vite of ["vite5", "vite7", "vite8"]) {
  test(`${vite}: served while developing, and built`, async (t) => {
    if (!tools) return t.skip("no bundlers here");
    const { createServer, build } = await tools(vite);
    const folder = project(vite, "quorate/inline");
    const server = await createServer({ root: folder, logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
    try {
      await server.listen();
      assert.deepEqual(await told({ url: `http://127.0.0.1:${server.httpServer.address().port}/` }), expected);
    } finally {
      await server.close();
    }
    await build({ root: folder, base: "./", logLevel: "error", build: { outDir: "built", target: "es2022", chunkSizeWarningLimit: 9000 } });
    assert.deepEqual(await told({ folder: join(folder, "built") }), expected);
    const separate = project(`${vite}-url`, "quorate", { how: 'import url from "quorate/wasm?url";' });
    await build({ root: separate, base: "./", logLevel: "error", build: { outDir: "built", target: "es2022", chunkSizeWarningLimit: 9000 } });
    assert.deepEqual(await told({ folder: join(separate, "built") }), expected);
  });
}

test("esbuild", async (t) => {
  if (!tools) return t.skip("no bundlers here");
  const { build } = await tools("esbuild");
  const folder = project("esbuild", "quorate/inline");
  await build({ entryPoints: [join(folder, "main.js")], outdir: join(folder, "dist"), bundle: true, format: "esm", logLevel: "error" });
  assert.deepEqual(await told({ folder: join(folder, "dist") }), expected);
});

test("Rollup", async (t) => {
  if (!tools) return t.skip("no bundlers here");
  const { rollup } = await tools("rollup");
  const { nodeResolve } = await tools("@rollup/plugin-node-resolve");
  const folder = project("rollup", "quorate/inline");
  const bundle = await rollup({ input: join(folder, "main.js"), plugins: [nodeResolve({ browser: true })] });
  await bundle.write({ dir: join(folder, "dist"), format: "es" });
  assert.deepEqual(await told({ folder: join(folder, "dist") }), expected);
});

test("webpack: the module inside, and beside", async (t) => {
  if (!tools) return t.skip("no bundlers here");
  const { default: webpack } = await tools("webpack");
  for (const [name, entry] of [["webpack", "quorate"], ["webpack-inline", "quorate/inline"]]) {
    const folder = project(name, entry);
    const stats = await new Promise((resolve, reject) => webpack({ mode: "production", context: folder, entry: "./main.js", output: { path: join(folder, "dist"), filename: "main.js" }, performance: { hints: false } }, (error, done) => (error ? reject(error) : resolve(done))));
    assert.deepEqual(stats.toJson({ errors: true }).errors, []);
    assert.deepEqual(await told({ folder: join(folder, "dist") }), expected);
  }
});

test("Next", async (t) => {
  if (!tools) return t.skip("no bundlers here");
  // Within the folder that has Next: it follows no links out of its root.
  const within = realpathSync(TOOLS);
  const folder = join(within, "page");
  rmSync(folder, { recursive: true, force: true });
  const write = (name, text) => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "app"), { recursive: true });
  cpSync(join(installed.folder, "node_modules/quorate"), join(folder, "node_modules/quorate"), { recursive: true, dereference: true });
  write("package.json", JSON.stringify({ private: true, type: "module" }));
  write("next.config.mjs", `export default { output: "export", turbopack: { root: ${JSON.stringify(within)} } };`);
  write("app/layout.jsx", 'export default ({ children }) => <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>;');
  write("app/main.js", `export const run = () => {\n${main("quorate").replace(/import .*;/, "")}};\nimport init, { Session, version } from "quorate";`);
  write("app/page.jsx", '"use client";\nimport { useEffect } from "react";\nimport { run } from "./main.js";\nexport default function Page() {\n  useEffect(run, []);\n  return null;\n}');
  execFileSync(process.execPath, [join(within, "node_modules/next/dist/bin/next"), "build"], { cwd: folder, env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" }, stdio: ["ignore", "ignore", "inherit"] });
  assert.deepEqual(await told({ folder: join(folder, "out") }), expected);
});

test("Node.js takes the one with the module inside, too", (t) => {
  if (!tools) return t.skip("no bundlers here");
  const folder = project("node", "quorate/inline");
  const told = execFileSync(process.execPath, ["--input-type=module", "--eval", 'await import("./main.js"); console.log(JSON.stringify(await globalThis.told))'], { cwd: folder, encoding: "utf8" });
  assert.deepEqual(JSON.parse(told), expected);
});
