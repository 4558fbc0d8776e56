// Two tabs of one browser by plain http, where there are no Web Locks: one of them holds a session or a room.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/eventually.mjs";
import { atOnce, leaveFor, pace, ready, runIs, sessionId, usePage, invites } from "../../support/page.mjs";
import { linkOf } from "../../support/trial.mjs";

const lab = usePage();

/** A tab as over plain http. */
async function tab(context, hash) {
  const page = await context.newPage();
  await page.addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }));
  await page.goto(lab.url + hash);
  await ready(page);
  return page;
}
async function profile() {
  const { page, context } = await lab.newPage({ locale: "en-US", reducedMotion: "reduce" });
  await page.close();
  return context;
}

test("a session is open in one tab; a tab that is closed or loaded anew gives it back", async () => {
  const context = await profile();
  const first = await tab(context, "#/");
  await first.getByTestId("start").click();
  await runIs(first, "running");
  const run = `#/run/${encodeURIComponent(sessionId(first))}`;
  const second = await tab(context, run);
  await second.locator("h1", { hasText: "This session is open in another tab" }).waitFor();
  await first.reload();
  await runIs(first, "running");
  await first.close();
  await second.reload();
  await runIs(second, "running");
  await pace(second, "instant");
  await runIs(second, "ended");
});

test("a room has one host", async () => {
  const context = await profile();
  const first = await tab(context, "#/");
  await atOnce(first);
  await invites(first);
  await first.getByTestId("invite-open").click();
  const link = await linkOf(first);
  const room = new URL(first.url()).hash;
  const second = await tab(context, "#/");
  await leaveFor(second, room);
  await second.locator("h1", { hasText: "This room is open in another tab" }).waitFor();
  await first.close();
  await second.reload();
  assert.equal(await linkOf(second), link);
});

test("a tab that was frozen when another took its room over does not go on with it", async () => {
  const context = await profile();
  const first = await tab(context, "#/");
  await atOnce(first);
  await invites(first);
  await first.getByTestId("invite-open").click();
  await linkOf(first);
  const room = new URL(first.url()).hash;
  // As if it was frozen: it does not answer who holds the room.
  await first.evaluate(() => {
    window.real = BroadcastChannel.prototype.postMessage;
    BroadcastChannel.prototype.postMessage = () => {};
  });
  const second = await tab(context, room);
  await linkOf(second);
  await eventually.ok(() => first.getByText("This room is now open in another tab. Close this tab.").isVisible());
});
