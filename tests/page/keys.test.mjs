// A key that is entered is sent to its own endpoint, and is nowhere else: a canary is looked for in all that the page
// keeps, shows, says and saves. And a call that was paid for is not paid for again after a reload.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startModelServer } from "../support/model_server.mjs";
import { assertAskedOnce, callsDone, openPage, runIs, saved, sessionId, small, stored, unfold, view } from "../support/page.mjs";

const CANARY = "sk-canary-123456";
let lab;
let models;

before(async () => {
  lab = await openPage();
  models = await startModelServer({ key: CANARY, answer });
});
after(async () => {
  await lab?.close();
  await models?.close();
});

/** Says the same to every question. */
function answer() {
  return "1. Maximizing the floor income\n2. Maximizing the average income with a floor constraint\n3. Maximizing the average income\n4. Maximizing the average income with a range constraint\nCertainty: sure";
}

const group = (url) => small({ agents: [{ name: "Ada", kind: "model", model: "test", base_url: url, personality: "A teacher." }, small().agents[1]] });

/** Everything that is kept in this origin's storage, as one text. */
const kept = (page) =>
  page.evaluate(async () => {
    const all = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie, (await caches.keys()).join()];
    const wait = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    for (const { name } of await indexedDB.databases()) {
      const database = await wait(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const source = database.transaction(store).objectStore(store);
        all.push(store, JSON.stringify(await wait(source.getAllKeys())), JSON.stringify(await wait(source.getAll()), (key, value) => (ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value)));
      }
      database.close();
    }
    return all.join("\n");
  });

/** All that can be seen or heard of the page: its text, attributes, and what stands in fields. */
const shown = (page) => page.evaluate(() => document.documentElement.outerHTML + [...document.querySelectorAll("input, textarea, select")].map((one) => one.value).join("\n"));

test("a key is sent to its endpoint and found nowhere else", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  const console = [];
  const urls = [];
  const elsewhere = [];
  page.on("console", (message) => console.push(message.text()));
  page.on("request", (request) => {
    urls.push(request.url());
    if (new URL(request.url()).origin !== models.origin && JSON.stringify([request.headers(), request.postData()]).includes(CANARY)) elsewhere.push(request.url());
  });
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify(group(models.url)));
  await page.getByTestId("mode-form").click();
  await page.getByTestId("key").fill(CANARY);
  await page.getByTestId("key-test").click();
  await page.locator(".key .said[data-ok=true]").waitFor();
  await view(page, "#/library");
  await view(page, "#/setup", "setup-start");
  assert.equal(await page.getByTestId("key").inputValue(), "", "the field is empty again");
  await page.getByTestId("setup-start").click();
  await callsDone(page, 6);
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  const id = sessionId(page);
  const looked = [["storage", await kept(page)], ["page", await shown(page)]];
  await page.getByTestId("person-open").first().click();
  await page.getByTestId("memory").waitFor();
  looked.push(["dialog", await shown(page)]);
  await page.keyboard.press("Escape");
  await unfold(page);
  await page.getByTestId("details").first().click();
  await page.getByTestId("inspector").waitFor();
  looked.push(["inspector", await shown(page)]);
  await page.keyboard.press("Escape");
  await view(page, "#/library", "session");
  const card = page.locator(`[data-testid=session][data-id="${id}"]`);
  await card.locator("details.menu summary").click();
  for (const format of ["json", "jsonl", "runs", "seats", "asks", "md"]) {
    const file = await saved(page, () => card.getByTestId(`export-${format}`).click());
    looked.push([file.name, file.text]);
  }
  looked.push(["record", JSON.stringify(await stored(page, id))], ["console", console.join("\n")], ["addresses", urls.join("\n") + page.url()]);
  assert.ok(looked[0][1].includes("Two at a table") && looked[0][1].includes("Maximizing the floor income"), "the storage was really read");
  for (const [where, text] of looked) assert.ok(!text.includes(CANARY), `the key is in: ${where}`);
  assert.ok(models.requests.length > 0 && models.requests.every(({ headers }) => headers.authorization === `Bearer ${CANARY}`));
  assert.ok(models.requests.every(({ text }) => !text.includes(CANARY)), "the key is in no body");
  assert.deepEqual(elsewhere, []);
  // The engine ends a stream itself once the answer is whole, which the browser calls aborted.
  assert.deepEqual(problems.filter((one) => !(one.includes(models.origin) && one.endsWith("ERR_ABORTED"))), []);

  // The key is gone with the page; what was answered is not asked again.
  const before = models.requests.length;
  await view(page, `#/run/${id}`, "resume");
  await page.reload();
  await runIs(page, "paused");
  assert.equal(models.requests.length, before);
  await page.getByTestId("resume").click();
  await runIs(page, "halted");
  await page.getByTestId("halt-key").click();
  await page.getByTestId("key").fill(CANARY);
  await page.getByTestId("halt-again").click();
  await page.waitForFunction(() => !document.querySelector("dialog"));
  const more = await page.getByTestId("calls").textContent();
  await callsDone(page, Number(more) + 4);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  const entries = await stored(page, id);
  assertAskedOnce(entries);
  const accepted = models.requests.filter(({ headers }) => headers.authorization).map(({ text }) => text);
  const seats = entries.filter(({ what }) => what.type === "asked" && what.ask.seat === "Ada").length;
  assert.ok(accepted.length <= seats, `${accepted.length} paid calls for ${seats} questions`);
  for (const [where, text] of [["storage", await kept(page)], ["page", await shown(page)], ["console", console.join("\n")]]) assert.ok(!text.includes(CANARY), `the key is in: ${where}`);
  await context.close();
});
