// The guest's page, at 360 pixels: three people at a table of each procedure, a code in place of a link, a host that goes
// away, and what is kept on the device meanwhile; in Chromium, Firefox and WebKit.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join as path } from "node:path";
import { before, test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { offerCode } from "../../../src/web/room/link.js";
import { PATIENCE, openFirefox } from "../../support/browser.mjs";
import { PHONE, openMenu, plays, reply } from "../../support/device.mjs";
import { eventually } from "../../support/eventually.mjs";
import { saved, usePage } from "../../support/page.mjs";
import { NODE, ROOM, SITE } from "../../support/paths.mjs";
import { stubRoom } from "../../support/stub_room.mjs";
import { table } from "../../support/stub_table.mjs";
import { people as students, poll } from "../../support/trial.mjs";
import { hasWebKit, openWebKit } from "../../support/webkit.mjs";

const quorate = await import(NODE);
const { Room } = await import(ROOM);
const lab = usePage();
before(() => quorate.default());

const address = () => lab.url.replace("http", "ws") + "room";
const fixture = (name) => JSON.parse(readFileSync(new URL(`../../fixtures/rooms/${name}.json`, import.meta.url), "utf8"));
const people = (...names) => names.map((name) => ({ name, personality: "A student.", kind: "human" }));
const TABLES = {
  justice: { title: "Just shares", language: "English", seed: 3, phase2_rounds: 1, agents: people("Ada", "Bo", "Cleo") },
  discussion: { protocol: "discussion", title: "Bread", language: "English", topic: "Should bread be free?", rounds: 1, agents: people("Ada", "Bo", "Cleo"), start: "at_once", seed: 3 },
  debate: { protocol: "debate", title: "Tea or coffee", language: "English", question: "Tea or coffee?", agents: people("Ada", "Bo", "Cleo"), schedule: [{ kind: "propose" }, { kind: "critique" }, { kind: "vote" }], consensus: "majority", seed: 3 },
  delphi: { protocol: "delphi", title: "How many", language: "English", question: "How many people live in Berlin?", unit: "people", rounds: 2, agents: people("Ada", "Bo", "Cleo"), seed: 3 },
};

/** Text as a Chinese or Japanese keyboard writes it. */
const fullWidth = (text) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt() + 0xfee0));

/** The connection service beside the page, until the end of a test. */
function meet(own) {
  const post = broker(address(), { WebSocket });
  own.after(() => post.close());
  return post;
}

