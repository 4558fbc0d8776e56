// The first screen's four doors, a lesson by three questions, and the test of the network.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../src/web/room/broker.js";
import { readLink } from "../../src/web/room/link.js";
import { assertFine } from "../support/access.mjs";
import { eventually } from "../support/eventually.mjs";
import { guest } from "../support/guests.mjs";
import { atOnce, events, pace, runIs, sessionId, stored, usePage, view } from "../support/page.mjs";
import { linkOf } from "../support/trial.mjs";

const lab = usePage();

test("a phone shows the first screen whole, with what researchers and developers get", async () => {
  for (const locale of ["en-US", "es-ES", "zh-CN"]) {
    const { page, problems } = await lab.visit("#/", { viewport: { width: 360, height: 740 }, locale });
    assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]), [360, 740], locale);
    for (const [whom, inside] of [["researchers", "a[href='#/setup']"], ["developers", "a[href='pkg/quorate.schema.json']"]]) {
      await page.getByTestId(whom).click();
      await page.locator(`main ${inside}`).waitFor();
      await assertFine(page, whom);
      await page.setViewportSize({ width: 360, height: 740 });
      await view(page, "#/", whom);
    }
    assert.deepEqual(problems, []);
  }
});

test("a phone shows all four doors at once, and the code is typed on the guests' page", async () => {
  const { page, problems } = await lab.visit("#/", { viewport: { width: 360, height: 640 } });
  for (const door of ["join", "start", "play", "class"]) {
    const { y, height } = await page.getByTestId(door).boundingBox();
    assert.ok(y >= 0 && y + height <= 640, `${door} ends at ${y + height}`);
  }
  assert.equal(await page.getByTestId("join-code").isVisible(), false);
  await page.getByTestId("join").click();
  await page.getByTestId("code").waitFor();
  assert.deepEqual(problems, []);
});

test("who watches reads along, and goes on by a key; without a model there are no calls and tokens", async () => {
  const { page, problems } = await lab.visit();
  await page.getByTestId("start").click();
  await runIs(page, "running");
  assert.equal(await page.getByTestId("pace").inputValue(), "aloud");
  await page.getByTestId("go-on").waitFor();
  for (const figure of ["calls", "tokens"]) assert.equal(await page.getByTestId(figure).isVisible(), false);
  assert.doesNotMatch(await page.locator(".run-people").innerText(), /characters/);
  const said = async () => events(await stored(page, sessionId(page)), "spoke").length;
  const before = await said();
  await page.locator("body").press("ArrowRight");
  await eventually.ok(async () => (await said()) > before);
  await pace(page, "instant");
  await runIs(page, "ended");
  await eventually.match(() => page.getByTestId("outcome").textContent(), /^The table agreed in round 1: /);
  assert.deepEqual(problems, []);
});

test("who plays sits down with three programs at once", async () => {
  const { page, problems } = await lab.visit();
  await page.getByTestId("play").click();
  await page.getByTestId("human").first().waitFor();
  assert.equal(await page.locator(".run-people .kind-scripted").count(), 3);
  assert.equal(await page.locator(".run-people .kind-human").count(), 1);
  // Nobody at the table writes notes for later, and a person's own view has none.
  for (const at of [0, 1]) {
    await page.getByTestId("person-open").nth(at).click();
    const person = page.getByTestId("person");
    await person.waitFor();
    assert.doesNotMatch(await person.innerText(), /memory|characters|tokens/i);
    assert.equal(await page.getByTestId("memory").count(), 0);
    await page.keyboard.press("Escape");
    await person.waitFor({ state: "detached" });
  }
  assert.deepEqual(problems, []);
});

test("a room for six tables of four opens in at most four clicks, and the code of the first screen leads into it", async (own) => {
  const { page, context, problems } = await lab.visit();
  await page.evaluate(() => {
    window.clicks = 0;
    addEventListener("pointerdown", () => (window.clicks += 1), true);
  });
  await page.getByTestId("class").click();
  await eventually.match(() => page.getByTestId("teach-tables").innerText(), /^6 tables of four\. A computer takes the free seat/);
  await page.getByTestId("teach-more-people").click();
  await eventually.match(() => page.getByTestId("teach-tables").innerText(), /^6 tables of four\. No computer plays/);
  await page.getByTestId("teach-title").fill("A fair class");
  await page.getByTestId("teach-open").click();
  const link = await linkOf(page);
  assert.ok((await page.evaluate(() => window.clicks)) <= 4);
  await eventually.match(() => page.locator("main h1").innerText(), /A fair class/);
  await page.getByRole("heading", { name: "0 of 24 are here" }).waitFor();
  assert.match(readLink(link).meeting.kind, /own/);
  const post = broker(new URL("room", lab.url).href.replace("http", "ws"), { WebSocket });
  const device = guest(link, post);
  own.after(() => [device.leave(), post.close()]);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 1);
  // The number is stored with the room.
  await page.reload();
  await page.getByRole("heading", { name: "1 of 24 are here" }).waitFor();
  await page.getByTestId("room-project").click();
  await eventually.equal(() => page.getByTestId("wall-count").innerText(), "1 of 24 are here");
  await page.getByTestId("wall-leave").click();
  const code = await eventually(async () => {
    const found = /\b[B-Z]{4} [B-Z]{4}\b/.exec(await page.locator("main").innerText());
    assert.ok(found);
    return found[0];
  });
  const { page: other } = await lab.secondTab(context, "#/");
  await other.getByTestId("join-code").fill(code);
  await other.getByTestId("join-go").click();
  await other.getByTestId("lobby").waitFor();
  await page.getByTestId("room-start").click();
  await eventually.equal(() => page.getByTestId("room-state").innerText(), "2 of 24 are here");
  assert.deepEqual(problems, []);
});

