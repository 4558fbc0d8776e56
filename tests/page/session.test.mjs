// The session cases (tests/session) on IndexedDB.
import { test } from "node:test";
import { open } from "../support/browser.mjs";
import { root } from "../support/package.mjs";
import { runCases } from "../support/session.mjs";

test("session cases on IndexedDB", async (own) => {
  const web = await open(root);
  own.after(() => web.close());
  const { page } = await web.newPage();
  await runCases(own, page, web.url);
});