async function phone(text, options = {}) {
  const opened = await lab.newPage({ ...PHONE, ...options });
  await opened.page.goto(`${lab.url}join.html${text ? `#${text}` : ""}`);
  return opened;
}

for (const [name, config] of Object.entries(TABLES)) {
  test(`three people at a table: ${name}`, async (own) => {
    const host = meet(own);
    const { room, finished, stop } = table(quorate, host, config, { end: { earned: name === "justice" ? "$12.30" : null }, deadline: 90_000 });
    own.after(stop);
    const guests = await Promise.all([0, 1, 2].map(() => phone(room.text)));
    await Promise.all(guests.map(async ({ page }, at) => {
      for (;;) {
        await page.locator("[data-testid=question], [data-testid=over]").first().waitFor();
        if (await page.getByTestId("over").count()) return;
        if (at === 0) assert.doesNotMatch(await page.locator("main").innerText(), /^> /m, "what others said is set off without marks");
        await reply(page, at);
      }
    }));
    await finished;
    const [{ page }] = guests;
    await eventually.equal(() => page.getByTestId("end-code").textContent(), "QKRT-7714");
    assert.equal(await page.getByTestId("end-code").getAttribute("translate"), "no", "a translated code is none");
    assert.ok(await page.locator(".seen-who bdi[translate=no][dir=auto], .join-title bdi[translate=no][dir=auto]").count());
    await eventually.ok(async () => (await page.locator(".seen").count()) > 0);
    await page.getByTestId("seen-open").click();
    if (name === "debate") {
      const parts = ["Round 2 · Votes", "Round 1 · Critiques", "Round 0 · Proposals"];
      await eventually.deepEqual(() => page.locator(".seen h3").allTextContents(), parts);
      const [critiques, proposals] = parts.slice(1).map((part) => page.locator(".seen", { has: page.getByRole("heading", { name: part, exact: true }) }));
      await eventually.deepEqual(() => Promise.all([proposals, critiques].map((part) => part.locator("summary", { hasText: "Whole text" }).count())), [0, 0], "a proposal is read where it was made");
    }
    await page.getByTestId("own-data").click();
    const data = JSON.parse((await saved(page, () => page.getByTestId("data").click())).text);
    assert.equal(data.view.role, `seat:${data.table.seat}`);
    for (const { problems } of guests) assert.deepEqual(others(problems), []);
  });
}

/** Without what a page that goes elsewhere, as from a code to its room, cuts off. */
const others = (problems) => problems.filter((one) => !/favicon.*ERR_ABORTED/.test(one));

test("in Firefox, at a table with two in Chromium: a poll from the link to the end", async (own) => {
  const firefox = await openFirefox();
  if (!firefox) return own.skip("no Firefox here");
  const host = meet(own);
  const { room, finished, stop } = table(quorate, host, TABLES.delphi);
  own.after(async () => {
    stop();
    await firefox.close();
  });
  const page = await firefox.newPage();
  page.setDefaultTimeout(PATIENCE);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  await page.goto(`${lab.url}join.html#${room.text}`);
  const others = await Promise.all([1, 2].map(() => phone(room.text)));
  const playing = Promise.all(others.map((other, at) => plays(other.page, at)));
  for (const number of ["3400000", "3600000"]) {
    await page.waitForSelector("[data-testid=question] input[inputmode=decimal]");
    const ask = await page.$eval("[data-testid=question]", (node) => node.getAttribute("data-ask"));
    await page.type("input[inputmode=decimal]", number);
    await page.type("textarea", `About ${number}.`);
    await page.waitForSelector("[data-testid=send]:not([disabled])");
    await page.click("[data-testid=send]");
    await page.waitForFunction((sent) => document.querySelector("[data-testid=question]")?.getAttribute("data-ask") !== sent, {}, ask);
  }
  await page.waitForSelector("[data-testid=over]");
  await eventually.match(() => page.$eval("[data-testid=over]", (node) => node.textContent), /Thank you for taking part/);
  await Promise.all([playing, finished]);
  assert.deepEqual(wrong, []);
});

test("a code leads to the lobby; a wrong one says so", async (own) => {
  const host = meet(own);
  const room = stubRoom(host);
  room.on = (message, id) => message.type === "hello" && room.tell(id, { stage: "lobby", you: { number: 1, pseudonym: "Heron", name: null }, lobby: { here: 1, seats: 3, startsAt: Date.now() + 300_000 } });
  const offer = await offerCode(host, room.link);
  const { code } = offer;
  const { page, problems } = await phone("");
  // Enter that ends a composition submits nothing; Safari tells of it after the composition.
  await page.getByTestId("code").fill("abc");
  for (const key of [{ isComposing: true, keyCode: 13 }, { isComposing: false, keyCode: 229 }]) {
    await page.getByTestId("code").evaluate((node, init) => node.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, ...init })), key);
    assert.equal(await page.getByTestId("code-said").innerText(), "");
  }
  await page.getByTestId("code-go").click();
  await page.getByText("A code has eight letters and no vowels.").waitFor();
  await page.getByTestId("code").fill(`${code.slice(0, 7)}${code.endsWith("B") ? "C" : "B"}`);
  await page.getByTestId("code-go").click();
  await page.getByText("No session has this code now.", { exact: false }).waitFor();
  await page.getByTestId("code").fill(fullWidth(`${code.slice(0, 4)}.${code.slice(4)}`.toLowerCase()));
  await page.getByTestId("code-go").click();
  await page.getByTestId("lobby").waitFor();
  await eventually.match(() => page.getByTestId("lobby").textContent(), /1 of 3 are here/);
  assert.doesNotMatch(await page.getByTestId("lobby").textContent(), /when the others are here/, "it begins at its time");
  await openMenu(page);
  await page.getByTestId("language").selectOption("es");
  await eventually.match(() => page.getByTestId("lobby").textContent(), /Presentes: 1 de 3/);
  await page.getByTestId("language").selectOption("zh");
  await eventually.equal(() => page.locator("html").getAttribute("lang"), "zh-Hans");
  await eventually.match(() => page.getByTestId("lobby").textContent(), /已到 1 人/);
  assert.deepEqual(others(problems), []);
  offer.withdraw();
});

