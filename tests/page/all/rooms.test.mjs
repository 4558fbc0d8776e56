// A room in the host's page: tables, the projector, people on pages of their own with all that can be asked before and after,
// every way in and out, faults on the way, and that a device gets nothing beyond its own view.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { encode } from "uqr";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { fromBase64url, readLink, toBase64url } from "../../../src/web/room/link.js";
import { hasMosquitto, mosquitto } from "../../support/brokers.mjs";
import { PATIENCE, chromiumOptions } from "../../support/browser.mjs";
import { PHONE, openMenu, plays } from "../../support/device.mjs";
import { eventually } from "../../support/eventually.mjs";
import { filled, guest } from "../../support/guests.mjs";
import { WHOLE_STRINGS, canLook, heapOf, processesOf, remembered } from "../../support/memory.mjs";
import { assertAskedOnce, atOnce, kept, leaveFor, ready, saved, stored, usePage, view, invites } from "../../support/page.mjs";
import { bySchema, startProviders } from "../../support/providers.mjs";
import { beside, faulty, host, linkOf, people, poll } from "../../support/trial.mjs";

const lab = usePage();
let server;
before(async () => (server = await startProviders({ answer: (question, tag, schema) => (schema ? JSON.stringify(bySchema(schema)) : `As ${tag} sees it, it depends on who pays for it in the end.`) })));
after(() => server?.close());

/** The connection service beside the page. */
const meet = () => broker(new URL("room", lab.url).href.replace("http", "ws"), { WebSocket });

/** Unfolds the seats of all tables. */
const unfoldSeats = (page) => page.getByTestId("table-more").evaluateAll((all) => all.forEach((one) => (one.parentNode.open = true)));

/** So many devices in a room; each leaves with `leave()`. */
function devices(link, count, options) {
  const posts = Array.from({ length: count }, meet);
  const all = posts.map((post) => guest(link, post, options));
  return { all, leave: () => [...all.map((one) => one.leave()), ...posts.map((post) => post.close())] };
}

test("all tables pause at once and go on, and each by itself", async (own) => {
  const { page, problems } = await lab.visit();
  await invites(page);
  await page.getByTestId("invite-people").fill("1");
  await page.getByTestId("invite-open").click();
  // What they say is nonsense, so that the tables wait for them.
  const silent = { answers: new Proxy({}, { get: () => ({ nonsense: true }) }) };
  const { leave } = devices(await linkOf(page), 2, silent);
  own.after(leave);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 2);
  await page.getByTestId("room-start").click();
  const are = (...wanted) => eventually.deepEqual(() => page.locator("[data-testid=room-table] header .tag").evaluateAll((all) => all.map(({ dataset }) => dataset.state)), wanted);
  const all = page.getByTestId("room-pause");
  await are("running", "running");
  await all.click();
  await are("paused", "paused");
  await unfoldSeats(page);
  await page.getByTestId("room-table").first().getByRole("button", { name: "Resume" }).click();
  await are("running", "paused");
  await all.click();
  await are("paused", "paused");
  await eventually.equal(() => all.innerText(), "Resume");
  await all.click();
  await are("running", "running");
  assert.deepEqual(problems, []);
});

