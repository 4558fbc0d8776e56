// The engine comes in parts: few bytes for the first screen, the rest before it is wanted, and a part that does not come
// is told of and asked for again. What it does is the same as what the whole module does.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import * as whole from "../../pkg/node.js";
import { openPage, ready, view } from "../support/page.mjs";

let lab;
before(async () => {
  await whole.default();
  lab = await openPage();
});
after(() => lab?.close());

const same = JSON.parse(readFileSync(new URL("../same_record.json", import.meta.url), "utf8"));
const record = async (api, config, id, now) => {
  const session = await api.Session.create(config, { store: "memory", id, now: () => now });
  await session.run();
  const { text } = await session.export("jsonl");
  await session.close();
  return text;
};

test("records of all procedures are the same to the byte as those of the whole module", async () => {
  const { page, context, problems } = await lab.visit("#/");
  const protocols = new Set();
  const configs = whole.presets().map(({ config }) => config).filter(({ protocol, agents }) => {
    const isNew = !protocols.has(protocol) && !agents.some(({ kind }) => kind === "human");
    if (isNew) protocols.add(protocol);
    return isNew;
  });
  assert.equal(configs.length, 4);
  for (const [number, config] of [same.config, ...configs].entries()) {
    // In Node.js there is no memory for debates to look into.
    const given = [{ seed: 7, ...config, ...(config.protocol === "debate" && { sources: [] }) }, `same-${number}`, 1_790_000_000_000];
    const here = await record(whole, ...given);
    const there = await page.evaluate(`import(new URL("engine.js", document.baseURI).href).then((api) => (${record})(api, ...${JSON.stringify(given)}))`);
    const hash = (text) => createHash("sha256").update(text).digest("hex");
    assert.equal(hash(there), hash(here), config.protocol);
    assert.ok(here.split("\n").length > 20);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

/** Why there is nothing to see: the tool that splits the module was not there when it was built. */
const skip = !existsSync(new URL("../../www/pkg/__wasm_split.js", import.meta.url)) && "the module is whole";

test("a part that does not come is told of; it is asked for again", { skip }, async () => {
  const { page, context } = await lab.newPage({ locale: "en-US", serviceWorkers: "block" });
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.route("**/a/split_debate-*.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(lab.url);
  await ready(page);
  assert.ok(!asked.some((url) => /split_(debate|delphi|discussion|exporting|asking|remembering)-/.test(url)), "the first screen goes without");
  await page.evaluate(() => (location.hash = "#/setup"));
  await page.getByTestId("trouble").waitFor();
  await page.unroute("**/a/split_debate-*.wasm");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByTestId("protocol-debate").waitFor({ state: "attached" });
  await view(page, "#/library");
  await context.close();
});

test("what a button asked for and did not get is told of in a sentence, in place of silence, and comes at the next try", { skip }, async () => {
  const { page, context } = await lab.newPage({ locale: "es", serviceWorkers: "block" });
  await page.route("**/a/split_justice-*.wasm", (route) => route.fulfill({ status: 503, body: "" }));
  await page.route("**/a/split_rooms-*.wasm", (route) => route.abort());
  await page.goto(lab.url);
  await ready(page);
  await page.getByTestId("start").click();
  const told = page.getByText("No se pudo cargar un archivo.", { exact: false });
  await told.waitFor();
  await page.getByTestId("class").click();
  await page.getByTestId("invite-open").click();
  await page.getByTestId("invite").getByText("No se pudo cargar", { exact: false }).waitFor();
  await page.unrouteAll();
  await page.getByTestId("invite-open").click();
  await page.getByTestId("room-link").waitFor();
  await view(page, "#/");
  await page.getByTestId("start").click();
  await page.waitForURL(/#\/run\//);
  await page.locator("[data-testid=statement], .turn").first().waitFor();
  await context.close();
});
