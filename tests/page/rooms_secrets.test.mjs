// What a guest's device must never have, looked for in all that it has: the strings of its page's heap, the memory of its browser's
// processes, its storage, and what came over the wire. Four people at two tables; one of them on a page, in a browser of its own.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { WebSocket } from "ws";
import { CHROMIUM_FLAGS, findChromium } from "../../scripts/browsers.mjs";
import { broker } from "../../src/web/room/broker.js";
import { fromBase64url, readLink, toBase64url } from "../../src/web/room/link.js";
import { PHONE, plays } from "../support/device.mjs";
import { guest } from "../support/guests.mjs";
import { WHOLE_STRINGS, canLook, heapOf, processesOf, remembered } from "../support/memory.mjs";
import { kept, openPage, ready } from "../support/page.mjs";

let lab;
let device;
before(async () => {
  lab = await openPage();
  device = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_FLAGS, WHOLE_STRINGS] });
});
after(async () => {
  await lab?.close();
  await device?.close();
});

const people = ["One", "Two"].map((name) => ({ name, personality: "A student.", kind: "human" }));
const PLAN = {
  title: "Secrets", session: { title: "Just shares", language: "English", phase2_rounds: 1, agents: people, seed: 3 }, people: 2, tables: 2, deal: "arrival", start: "full", names: "own",
  before: [{ id: "why", label: "Why do you take part?", kind: "text" }],
};
/** Words that stand nowhere else. */
const canary = (what, who) => `canary-${what}-of-${who}-${Buffer.from(what).toString("hex").slice(0, 8)}`;
const said = (who) => `${canary("statement", who)} is what I have to say, and it is long enough for a statement.`;
const thought = (who) => `${canary("explanation", who)} is what I think of them, for myself and nobody else at all.`;

/** What somebody answers, by the question. */
const answersOf = (who) => new Proxy({}, { get: (_, ask) => {
  if (ask === "room/name") return { name: canary("name", who) };
  if (ask === "room/before") return { q1: canary("reason", who) };
  if (ask.includes("/explanation/")) return { text: thought(who) };
  if (ask.includes("/statement/")) return { text: said(who) };
  return undefined;
} });

/** The bytes of all frames of a page's sockets, as they travel. */
function tapped(page) {
  const frames = [];
  page.on("websocket", (socket) => {
    for (const way of ["framesent", "framereceived"]) socket.on(way, ({ payload }) => frames.push(Buffer.from(payload)));
  });
  return frames;
}