test("who joins is told apart by device, on a phone too, and the projector shows how to join", async (own) => {
  const { page, problems } = await lab.visit("#/", { viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await invites(page);
  await page.getByTestId("invite-open").click();
  const link = await linkOf(page);
  const { leave } = devices(link, 3);
  own.after(leave);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 3);
  await page.getByTestId("room-project").click();
  await page.getByTestId("wall-count").waitFor();
  await eventually.match(() => page.getByTestId("wall-count").innerText(), /3/);
  // The picture is that of the link.
  const dark = encode(link, { ecc: "M", border: 2 }).data.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x} ${y}`] : [])));
  await eventually.deepEqual(async () => (await page.locator("svg.qr:visible path").last().getAttribute("d")).match(/M\d+ \d+/g), dark);
  assert.deepEqual(problems, []);
});

test("a room is found again once its tab was closed, and its tables are run by it alone", async (own) => {
  const { page, context, problems } = await lab.visit();
  await invites(page);
  await page.getByTestId("invite-people").fill("1");
  await page.getByTestId("invite-open").click();
  await page.getByTestId("room-link").waitFor();
  await eventually.match(() => page.getByTestId("room-reach").innerText(), /Phones cannot reach this computer yet/);
  const room = new URL(page.url()).hash;
  // A second tab would be a second host to the same people; the wall in it follows the first.
  const { page: second } = await lab.secondTab(context, "#/");
  await leaveFor(second, room);
  await second.locator("h1", { hasText: "This room is open in another tab" }).waitFor();
  await leaveFor(second, room.replace("room", "project"));
  await second.getByTestId("wall-count").waitFor();
  await eventually.equal(() => second.getByTestId("wall-start").count(), 0);
  await second.close();
  await page.close();
  const { page: next } = await lab.secondTab(context, "#/");
  await next.getByTestId("unfinished").locator(`a[href="${room}"]`).click();
  const link = await linkOf(next);
  // Who plays slowly: the table is to be under way for as long as this takes.
  const post = meet();
  const device = guest(link, post, { answers: new Proxy({}, { get: () => ({}) }) });
  own.after(() => {
    device.leave();
    post.close();
  });
  await next.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 1);
  await next.getByTestId("room-start").click();
  await eventually.ok(() => device.state?.questions.length === 1);
  await next.close();
  const { page: last } = await lab.secondTab(context, "#/");
  await last.getByTestId("unfinished").waitFor();
  // The table is no session of its own here; where it is opened as one, its room comes along.
  await eventually.deepEqual(() => last.getByTestId("unfinished").locator("a").evaluateAll((all) => all.map((one) => one.hash)), [room]);
  await leaveFor(last, "#/library");
  await last.getByTestId("kept-room").locator(`a[href="${room}"]`).waitFor();
  const number = device.state.number;
  await last.getByTestId("open").click();
  await last.getByTestId("state").waitFor();
  await eventually.ok(() => device.got.some((told) => (told.number ?? 0) > number));
  await leaveFor(last, room);
  await last.getByTestId("room-table").getByTestId("table-more").waitFor();
  // Closed, it asks nobody in any more; names are still kept in it, so the library leads there.
  await last.getByTestId("room-close").click();
  await last.getByTestId("confirm").click();
  await last.getByText("The room is closed.").waitFor();
  await eventually.equal(() => last.getByTestId("room-start").isVisible(), false);
  await eventually.equal(() => last.locator(".room-joining").isVisible(), false);
  await leaveFor(last, "#/library");
  const closed = last.getByTestId("kept-room").filter({ hasText: "closed" });
  await closed.locator(`a[href="${room}"]`).waitFor();
  // Removed, when that is asked and meant, it takes the names along and leaves the records.
  await closed.getByTestId("delete").click();
  await last.getByRole("button", { name: "Cancel" }).click();
  await closed.getByTestId("delete").click();
  await last.getByTestId("confirm").click();
  await closed.waitFor({ state: "detached" });
  await eventually.equal(() => last.getByTestId("session").count(), 1);
  await view(last, room, "trouble");
  await eventually.equal(() => last.locator("h1").textContent(), "Room not found");
  assert.deepEqual(problems.filter((one) => !/ERR_ABORTED|WebSocket/.test(one)), []);
});

/** Devices that agree on a rule by table, which `holds(n, ask)` keeps from answering a question. */
async function agreeing(link, count, { rules, people: size, holds }) {
  const all = [];
  const answer = (n, ask) => {
    const { form } = all[n].device.state.questions.find((one) => one.ask === ask);
    const values = filled(form.fields);
    const rule = rules[Math.floor(n / size)];
    for (const field of form.fields) {
      if (field.input === "choice" && field.options.some(({ value }) => value === rule)) values[field.name] = rule;
      if (field.input === "yes_no") values[field.name] = field.yes.value;
    }
    return holds(n, ask) ? { nonsense: true } : values;
  };
  for (let n = 0; n < count; n += 1) {
    const post = meet();
    all.push({ post });
    all[n].device = guest(link, post, { answers: new Proxy({}, { get: (_, ask) => answer(n, String(ask)) }) });
    // One after the other: they are seated as they arrive.
    await eventually.equal(() => all[n].device.state?.stage, "lobby");
  }
  return { release: () => all.forEach(({ device }, n) => device.state.questions.forEach(({ ask }) => device.answer(ask, answer(n, ask)))),
    leave: () => all.forEach(({ device, post }) => (device.leave(), post.close())) };
}

test("the host sees who has answered alone, and the wall has all tables side by side, by their poorest", async (own) => {
  const session = { protocol: "justice", title: "A fair society", language: "English", seed: 3, phase2_rounds: 1, agents: people(2) };
  const { page, link, problems } = await host(lab, { title: "A fair society", session, people: 2, tables: 3, deal: "arrival", start: "hand" });
  let isHeld = true;
  const rules = ["maximizing_floor", "maximizing_average", "maximizing_floor"];
  // The second person at the first table takes long over the second ranking.
  const { release, leave } = await agreeing(link, 6, { rules, people: 2, holds: (n, ask) => isHeld && n === 1 && ask.includes("post_explanation_ranking") });
  own.after(leave);
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-arrived] li").length === 6);
  await page.getByTestId("room-start").click();
  const first = page.locator("[data-testid=room-table][data-table='1']");
  await eventually.equal(() => first.getByTestId("answered").innerText(), "1 of 2 answered");
  await eventually.match(() => first.locator("header .tag").innerText(), /Ranking after the examples/);
  const name = await first.locator(".named-face[data-state=awaited] .face-name").innerText();
  await eventually.equal(() => first.getByTestId("awaited").innerText(), `Waiting for ${name}`);
  await page.getByTestId("table-wall").first().click();
  await page.getByTestId("room-project").click();
  await page.getByTestId("wall-large").waitFor();
  await page.getByTestId("wall-leave").click();
  await page.getByTestId("wall-progress").check();
  isHeld = false;
  release();
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=room-table] .tag[data-state=ended]").length === 3);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByTestId("room-project").click();
  await page.getByTestId("wall-headline").waitFor();
  await eventually.deepEqual(async () => {
    const poorest = (await page.locator("[data-testid=wall-table] .income-row").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).map((text) => Number(text.match(/poorest: ([\d,]+)/)[1].replaceAll(",", "")));
    return [poorest.length, poorest.every((one, at) => !at || poorest[at - 1] <= one)];
  }, [3, true]);
  assert.match(await page.getByTestId("wall-headline").innerText(), /^2 of 3 tables gave up some average/);
  const small = await page.evaluate(() => {
    const all = document.createTreeWalker(document.querySelector("[data-testid=wall]"), NodeFilter.SHOW_TEXT);
    const found = [];
    while (all.nextNode()) {
      const { parentElement: of } = all.currentNode;
      if (!of.closest(".sr-only") && parseFloat(getComputedStyle(of).fontSize) < 15) found.push(all.currentNode.data);
    }
    return found;
  });
  assert.deepEqual(small, []);
  assert.deepEqual(problems, []);
});

const SESSIONS = {
  justice: { phase2_rounds: 1 },
  discussion: { topic: "Should bread be free?", rounds: 1, start: "at_once" },
  debate: { question: "Tea or coffee?", schedule: [{ kind: "propose" }, { kind: "critique" }, { kind: "vote" }], consensus: "majority" },
  delphi: { question: "How many people live in Berlin?", unit: "people", rounds: 2 },
};

for (const [protocol, more] of Object.entries(SESSIONS)) {
  test(`two people, two models and a simulated participant at a table: ${protocol}`, async () => {
    const model = (name) => ({ name, kind: "model", provider: "compatible", model: name.toLowerCase(), base_url: server.base("compatible", `${protocol}-${name}`) });
    const agents = [{ name: "One", kind: "human" }, model("Max"), { name: "Two", kind: "human" }, model("Mia"), { name: "Sim", kind: "scripted" }];
    const session = { protocol, title: "A mixed table", language: "English", seed: 3, agents: agents.map((agent) => ({ ...agent, personality: "A neighbour." })), ...more };
    const { page, problems, link } = await host(lab, { title: "A mixed room", session, people: 2, tables: 1, deal: "arrival", start: "full" });
    const guests = [await lab.newPage(PHONE), await lab.newPage(PHONE)];
    for (const guest of guests) {
      await guest.page.goto(link);
    }
    await page.getByTestId("room-table").waitFor();
    await unfoldSeats(page);
    // The card tells of all five: two people with what they do, and who sits there beside them.
    await eventually.equal(() => page.locator(".room-seat").count(), 5);
    await eventually.deepEqual(async () => (await page.getByTestId("room-other").allInnerTexts()).map((text) => text.split("\n").join(" ").match(/(Max|Mia|Sim)\s+(model|simulated)/)?.slice(1)), [["Max", "model"], ["Mia", "model"], ["Sim", "simulated"]]);
    await Promise.all(guests.map((guest, at) => plays(guest.page, at)));
    await page.locator("[data-testid=room-table] .tag[data-state=ended]").waitFor();
    await eventually.equal(() => page.getByTestId("table-cost").textContent(), "Cost: nothing");

    const id = `${readLink(link).room}-1`;
    const entries = await stored(page, id);
    assertAskedOnce(entries);
    const of = (type) => entries.filter(({ what }) => what.type === type).map(({ what }) => what);
    const { agents: seats } = of("started")[0].config;
    assert.deepEqual(seats.map(({ kind }) => kind), ["human", "model", "human", "model", "scripted"]);
    const seatOf = new Map(of("asked").map(({ ask }) => [ask.id, ask.seat]));
    for (const { name, kind } of seats) {
      const answered = of("answered").filter(({ ask }) => seatOf.get(ask) === name);
      assert.ok(answered.length, `${name} was asked`);
      // People answer by form, under the ids of their devices; of the others nobody stands in.
      for (const { reply } of answered) assert.deepEqual([reply.answered_as === "form", Boolean(reply.request_id), reply.stood_in ?? false], [kind === "human", kind === "human", false], name);
      if (kind === "model") assert.equal(server.requests(`${protocol}-${name}`).length, of("sent").filter(({ ask }) => seatOf.get(ask) === name).length, name);
    }
    await view(page, `#/results/${id}`, "verify");
    await page.getByTestId("verify").click();
    await page.locator("[data-testid=verified][data-ok=true]").waitFor();
    for (const guest of guests) {
      await eventually.match(() => guest.page.getByTestId("over").innerText(), /Thank you for taking part/);
      assert.deepEqual(guest.problems, []);
    }
    // A stream that has said all is let go of before its end.
    assert.deepEqual(problems.filter((one) => !one.includes("/chat/completions net::ERR_ABORTED")), []);
  });
}


