// A whole run as a newcomer has it: one press, the outcome, files that are what they say; and a reload in its middle.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { assertAskedOnce, callsDone, course, made, openPage, pace, ready, runIs, saved, sessionId, small, stored, unfold, view } from "../support/page.mjs";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

test("one press starts a run that comes to an outcome, which is verified", async () => {
  const { page, context, problems } = await lab.visit();
  await page.getByText("The first run in a browser is the same for everybody, as its seed is fixed").waitFor();
  await page.getByTestId("start").click();
  await runIs(page, "running");
  assert.match(page.url(), /#\/run\/\w+$/);
  await pace(page, "instant");
  await runIs(page, "ended");
  const outcome = await page.getByTestId("outcome").textContent();
  assert.match(outcome, /^The group agreed on “.+” (with \$[\d,]+ )?in round \d+\.$|^The group did not agree/);
  const entries = await stored(page, sessionId(page));
  const count = (type) => entries.filter(({ what }) => what.type === "event" && what.event.type === type).length;
  assert.equal(await page.getByTestId("statement").count(), count("spoke"));
  assert.equal(await page.locator("[data-testid=ballot]").count(), count("counted"));
  assertAskedOnce(entries);

  // What a principle means is told where it stands, by a tap and by keyboard.
  await unfold(page);
  const ranked = page.locator(".turn-ranking").first();
  await ranked.getByRole("button", { name: "Average + range" }).click();
  await page.getByTestId("explanation").getByText("differ by no more than an amount").waitFor();
  await page.keyboard.press("Escape");
  await ranked.locator(".badge-button").first().press("Enter");
  await page.getByTestId("explanation").waitFor();
  await assertFine(page, "explanation-of-principle");
  await page.keyboard.press("Escape");
  await page.getByTestId("fold-all").click();

  assert.equal(await page.getByTestId("left").isVisible(), false, "nothing is left");

  // Folded as it is now, a phone shows each round whole, and the distributions.
  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await page.locator(".notice .explained-table .scroll").evaluate((node) => node.scrollWidth <= node.clientWidth), true);
  assert.ok(await page.locator(".gist-change").count() > 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByTestId("results").click();
  await page.locator("table.pay").waitFor();
  assert.equal(await page.getByTestId("outcome").textContent(), outcome);
  assert.equal(await page.locator("table.pay tbody tr").count(), 5);
  assert.equal(await page.getByTestId("seed").textContent(), "5");
  await page.getByTestId("verify").click();
  await page.locator("[data-testid=verified][data-ok=true]").waitFor();
  assert.match(await page.getByTestId("verified").textContent(), new RegExp(String(entries.length.toLocaleString("en-US"))));
  // A dialog goes with the view that it was opened in.
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  await page.goBack();
  await page.getByTestId("results").waitFor();
  assert.equal(await page.locator("dialog").count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a run goes on after reloads, with nothing asked twice and the same course", async () => {
  const { page, context, problems } = await lab.visit();
  await page.getByTestId("preset-quick").click();
  await pace(page, "fast");
  await callsDone(page, 4);
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  const id = sessionId(page);
  await page.reload();
  await ready(page);
  await runIs(page, "paused");
  const early = await stored(page, id);
  assert.ok(early.length > 8 && early.at(-1).what.type !== "ended");

  await page.getByTestId("resume").click();
  await runIs(page, "running");
  await callsDone(page, 12);
  await page.reload(); // in full run, with questions on their way
  await ready(page);
  await pace(page, "instant");
  await runIs(page, "ended");
  const whole = await stored(page, id);
  assert.deepEqual(whole.slice(0, early.length), early, "what was recorded stays as it is");
  assertAskedOnce(whole);
  const asked = whole.filter(({ what }) => what.type === "asked").length;
  assert.equal(await page.getByTestId("calls").textContent(), asked.toLocaleString("en-US"));

  const config = { ...whole[0].what.config };
  const other = await stored(page, await made(page, config));
  const sorted = (list) => course(list).map((one) => JSON.stringify(one)).sort();
  assert.deepEqual(sorted(whole), sorted(other), "an uninterrupted run takes the same course");
  assert.deepEqual(problems, []);
  await context.close();
});

test("the files are what they say, and the record replays in another browser", async () => {
  const { page, context, problems } = await lab.visit();
  const id = await made(page, small());
  const entries = await stored(page, id);
  await view(page, `#/results/${id}`, "verify");
  const file = (format) => saved(page, () => page.getByTestId(`export-${format}`).click());

  const json = await file("json");
  assert.match(json.name, /\.json$/);
  // Each hash is over all lines up to its own; and taken in again below, the entries are the same.
  const hashes = (lines) => lines.map(({ hash }) => hash);
  assert.deepEqual(hashes(JSON.parse(json.text).entries), hashes(entries));
  assert.equal("signature" in JSON.parse(json.text), false, "no key is made for it");

  const jsonl = await file("jsonl");
  assert.match(jsonl.name, /\.jsonl$/);
  const lines = jsonl.text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(hashes(lines), hashes(entries));

  const csv = await file("asks");
  assert.match(csv.name, /\.csv$/);
  const rows = csv.text.replace(/^\uFEFF/, "").trimEnd().split("\r\n");
  const columns = rows[0].split(",").length;
  assert.ok(columns > 3 && rows.length > 2, rows[0]);
  assert.match(csv.text, /Ada/);

  const md = await file("md");
  assert.match(md.name, /\.md$/);
  assert.match(md.text, /^# Two at a table/m);
  const spoken = entries.map(({ what }) => what.event).filter((event) => event?.type === "spoke");
  assert.ok(spoken.length > 0);
  for (const { seat } of spoken) assert.ok(md.text.includes(seat));

  const published = await file("published");
  assert.match(published.name, /\.json$/);
  const shape = JSON.parse(published.text);
  assert.ok("general_information" in shape && Array.isArray(shape.agents) && shape.agents.length === 2, Object.keys(shape).join());
  assert.deepEqual(problems, []);
  await context.close();

  for (const { name, text } of [json, jsonl]) {
    const fresh = await lab.visit("#/library");
    await fresh.page.getByTestId("import").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    await fresh.page.getByTestId("session").waitFor();
    const taken = await fresh.page.getByTestId("session").getAttribute("data-id");
    assert.deepEqual(await stored(fresh.page, taken), entries);
    await view(fresh.page, `#/results/${taken}`, "verify");
    await fresh.page.getByTestId("verify").click();
    await fresh.page.locator("[data-testid=verified][data-ok=true]").waitFor();
    assert.deepEqual(fresh.problems, []);
    await fresh.context.close();
  }
});

test("a full disk is told while it is full; the run goes on by itself", async () => {
  const { page, context } = await lab.visit("#/");
  const id = await made(page, small(), { run: false });
  await page.evaluate(() => {
    const { add, put } = IDBObjectStore.prototype;
    const fails = () => {
      throw new DOMException("no room", "QuotaExceededError");
    };
    Object.assign(IDBObjectStore.prototype, { add: fails, put: fails });
    globalThis.givesRoom = () => Object.assign(IDBObjectStore.prototype, { add, put });
  });
  await view(page, `#/run/${id}`, "state");
  const banner = page.getByTestId("banner");
  await banner.filter({ hasText: "storage is full" }).waitFor();
  await assertFine(page, "a run whose record has no room");
  await page.getByTestId("store-again").click();
  await banner.filter({ hasText: "storage is full" }).waitFor();
  await page.evaluate(() => globalThis.givesRoom());
  await banner.filter({ hasText: "storage is full" }).waitFor({ state: "detached" });
  await runIs(page, "ended");
  const entries = await stored(page, id);
  assertAskedOnce(entries);
  assert.equal(entries.at(-1).what.type, "ended");
  await context.close();
});