test("a guest's memory, storage and wire have its own view, and nothing of others beyond it, nor the host's key", { timeout: 240_000 }, async (t) => {
  const { page: host, context } = await lab.visit();
  const hostWire = tapped(host);
  await host.evaluate(async () => (await import(new URL("engine.js", document.baseURI).href)).setPace("instant"));
  await host.getByTestId("class").click();
  await host.getByTestId("invite-more").evaluate((node) => (node.closest("details").open = true));
  await host.getByTestId("invite-more").fill(JSON.stringify(PLAN));
  await host.getByTestId("invite-open").click();
  await host.getByTestId("room-link").waitFor();
  const link = await host.getByTestId("room-link").inputValue();
  const parts = readLink(link);

  const posts = [];
  t.after(() => posts.forEach((post) => post.close()));
  const joins = (who) => {
    const post = broker(new URL("room", lab.url).href.replace("http", "ws"), { WebSocket });
    posts.push(post);
    const one = guest(link, post, { params: { PROLIFIC_PID: canary("id", who) }, answers: answersOf(who) });
    t.after(one.leave);
    return one;
  };
  const page = await (await device.newContext(PHONE)).newPage();
  page.setDefaultTimeout(60_000);
  const wire = tapped(page);
  await page.goto(link.replace("#", `?PROLIFIC_PID=${canary("id", "self")}#`));
  await page.locator("[data-testid=question][data-ask='room/name'] textarea").fill(canary("name", "self"));
  await page.getByTestId("send").click();
  await page.locator("[data-testid=question][data-ask='room/before'] textarea").fill(canary("reason", "self"));
  await page.getByTestId("send").click();
  await page.getByTestId("lobby").waitFor();
  const mate = joins("mate");
  await page.locator("[data-testid=question][data-ask^='phase1/']").waitFor();
  const others = [joins("other"), joins("stranger")];
  await plays(page, 0, (ask) => (ask.includes("/explanation/") ? thought("self") : said("self")));
  for (const one of [mate, ...others]) for (let tries = 0; one.state?.stage !== "over" && tries < 1200; tries += 1) await page.waitForTimeout(100);
  assert.deepEqual([mate, ...others].map(({ state }) => state.stage), ["over", "over", "over"]);

  const key = await host.evaluate((id) => new Promise((resolve) => {
    const request = indexedDB.open("quorate-rooms");
    request.onsuccess = () => (request.result.transaction("rooms").objectStore("rooms").get(id).onsuccess = ({ target }) => resolve(target.result.key));
  }), parts.room);
  const own = await page.evaluate((id) => JSON.parse(localStorage.getItem(`quorate.guest.${id}`)).secret, parts.room);
  const secrets = { "the host's key": key, "the host's key in bytes": fromBase64url(key, 32) };
  for (const who of ["other", "stranger"]) for (const what of ["name", "statement"]) secrets[`the ${what} of ${who}`] = canary(what, who);
  for (const who of ["mate", "other", "stranger"]) for (const what of ["id", "reason", "explanation"]) secrets[`the ${what} of ${who}`] = canary(what, who);
  for (const [index, { keys }] of [mate, ...others].entries()) Object.assign(secrets, { [`the key of device ${index + 1}`]: toBase64url(keys.secret), [`the key of device ${index + 1} in bytes`]: keys.secret });
  const theirs = { "one's key": own };
  for (const what of ["name", "id", "explanation", "statement"]) theirs[`one's ${what}`] = canary(what, "self");
  for (const what of ["name", "statement"]) theirs[`the ${what} of who sits there too`] = canary(what, "mate");

  const hits = (where, needles) => Object.keys(needles).filter((name) => where.includes(needles[name]));
  const heap = Buffer.from(await heapOf(page));
  assert.deepEqual(hits(heap, secrets), [], "in the heap");
  assert.deepEqual(hits(heap, theirs), Object.keys(theirs), "what one may see is found in the heap");
  const storage = Buffer.from(await kept(page));
  assert.deepEqual(hits(storage, secrets), [], "in storage");
  assert.ok(storage.includes(own), "storage is really read");
  for (const [name, frames] of Object.entries({ "the guest's": wire, "the host's": hostWire })) {
    const all = Buffer.concat(frames);
    assert.ok(all.includes(`quorate/${parts.room}/host`), `${name} tap hears the room`);
    assert.deepEqual(hits(all, { ...secrets, ...theirs }), [], `on ${name} wire`);
  }
  assert.deepEqual(hits(Buffer.from(link), secrets), [], "in the link");

  const pids = await processesOf(device);
  if (!canLook(pids[0])) return t.diagnostic("this machine lets nobody look into the memory of processes");
  const held = remembered(pids, { ...secrets, ...theirs });
  t.diagnostic(`the heap's strings: ${heap.length} characters; the memory of ${pids.length} processes: ${Math.round(held.bytes / 1e6)} MB`);
  assert.deepEqual(Object.keys(secrets).filter((name) => held.found.has(name)), [], "in memory");
  assert.deepEqual(Object.keys(theirs).filter((name) => !held.found.has(name)), [], "what one may see is found");
  // The same search finds all of it where it is: at the host.
  const at = remembered(await processesOf(lab.browser, "renderer"), secrets);
  const apart = Object.keys(secrets).filter((name) => !name.includes("device"));
  assert.deepEqual(apart.filter((name) => !at.found.has(name)), []);
  await context.close();
});