/** A page on a device of its own, which came by a link that names its person. */
async function comes(link, pid) {
  const opened = await lab.newPage(PHONE);
  await opened.page.goto(link.replace("#", `?PROLIFIC_PID=${encodeURIComponent(pid)}#`));
  return opened;
}
const asked = (page, ask) => page.locator(`[data-testid=question][data-ask^="${ask}"]`);
const field = (page, label) => page.locator("[data-field]").filter({ hasText: label });
const send = (page) => page.getByTestId("send").click();
const shows = (page, text) => page.getByText(text, { exact: false }).first().waitFor().catch(async () => assert.fail(`no "${text}" in ${await page.locator("body").innerText()}`));
const isOver = async (page, { title, code, href }) => {
  await page.getByTestId("over").waitFor();
  await shows(page, title);
  await eventually.equal(() => page.getByTestId("end-code").textContent(), code);
  if (href) await eventually.equal(() => page.getByTestId("return").getAttribute("href"), href);
};
const row = (page, name) => page.locator(".room-seat").filter({ hasText: name });

const fixture = (name) => JSON.parse(readFileSync(new URL(`../../fixtures/rooms/${name}.json`, import.meta.url), "utf8"));
const RIGHT = "Everybody for themselves";

/** From the link into the lobby; `isWrong`: the check is not understood at first. */
async function arrives(page, name, { isWrong = false } = {}) {
  await asked(page, "room/consent").waitFor();
  await shows(page, "You estimate a number three times.");
  await page.getByTestId("send-yes").click();
  await asked(page, "room/name").locator("textarea").fill(name);
  await send(page);
  await asked(page, "room/before").waitFor();
  const scale = field(page, "How far").locator("input[type=range]");
  await scale.focus();
  await scale.press("ArrowRight");
  await field(page, "Where do you live?").getByText("In a village").click();
  await field(page, "How old").locator("input").fill("33");
  await field(page, "Why do").locator("textarea").fill(`Since ${name} was asked to.`);
  await send(page);
  await asked(page, "room/comprehension").waitFor();
  if (isWrong) {
    await page.getByText("The host", { exact: true }).click();
    await send(page);
    await shows(page, "This answer is not right.");
  }
  await page.getByText(RIGHT).click();
  await send(page);
  await page.getByTestId("lobby").waitFor();
}

