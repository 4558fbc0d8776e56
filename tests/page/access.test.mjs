// For everybody: every view holds to axe's rules in light and dark, wide and narrow; nothing scrolls sideways on a
// narrow screen; the keyboard is enough; no request leaves the page's own host; motion is reduced where asked for.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { startModelServer } from "../support/model_server.mjs";
import { asOwner, callsDone, made, openPage, pace, runIs, small, unfold, view } from "../support/page.mjs";

let lab;
let models;
let silent;

before(async () => {
  lab = await openPage();
  models = await startModelServer({ key: "sk-right" });
  // Takes calls and never answers.
  silent = createServer(() => {});
  await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  silent?.closeAllConnections();
  silent?.close();
  await models?.close();
  await lab?.close();
});

const visit = (hash, options) => lab.visit(hash, options);

test("the first screen and setting up", async () => {
  const { page, context, problems } = await visit("#/");
  await assertFine(page, "home");
  await view(page, "#/setup/quick", "mode-form");
  await assertFine(page, "set-up");
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await assertFine(page, "set-up, all open");
  for (const mode of ["yaml", "json"]) {
    await page.getByTestId(`mode-${mode}`).click();
    await page.getByTestId("config-text").waitFor();
    await assertFine(page, `set-up as ${mode}`, { themes: ["dark"] });
  }
  await page.getByTestId("config-text").fill('{"agents": [{"name": "Ada"}]}');
  await page.locator("[data-testid=faults] .bad").waitFor();
  await assertFine(page, "set-up with faults");
  assert.deepEqual(problems, []);
  await context.close();
});

test("a run: under way, a person's turn, dialogs, ended, results, replay, library", async () => {
  const { page, context, problems } = await visit("#/");
  const person = small({ agents: [...small().agents, { name: "Cy", kind: "human", personality: "A person." }] });
  const waits = await made(page, person, { run: false });
  await view(page, `#/run/${waits}`, "human");
  await pace(page, "instant");
  await assertFine(page, "a person's turn");
  await asOwner(page);
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  await assertFine(page, "paused", { themes: ["light"] });

  const id = await made(page, small());
  await view(page, `#/run/${id}`, "ended");
  await assertFine(page, "an ended run");
  await unfold(page);
  await assertFine(page, "an ended run, unfolded");
  await page.getByTestId("statement").first().getByTestId("details").click();
  await page.getByTestId("inspector").waitFor();
  await page.evaluate(() => document.querySelectorAll("dialog details").forEach((one) => (one.open = true)));
  await assertFine(page, "inspector");
  await page.keyboard.press("Escape");
  await page.getByTestId("person-open").first().click();
  await page.getByTestId("memory").waitFor();
  await assertFine(page, "a participant", { themes: ["dark"] });
  await page.keyboard.press("Escape");

  await view(page, `#/results/${id}`, "verify");
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await assertFine(page, "results");
  await view(page, `#/replay/${id}`, "replay-slider");
  await page.getByTestId("replay-back").click();
  await assertFine(page, "replay", { widths: [360] });
  await view(page, "#/library", "session");
  await page.locator("details.menu summary").first().click();
  await assertFine(page, "library");
  await page.keyboard.press("Escape");
  await page.getByTestId("delete").last().click();
  await page.getByTestId("confirm").waitFor();
  await assertFine(page, "deletion", { widths: [360] });
  await page.keyboard.press("Escape");
  await view(page, "#/run/nothing", "trouble");
  await assertFine(page, "trouble", { widths: [360] });
  assert.deepEqual(problems, []);
  await context.close();
});

test("models at work, and a run halted for want of a key", async () => {
  const at = (base_url) => small({ agents: small().agents.map((agent) => ({ ...agent, kind: "model", model: "test", base_url })) });
  const first = await visit("#/");
  const busy = await made(first.page, at(`http://127.0.0.1:${silent.address().port}/v1`), { run: false });
  await view(first.page, `#/run/${busy}`, "conversation");
  await first.page.locator(".person[data-doing=thinking]").first().waitFor();
  await assertFine(first.page, "models at work");
  await first.context.close();

  // On its own: a page whose run has models calls no other address any more.
  const { page, context, problems } = await visit("#/");
  const halted = await made(page, at(models.url), { run: false });
  await view(page, `#/run/${halted}`, "conversation");
  await runIs(page, "halted");
  await page.getByTestId("halt-key").waitFor();
  await assertFine(page, "halted");
  await page.getByTestId("halt-key").click();
  await page.getByTestId("halt-again").waitFor();
  await assertFine(page, "the question for a key", { widths: [360] });
  // The browser itself reports the refused calls and the calls that were on their way.
  assert.deepEqual([...first.problems, ...problems].filter((one) => !/status of 401|ERR_ABORTED|aborted/.test(one)), []);
  await context.close();
});

