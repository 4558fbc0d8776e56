// A pupil of a class on a phone: a table with programs, answers as a pupil would give them, and what the page took of them.
import assert from "node:assert/strict";
import { WebSocket } from "ws";
import { broker } from "../../src/web/room/broker.js";
import { assertFine } from "./access.mjs";
import { PHONE } from "./device.mjs";
import { eventually } from "./eventually.mjs";

const LOOKS = [[360, "light"], [360, "dark"]];
/** Phone screens that a page may be long. */
export const SCREENS = 2;

/** The session of a preset for classes with one pupil; programs have the other seats. */
export function lessonOf(presets, id, settings = {}) {
  const { config } = presets.find((one) => one.id === id);
  const programs = ["Pixel", "Bit", "Chip"].map((name) => ({ name, personality: "Compassionate, warm, first thinks of the worst-off." }));
  return { ...config, seed: 1, ...settings, agents: [config.agents[0], ...programs] };
}

/** A room of one table with that session, and a pupil's phone that has followed its link. */
export async function pupilOf({ Room, lab, own }, session, options = {}) {
  const transport = broker(`${lab.url.replace("http", "ws")}room`, { WebSocket });
  own.after(() => transport.close());
  const plan = { title: session.title, session, language: session.language, people: 1, least: 1, tables: 1, start: "hand", consent: "Your table sees what you write." };
  const room = await Room.open(plan, { transport, own: true, base: `${lab.url}join.html`, store: "memory", session: { store: "memory" } });
  own.after(() => room.close());
  const opened = await lab.newPage({ ...PHONE, ...options });
  await opened.page.goto(room.link);
  return { room, ...opened };
}

/** Answers the open question, and returns the taps. */
export async function answer(page, text) {
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
    const scale = field.locator("input[type=range]:not(.amount-slide)");
    if (await scale.count()) await scale.first().press("ArrowRight");
    for (const input of await field.locator("textarea, input[type=text]").all()) {
      if (!(await input.inputValue())) await input.fill((await input.getAttribute("inputmode")) ? "30" : text);
    }
  }
  await tap(panel.locator(".sends .button-primary").first());
  await page.locator(`[data-testid=question][data-ask="${ask}"]`).waitFor({ state: "detached" });
  return taps;
}

/** In an open talk a question is open until the talk ends: here by the host, when one of the others has written. */
async function endTalk({ page, room }) {
  await page.locator(OPEN).waitFor();
  const lines = page.getByTestId("chat").locator(".line-program");
  const before = await lines.count();
  await eventually.ok(async () => (await lines.count()) >= before + 1);
  assert.ok(room.skip());
  await page.locator(OPEN).waitFor({ state: "detached" });
}
const OPEN = '[data-testid=question]:is([data-ask*="/message/"], [data-ask^="open/"])';

/**
 * Walks from the link to the result and returns taps, words of the page itself and of what others wrote, and its longest page in
 * screens. `looks`: whether each page is held to axe's rules, which takes most of the time.
 */
export async function walk({ page, room }, { text, looks = true }) {
  const took = { taps: 0, words: 0, talk: 0, screens: 0 };
  const look = async (what) => {
    const { words, talk, screens } = await page.evaluate(() => {
      // Chinese has no blanks; two of its characters count as a word.
      const count = (node) => [...(node?.innerText ?? "").matchAll(/\p{Script=Han}{1,2}|[^\s\p{Script=Han}]+/gu)].length;
      const lines = count(document.querySelector(".talk-lines"));
      return { words: count(document.querySelector("main")) - lines, talk: lines, screens: document.documentElement.scrollHeight / innerHeight };
    });
    // What was said stands there again each time.
    took.words += words + Math.max(0, talk - took.talk);
    took.talk = Math.max(took.talk, talk);
    took.screens = Math.max(took.screens, screens);
    assert.ok(screens <= SCREENS, `${what} is ${screens.toFixed(1)} screens long`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${what} scrolls sideways`);
    if (looks) {
      await assertFine(page, what, LOOKS);
      await page.setViewportSize(PHONE.viewport);
    }
  };
  await page.getByTestId("question").waitFor();
  await look("consent");
  took.taps += await answer(page, text);
  await page.getByTestId("lobby").waitFor();
  await look("the lobby");
  room.start();
  for (;;) {
    await page.locator("[data-testid=question], [data-testid=over]").first().waitFor();
    if (await page.getByTestId("over").count()) break;
    const ask = await page.getByTestId("question").getAttribute("data-ask");
    await look(ask);
    took.taps += await answer(page, text);
    if (/^open\/|\/message\//.test(ask)) await endTalk({ page, room });
  }
  await page.getByTestId("result").waitFor();
  await look("the result");
  return took;
}
