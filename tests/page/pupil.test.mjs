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
import { answer, lessonOf, pupilOf, walk } from "../support/pupil.mjs";
import { stubRoom } from "../support/stub_room.mjs";

const quorate = await import(NODE);
const { Room } = await import(ROOM);
const lab = usePage();
before(() => quorate.default());

const TAPS = 25;
/** Of the page itself, without what others say. */
const WORDS = 900;
const LOOKS = [[360, "light"], [360, "dark"]];

test("a pupil needs few taps, few words and no long page from the link to the result", async (own) => {
  // With this seed they agree in the first round; each further one takes three taps and a hundred words.
  const pupil = await pupilOf({ Room, lab, own }, lessonOf(quorate.presets(), "class-justice"));
  const { page, problems } = pupil;
  await page.getByText("are computer programs", { exact: false }).waitFor();
  const took = await walk(pupil, { text: "I want a rule that helps the poorest." });
  assert.ok(await page.locator(".tiles .own").isVisible());
  own.diagnostic(JSON.stringify(took));
  assert.ok(took.taps <= TAPS, `${took.taps} taps`);
  assert.ok(took.words <= WORDS, `${took.words} words`);
  await openMenu(page);
  await assertFine(page, "the menu", LOOKS);
  assert.deepEqual(problems, []);
});

test("steps of a ranking, and of a rule with its amount, are taken back until the answer is sent", async (own) => {
  const { page, problems, room } = await pupilOf({ Room, lab, own }, lessonOf(quorate.presets(), "class-justice"));
  await page.getByTestId("question").waitFor();
  await answer(page, "I want a rule that helps the poorest.");
  await page.getByTestId("lobby").waitFor();
  room.start();
  const panel = page.getByTestId("question");
  const back = page.getByTestId("send-back");
  const ranked = () => panel.locator(".place[aria-pressed=true]").evaluateAll((all) => all.map(({ dataset }) => dataset.value));
  await panel.locator(".place").first().waitFor();
  assert.equal(await back.count(), 0, "nothing was done yet");
  const values = await panel.locator(".place").evaluateAll((all) => all.map(({ dataset }) => dataset.value));
  for (const value of values.slice(0, 3)) await panel.locator(`.place[data-value=${value}]`).click();
  assert.deepEqual(await ranked(), values, "the last place is the one that is left");
  await panel.locator(".sure label").first().click();
  await back.click();
  assert.equal(await panel.locator(".sure input:checked").count(), 0);
  await back.click();
  assert.deepEqual(await ranked(), values.slice(0, 2));
  await back.click();
  await back.press("Enter");
  assert.deepEqual(await ranked(), []);
  await back.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.className.includes("place")), true, "the focus stays in the question");
  for (;;) {
    await panel.waitFor();
    if (await panel.locator("input[data-value=maximizing_average_floor_constraint]").count()) break;
    await answer(page, "I want a rule that helps the poorest.");
  }
  const pick = (value) => panel.locator(`label:has(input[data-value=${value}])`);
  const amount = panel.locator(".amount input:visible");
  await pick("maximizing_floor").click();
  await pick("maximizing_average_floor_constraint").click();
  await amount.fill("14000");
  await panel.getByRole("button", { name: "More" }).first().click();
  assert.notEqual(await amount.inputValue(), "14000");
  await back.click();
  assert.equal(await amount.inputValue(), "", "an amount is one step");
  await back.click();
  assert.equal(await panel.locator("input[type=radio]:checked").getAttribute("data-value"), "maximizing_floor");
  assert.equal(await amount.count(), 0);
  await assertFine(page, "a step back", LOOKS);
  await page.setViewportSize(PHONE.viewport);
  // A reload goes on with the draft; what was sent stays sent.
  await answer(page, "I want a rule that helps the poorest.");
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

const RULES = ["maximizing_floor", "maximizing_average", "maximizing_average_floor_constraint", "maximizing_average_range_constraint"];
const NAMES = ["Lift the lowest", "Highest average", "Average with a floor", "Average, limited gap"];
const pupils = ["Mia", "Jonas", "Lea"].map((name, index) => ({ seat: ["Owl", "Fox", "Hare"][index], name, kind: "human" }));

/** A guest's page that shows one state of a table. */
async function shows(own, state) {
  const transport = broker(`${lab.url.replace("http", "ws")}room`, { WebSocket });
  own.after(() => transport.close());
  const room = stubRoom(transport);
  const view = { role: "seat:Owl", number: 1, whole: true, run: "running", people: [], asks: [], doing: {}, next: [], steps: [], items: [], sections: [], ...state.view };
  room.on = ({ type }, id) => type === "hello"
    && room.tell(id, { stage: "table", you: { number: 1, pseudonym: "Owl", name: "Mia" }, notices: [], table: { number: 1, seat: "Owl", stoodIn: false, participants: pupils }, ...state, view });
  const opened = await lab.newPage(PHONE);
  await opened.page.goto(`${lab.url}join.html#${room.text}`);
  return opened;
}

