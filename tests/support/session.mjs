// The session cases (tests/session) in a browser, on IndexedDB.
import assert from "node:assert/strict";
import { cases } from "../session/run.mjs";
import { PACKAGE } from "./package.mjs";

/**
 * Runs every case as a subtest of `t`, in a page of Playwright or Puppeteer. `url` is the address of a server of the
 * project's folder: `(await open(root)).url`, or `(await serve(root)).url`.
 */
export async function runCases(t, page, url) {
  await page.goto(`${url}tests/session/index.html?package=/${PACKAGE}/quorate.js`);
  for (const name of Object.keys(cases)) {
    await t.test(name, async () => assert.equal(await page.evaluate((name) => globalThis.runCase(name), name), null));
  }
}
