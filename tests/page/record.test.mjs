// What the page says of a record that was altered, and of one that another engine wrote.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { made, openPage, saved, small, view } from "../support/page.mjs";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

/** In each language: altered, not to be opened, of another engine. */
const SENTENCES = {
  "en-US": [/^Changed: entry \d+ or an earlier one was changed/, /This record was changed/, /written by quorate 0\.0\.1/],
  "es-ES": [/^Modificado: la entrada \d+ o una anterior se modificó/, /Este registro fue modificado/, /lo escribió quorate 0\.0\.1/],
  "zh-CN": [/^已被改动：第 \d+ 条/, /此记录已被改动/, /此记录由 quorate 0\.0\.1 写成/],
};

/** Makes another word of one in the stored record. */
const alter = (page, id) => page.evaluate(async (id) => {
  const request = indexedDB.open("quorate");
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const transaction = database.transaction("entries", "readwrite");
  transaction.objectStore("entries").openCursor(IDBKeyRange.bound([id], [id, []])).onsuccess = ({ target: { result: cursor } }) => {
    if (!cursor) return;
    if (cursor.value.includes("phase1/")) cursor.update(cursor.value.replace("phase1/", "phase2/"));
    else cursor.continue();
  };
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}, id);

/** The lines as another engine would have written them. */
function ofAnother(text) {
  let chain = Buffer.alloc(32);
  return text.trimEnd().split("\n").map((line) => {
    const body = line.replace(/"engine":"[^"]+"/, '"engine":"quorate 0.0.1"').replace(/,"hash":"[0-9a-f]{8}"\}$/, "");
    chain = createHash("sha256").update(chain).update(body).digest();
    return `${body},"hash":"${chain.toString("hex", 0, 4)}"}`;
  });
}

const take = (page, lines) => page.getByTestId("import").setInputFiles({ name: "other.jsonl", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) });

for (const [locale, [altered, closed, foreign]] of Object.entries(SENTENCES)) {
  test(`an altered record and one of another engine are told, in ${locale}`, async () => {
    const { page, context } = await lab.visit("#/", { locale });
    const id = await made(page, small());
    await view(page, `#/results/${id}`, "verify");
    await page.getByTestId("verify").click();
    await page.locator("[data-testid=verified][data-ok=true]").waitFor();
    const { text } = await saved(page, () => page.getByTestId("export-jsonl").click());
    await alter(page, id);
    await page.getByTestId("verify").click();
    await page.locator("[data-testid=verified][data-ok=false]").waitFor();
    assert.match(await page.getByTestId("verified").textContent(), altered);
    await fits(page, `verdict-${locale}`);
    await page.reload();
    await page.getByTestId("trouble").waitFor();
    assert.match(await page.locator("h1").textContent(), closed);
    await fits(page, `trouble-${locale}`);
    // What stands there can be seen, and the whole is gone from nowhere.
    await page.getByTestId("trouble").locator("xpath=../p[@class='row']/a[1]").click();
    await page.getByTestId("replay-slider").waitFor();

    const lines = ofAnother(text).slice(0, 60);
    await view(page, "#/library", "session");
    await page.getByTestId("delete").click();
    await page.getByTestId("confirm").click();
    await page.getByTestId("session").waitFor({ state: "detached" });
    await take(page, lines);
    await page.getByTestId("session").waitFor();
    assert.doesNotMatch(await page.getByTestId("open").textContent(), /Resume|Continuar|继续/);
    await page.getByTestId("open").click();
    assert.match(await page.getByTestId("foreign").textContent(), foreign);
    for (const control of ["resume", "pause", "step", "stop", "pace"]) assert.equal(await page.getByTestId(control).isVisible(), false, control);
    assert.equal(await page.getByTestId("calls").isVisible(), false);
    assert.ok(await page.getByTestId("foreign").locator("summary").isVisible(), "its exports");
    await fits(page, `foreign-${locale}`);
    await context.close();
  });
}

/** Nothing sticks out, on a phone or on a desk. */
async function fits(page, name) {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} at ${width}`);
  }
}
