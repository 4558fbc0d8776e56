// The first screen comes before the engine: Start waits for it, and where it cannot be had the page says so.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPage, ready, runIs } from "../support/page.mjs";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

const ENGINE = "**/engine_bg-*.wasm";

test("Start can be pressed before the engine is there, and waits for it", async () => {
  const { page, context, problems } = await lab.newPage({ locale: "en-US" });
  let arrive;
  const held = new Promise((resolve) => (arrive = resolve));
  await page.route(ENGINE, (route) => held.then(() => route.continue()));
  await page.goto(lab.url);
  await page.getByTestId("preset-quick").waitFor();
  await page.getByTestId("start").click();
  await page.getByText("Loading …").waitFor();
  assert.equal(await page.locator("html[data-ready=true]").count(), 0);
  arrive();
  await runIs(page, "running");
  assert.deepEqual(problems, []);
  await context.close();
});

test("an engine that cannot be loaded is told of, on every view", async () => {
  for (const hash of ["#/", "#/library"]) {
    const { page, context } = await lab.newPage({ locale: "en-US" });
    await page.route(ENGINE, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(lab.url + hash);
    await page.getByTestId("trouble").waitFor();
    assert.equal(await page.getByTestId("start").count(), 0);
    await page.evaluate(() => (location.hash = "#/setup"));
    await page.locator("[data-testid=nav-setup][aria-current=page]").waitFor();
    await page.getByTestId("trouble").waitFor();
    await page.evaluate(() => (location.hash = "#/"));
    await page.locator("[data-testid=nav-setup]:not([aria-current])").waitFor();
    await page.getByTestId("trouble").waitFor();
    await page.unroute(ENGINE);
    await page.goto(lab.url);
    await page.reload();
    await ready(page);
    assert.equal(await page.getByTestId("start").count(), 1);
    await context.close();
  }
});
