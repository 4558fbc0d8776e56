// A teacher's whole lesson: from the first screen to six tables of four, their talks, and the wall with what all tables chose.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { assertFine } from "../../support/access.mjs";
import { eventually } from "../../support/eventually.mjs";
import { guest } from "../../support/guests.mjs";
import { research, usePage } from "../../support/page.mjs";
import { linkOf } from "../../support/trial.mjs";

const lab = usePage();
const PUPILS = 24;
const TABLES = 6;
const CLICKS = 4;
/** The talk that a question belongs to. */
const talkOf = (ask) => /^(.*)\/message\//.exec(ask)?.[1];

/** Pupils who answer all forms at once and write one message in each talk. */
function pupils(link, own) {
  const all = Array.from({ length: PUPILS }, () => {
    const talks = new Set();
    const answer = (ask) => {
      const talk = talkOf(ask);
      if (talks.has(talk)) return null;
      if (talk) talks.add(talk);
      return undefined;
    };
    const post = broker(new URL("room", lab.url).href.replace("http", "ws"), { WebSocket });
    const device = guest(link, post, { answers: new Proxy({}, { get: (_, ask) => answer(String(ask)) }) });
    own.after(() => (device.leave(), post.close()));
    return device;
  });
  return {
    /** The talk that all are in; empty if they are not in the same. */
    talk: () => {
      const talks = new Set(all.map(({ state }) => state?.questions.map(({ ask }) => talkOf(ask)).find(Boolean) ?? ""));
      return talks.size === 1 ? [...talks][0] : "";
    },
    areOver: () => all.every(({ state }) => state?.stage === "over"),
    ways: () => all.map(({ state }) => state.end.way),
  };
}

for (const [language, locale] of [["English", "en-US"], ["Spanish", "es-ES"], ["Mandarin", "zh-CN"]]) {
  test(`a lesson in ${language}, from the first screen to the wall`, async (own) => {
    const { page, problems } = await lab.visit("#/", { locale });
    await page.evaluate(() => {
      window.clicks = 0;
      addEventListener("click", () => (window.clicks += 1), true);
    });
    await assertFine(page, `${locale}-doors`);
    await page.getByTestId("class").click();
    await page.getByTestId("teach-more-people").click();
    await eventually.match(() => page.getByTestId("teach-tables").innerText(), /6/);
    await assertFine(page, `${locale}-teach`);
    await page.getByTestId("teach-open").click();
    const link = await linkOf(page);
    assert.ok((await page.evaluate(() => window.clicks)) <= CLICKS);
    const { talk, areOver, ways } = pupils(link, own);
    await eventually.equal(() => page.locator("[data-testid=room-arrived] li").count(), PUPILS);
    await assertFine(page, `${locale}-lobby`);
    await page.getByTestId("room-start").click();
    await page.locator("[data-testid=room-table]").nth(TABLES - 1).waitFor();
    await eventually.ok(talk);
    await assertFine(page, `${locale}-dashboard`);
    await page.getByTestId("room-project").click();
    await page.getByTestId("wall-table").first().waitFor();
    await assertFine(page, `${locale}-wall`, [[1280, "light"], [1280, "dark"]]);
    await page.getByTestId("wall-leave").click();
    for (let last = ""; !areOver();) {
      last = talk();
      await page.getByTestId("room-skip").click();
      await page.getByTestId("confirm").click();
      await eventually.ok(() => areOver() || (talk() && talk() !== last));
    }
    await eventually.equal(() => page.locator("[data-testid=room-table] .tag[data-state=ended]").count(), TABLES);
    await assertFine(page, `${locale}-over`);
    await page.getByTestId("room-project").click();
    await page.getByTestId("wall-headline").waitFor();
    await eventually.equal(() => page.locator("[data-testid=wall-table].over").count(), TABLES);
    await eventually.match(() => page.getByTestId("wall-changed").innerText(), new RegExp(`\\b${PUPILS}\\b`));
    await assertFine(page, `${locale}-results`, [[1280, "light"], [1280, "dark"]]);
    assert.deepEqual(ways(), Array(PUPILS).fill("complete"));
    // A table is a session as any other.
    await page.getByTestId("wall-leave").click();
    await page.getByTestId("table-more").first().evaluate((fold) => (fold.parentNode.open = true));
    await page.getByTestId("room-table").first().locator("a[href*='#/run/']").click();
    await page.locator("[data-testid=state][data-state=ended]").waitFor();
    await page.getByTestId("to-room").click();
    await page.getByTestId("room-table").first().locator("a[href*='#/results/']").first().click();
    await research(page);
    await page.getByTestId("verify").waitFor();
    assert.deepEqual(problems, []);
  });
}
