// A room at full size, in the host's own page and on people's own: what scripts/trial.mjs measures, and what a test holds to
// in small (tests/page/all/rooms.test.mjs). `tell(what, value, unit, aim)` gets each figure.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { readLink } from "../../src/web/room/link.js";
import { eventually } from "./eventually.mjs";
import { SITE, assertAskedOnce, atOnce, leaveFor, ready, stored, view, invites } from "./page.mjs";
import { serve } from "../../scripts/serve.mjs";

export const PHONE = { viewport: { width: 360, height: 740 }, locale: "en-US", reducedMotion: "reduce" };
/** Milliseconds in which a page begins. */
const LOADING = 5000;
/** Milliseconds without a network. */
const OFFLINE = 20_000;
/** Seconds until a trial is given up. */
const PATIENCE = 240;
export const people = (count) => ["One", "Two", "Three", "Four", "Five"].slice(0, count).map((name) => ({ name, personality: "A student.", kind: "human" }));
export const poll = (count) => ({ protocol: "delphi", title: "How many", language: "English", question: "How many people live in Berlin?", rounds: 3, agents: people(count), seed: 3 });

export async function until(holds, what, seconds = PATIENCE) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100)) if (await holds()) return;
  throw new Error(`given up after ${seconds} s: ${what}`);
}

/**
 * Opens a room in the host's page, at `address` or at the broker beside it. `longest` is its longest task, in milliseconds, `loading`
 * that of its first seconds, `frames` all that went over the wire, unmasked.
 */
