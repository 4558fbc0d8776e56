// Axe over eight views, in one look. All views in four looks: all/access.test.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LOOKS, assertFine } from "../support/access.mjs";
import { made, small, unfold, usePage, view } from "../support/page.mjs";

const lab = usePage();

test("eight views hold to axe's rules", async () => {
  const { page, problems } = await lab.visit();
  const looks = [LOOKS[0]];
  await assertFine(page, "home", looks);
  await view(page, "#/setup/quick", "mode-form");
  await assertFine(page, "set-up", looks);
  const id = await made(page, small());
  await view(page, `#/run/${id}`, "ended");
  await unfold(page);
  await assertFine(page, "a run", looks);
  for (const [hash, testid] of [[`#/results/${id}`, "verify"], ["#/library", "session"], ["#/models", "prices"], ["#/memory", null]]) {
    await view(page, hash, testid);
    await assertFine(page, hash, looks);
  }
  await page.goto(`${lab.url}join.html`);
  await page.getByTestId("code").waitFor();
  await assertFine(page, "the guest's page", looks);
  assert.deepEqual(problems, []);
});