const figure = (page) => page.locator("input[inputmode=decimal]");
const estimates = async (page, number) => {
  const ask = await asked(page, "round/").getAttribute("data-ask");
  await figure(page).fill(String(number));
  await send(page);
  await page.locator(`[data-ask="${ask}"]`).waitFor({ state: "detached" });
};

test("from the link to the results, by every way in and out, over reloads and breaks", async () => {
  const { page, link, problems } = await host(lab, fixture("study"));
  const back = (way, pid) => `https://study.example/${way}?pid=${pid}&cc=${way}-1`;

  const no = await comes(link, "p 0");
  await asked(no.page, "room/consent").waitFor();
  await no.page.getByTestId("send-no").click();
  await isOver(no.page, { title: "You chose not to take part", code: "declined-1", href: back("declined", "p%200") });

  const ana = await comes(link, "ana");
  await arrives(ana.page, "Ana María", { isWrong: true });
  const ben = await comes(link, "ben");
  await arrives(ben.page, "Ben");
  const cleo = await comes(link, "cleo");
  await arrives(cleo.page, "Cleo");
  const dim = await comes(link, "dim");
  await arrives(dim.page, "Dim");
  await page.getByRole("button", { name: "Remove Dim" }).click();
  await page.getByTestId("confirm").click();
  await isOver(dim.page, { title: "Your participation has ended", code: "dropped-1", href: back("dropped", "dim") });
  // One who goes again without a word.
  const eve = await comes(link, "eve");
  await asked(eve.page, "room/consent").waitFor();
  await eve.context.close();

  await page.getByTestId("room-start").click();
  await asked(ana.page, "round/").waitFor();
  await asked(ben.page, "round/").waitFor();
  // The guest loads anew in the middle of an answer, the host in the middle of a question.
  const ask = await asked(ana.page, "round/").getAttribute("data-ask");
  await ana.page.locator("textarea").fill("I read");
  await ana.page.reload();
  await asked(ana.page, "round/").waitFor();
  await eventually.equal(() => ana.page.locator("textarea").inputValue(), "I read");
  const loaded = page.reload();
  await ana.page.locator("textarea").fill("I read so.");
  await figure(ana.page).fill("3400000");
  await send(ana.page);
  await loaded;
  await ready(page);
  await page.getByTestId("room-table").waitFor();
  await atOnce(page);
  await eventually.equal(() => page.getByTestId("room-link").inputValue(), link);
  await ana.page.locator(`[data-ask="${ask}"]`).waitFor({ state: "detached" });
  await shows(ana.page, "This page goes on by itself.");
  await unfoldSeats(page);
  // A reminder; and an answer that was given without a connection is kept on the device until there is one.
  await row(page, "Ben").getByRole("button", { name: "Remind Ben" }).click();
  await shows(ben.page, "The others are waiting for your answer.");
  await ben.context.setOffline(true);
  await figure(ben.page).fill("4000000");
  await send(ben.page);
  await shows(ben.page, "Kept on this device");
  await estimates(cleo.page, 5000000);
  await shows(ben.page, "Kept on this device");
  await shows(cleo.page, "This page goes on by itself.");
  await ben.context.setOffline(false);

  // The host has somebody replaced, and gives the seat back.
  await asked(cleo.page, "round/2").waitFor();
  await row(page, "Cleo").getByRole("button", { name: "Replace Cleo" }).click();
  await page.getByTestId("confirm").click();
  await shows(cleo.page, "A computer answers in your place, as “Computer (for");
  await cleo.page.getByTestId("back").click();
  await shows(cleo.page, "ask your host");
  await row(page, "Cleo").getByRole("button", { name: "Give back the seat of Cleo" }).click();
  await cleo.page.getByTestId("back").waitFor({ state: "detached" });
  await estimates(ana.page, 3500000);
  await estimates(ben.page, 4000000);
  await asked(cleo.page, "round/3").waitFor();
  await openMenu(cleo.page);
  await cleo.page.getByTestId("leave").click();
  await cleo.page.getByTestId("leave-sure").click();
  await isOver(cleo.page, { title: "Your participation has ended", code: "dropped-1", href: back("dropped", "cleo") });
  await estimates(ana.page, 3600000);
  await estimates(ben.page, 3900000);

  for (const [{ page: one }, pid] of [[ana, "ana"], [ben, "ben"]]) {
    await asked(one, "room/after").waitFor();
    await field(one, "Was it fair?").getByText("Yes").click();
    await send(one);
    await isOver(one, { title: "Thank you for taking part", code: "complete-1", href: back("complete", pid) });
  }
  await ana.page.getByTestId("own-data").click();
  const own = JSON.parse((await saved(ana.page, () => ana.page.getByTestId("data").click())).text);
  assert.deepEqual([own.view.role, own.you.name, own.end.code], [`seat:${own.table.seat}`, "Ana María", "complete-1"]);
  assert.ok(Object.values(own.answers).some(({ values }) => values.estimate === 3400000 && values.reason === "I read so."));

  await page.locator("[data-testid=room-table] .tag[data-state=ended]").waitFor();
  await page.locator(".more summary").click();
  const names = JSON.parse((await saved(page, () => page.getByTestId("room-people-save").click())).text);
  assert.deepEqual(names.map(({ name, params, end }) => [name, params.PROLIFIC_PID, end?.way ?? null]),
    [[null, "p 0", "declined"], ["Ana María", "ana", "complete"], ["Ben", "ben", "complete"], ["Cleo", "cleo", "dropped"], ["Dim", "dim", "dropped"], [null, "eve", null]]);
  assert.deepEqual(names[1].answers, { consent: true, before: { trust: 2, lives: "In a village", age: 33, why: "Since Ana María was asked to." }, comprehension: { q1: RIGHT }, after: { fair: "yes" } });
  assert.equal(names[1].tries, 1);
  const id = `${readLink(link).room}-1`;
  const record = await stored(page, id);
  assertAskedOnce(record);
  assert.doesNotMatch(JSON.stringify(record), /Ana María|Since .* was asked to|PROLIFIC/);
  const commands = record.filter(({ what }) => what.type === "commanded").map(({ what }) => what.command.is ?? what.command.do);
  assert.deepEqual(["seated", "reminded", "stand_in", "take_back", "left"].filter((one) => !commands.includes(one)), []);
  for (const one of [no, ana, cleo, dim]) assert.deepEqual(others(one.problems), []);
  assert.deepEqual(others(problems), []);
});

