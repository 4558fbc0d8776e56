// A pupil of a class, on a phone: from the link to the result, with simulated participants at the other seats. Counts taps, words
// and screens, and looks for what a screen reader would miss.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../src/web/room/broker.js";
import { assertFine } from "../support/access.mjs";
import { PHONE, openMenu } from "../support/device.mjs";
import { eventually } from "../support/eventually.mjs";
import { usePage } from "../support/page.mjs";
import { NODE, ROOM } from "../support/paths.mjs";
import { stubRoom } from "../support/stub_room.mjs";

const quorate = await import(NODE);
const { Room } = await import(ROOM);
const lab = usePage();
before(() => quorate.default());

const TAPS = 25;
/** Of the page itself, without what others say. */
const WORDS = 900;
const SCREENS = 2;
const LOOKS = [[360, "light"], [360, "dark"]];

/** The session of a class with one pupil; programs have the other seats. With this seed they agree in the first round; each further one takes three taps and a hundred words. */
function lesson() {
  const { config } = quorate.presets().find(({ id }) => id === "class-justice");
  const programs = ["Pixel", "Bit", "Chip"].map((name) => ({ name, personality: "Compassionate, warm, first thinks of the worst-off." }));
  return { ...config, seed: 1, agents: [config.agents[0], ...programs] };
}

async function guestOf(own, plan) {
  const transport = broker(`${lab.url.replace("http", "ws")}room`, { WebSocket });
  own.after(() => transport.close());
  const room = await Room.open(plan, { transport, own: true, base: `${lab.url}join.html`, store: "memory", session: { store: "memory" } });
  own.after(() => room.close());
  const opened = await lab.newPage(PHONE);
  await opened.page.goto(room.link);
  return { room, ...opened };
}

/** Answers the open question as a pupil would, and returns the taps. */
async function answer(page) {
  const panel = page.getByTestId("question");
  const ask = await panel.getAttribute("data-ask");
  let taps = 0;
  const tap = async (target) => {
    await target.click();
    taps += 1;
  };
  for (const field of await panel.locator(".ask-fields [data-field]").all()) {
    if (!(await field.isVisible())) continue;
    const open = field.locator(".place[aria-pressed=false]");
    while (await open.count()) await tap(open.first());
    const choice = field.locator("label:has(input[type=radio])");
    if ((await choice.count()) && !(await field.locator("input:checked").count())) await tap(choice.first());
    const text = field.locator("textarea");
    if (await text.count()) await text.fill("I want a rule that helps the poorest.");
  }
  await tap(panel.locator(".sends .button-primary").first());
  await page.locator(`[data-testid=question][data-ask="${ask}"]`).waitFor({ state: "detached" });
  return taps;
}

test("a pupil needs few taps, few words and no long page from the link to the result", async (own) => {
  const { page, problems, room } = await guestOf(own, { title: "A fair society", session: lesson(), people: 1, least: 1, tables: 1, start: "hand", consent: "Your table sees what you write." });
  const told = { taps: 0, words: 0, talk: 0, screens: 0 };
  const look = async (what) => {
    const { words, talk, screens } = await page.evaluate(() => {
      const count = (node) => node?.innerText.split(/\s+/).filter(Boolean).length ?? 0;
      const lines = count(document.querySelector(".talk-lines"));
      return { words: count(document.querySelector("main")) - lines, talk: lines, screens: document.documentElement.scrollHeight / innerHeight };
    });
    // What was said stands there again each time.
    told.words += words + Math.max(0, talk - told.talk);
    told.talk = Math.max(told.talk, talk);
    told.screens = Math.max(told.screens, screens);
    assert.ok(screens <= SCREENS, `${what} is ${screens.toFixed(1)} screens long`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, what);
    await assertFine(page, what, LOOKS);
    await page.setViewportSize(PHONE.viewport);
  };
  await page.getByTestId("question").waitFor();
  await page.getByText("are computer programs", { exact: false }).waitFor();
  await look("consent");
  told.taps += await answer(page);
  await page.getByTestId("lobby").waitFor();
  await look("the lobby");
  assert.equal(await page.locator(".face-program").count(), 3);
  room.start();
  for (;;) {
    await page.locator("[data-testid=question], [data-testid=over]").first().waitFor();
    if (await page.getByTestId("over").count()) break;
    await look(await page.getByTestId("question").getAttribute("data-ask"));
    told.taps += await answer(page);
  }
  await page.getByTestId("result").waitFor();
  await look("the result");
  assert.ok(await page.locator(".tiles .own").isVisible());
  own.diagnostic(JSON.stringify(told));
  assert.ok(told.taps <= TAPS, `${told.taps} taps`);
  assert.ok(told.words <= WORDS, `${told.words} words`);
  await openMenu(page);
  await assertFine(page, "the menu", LOOKS);
  assert.deepEqual(problems, []);
});

test("before a question is skipped its person is asked, and stays in time by a tap; a message of the host is shown once", async (own) => {
  const transport = broker(`${lab.url.replace("http", "ws")}room`, { WebSocket });
  own.after(() => transport.close());
  const room = stubRoom(transport);
  const form = { language: "English", question: "What do you think?", material: [], fields: [{ name: "text", label: "Your answer", input: "text", least: 1, most: 400, lines: 2, optional: false, sends: false }], send: "Send", decides: false };
  let deadline = Date.now() + 15_000;
  const tell = (id) => room.tell(id, { stage: "table", you: { number: 1, pseudonym: "Owl", name: "Mia" }, notices: [{ at: 5, text: "Two more minutes." }],
    table: { number: 1, seat: "Owl", stoodIn: false, participants: [{ seat: "Owl", name: "Mia", kind: "human" }, { seat: "Fox", name: "Computer (for Jonas)", kind: "human", standsIn: true }] },
    view: { role: "seat:Owl", number: 1, whole: true, run: "running", people: [], asks: [], doing: {}, next: [], steps: [], items: [], sections: [] },
    questions: [{ ask: "q1", form, deadline, then: "skip", warnsAt: deadline - 20_000 }] });
  room.on = (message, id) => {
    if (message.type === "awake") deadline = Date.now() + 120_000;
    if (["hello", "awake"].includes(message.type)) tell(id);
  };
  const { page } = await lab.newPage(PHONE);
  await page.goto(`${lab.url}join.html#${room.text}`);
  const still = page.getByTestId("still-there");
  await still.waitFor();
  assert.match(await still.innerText(), /Still there, Mia\?\s+In 1?\d seconds we skip this question for you\.\s+Nobody answers in your name\./);
  await assertFine(page, "still there", LOOKS);
  await eventually.equal(() => page.evaluate(() => document.activeElement.dataset.testid), "here");
  await page.keyboard.press("Enter");
  await still.waitFor({ state: "detached" });
  assert.equal(room.said.filter(({ type }) => type === "awake").length, 1);
  // A seat that is stood in is a program's.
  assert.equal(await page.getByTestId("faces").locator(".face-program").count(), 1);
  await page.getByText("Two more minutes.").waitFor();
  await page.getByTestId("notice-close").click();
  await page.getByTestId("notice").waitFor({ state: "detached" });
});