test("lessons of all kinds open with their plan", async () => {
  for (const what of ["discussion", "debate", "delphi"]) {
    const { page, problems } = await lab.visit();
    await atOnce(page);
    await view(page, "#/teach", "teach-people");
    await page.getByTestId(`teach-${what}`).check({ force: true });
    await page.getByTestId("names-own").check({ force: true });
    await page.getByTestId("lesson-25").check({ force: true });
    await eventually.match(() => page.getByTestId("teach-total").innerText(), /^\d+ min\s+fits your lesson$/);
    await page.getByTestId("teach-open").click();
    await linkOf(page);
    assert.deepEqual(problems, []);
  }
});

test("the network is tested by two clients and a sealed message, at the server of the page", async () => {
  const { page, problems } = await lab.visit("#/network");
  await eventually.match(() => page.getByTestId("connection-said").innerText(), /^Two phones can connect: \d+ ms$/);
  assert.equal(await page.getByTestId("network-page").getAttribute("data-ok"), "false");
  await page.getByText("Phones may switch their screen off").waitFor();
  assert.deepEqual(problems, []);
});

test("where the site has no connection service, teachers are told, and nothing is used that they did not choose", async () => {
  const { page } = await lab.newPage({ locale: "en-US", serviceWorkers: "block" });
  await page.route("**/room", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(`${lab.url}#/teach`);
  await page.getByTestId("teach-unreachable").waitFor();
  assert.equal(await page.getByTestId("teach-open").count(), 0);
  await page.getByTestId("connection-test").click();
  await eventually.match(() => page.getByTestId("connection-said").innerText(), /^Choose a service first/);
  assert.deepEqual(await page.evaluate(() => [localStorage.getItem("quorate.connection"), localStorage.getItem("quorate.brokers")]), [null, null]);
});

test("a room shows no way in while phones cannot join, but the choice of a connection", async (own) => {
  const { page } = await lab.newPage({ locale: "en-US", serviceWorkers: "block" });
  await page.route("**/room", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(`${lab.url}#/teach`);
  await page.getByTestId("teach-more").click();
  await page.getByTestId("invite-open").click();
  const none = async () => {
    assert.deepEqual([await page.locator("svg.qr").count(), await page.getByTestId("room-link").count()], [0, 0]);
    assert.doesNotMatch(await page.locator("main").innerText(), /join\.html|\b[B-Z]{4} [B-Z]{4}\b/);
  };
  const place = page.getByTestId("room-unreachable");
  await eventually.equal(() => place.innerText(), "Phones cannot join yet: this site has no connection service.\n\nChoose a connection");
  await none();
  await page.getByTestId("room-project").click();
  await page.getByText("Phones cannot join yet").waitFor();
  await none();
  await page.getByRole("link", { name: "Choose a connection" }).click();
  await page.getByTestId("room-connect").click();
  assert.ok(await page.getByTestId("room-move").isDisabled());
  // A broker that is there: that of the tests' own server.
  await place.getByLabel("Another address").check();
  await page.getByTestId("connection-address").fill(new URL("room", lab.url).href.replace("http", "ws"));
  await page.getByTestId("room-move").click();
  const link = await linkOf(page);
  assert.equal(readLink(link).meeting.kind, "broker");
  const post = broker(readLink(link).meeting.address, { WebSocket });
  const device = guest(link, post);
  own.after(() => [device.leave(), post.close()]);
  await page.getByRole("heading", { name: "1 of 23 are here" }).waitFor();
  await assertFine(page, "the lobby");
});

test("doors, ready-made sessions, lesson and network hold to axe's rules", async () => {
  const { page, problems } = await lab.visit();
  await assertFine(page, "doors");
  for (const [hash, testid] of [["#/presets", "preset-five"], ["#/teach", "teach-people"], ["#/network", "connection-test"], ["#/for/researchers", "for-setup"]]) {
    await view(page, hash, testid);
    await assertFine(page, hash.slice(2));
  }
  assert.deepEqual(problems, []);
});
