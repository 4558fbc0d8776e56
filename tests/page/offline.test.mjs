// The page is kept whole by its service worker: it works without a host, and never shows half of two versions.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { SITE, openPage, pace, ready, runIs } from "../support/page.mjs";

let lab;
let folder;
before(async () => {
  lab = await openPage();
  folder = mkdtempSync(join(tmpdir(), "quorate-site-"));
});
after(async () => {
  await lab?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page of a server of its own, once its files are kept. */
async function kept(root) {
  const server = await serve(root);
  const opened = await lab.newPage({ locale: "en-US", reducedMotion: "reduce" });
  await opened.page.goto(server.url);
  await ready(opened.page);
  await opened.page.waitForFunction(() => navigator.serviceWorker.controller);
  return { ...opened, server };
}

test("without its host the page comes up, runs a session to its end and shows it again", async () => {
  const { page, context, problems, server } = await kept(SITE);
  await server.close();
  await page.reload();
  await ready(page);
  await page.getByTestId("start").click();
  await pace(page, "instant");
  await runIs(page, "ended");
  const id = new URL(page.url()).hash.split("/")[2];
  for (const hash of [`#/results/${id}`, `#/replay/${id}`, "#/setup", "#/library", "#/memory", "#/models"]) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator("main h1").first().waitFor();
    assert.equal(await page.getByTestId("trouble").count(), 0, hash);
  }
  await page.getByTestId("language").selectOption("zh");
  await page.locator("html[lang=zh-Hans]").waitFor();
  // All that is not kept is the check for a newer service worker.
  assert.deepEqual(problems.filter((one) => !one.includes("service-worker.js")), []);
  await context.close();
});

/** Changes the copy of the site as a new version would be; `digest` is what its service worker takes the page for. */
function change(words, digest = null) {
  const page = readFileSync(join(folder, "index.html"), "utf8").replace(/(?:<!--.*-->)?\n<\/body>/, `<!--${words}-->\n</body>`);
  const script = readFileSync(join(folder, "service-worker.js"), "utf8");
  writeFileSync(join(folder, "index.html"), page);
  const made = digest ?? createHash("sha256").update(page).digest("hex");
  writeFileSync(join(folder, "service-worker.js"), script.replace(/("version":")[^"]*/, `$1${words}`).replace(/("\.\/":")[^"]*/, `$1${made}`));
}
const update = (page) => page.evaluate(async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration.update();
  const worker = registration.installing;
  return new Promise((resolve) => worker.addEventListener("statechange", () => ["activated", "redundant"].includes(worker.state) && resolve(worker.state)));
});
const words = (page) => page.evaluate(() => [...document.body.childNodes].filter(({ nodeType }) => nodeType === 8).map(({ data }) => data));

test("a newer version is told of, and comes whole with the next reload; a broken one does not come", async () => {
  cpSync(SITE, folder, { recursive: true, filter: (name) => !/\.br$|web-?llm|wllama/.test(name) });
  const { page, context, server } = await kept(folder);
  assert.deepEqual(await words(page), []);

  change("broken", "0".repeat(64));
  assert.equal(await update(page), "redundant");
  await page.reload();
  await ready(page);
  assert.deepEqual(await words(page), []);
  assert.equal(await page.getByTestId("update").count(), 0);
  assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);

  change("second");
  assert.equal(await update(page), "activated");
  await page.getByTestId("update").waitFor();
  assert.match(await page.getByTestId("update").textContent(), /A newer version of this page is ready/);
  // What the open page asks for is of its own version still, also where the host has it no more.
  for (const name of readdirSync(join(folder, "a")).filter((one) => one.startsWith("setup-"))) rmSync(join(folder, "a", name));
  await page.evaluate(() => (location.hash = "#/setup"));
  await page.locator("main h1").first().waitFor();
  assert.equal(await page.getByTestId("trouble").count(), 0);
  await Promise.all([page.waitForEvent("load"), page.getByTestId("update-reload").click()]);
  await ready(page);
  assert.deepEqual(await words(page), ["second"]);
  await server.close();
  await context.close();
});
