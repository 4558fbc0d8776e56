// Coming to the page: Start waits for the engine, what cannot be loaded is told, and the service worker keeps the page whole.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { eventually } from "../../support/eventually.mjs";
import { SITE, leaveFor, pace, ready, runIs, sessionId, usePage, view } from "../../support/page.mjs";

const lab = usePage();

const ENGINE = "**/engine_bg-*.wasm";

test("Start can be pressed before the engine is there, and waits for it", async () => {
  const { page, problems } = await lab.newPage({ locale: "en-US" });
  let arrive;
  const held = new Promise((resolve) => (arrive = resolve));
  await page.route(ENGINE, (route) => held.then(() => route.continue()));
  await page.goto(lab.url);
  await page.getByTestId("start").click();
  await page.getByText("Loading …").waitFor();
  assert.equal(await page.locator("html[data-ready=true]").count(), 0);
  arrive();
  await runIs(page, "running");
  assert.deepEqual(problems, []);
});

test("an engine that cannot be loaded is told of, on every view", async () => {
  for (const hash of ["#/", "#/library"]) {
    const { page } = await lab.newPage({ locale: "en-US" });
    await page.route(ENGINE, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(lab.url + hash);
    await page.getByTestId("trouble").waitFor();
    await eventually.equal(() => page.getByTestId("start").count(), 0);
    await leaveFor(page, "#/setup");
    await page.locator("[data-testid=nav-setup][aria-current=page]").waitFor();
    await page.getByTestId("trouble").waitFor();
    await leaveFor(page, "#/");
    await page.locator("[data-testid=nav-setup]:not([aria-current])").waitFor();
    await page.getByTestId("trouble").waitFor();
    await page.unroute(ENGINE);
    await page.goto(lab.url);
    await page.reload();
    await ready(page);
    await eventually.equal(() => page.getByTestId("start").count(), 1);
  }
});

test("a view whose code does not come is told of; it is asked for again", async () => {
  const { page } = await lab.newPage({ locale: "en-US", serviceWorkers: "block" });
  const setup = "**/a/setup-*.js";
  await page.route(setup, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(lab.url);
  await ready(page);
  await leaveFor(page, "#/setup");
  await page.getByTestId("trouble").waitFor();
  await page.unroute(setup);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByTestId("protocol-debate").waitFor({ state: "attached" });
});

/** A copy of the site that can be changed. */
let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "quorate-site-"))));
after(() => rmSync(folder, { recursive: true, force: true }));

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
  const { page, problems, server } = await kept(SITE);
  await server.close();
  await page.reload();
  await ready(page);
  await page.getByTestId("start").click();
  await pace(page, "instant");
  await runIs(page, "ended");
  const id = sessionId(page);
  for (const hash of [`#/results/${id}`, `#/replay/${id}`, "#/setup", "#/library", "#/memory", "#/models"]) {
    await view(page, hash);
    assert.equal(await page.getByTestId("trouble").count(), 0, hash);
  }
  await page.getByTestId("language").selectOption("zh");
  await page.locator("html[lang=zh-Hans]").waitFor();
  // All that is not kept is the check for a newer service worker.
  assert.deepEqual(problems.filter((one) => !one.includes("service-worker.js")), []);
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
  const { page, server } = await kept(folder);
  await eventually.deepEqual(() => words(page), []);

  change("broken", "0".repeat(64));
  assert.equal(await update(page), "redundant");
  await page.reload();
  await ready(page);
  await eventually.deepEqual(() => words(page), []);
  await eventually.equal(() => page.getByTestId("update").count(), 0);
  await eventually.equal(() => page.evaluate(async () => (await caches.keys()).length), 1);

  change("second");
  assert.equal(await update(page), "activated");
  await page.getByTestId("update").waitFor();
  await eventually.match(() => page.getByTestId("update").textContent(), /A newer version of this page is ready/);
  // What the open page asks for is of its own version still, also where the host has it no more.
  for (const name of readdirSync(join(folder, "a")).filter((one) => one.startsWith("setup-"))) rmSync(join(folder, "a", name));
  await view(page, "#/setup");
  assert.equal(await page.getByTestId("trouble").count(), 0);
  await Promise.all([page.waitForEvent("load"), page.getByTestId("update-reload").click()]);
  await ready(page);
  await eventually.deepEqual(() => words(page), ["second"]);
  await server.close();
});

test("a page of a host that answers for missing files is not kept in their place", async () => {
  const root = join(folder, "poisoned");
  cpSync(SITE, root, { recursive: true, filter: (name) => !/\.br$|web-?llm|wllama/.test(name) });
  const name = readdirSync(join(root, "a")).find((one) => one.startsWith("setup-") && one.endsWith(".js"));
  const script = readFileSync(join(root, "a", name));
  writeFileSync(join(root, "a", name), readFileSync(join(root, "index.html")));
  const server = await serve(root);
  const { page } = await lab.newPage({ locale: "en-US" });
  await page.goto(server.url);
  await ready(page);
  // The service worker takes no version that is not whole.
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration === undefined || (!registration.installing && !registration.active);
  });
  await eventually.deepEqual(() => page.evaluate(() => caches.keys()), []);
  // Once the host is in order, what the browser kept of the wrong answer does not stand in the way.
  writeFileSync(join(root, "a", name), script);
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.reload();
  await ready(page);
  await view(page, "#/setup");
  assert.equal(await page.getByTestId("trouble").count(), 0);
  await server.close();
});

test("before any script runs, and when one is blocked, the page says what to do", async () => {
  for (const [path, script] of [["", "**/a/app-*.js"], ["join.html", "**/a/main-*.js"], ["", "**/a/chunk-*.js"]]) {
    const { page } = await lab.newPage({ locale: "en-US", serviceWorkers: "block" });
    await page.route(script, (route) => route.fulfill({ status: 403, contentType: "text/html", body: "<h1>Blocked</h1>" }));
    await page.goto(lab.url + path);
    await page.getByText("A part of this page did not load.").waitFor();
    await page.getByText("Hay que recargarla.").waitFor();
  }
  const { page } = await lab.newPage({ javaScriptEnabled: false });
  await page.goto(`${lab.url}join.html`);
  await page.getByText("Loading …").waitFor();
});

test("no peer connection comes back in an empty frame or window", async () => {
  const { page, problems } = await lab.visit();
  const found = await page.evaluate(() => {
    const made = [
      ...["iframe", "IFRAME", "object", "embed", "frame"].map((name) => document.createElement(name)),
      document.createElementNS("http://www.w3.org/1999/xhtml", "x:iframe"),
      document.implementation.createHTMLDocument("").createElement("iframe"),
    ];
    document.body.append(...made);
    return [window.length, made.some((node) => "contentWindow" in node), typeof window.open, typeof document.open, typeof XSLTProcessor, typeof RTCPeerConnection];
  });
  assert.deepEqual(found, [0, false, "undefined", "undefined", "undefined", "undefined"]);
  await page.evaluate(() => document.querySelectorAll("body > span").forEach((node) => node.remove()));
  assert.deepEqual(problems, []);
});
