// The packed package in a page and in a worker, under a strict policy, with the same record as everywhere.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { open, openFirefox } from "../../support/browser.mjs";
import { installPackage } from "../../support/package.mjs";
import { RUN, expected, same } from "../../support/same.mjs";

const MODULE = "/node_modules/quorate/quorate.js";
// As strict as the page's own; `test` is for the worker of this test.
const PAGE = `<!doctype html><meta charset="utf-8"><title>page</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval';
  worker-src 'self'; connect-src 'self'; img-src data:; require-trusted-types-for 'script';
  trusted-types quorate-timer test">
<script type="module" src="page.js"></script>`;

let installed;
let web;

before(async () => {
  installed = installPackage();
  const files = {
    "index.html": PAGE,
    "run.js": RUN,
    "same.js": `export default ${JSON.stringify(same)}`,
    "page.js": `
      import init, * as quorate from "${MODULE}";
      import { run } from "./run.js";
      import same from "./same.js";
      const inWorker = new Promise((resolve, reject) => {
        const policy = globalThis.trustedTypes?.createPolicy("test", { createScriptURL: (url) => url });
        const worker = new Worker(policy?.createScriptURL("worker.js") ?? "worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
      });
      // Seats that take their time need the timer's worker.
      async function slowly() {
        const agents = same.config.agents.slice(0, 2);
        const session = await quorate.Session.create({ ...same.config, agents, phase2_rounds: 1 }, { store: "memory", pace: 55 });
        const run = session.run();
        await new Promise((resolve) => setTimeout(resolve, 300));
        session.setPace(0);
        await run;
        return session.entries().filter(({ what }) => what.reply?.first_piece_at).length > 1;
      }
      globalThis.told = init().then(async () => ({
        page: await run(same, quorate, { store: "indexeddb" }),
        memory: await run(same, quorate, { store: "memory" }),
        worker: await inWorker,
        slowly: await slowly(),
      }));`,
    "once.html": PAGE.replace("page.js", "once.js"),
    "once.js": `
      import init, * as quorate from "${MODULE}";
      import { run } from "./run.js";
      import same from "./same.js";
      globalThis.told = init().then(() => run(same, quorate, { store: "memory" }));`,
    "worker.js": `
      import init, * as quorate from "${MODULE}";
      import { run } from "./run.js";
      import same from "./same.js";
      init().then(() => run({ ...same }, quorate, { store: "memory" })).then(postMessage);`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(installed.folder, name), content);
  web = await open(installed.folder);
});

after(async () => {
  await web?.close();
  installed?.remove();
});

test("loads and runs in a page and in a worker, in Chromium, under a strict policy", async () => {
  const { page, context, problems } = await web.newPage();
  await page.goto(web.url);
  assert.deepEqual(await page.evaluate("told"), { page: expected, memory: expected, worker: expected, slowly: true });
  assert.deepEqual(problems, []);
  const timers = page.workers().filter((worker) => worker.url().endsWith("/src/web/timer.js"));
  assert.equal(timers.length, 1, "the timer's worker runs");
  await context.close();
});

test("loads and runs in a page and in a worker, in Firefox, under a strict policy", async (t) => {
  const firefox = await openFirefox();
  if (!firefox) return t.skip("no Firefox here");
  try {
    const page = await firefox.newPage();
    await page.goto(web.url);
    assert.deepEqual(await page.evaluate("told"), { page: expected, memory: expected, worker: expected, slowly: true });
  } finally {
    await firefox.close();
  }
});

for (const type of ["application/octet-stream", "text/plain"]) test(`loads from a server that sends the module as ${type}`, async () => {
  const { page, context } = await web.newPage();
  await page.route("**/engine_bg.wasm", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-type": type } });
  });
  await page.goto(`${web.url}once.html`);
  assert.deepEqual(await page.evaluate("told"), expected);
  await context.close();
});