test("a pasted link leads to the lobby as well, and who never connected is told that the network may block it", async (own) => {
  const host = meet(own);
  const room = stubRoom(host);
  room.on = (message, id) => message.type === "hello" && room.tell(id, { stage: "lobby", you: { number: 1, pseudonym: "Heron", name: null }, lobby: { here: 1, seats: 3, startsAt: null } });
  const { page } = await phone("");
  await page.getByTestId("code").fill(`(${lab.url}join.html#${room.text})`);
  await page.getByTestId("code-go").click();
  await page.getByTestId("lobby").waitFor();
  // With what a recruiting service appends.
  const { page: recruited } = await phone(`${room.text}?PROLIFIC_PID=abc&STUDY_ID=s1`);
  await recruited.getByTestId("lobby").waitFor();
  assert.deepEqual(room.said.find(({ params }) => params?.PROLIFIC_PID)?.params, { PROLIFIC_PID: "abc", STUDY_ID: "s1" });

  const silent = createServer((request, response) => response.writeHead(403).end());
  silent.on("upgrade", () => {});
  await new Promise((done) => silent.listen(0, "127.0.0.1", done));
  own.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { text } = stubRoom(host, { meeting: { kind: "broker", address: `ws://127.0.0.1:${silent.address().port}/` } });
  const { page: blocked } = await phone(text);
  await blocked.getByText("The network (school, company, VPN) may block it", { exact: false }).waitFor();
});

test("a broken link asks for the code, and an address of a script is no way back", async (own) => {
  const broken = await phone("2.abc.def");
  await broken.page.getByText("This link is incomplete.", { exact: false }).waitFor();
  assert.deepEqual(broken.problems, []);
  const host = meet(own);
  const room = stubRoom(host);
  let url = "javascript:alert(1)";
  room.on = (message, id) => message.type === "hello" && room.tell(id, { stage: "over", end: { code: "X", way: "declined", earned: null, url } });
  const { page } = await phone(room.text);
  await page.getByTestId("over").waitFor();
  await eventually.equal(() => page.getByTestId("return").count(), 0);
  url = "https://example.org/back?cc=X";
  await page.reload();
  await eventually.equal(() => page.getByTestId("return").getAttribute("href"), url);
});

