// A room in the host's page: from the first screen to tables that play, people at the real meeting point, the projector, a
// table looked into, the host loaded anew. The devices are light ones that answer by themselves; the guest's own page is
// tested in join.test.mjs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { encode } from "uqr";
import { WebSocket } from "ws";
import { broker } from "../../src/web/room/broker.js";
import { assertFine } from "../support/access.mjs";
import { guest } from "../support/guests.mjs";
import { openPage, view } from "../support/page.mjs";

let lab;
before(async () => {
  lab = await openPage();
});
after(() => lab?.close());

const atOnce = (page) => page.evaluate(async () => (await import(new URL("engine.js", document.baseURI).href)).setPace("instant"));

/** Until it holds: what is on its way to a device arrives after it stands in the page. */
async function until(holds) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** So many devices in a room; each leaves with `leave()`. */
function devices(link, count, options) {
  const posts = Array.from({ length: count }, () => broker(new URL("room", lab.url).href.replace("http", "ws"), { WebSocket }));
  const all = posts.map((post) => guest(link, post, options));
  return { all, leave: () => [...all.map((one) => one.leave()), ...posts.map((post) => post.close())] };
}

test("from the first screen to six tables that play in at most six clicks, and on to their results", async (own) => {
  const { page, context, problems } = await lab.visit();
  await page.evaluate(() => {
    window.clicks = 0;
    addEventListener("click", () => (window.clicks += 1), true);
  });
  await atOnce(page);
  await page.getByTestId("class").click();
  await page.getByTestId("invite-people").fill("1");
  await page.getByTestId("invite-open").click();
  await page.getByTestId("room-link").waitFor();
  const link = await page.getByTestId("room-link").inputValue();
  assert.match(link, /join\.html#1\..*\.o$/);
  await assertFine(page, "lobby");
  const { all, leave } = devices(link, 6);
  own.after(leave);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 6);
  await page.getByTestId("room-start").click();
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-table]").length === 6);
  assert.ok((await page.evaluate(() => window.clicks)) <= 6);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-table] .tag[data-state=ended]").length === 6, null, { timeout: 120_000 });
  await until(() => all.every((device) => device.state.stage === "over"));
  for (const device of all) assert.equal(device.state.end.way, "complete");
  await assertFine(page, "tables");
  await page.getByTestId("room-project").click();
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=wall-table].over").length === 6);
  await page.getByTestId("wall-leave").click();
  // A table is a session as any other: looked into, and its record verifies.
  await page.getByTestId("room-table").first().getByRole("link", { name: "Look into it" }).click();
  await page.locator("[data-testid=state][data-state=ended]").waitFor();
  await page.getByTestId("to-room").click();
  await page.getByTestId("room-table").first().getByRole("link", { name: "Results" }).click();
  await page.getByTestId("verify").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("all tables pause at once and go on, and each by itself", async (own) => {
  const { page, context, problems } = await lab.visit();
  await page.getByTestId("class").click();
  await page.getByTestId("invite-people").fill("1");
  await page.getByTestId("invite-open").click();
  await page.getByTestId("room-link").waitFor();
  // What they say is nonsense, so that the tables wait for them.
  const silent = { answers: new Proxy({}, { get: () => ({ nonsense: true }) }) };
  const { leave } = devices(await page.getByTestId("room-link").inputValue(), 2, silent);
  own.after(leave);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 2);
  await page.getByTestId("room-start").click();
  const are = async (...wanted) => assert.deepEqual(await page.waitForFunction((states) => {
    const found = [...document.querySelectorAll("[data-testid=room-table] header .tag")].map(({ dataset }) => dataset.state);
    return found.join() === states.join() && found;
  }, wanted).then((found) => found.jsonValue()), wanted);
  const all = page.getByTestId("room-pause");
  await are("running", "running");
  await all.click();
  await are("paused", "paused");
  await page.getByTestId("room-table").first().getByRole("button", { name: "Resume" }).click();
  await are("running", "paused");
  await all.click();
  await are("paused", "paused");
  await page.getByRole("button", { name: "Resume all" }).click();
  await are("running", "running");
  assert.deepEqual(problems, []);
  await context.close();
});

test("a host that is loaded anew goes on under the same link, and nobody is asked twice", async (own) => {
  const { page, context, problems } = await lab.visit();
  await page.getByTestId("class").click();
  await page.getByTestId("invite-people").fill("2");
  await page.getByTestId("invite-open").click();
  const field = page.getByTestId("room-link");
  await field.waitFor();
  const link = await field.inputValue();
  const { all, leave } = devices(link, 2);
  own.after(leave);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 2);
  await page.getByTestId("room-start").click();
  await page.getByTestId("room-table").waitFor();
  await page.waitForTimeout(700);
  await page.reload();
  await page.getByTestId("room-table").waitFor();
  await atOnce(page);
  assert.equal(await field.inputValue(), link);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-table] .tag[data-state=ended]").length === 1, null, { timeout: 60_000 });
  await until(() => all.every((device) => device.state.stage === "over"));
  for (const device of all) {
    assert.equal(device.state.end.way, "complete");
    const answered = device.got.filter(({ type }) => type === "refused");
    assert.deepEqual(answered, []);
  }
  assert.deepEqual(problems.filter((one) => !/ERR_ABORTED|WebSocket/.test(one)), []);
  await context.close();
});

