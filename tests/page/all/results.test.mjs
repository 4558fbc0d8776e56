// The results of a run: people first, then the engine's tables, and at the end what is for researchers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { readLink } from "../../../src/web/room/link.js";
import { assertFine } from "../../support/access.mjs";
import { eventually } from "../../support/eventually.mjs";
import { guest } from "../../support/guests.mjs";
import { events, leaveFor, made, saved, small, stored, usePage } from "../../support/page.mjs";
import { host, poll } from "../../support/trial.mjs";

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

test("a replay is shared without the names that people chose", async (own) => {
  const plan = { title: "How many", session: { ...poll(3), rounds: 2 }, people: 3, tables: 1, start: "full", names: "own" };
  const { page, problems, link } = await host(lab, plan);
  const names = ["Zebulon Quist", "Wilhelmína", "Ada"];
  const devices = names.map((name, at) => {
    const post = broker(new URL("room", lab.url).href.replace("http", "ws"), { WebSocket });
    const says = { estimate: 40 + at, reason: `I agree with ${names[(at + 1) % 3]}, as zebulon's idea is good.` };
    const answers = new Proxy({}, { get: (_, ask) => (ask === "room/name" ? { name } : ask.startsWith("room/") ? undefined : says) });
    const device = guest(link, post, { answers });
    own.after(() => [device.leave(), post.close()]);
    return device;
  });
  await page.locator("[data-testid=room-table] .tag[data-state=ended]").waitFor();
  await eventually.ok(() => devices.every(({ state }) => state.stage === "over"));
  const id = `${readLink(link).room}-1`;
  const { seats } = await page.evaluate(async (session) => (await (await import(new URL("engine.js", document.baseURI).href)).Library.list()).find((one) => one.id === session), id);
  await leaveFor(page, `#/results/${id}`);
  await page.getByTestId("share-replay").waitFor();
  const file = await saved(page, () => page.getByTestId("share-replay").click());
  assert.equal(file.name, "quorate-replay.json");
  assert.doesNotMatch(file.text, /zebulon|quist|wilhelm|\bada\b/i);
  for (const { name } of seats) assert.ok(file.text.includes(name));
  // The public does not know who said what.
  assert.equal(JSON.parse(file.text).items.some(({ type }) => type === "estimate"), false);
  assert.deepEqual(problems, []);

  const fresh = await lab.visit();
  const opened = { name: "other.json", mimeType: "application/json" };
  await fresh.page.getByTestId("open-replay").setInputFiles({ ...opened, buffer: Buffer.from("{}") });
  await eventually.match(() => fresh.page.getByTestId("replay-unread").innerText(), /^other\.json is not a shared replay/);
  await fresh.page.getByTestId("open-replay").setInputFiles({ ...opened, buffer: Buffer.from(file.text) });
  await fresh.page.getByRole("heading", { name: "Replay: How many" }).waitFor();
  await fresh.page.getByText(`I agree with ${seats[0].name}`, { exact: false }).first().waitFor({ state: "attached" });
  await fresh.page.reload();
  await fresh.page.getByRole("heading", { name: "Replay: How many" }).waitFor();
  assert.deepEqual(fresh.problems, []);
});

test("a shared replay shows the run step by step", async () => {
  const { page, problems } = await lab.visit();
  const id = await made(page, small());
  await leaveFor(page, `#/results/${id}`);
  await page.getByTestId("share-replay").waitFor();
  const file = await saved(page, () => page.getByTestId("share-replay").click());
  assert.doesNotMatch(file.text, /"memory"|"seed"|"request"/);
  const spoken = events(await stored(page, id), "spoke").length;
  await leaveFor(page, "#/");
  await page.getByTestId("open-replay").setInputFiles({ name: file.name, mimeType: "application/json", buffer: file.bytes });
  const slider = page.getByTestId("replay-slider");
  await slider.waitFor();
  await page.getByTestId("replay-play").click();
  await slider.fill(await slider.getAttribute("max"));
  await eventually.equal(() => page.getByTestId("statement").count(), spoken);
  await eventually.equal(() => page.locator(".step-coming").count(), 0);
  await slider.fill("0");
  await eventually.equal(() => page.getByTestId("statement").count(), 0);
  await page.getByTestId("replay-on").click();
  await page.locator(".step-current").waitFor();
  await page.getByTestId("person-open").first().click();
  await page.getByTestId("person").waitFor();
  await page.keyboard.press("Escape");
  await assertFine(page, "a shared replay");
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
