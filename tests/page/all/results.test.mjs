// The results of a run: people first, then the engine's tables, and at the end what is for researchers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/eventually.mjs";
import { leaveFor, made, saved, small, usePage } from "../../support/page.mjs";

const lab = usePage();

test("results begin with what they meant for people, and end with what is for researchers", async () => {
  const { page, problems } = await lab.visit();
  const id = await made(page, small());
  await leaveFor(page, `#/results/${id}`);
  await page.getByTestId("summary").waitFor();
  const order = ["outcome", "summary", "under-rule", "changes", "share-save", "result-blocks", "research", "verify"];
  const places = await page.evaluate((ids) => {
    const all = [...document.querySelectorAll("[data-testid]")].map((one) => one.dataset.testid);
    return ids.map((id) => all.indexOf(id));
  }, order);
  assert.deepEqual(places, [...places].sort((a, b) => a - b));
  assert.ok(!places.includes(-1), `${order} are at ${places}`);
  await eventually.equal(() => page.getByTestId("under-rule").count(), 4);
  assert.equal(await page.getByTestId("seed").isVisible(), false);
  const { name, bytes } = await saved(page, () => page.getByTestId("share-save").click());
  assert.deepEqual([name, bytes.subarray(1, 4).toString()], ["quorate.png", "PNG"]);
  assert.deepEqual(problems, []);
});

test("only an agreement is shown as one", async () => {
  const { page } = await lab.visit();
  for (const rounds of [1, 8]) {
    const id = await made(page, small({ phase2_rounds: rounds, seed: 7 }));
    const agreed = await page.evaluate(async (session) => {
      const { Library } = await import(new URL("engine.js", document.baseURI).href);
      return (await Library.entries(session)).at(-1).what.result.consensus_reached;
    }, id);
    await leaveFor(page, `#/results/${id}`);
    await eventually.equal(() => page.getByTestId("agreement").innerText(), agreed ? "Agreed" : "No agreement");
    assert.equal(await page.locator("[data-testid=agreement].good").count(), Number(agreed));
  }
});