test("who joins is told apart by device, on a phone too, and the projector shows how to join", async (own) => {
  const { page, context, problems } = await lab.visit("#/", { viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await page.getByTestId("class").click();
  await assertFine(page, "invite");
  await page.getByTestId("invite-open").click();
  await page.getByTestId("room-link").waitFor();
  const link = await page.getByTestId("room-link").inputValue();
  const { leave } = devices(link, 3);
  own.after(leave);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 3);
  await assertFine(page, "lobby on a phone");
  await page.getByTestId("room-project").click();
  await page.getByTestId("wall-count").waitFor();
  assert.match(await page.getByTestId("wall-count").innerText(), /3/);
  // The picture is that of the link.
  const dark = encode(link, { ecc: "M", border: 2 }).data.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x} ${y}`] : [])));
  const drawn = await page.locator("svg.qr:visible path").last().getAttribute("d");
  assert.deepEqual(drawn.match(/M\d+ \d+/g), dark);
  await assertFine(page, "projector");
  assert.deepEqual(problems, []);
  await context.close();
});

test("a room is found again once its tab was closed, and its tables are run by it alone", async (own) => {
  const { page, context, problems } = await lab.visit();
  await page.getByTestId("class").click();
  await page.getByTestId("invite-people").fill("1");
  await page.getByTestId("invite-open").click();
  await page.getByTestId("room-link").waitFor();
  assert.match(await page.getByTestId("room-reach").innerText(), /Phones cannot reach this computer yet/);
  const room = new URL(page.url()).hash;
  // A second tab would be a second host to the same people.
  const { page: second } = await lab.secondTab(context, "#/");
  for (const address of [room, room.replace("room", "project")]) {
    await second.evaluate((to) => (location.hash = to), address);
    await second.locator("h1", { hasText: "This room is open in another tab" }).waitFor();
  }
  await second.close();
  await page.close();
  const { page: next } = await lab.secondTab(context, "#/");
  await next.getByTestId("unfinished").locator(`a[href="${room}"]`).click();
  const link = await next.getByTestId("room-link").inputValue();
  // Who plays slowly: the table is to be under way for as long as this takes.
  const post = broker(new URL("room", lab.url).href.replace("http", "ws"), { WebSocket });
  const device = guest(link, post, { answers: new Proxy({}, { get: () => ({}) }) });
  own.after(() => {
    device.leave();
    post.close();
  });
  await next.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 1);
  await next.getByTestId("room-start").click();
  await until(() => device.state?.questions.length === 1);
  await next.close();
  const { page: last } = await lab.secondTab(context, "#/");
  await last.getByTestId("unfinished").waitFor();
  // The table is no session of its own here; where it is opened as one, its room comes along.
  assert.deepEqual(await last.getByTestId("unfinished").locator("a").evaluateAll((all) => all.map((one) => one.hash)), [room]);
  await last.evaluate((to) => (location.hash = to), "#/library");
  await last.getByTestId("kept-room").locator(`a[href="${room}"]`).waitFor();
  const number = device.state.number;
  await last.getByTestId("open").click();
  await last.getByTestId("state").waitFor();
  await until(() => device.got.some((told) => (told.number ?? 0) > number));
  await last.evaluate((to) => (location.hash = to), room);
  await last.getByTestId("room-table").getByRole("link").waitFor();
  // Closed, it asks nobody in any more; names are still kept in it, so the library leads there.
  await last.getByTestId("room-close").click();
  await last.getByTestId("confirm").click();
  await last.getByText("The room is closed.").waitFor();
  assert.equal(await last.getByTestId("room-start").isVisible(), false);
  assert.equal(await last.locator(".room-joining").isVisible(), false);
  await last.evaluate(() => (location.hash = "#/library"));
  const closed = last.getByTestId("kept-room").filter({ hasText: "closed" });
  await closed.locator(`a[href="${room}"]`).waitFor();
  // Removed, when that is asked and meant, it takes the names along and leaves the records.
  await closed.getByTestId("delete").click();
  await last.getByRole("button", { name: "Cancel" }).click();
  await closed.getByTestId("delete").click();
  await last.getByTestId("confirm").click();
  await closed.waitFor({ state: "detached" });
  assert.equal(await last.getByTestId("session").count(), 1);
  await view(last, room, "trouble");
  assert.equal(await last.locator("h1").textContent(), "Room not found");
  assert.deepEqual(problems.filter((one) => !/ERR_ABORTED|WebSocket/.test(one)), []);
  await context.close();
});