test("the first question can be answered as it appears, the next one after a moment: a second tap is none for it", async (own) => {
  const form = fixture("yes_no_form");
  const host = meet(own);
  const room = stubRoom(host);
  const taken = [];
  const asks = (id) => room.tell(id, { stage: "arriving", questions: [{ ask: `room/${taken.length}`, form, deadline: null }] });
  room.on = (message, id) => {
    if (message.type === "hello") asks(id);
    if (message.type !== "answer" || taken.includes(message.ask)) return;
    taken.push(message.ask);
    room.send(id, { type: "kept", n: message.n });
    asks(id);
  };
  const { page, problems } = await lab.newPage(PHONE);
  await page.addInitScript(() => {
    window.seen = {};
    new MutationObserver(() => {
      const button = document.querySelector("[data-testid=question] .sends button");
      if (button) window.seen[button.closest("[data-ask]").getAttribute("data-ask")] ??= button.disabled;
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${lab.url}join.html#${room.text}`);
  for (const ask of ["room/0", "room/1"]) await page.locator(`[data-ask="${ask}"] .sends button`).first().click();
  await page.locator('[data-ask="room/2"]').waitFor();
  assert.deepEqual(taken, ["room/0", "room/1"]);
  await eventually.deepEqual(() => page.evaluate(() => window.seen), { "room/0": false, "room/1": true, "room/2": true });
  assert.deepEqual(others(problems), []);
});

test("the screen stays on from the first question to the end", async (own) => {
  const form = fixture("yes_no_form");
  const host = meet(own);
  const room = stubRoom(host);
  const taken = [];
  const tells = (id) => room.tell(id, { stage: "table", table: { number: 1, seat: "Ada", stoodIn: false, participants: [] }, view: null, questions: taken.length < 2 ? [{ ask: `q${taken.length}`, form, deadline: null }] : [] });
  room.on = (message, id) => {
    if (message.type === "hello") tells(id);
    if (message.type !== "answer" || taken.includes(message.ask)) return;
    taken.push(message.ask);
    room.send(id, { type: "kept", n: message.n });
    tells(id);
  };
  const { page, problems } = await lab.newPage(PHONE);
  await page.addInitScript(() => {
    window.held = [];
    // A lock that takes its time to go.
    const request = async () => {
      const lock = new EventTarget();
      const ask = () => document.querySelector("[data-testid=question]")?.getAttribute("data-ask");
      window.held.push(`on ${ask()}`);
      lock.release = () => setTimeout(() => {
        window.held.push("off");
        lock.dispatchEvent(new Event("release"));
      }, 300);
      return lock;
    };
    Object.defineProperty(navigator, "wakeLock", { value: { request } });
  });
  await page.goto(`${lab.url}join.html#${room.text}`);
  for (const ask of ["q0", "q1"]) await page.locator(`[data-ask="${ask}"] .sends button`).first().click();
  await page.getByTestId("waiting").waitFor();
  await eventually.deepEqual(() => page.evaluate(() => window.held), ["on q0"]);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-testid"));
  await openMenu(page);
  await page.getByTestId("leave").click();
  await eventually.equal(focused, "leave-stay", "whoever wants to go is on the button that keeps them");
  tells([...room.guests.keys()][0]);
  await page.getByTestId("leave-stay").click();
  await eventually.equal(focused, "leave");
  room.tell([...room.guests.keys()][0], { stage: "over", end: { code: null, way: "complete", earned: null, url: null } });
  await page.getByTestId("over").waitFor();
  await eventually.deepEqual(() => page.evaluate(() => window.held), ["on q0", "off"]);
  assert.deepEqual(others(problems), []);
});

test("a page that came by https says that it reaches no broker without encryption, and tries none", async (own) => {
  const context = await lab.browser.newContext(PHONE);
  await context.route("https://lab.example/**", (route) => route.fulfill({ path: path(SITE, new URL(route.request().url()).pathname) }));
  const page = await context.newPage();
  const sockets = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  const { text } = stubRoom({ subscribe() {} }, { meeting: { kind: "broker", address: "ws://192.168.1.5:9001/" } });
  await page.goto(`https://lab.example/join.html#${text}`);
  await page.getByText("This page was opened by https", { exact: false }).waitFor();
  await eventually.match(() => page.getByTestId("banner").textContent(), /192\.168\.1\.5:9001/);
  assert.deepEqual(sockets, []);
});

test("while the host is away the answer is kept on the device, over a reload; then it is sent, once", async (own) => {
  const form = fixture("text_form");
  const host = meet(own);
  const room = stubRoom(host);
  let answers = true;
  const taken = [];
  room.on = (message, id) => {
    if (!answers) return;
    if (message.type === "hello") room.tell(id, { stage: "table", table: { number: 1, seat: "Ada", stoodIn: false, participants: [] }, view: null, questions: taken.length ? [] : [{ ask: "q1", form, deadline: Date.now() + 60_000 }] });
    if (message.type === "answer") {
      if (!taken.some(({ n }) => n === message.n)) taken.push(message);
      room.send(id, { type: "kept", n: message.n });
      room.tell(id, { stage: "table", table: { number: 1, seat: "Ada", stoodIn: false, participants: [] }, view: null, questions: [] });
    }
  };
  const { page, problems } = await phone(room.text);
  await page.getByTestId("question").waitFor();
  await eventually.match(() => page.getByRole("timer").textContent(), /Time left: (1:00|0:5\d)/);
  await page.locator("textarea").fill("Half a draft");
  await page.reload();
  await page.getByTestId("question").waitFor();
  await eventually.equal(() => page.locator("textarea").inputValue(), "Half a draft");
  answers = false;
  await page.getByTestId("send").click();
  await page.getByText("Kept on this device, being sent …").waitFor();
  await page.reload();
  await page.getByText("The host is away.", { exact: false }).waitFor();
  answers = true;
  await page.getByTestId("waiting").waitFor();
  await page.waitForFunction(() => !document.querySelector("[data-testid=banner]").textContent);
  await eventually.deepEqual(() => taken.map(({ values }) => values), [{ text: "Half a draft" }]);
  assert.equal(room.guests.size, 1);
  assert.deepEqual(others(problems), []);
});

test("with letters of twice the size on a phone nothing scrolls sideways, and the buttons hide nothing", async (own) => {
  const host = meet(own);
  const { room, finished, stop } = table(quorate, host, { ...TABLES.justice, agents: [...people("Ada"), { name: "Bo", personality: "A trader." }] });
  own.after(stop);
  const { page } = await phone(room.text);
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  for (;;) {
    await page.locator("[data-testid=question], [data-testid=over]").first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, await page.locator("main").innerText());
    if (await page.getByTestId("over").count()) break;
    await reply(page, 0);
  }
  await finished;
});

test("people are shown as the host tells them apart, and those who wait are not counted as more than all", async (own) => {
  const host = meet(own);
  const room = stubRoom(host);
  const participants = Object.entries({ Ada: "Ana (Ada)", Bo: "Ana (Bo)", Cleo: "Cleo" }).map(([seat, name]) => ({ seat, name, kind: "human" }));
  let stage = "lobby";
  const tell = (id) => room.tell(id, stage === "lobby"
    ? { stage, you: { number: 1, pseudonym: "Ada", name: "Ana" }, lobby: { here: 7, seats: 3, startsAt: null } }
    : { stage, table: { number: 1, seat: "Cleo", stoodIn: false, participants }, view: { doing: { Ada: "thinks", Bo: "thinks" }, items: [], people: [], steps: [] }, questions: [] });
  room.on = (message, id) => message.type === "hello" && tell(id);
  const { page } = await phone(room.text);
  await eventually.match(() => page.getByTestId("lobby").innerText(), /\n7 are here\n\s*Waiting for your host to start/);
  stage = "table";
  [...room.guests.keys()].forEach(tell);
  await eventually.match(() => page.getByTestId("waiting").innerText(), /Ana \(Ada\) and Ana \(Bo\)/);
});

test("a question is answered and kept in WebKit", { skip: !hasWebKit && "no WebKitGTK with its driver and Xvfb here" }, async (own) => {
  const transport = meet(own);
  const session = { ...poll(2), agents: students(2) };
  const room = await Room.open({ session, people: 2, least: 1, tables: 1, start: "hand", consent: "Do you agree?" }, { transport, own: true, base: `${lab.url}join.html`, store: "memory", session: { store: "memory" } });
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
  await page.fill("input[inputmode=decimal]", "3700000");
  await page.click("[data-testid=send]");
  const isKept = () => room.session(1).entries().some(({ what }) => what.type === "answered" && JSON.stringify(what.reply).includes("census"));
  await eventually.ok(isKept, "the answer stands in the record");
  await eventually.match(async () => (await page.evaluate("return window.told")).join("\n"), /kept/i);
});