test("in Spanish and Chinese", async () => {
  for (const [locale, lang, start, title, turn] of [["es-ES", "es", "cinco", "Un puesto para usted", "Invitado, es su turno"], ["zh-CN", "zh-Hans", "wu", "为您留的席位", "客人，轮到您了"]]) {
    const { page, context, problems } = await visit("#/", { locale });
    assert.equal(await page.locator("html").getAttribute("lang"), lang);
    await assertFine(page, `home, ${lang}`, { themes: ["light"] });
    // The ways to all views stand in one line on a phone.
    await page.setViewportSize({ width: 360, height: 740 });
    assert.ok(await page.locator(".top nav").evaluate((nav) => nav.offsetHeight < 1.5 * nav.firstElementChild.offsetHeight));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByTestId("preset-with-me").click();
    await page.getByTestId("human").getByRole("heading", { name: turn }).waitFor();
    assert.equal(await page.locator(".run-title").textContent(), title);
    await view(page, "#/", "preset-with-me");
    await page.getByTestId(`preset-${start}`).click();
    await pace(page, "fast");
    await callsDone(page, 30);
    await page.getByTestId("pause").click();
    await runIs(page, "paused");
    await assertFine(page, `run, ${lang}`, { themes: ["light"] });
    assert.doesNotMatch(await page.locator("main").innerText(), /\b[a-z]+(_[a-z]+)?\.[a-z_]+\b/, "no key of a missing text is shown");
    assert.deepEqual(problems, []);
    await context.close();
  }
});

test("the keyboard is enough, and the focus comes back", async () => {
  const { page, context, problems } = await visit("#/");
  const origins = new Set();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  const focused = (what) => page.evaluate((name) => document.activeElement?.getAttribute(name), what);
  const tabTo = async (testid, most = 60) => {
    for (let presses = 0; presses < most; presses += 1) {
      await page.keyboard.press("Tab");
      if ((await focused("data-testid")) === testid) return;
    }
    assert.fail(`${testid} is not reached by ${most} presses of Tab`);
  };
  await page.keyboard.press("Tab");
  assert.equal(await focused("class"), "skip", "the way past the header comes first");
  await page.keyboard.press("Enter");
  assert.equal(await focused("id"), "main");
  await tabTo("start", 3);
  await page.keyboard.press("Enter");
  await runIs(page, "running");
  await tabTo("pause");
  await page.keyboard.press("Space");
  await runIs(page, "paused");
  await page.waitForFunction(() => document.activeElement?.dataset.testid === "resume", null, { polling: "raf" });
  await unfold(page);
  await page.getByTestId("resume").focus();
  await page.getByTestId("details").first().waitFor();
  await tabTo("details");
  const key = await page.evaluate(() => document.activeElement.closest("[data-key]").dataset.key);
  await page.keyboard.press("Enter");
  const box = page.getByTestId("inspector");
  await box.waitFor();
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement === document.body || document.querySelector("dialog").contains(document.activeElement)), true, "the focus stays in the dialog");
  }
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await page.waitForFunction((opened) => document.activeElement?.dataset.testid === "details" && document.activeElement.closest("[data-key]").dataset.key === opened, key);
  assert.deepEqual([...origins].filter((origin) => origin !== new URL(lab.url).origin), [], "only the page's own host is asked");
  assert.deepEqual(problems, []);
  await context.close();
});

test("whoever wants less motion gets none", async () => {
  for (const reducedMotion of ["reduce", "no-preference"]) {
    const { page, context, problems } = await visit("#/", { reducedMotion });
    await page.getByTestId("preset-quick").click();
    await runIs(page, "running");
    await page.getByTestId("details").first().waitFor();
    const moving = () => document.getAnimations().some((one) => one.effect.getComputedTiming().activeDuration > 20);
    if (reducedMotion === "reduce") assert.equal(await page.evaluate(moving), false);
    else await page.waitForFunction(moving);
    assert.deepEqual(problems, []);
    await context.close();
  }
});