export async function host(lab, plan, address) {
  const { page, context, problems } = await lab.newPage({ locale: "en-US", reducedMotion: "reduce" });
  const frames = [];
  page.on("websocket", (socket) => {
    for (const way of ["framesent", "framereceived"]) socket.on(way, ({ payload }) => frames.push(Buffer.from(payload)));
  });
  await page.exposeFunction("longTask", (time, began) => (began < LOADING ? (told.loading = Math.max(told.loading, time)) : (told.longest = Math.max(told.longest, time))));
  await page.addInitScript(() => new PerformanceObserver((list) => list.getEntries().forEach(({ duration, startTime }) => window.longTask(duration, startTime))).observe({ type: "longtask", buffered: true }));
  const told = { page, context, problems, frames, longest: 0, loading: 0 };
  await page.goto(`${lab.url}#/`);
  await ready(page);
  await atOnce(page);
  await invites(page);
  for (const part of address ? ["more", "meeting"] : ["more"]) await page.getByTestId(`part-${part}`).evaluate((node) => (node.open = true));
  if (address) {
    await page.getByTestId("invite-meeting").selectOption("broker");
    await page.getByTestId("broker-address").fill(address);
  }
  await page.getByTestId("invite-more").fill(JSON.stringify({ absence: { after: 60, then: "stand_in" }, patience: { after: 180, then: "remind" }, ...plan }));
  await page.getByTestId("invite-open").click();
  if (address) await page.waitForFunction((origin) => document.querySelectorAll("meta[http-equiv=Content-Security-Policy]")[1]?.content.includes(origin), new URL(address).origin.replace(/^http/, "ws"));
  told.link = await linkOf(page);
  await atOnce(page);
  return told;
}
/** The link to the room that a host's page has open. */
export async function linkOf(page) {
  await eventually.match(() => page.getByTestId("room-link").inputValue(), /#2\./);
  return page.getByTestId("room-link").inputValue();
}

/** Tables that are over. */
const tablesOver = (page) => page.locator("[data-testid=room-table] .tag[data-state=ended]").count();

/** Answers what a page asks, until it is over. `on(answer)` after each; texts are of the kind that must not be seen on the wire. */
async function plays(page, n, on) {
  for (let count = 0; ; count += 1) {
    await page.locator("[data-testid=question], [data-testid=over]").first().waitFor({ timeout: PATIENCE * 1000 });
    if (await page.getByTestId("over").count()) return;
    const question = page.getByTestId("question");
    const ask = await question.getAttribute("data-ask");
    await pause(800 + Math.random() * 2500);
    const text = ask === "room/name" ? `canary-name-${n}` : `canary-answer-${n}-${count}`;
    const own = page.locator(`[data-testid=question][data-ask="${ask}"]`);
    await own.locator("textarea").first().fill(text);
    if (!ask.startsWith("room/")) await own.locator("input[inputmode=decimal]").fill(String(1000 * (n + 1)));
    await own.getByTestId("send").click();
    await own.waitFor({ state: "detached", timeout: PATIENCE * 1000 });
    on(ask.startsWith("room/") ? null : text);
  }
}

/** The page with its broker, which `restart()` takes down for a second. */
export async function beside(lab) {
  let server = await serve(SITE);
  const port = Number(new URL(server.url).port);
  return { lab: { ...lab, url: server.url }, close: () => server.close(), restart: async () => {
    await server.close();
    await pause(1000);
    server = await serve(SITE, { port });
  } };
}

/**
 * People on pages of their own play at so many tables to the end, while a guest goes for good, another is offline for 20 s, the
 * broker is stopped and started (`restart()`), and the host is loaded anew. Nothing is asked twice, no answer lost, nothing on the wire in clear.
 */
export async function faulty(lab, name, { tables, seats, address, restart, tell }) {
  const count = tables * seats;
  const one = await host(lab, { title: "With faults", session: poll(seats), people: seats, tables, deal: "random", start: "full", names: "own", absence: { after: 30, then: "stand_in" } }, address);
  const { page, frames, link } = one;
  const began = Date.now();
  const given = [];
  const guests = await Promise.all(Array.from({ length: count }, async (_, n) => {
    const context = await lab.browser.newContext(PHONE);
    const guest = await context.newPage();
    await guest.goto(link, { timeout: 120_000 });
    return { n, context, page: guest };
  }));
  tell(`${name}: ${count} pages are there after`, (Date.now() - began) / 1000, "s");
  let isGone = false;
  /** What is done when the second guest's next answer is kept. */
  let next = () => {};
  const keeps = (n, text) => {
    if (text) given.push(text);
    if (n === 1) next();
  };
  const playing = guests.map(({ page: guest, n }) => plays(guest, n, (text) => keeps(n, text)).catch((error) => {
    if (!(n === 0 && isGone)) throw error;
  }));
  const all = Promise.all(playing);
  all.catch(() => {});
  /** Until such a part of all answers is kept. */
  const has = (part, what) => until(() => given.length >= part * count * 3, `answers ${what}`);
  const faults = (async () => {
    await has(0.13, "at first");
    isGone = true;
    await guests[0].context.close();
    await has(0.28, "after a guest is gone");
    const stopped = Date.now();
    await restart();
    await has(0.44, "after the broker was restarted");
    tell(`${name}: broker stopped and started, until a sixth more of all answers was kept`, (Date.now() - stopped) / 1000, "s");
    const reloaded = Date.now();
    await page.reload();
    await ready(page);
    await page.getByTestId("room-table").first().waitFor();
    await atOnce(page);
    await has(0.61, "after the host was loaded anew");
    tell(`${name}: host loaded anew, until a sixth more of all answers was kept`, (Date.now() - reloaded) / 1000, "s");
  })();
  const tunnel = (async () => {
    await has(0.13, "before one goes offline");
    const { context } = guests[1];
    await context.setOffline(true);
    await pause(OFFLINE);
    const answered = new Promise((done) => (next = done));
    await context.setOffline(false);
    const back = Date.now();
    await Promise.race([answered, all]);
    tell(`${name}: a guest offline for ${OFFLINE / 1000} s, from its return until an answer of it was kept`, (Date.now() - back) / 1000, "s");
  })();
  await Promise.all([faults, tunnel, all]);
  await until(async () => (await tablesOver(page)) === tables, "the end of all tables");
  tell(`${name}: from the link to the results of all`, (Date.now() - began) / 1000, "s");
  tell(`${name}: the host's longest task in its first ${LOADING / 1000} s`, one.loading, "ms");
  // All those pages share the machine with it: by the clock, and so without an aim.
  tell(`${name}: the host's longest task later`, one.longest, "ms");

  const { room, secret } = readLink(link);
  const keys = await page.evaluate((id) => new Promise((resolve) => {
    const request = indexedDB.open("quorate-rooms");
    request.onsuccess = () => (request.result.transaction("rooms").objectStore("rooms").get(id).onsuccess = ({ target }) => resolve(target.result.key));
  }), room);
  const ofGuest = await guests[1].page.evaluate((id) => JSON.parse(localStorage.getItem(`quorate.guest.${id}`)).secret, room);
  // Texts, and keys as text and as bytes.
  const canaries = ["canary-", "estimate", "delphi", keys, ofGuest, Buffer.from(keys, "base64url"), Buffer.from(ofGuest, "base64url"), Buffer.from(secret)];
  const wire = Buffer.concat(frames);
  assert.ok(wire.includes(`quorate/${room}/host`), "the tap hears the room");
  tell(`${name}: frames tapped, ${Math.round(wire.length / 1000)} kB`, frames.length);
  tell(`${name}: names, answers and keys seen in clear`, canaries.filter((one) => wire.includes(one)).length, `of ${canaries.length}`, 0);
  const texts = [];
  for (let table = 1; table <= tables; table += 1) {
    const entries = await stored(page, `${room}-${table}`);
    assertAskedOnce(entries);
    texts.push(JSON.stringify(entries));
    assert.doesNotMatch(texts.at(-1), /canary-name/);
  }
  const isKept = (text) => texts.some((record) => record.includes(text));
  tell(`${name}: answers that were kept, ${given.length}; of them lost`, given.filter((text) => !isKept(text)).length, "", 0);
  let verified = 0;
  for (let table = 1; table <= tables; table += 1) {
    await view(page, `#/results/${room}-${table}`, "verify");
    await page.getByTestId("verify").click();
    const verdict = page.locator("[data-testid=verified][data-ok]");
    await verdict.waitFor();
    const isVerified = (await verdict.getAttribute("data-ok")) === "true";
    verified += Number(isVerified);
    await leaveFor(page, "#/library");
  }
  tell(`${name}: records that do not verify, of ${tables}`, tables - verified, "", 0);
  for (const { context } of guests) await context.close().catch(() => {});
  await one.context.close();
}
