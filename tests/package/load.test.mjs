// The packed package holds what it should and loads in Node.js, in a page and in a worker.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { open, openFirefox } from "../support/browser.mjs";
import { installPackage, version } from "../support/package.mjs";

const MODULE = "/node_modules/quorate/quorate.js";
const PAGE = `<!doctype html><meta charset="utf-8"><title>page</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval';
  worker-src 'self'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'">
<script type="module" src="page.js"></script>`;

let installed;
let web;

before(async () => {
  installed = installPackage();
  const files = {
    "index.html": PAGE,
    "page.js": `
      import init, { version } from "${MODULE}";
      const inWorker = new Promise((resolve, reject) => {
        const policy = trustedTypes?.createPolicy("worker", { createScriptURL: (url) => url });
        const worker = new Worker(policy?.createScriptURL("worker.js") ?? "worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
      });
      globalThis.versions = init().then(async () => ({ page: version(), worker: await inWorker }));`,
    "worker.js": `
      import init, { version } from "${MODULE}";
      init().then(() => postMessage(version()));`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(installed.folder, name), content);
  web = await open(installed.folder);
});

after(async () => {
  await web?.close();
  installed?.remove();
});

test("holds these files and no others", () => {
  assert.deepEqual(
    installed.files.filter((file) => !file.startsWith("snippets/") && file !== "README.md"),
    ["LICENSE", "node.js", "package.json", "quorate.d.ts", "quorate.js", "quorate_bg.wasm"],
  );
});

test("has the crate's version and needs no other package", () => {
  const manifest = JSON.parse(readFileSync(join(installed.folder, "node_modules/quorate/package.json"), "utf8"));
  assert.equal(manifest.name, "quorate");
  assert.equal(manifest.version, version);
  assert.equal(manifest.dependencies, undefined);
});

test("loads in Node.js, from disk or from given bytes", () => {
  const program = `
    import { readFileSync } from "node:fs";
    import init, { version } from "quorate";
    await init(process.argv[1] && { module_or_path: readFileSync(new URL(import.meta.resolve("quorate/wasm"))) });
    process.stdout.write(version());`;
  for (const bytes of [[], ["bytes"]]) {
    const args = ["--input-type=module", "--eval", program, ...bytes];
    assert.equal(execFileSync(process.execPath, args, { cwd: installed.folder, encoding: "utf8" }), version);
  }
});

test("loads in a page and in a worker, in Chromium, under a strict policy", async () => {
  const { page, context, problems } = await web.newPage();
  await page.goto(web.url);
  assert.deepEqual(await page.evaluate("versions"), { page: version, worker: version });
  assert.deepEqual(problems, []);
  await context.close();
});

test("loads in a page and in a worker, in Firefox, under a strict policy", async (t) => {
  const firefox = await openFirefox();
  if (!firefox) return t.skip("no Firefox here");
  try {
    const page = await firefox.newPage();
    await page.goto(web.url);
    assert.deepEqual(await page.evaluate("versions"), { page: version, worker: version });
  } finally {
    await firefox.close();
  }
});