/** What the host's browser keeps of a room. */
const keptRoom = (page, id) => page.evaluate((room) => new Promise((resolve) => {
  const request = indexedDB.open("quorate-rooms");
  request.onsuccess = () => (request.result.transaction("rooms").objectStore("rooms").get(room).onsuccess = ({ target }) => resolve(target.result));
}), id);

/** Without what a page that is loaded anew cuts off. */
const others = (problems) => problems.filter((one) => !/ERR_ABORTED|WebSocket/.test(one));

test("who takes long is stood in for until they say so, who finds no table goes, and a full room says so", async (own) => {
  const { page, link, problems } = await host(lab, {
    title: "In a hurry", session: { ...poll(2), unit: "people", rounds: 3 }, people: 2, tables: 1, names: "pseudonyms", deal: "arrival", start: "full", wait: 5,
    patience: { after: 10, then: "stand_in" }, ways: { waited: { code: "nobody-1" }, complete: { code: "done-1" } },
  });
  const fast = await comes(link, "fast");
  await fast.page.getByTestId("lobby").waitFor();
  const slow = await comes(link, "slow");
  await asked(slow.page, "round/").waitFor();
  const late = await comes(link, "late");
  await shows(late.page, "All tables have started");
  await estimates(fast.page, 1000000);
  await shows(slow.page, "A computer answers in your place, as “Computer (for");
  await slow.page.getByTestId("back").click();
  await slow.page.getByTestId("back").waitFor({ state: "detached" });
  await estimates(fast.page, 9000000);
  await asked(slow.page, "round/3").waitFor();
  await Promise.all([estimates(slow.page, 20000000), estimates(fast.page, 9000000)]);
  for (const one of [slow, fast]) await isOver(one.page, { title: "Thank you for taking part", code: "done-1" });
  await isOver(late.page, { title: "Not enough people joined", code: "nobody-1" });

  for (const one of [fast, slow, late]) assert.deepEqual(others(one.problems), []);
  assert.deepEqual(others(problems), []);
});

