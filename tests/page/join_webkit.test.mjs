// The guest's page in WebKit, as telephones of one maker have it: at a table with somebody in Node.js, over the broker beside
// the page, from the link to an answer that stands in the record.
import assert from "node:assert/strict";
import { join as path } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { serve } from "../../scripts/serve.mjs";
import { broker } from "../../src/web/room/broker.js";
import { root } from "../support/package.mjs";
import { SITE } from "../support/page.mjs";
import { people, poll } from "../support/trial.mjs";
import { hasWebKit, openWebKit } from "../support/webkit.mjs";

const { default: init } = await import(path(root, "dist/node.js"));
const { Room } = await import(path(root, "dist/room.js"));

test("a question is answered and kept in WebKit", { timeout: 180_000, skip: !hasWebKit && "no WebKitGTK with its driver and Xvfb here" }, async (own) => {
  await init();
  const server = await serve(SITE);
  own.after(() => server.close());
  const transport = broker(new URL("room", server.url).href.replace(/^http/, "ws"), { WebSocket });
  own.after(() => transport.close());
  const session = { ...poll(2), agents: people(2) };
  const room = await Room.open({ session, people: 2, least: 1, tables: 1, start: "hand", consent: "Do you agree?" }, { transport, own: true, base: `${server.url}join.html`, store: "memory", session: { store: "memory" } });
  own.after(() => room.close());
  const page = await openWebKit();
  own.after(() => page.close());
  await page.goto(room.link);
  await page.click("[data-testid=send-yes]");
  await page.find("[data-testid=lobby]");
  assert.equal(room.start(), true);
  await page.find("[data-testid=question] textarea");
  // Whether it was shown is noted by the page: it may stand there for a moment only.
  await page.evaluate("window.told = []; new MutationObserver(() => window.told.push(document.querySelector('main').innerText)).observe(document.body, { childList: true, subtree: true, characterData: true });");
  await page.fill("textarea", "As the census says.");
  await page.fill("input[type=number]", "3700000");
  await page.click("[data-testid=send]");
  const isKept = () => room.session(1).entries().some(({ what }) => what.type === "answered" && JSON.stringify(what.reply).includes("census"));
  for (let tries = 0; !isKept() && tries < 300; tries += 1) await pause(100);
  assert.ok(isKept(), "the answer stands in the record");
  for (let tries = 0; !(await page.evaluate("return window.told.some((text) => /Kept|kept/.test(text))")) && tries < 100; tries += 1) await pause(100);
  assert.match((await page.evaluate("return window.told")).join("\n"), /kept/i);
});
