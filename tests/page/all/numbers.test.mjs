// Numbers in the page: read by the language, shown as understood, asked about where there are two readings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/eventually.mjs";
import { events, made, stored, usePage, view } from "../../support/page.mjs";
import { text } from "../../support/setup.mjs";

const lab = usePage();

const poll = (language) => ({ protocol: "delphi", question: "How many people live in Berlin?", language, rounds: 2, seed: 3, agents: [{ name: "Ana", kind: "human" }, { name: "Ben", kind: "scripted" }] });
const panel = (page) => page.getByTestId("human");
const number = (page) => panel(page).locator(".amount input");
const understood = (page) => panel(page).locator(".number-read");

/** A page with an open question for an estimate. */
async function asked(language, locale) {
  const opened = await lab.visit("#/", { locale });
  const id = await made(opened.page, poll(language), { run: false });
  await view(opened.page, `#/run/${id}`, "human");
  return { ...opened, id };
}
const send = (page) => page.getByTestId("human-send").click();
const estimates = async (page, id) => events(await stored(page, id), "estimated").filter(({ seat }) => seat === "Ana").map(({ estimate }) => estimate);

test("a comma is a decimal sign in Spanish, a point separates thousands, and what was understood is shown", async () => {
  const { page, problems, id } = await asked("Spanish", "es-ES");
  await number(page).fill("1.234.567,5");
  await eventually.equal(() => understood(page).textContent(), "");
  await number(page).fill("3.5");
  await eventually.equal(() => understood(page).textContent(), "= 3,5");
  await number(page).fill("１５００");
  await eventually.equal(() => understood(page).textContent(), "= 1500");
  await number(page).fill("3,5");
  await page.mouse.wheel(0, 200);
  await send(page);
  await eventually.deepEqual(() => estimates(page, id), [3.5]);
  assert.deepEqual(problems, []);
});

test("two possible readings are asked about before anything is sent, and a draft keeps the choice", async () => {
  const { page, problems, id } = await asked("English", "en-US");
  const ask = await panel(page).getAttribute("data-ask");
  await number(page).fill("1.500");
  await understood(page).getByRole("button", { name: "1,500", exact: true }).waitFor();
  await page.getByTestId("human-send").click();
  await panel(page).locator(".said").getByText("Which number do you mean?").waitFor();
  assert.equal(await panel(page).getAttribute("data-ask"), ask);
  await understood(page).getByRole("button", { name: "1,500", exact: true }).click();
  await eventually.equal(() => understood(page).textContent(), "= 1,500");
  await page.reload();
  await eventually.equal(() => number(page).inputValue(), "1500");
  await send(page);
  await eventually.deepEqual(() => estimates(page, id), [1500]);
  assert.deepEqual(problems, []);
});

test("what is no number is not sent", async () => {
  const { page, problems, id } = await asked("Mandarin", "zh-CN");
  await number(page).fill("很多");
  await send(page);
  await panel(page).locator(".said .bad").waitFor();
  assert.deepEqual(await estimates(page, id), []);
  await number(page).fill("1.5万");
  await send(page);
  await eventually.deepEqual(() => estimates(page, id), [15000]);
  assert.deepEqual(problems, []);
});

test("the form of the set-up reads numbers by the page's language; the wheel changes none", async () => {
  const { page, problems } = await lab.visit("#/setup/quick", { locale: "es-ES" });
  const field = page.locator('[data-path="phase2_rounds"] input');
  await page.locator('[data-group="phase2"] summary').first().click();
  await field.fill("12");
  await field.hover();
  await page.mouse.wheel(0, 100);
  await page.getByTestId("mode-json").click();
  await eventually.equal(async () => JSON.parse(await text(page).inputValue()).phase2_rounds, 12);
  assert.deepEqual(problems, []);
});

test("in a low window the buttons do not cover the field that is written in", async () => {
  for (const viewport of [{ width: 740, height: 330 }, { width: 640, height: 360 }, { width: 1280, height: 700 }]) {
    const { page } = await asked("English", "en-US");
    await page.setViewportSize(viewport);
    await number(page).focus();
    await panel(page).locator("textarea").first().focus();
    await page.keyboard.type("one two three");
    await eventually.equal(() => page.evaluate(() => {
      const [field, foot] = [document.activeElement, document.querySelector(".human-foot")].map((node) => node.getBoundingClientRect());
      return Math.max(0, Math.min(field.bottom, innerHeight, foot.bottom) - Math.max(field.top, foot.top)) > 8;
    }), false);
  }
});