test("devices whose clocks are an hour wrong show the time that is left, their answers count, and nothing closes early", async () => {
  const HOUR = 3_600_000;
  const AFTER = 25;
  const { page, link, problems } = await host(lab, {
    title: "Wrong clocks", session: { ...poll(3), unit: "people", rounds: 2 }, people: 3, tables: 1, names: "pseudonyms", deal: "arrival", start: "full", patience: { after: AFTER, then: "skip" },
  });
  const guests = await Promise.all([0, HOUR, -HOUR].map(async (wrong) => {
    const opened = await lab.newPage(PHONE);
    await opened.page.clock.install({ time: Date.now() + wrong });
    await opened.page.goto(link);
    return opened;
  }));
  const [right, fast, slow] = guests.map((one) => one.page);
  await Promise.all([right, fast, slow].map((one) => asked(one, "round/").waitFor()));
  assert.ok((await fast.evaluate(() => Date.now())) > Date.now() + HOUR / 2, "it is wrong");
  const timer = (one) => one.getByRole("timer").filter({ hasText: "Time left" }).textContent();
  /** The time at which a question closes by what its page shows: between two times, as reading takes time. */
  const closes = async (one) => {
    const from = Date.now();
    const [, minutes, seconds] = (await timer(one)).match(/Time left: (\d+):(\d\d)/);
    const left = 1000 * (60 * Number(minutes) + Number(seconds));
    return [from + left, Date.now() + left];
  };
  const shown = await Promise.all([right, fast, slow].map(closes));
  // Set back to what is right while the question is open.
  const before = await timer(fast);
  await fast.clock.setSystemTime(Date.now());
  await eventually.notEqual(() => timer(fast), before);
  shown.push(await closes(fast));
  await Promise.all([estimates(fast, 3000000), estimates(slow, 4000000)]);
  // The third is waited for as long as it was told.
  await Promise.all([right, fast, slow].map(async (one, at) => {
    await asked(one, "round/2").waitFor();
    await estimates(one, 5000000 + at);
    await one.getByTestId("over").waitFor();
  }));
  const record = await stored(page, `${readLink(link).room}-1`);
  const of = (type) => record.filter(({ what }) => what.type === type);
  assert.deepEqual(of("answered").map(({ what }) => what.reply.values.estimate).sort(), [3000000, 4000000, 5000000, 5000001, 5000002]);
  const [skipped] = of("unanswered");
  const question = of("asked").find(({ what }) => what.ask.id === skipped.what.ask);
  assert.ok(skipped.at - question.at >= AFTER * 1000, `${skipped.at - question.at} ms`);
  const closed = question.at + AFTER * 1000;
  for (const [earliest, latest] of shown) assert.ok(earliest < closed + 2500 && latest > closed - 2500, `they show ${shown.map((times) => times.map((one) => one - question.at))} ms`);
  assert.deepEqual([...others(problems), ...guests.flatMap((one) => others(one.problems))], []);
});