test("a ballot shows the faces of those who argued for a rule, and whose they are", async (own) => {
  const options = RULES.map((value, at) => ({ value, name: NAMES[at], about: "What it means.", ...(at === 2 ? { by: ["Fox", "Hare"] } : {}) }));
  const form = { language: "English", question: "Your secret vote", material: [], decides: true, send: "Cast my vote",
    fields: [{ name: "principle", label: "Rule", help: "Faces show who argued for a rule in the discussion.", input: "choice", optional: false, sends: false, options }] };
  const { page } = await shows(own, { questions: [{ ask: "q1", form, deadline: null, then: "skip", warnsAt: null }] });
  await page.getByTestId("question").waitFor();
  assert.equal(await page.locator(".advocates").count(), 1);
  assert.deepEqual(await page.locator(".p3 .advocates").getByRole("img").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))), ["Jonas", "Lea"]);
  await assertFine(page, "a ballot", LOOKS);
});

test("after a failed vote the talk shows how far apart the table was, without names", async (own) => {
  const item = (fields) => ({ section: "2/round/1", version: 1, seq: 1, done: true, asks: [], seat: null, isSpeech: false, blocks: [], ...fields });
  const items = [
    item({ key: "say", type: "statement", seat: "Fox", isSpeech: true, blocks: [{ block: "quote", text: "A floor is fair." }] }),
    item({ key: "vote", type: "vote", blocks: [
      { block: "text", text: "No agreement: the rules differ.", tone: "bad" },
      { block: "table", title: "", columns: ["Rule", "Votes", "Amounts"], rows: [[NAMES[2], "2", "$13,000 · $14,000"], [NAMES[0], "1", ""]] },
    ], ballot: { round: 1, agreed: null, amount: null, disagreement: "principle_disagreement", votes: [],
      tally: [{ principle: RULES[2], votes: 2, amounts: [13_000, 14_000] }, { principle: RULES[0], votes: 1, amounts: [] }] } }),
    item({ key: "next", type: "statement", seat: "Hare", isSpeech: true, done: false }),
  ];
  const sections = [{ key: "2/round/1", place: 1, step: "round", round: 1, kinds: [], items: items.map(({ key }) => key), title: "Round 1" }];
  const { page } = await shows(own, { view: { items, sections, doing: { Hare: "speaking" } } });
  const tally = page.locator(".tally");
  await tally.waitFor();
  assert.equal((await tally.innerText()).replace(/\s+/g, " "), "No agreement: the rules differ. Average with a floor Votes: 2 $13,000 · $14,000 Lift the lowest Votes: 1");
  assert.equal(await tally.locator("circle").count(), 2);
  await assertFine(page, "a failed vote", LOOKS);
});

test("the result draws the figures of the engine, and counts who changed their mind", async (own) => {
  const world = (rule, incomes) => ({ rule, amount: null, isMet: true, incomes, average: 18_000 });
  const figures = { multiplier: 1, shares: [0.1, 0.25, 0.5, 0.1, 0.05], chosen: 1,
    worlds: RULES.map((_, at) => world(at + 1, [12_000, 15_000, 18_345 + at, 20_000, 30_000])),
    fates: [{ seat: "Owl", at: 2, income: 18_345, incomes: [12_000, 15_000, 18_345, 20_000, 30_000] }],
    minds: { changed: 2, ranked: 3, of: [{ seat: "Owl", from: 2, to: 1 }] } };
  const { page } = await shows(own, { stage: "over", end: { way: "complete", code: null, earned: null, url: null },
    view: { run: "ended", outcome: "The group agreed.", result: { consensus_reached: true }, figures } });
  const result = page.getByTestId("result");
  await result.waitFor();
  assert.deepEqual(await result.locator(".under-rules b").allInnerTexts(), ["$18,345", "$18,346", "$18,347", "$18,348"]);
  await result.getByText("2 of 3 changed their mind").waitFor();
  assert.equal(await result.locator(".mind .rule-picture").count(), 2);
  await assertFine(page, "a result", LOOKS);
});

test("an estimate's source stands below its true value", async (own) => {
  const { page } = await shows(own, { stage: "over", end: { way: "complete", code: null, earned: null, url: null },
    view: { run: "ended", outcome: "After 2 rounds the median is 35 %. The true value is 31 %.", result: { truth: { value: 31, source: "Atlas 2020" } } } });
  await page.getByTestId("result").getByText("Source: Atlas 2020").waitFor();
});