test("the host asks by forms, seats by hand, and names a broker of its own, which both pages may reach and no other", { skip: !hasMosquitto && "no mosquitto here" }, async (own) => {
  const meeting = await mosquitto({ user: "class", password: "word" });
  own.after(async () => {
    await meeting.stop();
    meeting.remove();
  });
  const origin = meeting.address.slice(0, -1);
  const { page, problems } = await lab.visit("#/", { viewport: { width: 360, height: 740 } });
  await atOnce(page);
  await invites(page);
  await page.getByTestId("invite-deal").selectOption("hand");
  // By the keyboard alone.
  const unfold = async (part) => {
    await page.getByTestId(`part-${part}`).locator("> summary").focus();
    await page.keyboard.press("Enter");
  };
  await unfold("arriving");
  await page.getByTestId("invite-consent").fill("You answer a few questions.");
  await page.getByTestId("before-add").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("How far do you trust others?");
  await page.getByTestId("comprehension-add").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Who is paid?");
  const check = page.getByTestId("comprehension-question");
  await check.getByLabel("Options, one a line").fill("Nobody\nEverybody");
  await page.getByTestId("invite-open").click();
  await shows(page, "Question 1 of the check has no right answer.");
  await check.getByLabel("Right answer").selectOption("Everybody");
  const people = await page.getByTestId("invite-people").inputValue();
  await page.getByTestId("invite-people").fill("99");
  await page.getByTestId("invite-open").click();
  await shows(page, "People at a table: must be");
  await page.getByTestId("invite-people").fill(people);
  await unfold("pay");
  await page.getByTestId("pay-unit").fill("€");
  await page.getByTestId("pay-fixed").fill("2.5");
  await unfold("ways");
  await page.getByTestId("way-declined-url").fill("https://study.example/?sorry={STUDY_ID}");
  await page.getByTestId("way-trouble-code").fill("SORRY-1");
  await unfold("meeting");
  await page.getByTestId("invite-meeting").selectOption("broker");
  await page.getByTestId("broker-address").fill("https://broker.example/");
  await page.getByTestId("invite-open").click();
  await shows(page, "The address must begin with wss://");
  await page.getByTestId("broker-address").fill(meeting.address.replace("//", "//class:word@"));
  await page.getByTestId("invite-open").click();
  await page.waitForFunction((wanted) => document.querySelectorAll("meta[http-equiv=Content-Security-Policy]")[1]?.content.includes(wanted), origin);
  const link = await linkOf(page);
  assert.deepEqual(readLink(link).meeting, { kind: "broker", address: meeting.address.replace("//", "//class:word@") });
  // A code leads to no connection service that wants a password.
  assert.doesNotMatch(await page.locator("main").innerText(), /type the code|word@/);
  await eventually.deepEqual(async () => JSON.parse((await keptRoom(page, readLink(link).room)).snapshot).config.earned, { unit: "€", fixed: 2.5 });
  const connects = (one) => one.evaluate(() => [...document.querySelectorAll("meta[http-equiv=Content-Security-Policy]")].at(-1).content.match(/connect-src [^;]*/)[0].split(" ").filter((name) => /^wss?:/.test(name)));
  await eventually.deepEqual(() => connects(page), [origin]);

  const no = await lab.newPage(PHONE);
  await no.page.goto(link.replace("#", "?STUDY_ID=s%3D1#"));
  await no.page.getByTestId("send-no").click();
  await eventually.equal(() => no.page.getByTestId("return").getAttribute("href"), "https://study.example/?sorry=s%3D1");
  const ana = await comes(link, "ana");
  await eventually.deepEqual(() => connects(ana.page), [origin]);
  await ana.page.getByTestId("send-yes").click();
  await asked(ana.page, "room/before").locator("input[type=range]").press("End");
  await send(ana.page);
  await asked(ana.page, "room/comprehension").getByText("Everybody", { exact: true }).click();
  await send(ana.page);
  await ana.page.getByTestId("lobby").waitFor();
  await page.getByTestId("room-seat").selectOption({ index: 1 });
  await page.getByTestId("room-start").click();
  await ana.page.locator("[data-testid=question]:not([data-ask^='room/'])").waitFor();
  // Loaded anew, the host meets there again.
  await page.reload();
  await page.getByTestId("room-close").click();
  await page.getByTestId("confirm").click();
  await isOver(ana.page, { title: "It could not be finished", code: "SORRY-1" });
  for (const one of [{ problems }, no, ana]) assert.deepEqual(others(one.problems), []);
});

test("the host's own password at a broker is asked for where it is wrong, and kept with the room only at wish", { skip: !hasMosquitto && "no mosquitto here" }, async (own) => {
  const password = "wolf-lantern-42";
  const meeting = await mosquitto({ user: "lab", password });
  const post = broker(meeting.address, { WebSocket, user: "lab", password });
  own.after(async () => {
    post.close();
    await meeting.stop();
    meeting.remove();
  });
  const { page, context } = await lab.visit();
  await invites(page);
  await page.getByTestId("part-meeting").evaluate((node) => (node.open = true));
  await page.getByTestId("invite-meeting").selectOption("broker");
  await page.getByTestId("broker-address").fill(meeting.address);
  await page.getByTestId("broker-user").fill("lab");
  await page.getByTestId("broker-password").fill("another");
  await page.getByTestId("invite-open").click();
  await page.getByTestId("broker-signin").waitFor();
  const signsIn = async (at) => {
    await at.getByTestId("broker-user").fill("lab");
    await at.getByTestId("broker-password").fill(password);
    await at.getByTestId("broker-connect").click();
    await at.getByTestId("broker-signin").waitFor({ state: "detached" });
  };
  await signsIn(page);
  // Nobody is invited before the room can be joined.
  const link = await linkOf(page);
  const { room } = readLink(link);
  const come = async (at, count) => {
    const one = guest(link, post);
    own.after(one.leave);
    await at.waitForFunction((n) => document.querySelectorAll("[data-testid=room-arrived] li").length === n, count);
  };
  await come(page, 1);
  const isKept = async (at) => JSON.stringify(await keptRoom(at, room)).includes(password);
  await eventually.equal(() => isKept(page), false);
  // As long as the tab is open it is known there.
  await page.reload();
  await page.getByTestId("room-link").waitFor();
  await come(page, 2);
  await eventually.equal(() => isKept(page), false);
  await page.close();
  const { page: later } = await lab.secondTab(context, `#/room/${room}`);
  await later.getByTestId("broker-signin").waitFor();
  await later.getByTestId("broker-keep").check();
  await signsIn(later);
  await come(later, 3);
  await eventually.equal(() => isKept(later), true);
});

/** Holds to what may not be missed; how long things take is measured elsewhere. */
const hold = (what, value, unit, aim) => aim === 0 && assert.equal(value, 0, `${what} ${unit}`);
const size = { tables: 2, seats: 3, tell: hold };

test("over the broker beside the page", async (own) => {
  const { lab: there, restart, close } = await beside(lab);
  own.after(close);
  await faulty(there, "beside the page", { ...size, restart });
});

test("over mosquitto", { skip: !hasMosquitto && "no mosquitto here" }, async (own) => {
  const { address, restart, stop, remove } = await mosquitto();
  own.after(async () => {
    await stop();
    remove();
  });
  await faulty(lab, "mosquitto", { ...size, address, restart });
});

/** The browser of one guest, in whose memory is looked. */
let device;
before(async () => (device = await chromium.launch(chromiumOptions(WHOLE_STRINGS))));
after(() => device?.close());

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

test("a guest's memory, storage and wire have its own view, and nothing of others beyond it, nor the host's key", async (own) => {
  const { page: hosts, link, frames: hostWire } = await host(lab, fixture("secrets"));
  const parts = readLink(link);

  const posts = [];
  own.after(() => posts.forEach((post) => post.close()));
  const joins = (who) => {
    const post = meet();
    posts.push(post);
    const one = guest(link, post, { params: { PROLIFIC_PID: canary("id", who) }, answers: answersOf(who) });
    own.after(one.leave);
    return one;
  };
  const page = await (await device.newContext(PHONE)).newPage();
  page.setDefaultTimeout(PATIENCE);
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
  await eventually(() => assert.deepEqual([mate, ...others].map(({ state }) => state?.stage), ["over", "over", "over"]), 120);

  const { key } = await keptRoom(hosts, parts.room);
  const secret = await page.evaluate((id) => JSON.parse(localStorage.getItem(`quorate.guest.${id}`)).secret, parts.room);
  const secrets = { "the host's key": key, "the host's key in bytes": fromBase64url(key, 32) };
  for (const who of ["other", "stranger"]) for (const what of ["name", "statement"]) secrets[`the ${what} of ${who}`] = canary(what, who);
  for (const who of ["mate", "other", "stranger"]) for (const what of ["id", "reason", "explanation"]) secrets[`the ${what} of ${who}`] = canary(what, who);
  for (const [index, { keys }] of [mate, ...others].entries()) Object.assign(secrets, { [`the key of device ${index + 1}`]: toBase64url(keys.secret), [`the key of device ${index + 1} in bytes`]: keys.secret });
  const theirs = { "one's key": secret };
  for (const what of ["name", "id", "explanation", "statement"]) theirs[`one's ${what}`] = canary(what, "self");
  for (const what of ["name", "statement"]) theirs[`the ${what} of who sits there too`] = canary(what, "mate");

  const hits = (where, needles) => Object.keys(needles).filter((name) => where.includes(needles[name]));
  const heap = Buffer.from(await heapOf(page));
  assert.deepEqual(hits(heap, secrets), [], "in the heap");
  assert.deepEqual(hits(heap, theirs), Object.keys(theirs), "what one may see is found in the heap");
  const storage = Buffer.from(await kept(page));
  assert.deepEqual(hits(storage, secrets), [], "in storage");
  assert.ok(storage.includes(secret), "storage is really read");
  for (const [name, frames] of Object.entries({ "the guest's": wire, "the host's": hostWire })) {
    const all = Buffer.concat(frames);
    assert.ok(all.includes(`quorate/${parts.room}/host`), `${name} tap hears the room`);
    assert.deepEqual(hits(all, { ...secrets, ...theirs }), [], `on ${name} wire`);
  }
  assert.deepEqual(hits(Buffer.from(link), secrets), [], "in the link");

  const pids = await processesOf(device);
  if (!canLook(pids[0])) return own.diagnostic("this machine lets nobody look into the memory of processes");
  const held = remembered(pids, { ...secrets, ...theirs });
  own.diagnostic(`the heap's strings: ${heap.length} characters; the memory of ${pids.length} processes: ${Math.round(held.bytes / 1e6)} MB`);
  assert.deepEqual(Object.keys(secrets).filter((name) => held.found.has(name)), [], "in memory");
  assert.deepEqual(Object.keys(theirs).filter((name) => !held.found.has(name)), [], "what one may see is found");
  // The same search finds all of it where it is: at the host.
  const at = remembered(await processesOf(lab.browser, "renderer"), secrets);
  const apart = Object.keys(secrets).filter((name) => !name.includes("device"));
  assert.deepEqual(apart.filter((name) => !at.found.has(name)), []);
});
