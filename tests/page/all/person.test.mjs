// A person at the table: questions come as forms, at 360 pixels and by taps; drafts survive a reload, votes stay secret,
// and between two people at one device there is a curtain.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE } from "../../support/device.mjs";
import { eventually } from "../../support/eventually.mjs";
import { asOwner, assertAskedOnce, events, pace, ready, runIs, saved, sessionId, stored, unfold, usePage, view } from "../../support/page.mjs";

const lab = usePage();

const STATEMENT = "I would give everybody a floor of 14,000 dollars and then let the average rise as far as it can. Who is against it?";
const FLOOR = "maximizing_average_floor_constraint";
const isLook = ({ what }) => what.type === "commanded" && what.command.do === "look";
const panel = (page) => page.getByTestId("human").first();

/** Answers the open question by taps, and returns its kind and how many taps it took. Typing is none. */
async function reply(page, { initiates = true } = {}) {
  const open = panel(page);
  const [ask, kind] = [await open.getAttribute("data-ask"), await open.getAttribute("data-kind")];
  let taps = 0;
  const tap = async (target) => {
    await target.click();
    taps += 1;
  };
  if (/_ranking$/.test(kind)) {
    for (const id of [FLOOR, "maximizing_floor", "maximizing_average"]) await tap(open.locator(`.place[data-value=${id}]`));
    await eventually.deepEqual(() => open.locator(".place .badge").allTextContents(), ["1", "2", "3", "4"], "the last place is the one that is left");
    await tap(open.locator("[data-value=sure]"));
    await tap(open.getByTestId("human-send"));
  } else if (kind === "application" || kind === "ballot_principle") {
    await tap(open.locator(`input[data-value=${FLOOR}]`));
    // What is no amount is not shown back as one, and told where the field is left.
    await page.keyboard.type("abc");
    assert.doesNotMatch(await open.locator(".said").textContent(), /abc/);
    await page.keyboard.press("Shift+Tab");
    await open.locator(".said .bad").getByText(/: please give a whole number\.$/).waitFor();
    await eventually.equal(() => open.locator(".amount input:visible").getAttribute("aria-invalid"), "true");
    await open.locator(".amount input:visible").fill("14,000");
    await eventually.match(() => open.locator(".said").textContent(), /Your answer: Maximizing the average income with a floor constraint · \$14,000/);
    if (kind === "application") await tap(open.locator("[data-value=very_sure]"));
    await tap(open.getByTestId("human-send"));
  } else if (kind === "vote_initiation") {
    await tap(open.getByTestId(initiates ? "human-yes" : "human-no"));
  } else if (kind === "vote_confirmation") {
    await tap(open.getByTestId("human-yes"));
  } else if (kind === "explanation") {
    await tap(open.getByTestId("human-send"));
  } else {
    await open.getByTestId("human-answer").fill(STATEMENT);
    await tap(open.getByTestId("human-send"));
  }
  await page.locator(`[data-testid=human][data-ask="${ask}"]`).waitFor({ state: "detached" });
  return { kind, taps };
}

/** Waits for the next question or the end; false at the end. */
async function asked(page) {
  await page.locator("[data-testid=human], [data-testid=state][data-state=ended]").first().waitFor();
  return (await page.locator("[data-testid=state][data-state=ended]").count()) === 0;
}

/** Screens that a question with pictures may take; without, it takes one. */
const SCREENS = 1.25;

/** The beginning of the question is on the screen, and the button that sends it. */
async function assertOnOneScreen(page, kind) {
  await eventually(async () => {
    const [top, bottom, button, pictures, width] = await panel(page).evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return [top, bottom, node.querySelector(".sends").getBoundingClientRect().bottom, node.querySelectorAll(".income-column").length, document.documentElement.scrollWidth];
    });
    const { height } = PHONE.viewport;
    assert.ok(top >= 0 && bottom <= height * (pictures ? SCREENS : 1), `${kind} is on one screen: ${top} to ${bottom}`);
    assert.ok(button <= height, `the button of ${kind} is in sight: ${button}`);
    assert.equal(width, PHONE.viewport.width, `${kind} is no wider than the screen`);
  });
}

for (const [what, initiates] of [["asks for the vote at once", true], ["waits until others ask for the vote", false]]) {
  test(`a whole run by taps on a phone, of who ${what}: a screen each, the button in sight, at most 43 taps`, () => byTaps(initiates));
}

async function byTaps(initiates) {
  const { page, problems } = await lab.visit("#/", PHONE);
  await view(page, "#/presets", "preset-with-me");
  await page.getByTestId("preset-with-me").click();
  await panel(page).waitFor();
  await pace(page, "instant");
  const kinds = new Map();
  let taps = 0;
  while (await asked(page)) {
    const kind = await panel(page).getAttribute("data-kind");
    await page.waitForFunction(() => !document.querySelector(".sends button")?.disabled);
    await assertOnOneScreen(page, kind);
    if (!kinds.has(kind)) {
      const table = panel(page).locator(".amounts:visible").first();
      if (await table.count()) await eventually.equal(() => table.evaluate((node) => node.scrollWidth <= node.parentElement.clientWidth), true, "the table is whole");
    }
    const done = await reply(page, { initiates });
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    taps += done.taps;
  }
  for (const kind of ["initial_ranking", "explanation", "post_explanation_ranking", "application", "final_ranking", "statement", "results_ranking"]) {
    assert.ok(kinds.has(kind), `${kind} was asked; there were ${[...kinds.keys()].join(", ")}`);
  }
  assert.ok(taps <= 43, `${taps} taps: ${JSON.stringify([...kinds])}`);
  await eventually.match(() => page.getByTestId("outcome").textContent(), /The group agreed on/);
  const entries = await stored(page, sessionId(page));
  assertAskedOnce(entries);
  const mine = entries.filter(({ what }) => what.type === "answered" && what.ask.includes("/Guest#"));
  assert.ok(mine.every(({ what }) => what.reply.answered_as === "form"), "people answer by form");
  const applied = events(entries, "applied").filter(({ seat }) => seat === "Guest");
  assert.ok(applied.every(({ principle, amount }) => principle === FLOOR && amount === 14000) && applied.length === 4);
  const votes = events(entries, "voted").map(({ vote }) => vote).filter(({ seat }) => seat === "Guest");
  assert.ok(votes.every(({ principle, amount, status }) => principle === FLOOR && amount === 14000 && status === "valid") && votes.length > 0);
  // Who played alone with programs sees everything at the end: incomes, votes and rankings of all.
  assert.equal(await page.getByTestId("sight").isVisible(), false);
  await view(page, `#/results/${sessionId(page)}`, "verify");
  await page.getByTestId("fate-you").waitFor();
  const tables = page.getByTestId("result-blocks");
  for (const title of ["Payoffs", "Rankings"]) {
    const rows = tables.locator("section", { has: page.getByRole("heading", { name: title, exact: true }) }).locator("table").first().locator("tbody tr");
    assert.equal(await rows.count(), 5, title);
  }
  await tables.getByRole("heading", { name: "Votes by round" }).waitFor();
  assert.deepEqual(problems, []);
}

test("drafts survive a reload, votes stay hidden until all are in, and nobody is ahead of a person in phase 1", async () => {
  const { page, problems } = await lab.visit("#/setup/with-me");
  await page.locator("[data-group=phase2] > summary").click();
  await page.locator('[data-path="phase2_rounds"] input').fill("2");
  await page.getByTestId("setup-start").click();
  await pace(page, "instant");
  let drafted = false;
  let secret = 0;
  while (await asked(page)) {
    const kind = await panel(page).getAttribute("data-kind");
    if (kind === "explanation") {
      const entries = await stored(page, sessionId(page));
      const others = entries.filter(({ what }) => what.type === "asked" && what.ask.phase === 1 && /ranking|application/.test(what.ask.kind));
      assert.deepEqual([...new Set(others.map(({ what }) => what.ask.kind))], ["initial_ranking"]);
    }
    if (kind === "statement" && !drafted) {
      drafted = true;
      await panel(page).getByTestId("human-answer").fill("Half a thought");
      const ask = await panel(page).getAttribute("data-ask");
      const id = sessionId(page);
      await eventually.equal(() => page.evaluate(async ([id, at]) => (await import(new URL("engine.js", document.baseURI).href)).Library.draft(id, at), [id, ask]), "Half a thought");
      await page.reload();
      await ready(page);
      await panel(page).waitFor();
      await eventually.equal(() => panel(page).getAttribute("data-ask"), ask);
      await eventually.equal(() => panel(page).getByTestId("human-answer").inputValue(), "Half a thought");
      await pace(page, "instant");
    }
    if (kind === "ballot_principle") secret += await assertHidden(page);
    await reply(page);
  }
  assert.ok(secret > 0, "at least one ballot was looked at while it was open");
  await eventually.match(() => page.getByTestId("outcome").textContent(), /agree/);
  const entries = await stored(page, sessionId(page));
  assertAskedOnce(entries);
  const mine = events(entries, "spoke").filter(({ seat }) => seat === "Guest");
  assert.ok(mine.every(({ text }) => text === STATEMENT) && mine.length > 0);
  assert.deepEqual(problems, []);
});

/**
 * While this person has not voted, the other votes are in the record, but shown nowhere: to the person nothing at all, to
 * whoever looks behind, who has voted. Returns how many there are.
 */
async function assertHidden(page) {
  await unfold(page);
  const open = page.locator(".turn-vote .ballots").last();
  await open.waitFor();
  const others = 4;
  await eventually.equal(() => open.locator("li").count(), others + 1);
  await eventually.equal(() => open.locator("li", { hasText: "has voted" }).count(), 0);
  await eventually.equal(() => page.locator("[data-testid=conversation] .turn-ranking, [data-testid=conversation] .turn-application").evaluateAll((all) => all.filter((one) => !one.textContent.includes("Guest")).length), 0);
  await eventually.equal(() => page.locator(".turn-statement details").count(), 0);
  await page.getByTestId("sight-look").click();
  await page.getByTestId("confirm").click();
  await page.getByTestId("sight-back").waitFor();
  await eventually.equal(() => open.locator("li", { hasText: "has voted" }).count(), others);
  await eventually.equal(() => open.locator("li").count(), others + 1);
  await eventually.equal(() => open.locator(".principle").count(), 0);
  const vote = page.getByTestId("vote").filter({ hasText: /votes are shown when all are in/ });
  await eventually.equal(() => vote.locator(".verdict-line").count(), 0);
  await vote.getByTestId("details").click();
  const box = page.getByTestId("inspector");
  const ballots = await eventually(async () => {
    const asks = await box.getByTestId("inspect-ask").locator("option").allTextContents();
    const found = asks.map((text, index) => [text, index]).filter(([text]) => /ballot/i.test(text) && !text.startsWith("Guest"));
    assert.equal(found.length, others);
    return found;
  });
  for (const [, index] of ballots) {
    await box.getByTestId("inspect-ask").selectOption(String(index));
    await eventually.match(() => box.textContent(), /secret/i);
    assert.doesNotMatch(await box.textContent(), /How it was read|Branch here/);
  }
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await page.getByTestId("sight-back").click();
  await page.getByTestId("sight-look").waitFor();
  return ballots.length;
}

test("what does not fit is told in a sentence and not sent; the run's figures are for who runs it", async () => {
  const { page, problems } = await lab.visit();
  await view(page, "#/presets", "preset-with-me");
  await page.getByTestId("preset-with-me").click();
  await panel(page).waitFor();
  await eventually.equal(() => page.getByTestId("elapsed").isVisible(), false);
  const ask = await panel(page).getAttribute("data-ask");
  await panel(page).locator(".place").nth(1).click();
  await panel(page).locator("[data-value=sure]").check();
  await panel(page).getByTestId("human-send").click();
  await page.getByText("Your order: please put all 4 in order, each once.").waitFor();
  await eventually.equal(() => panel(page).getAttribute("data-ask"), ask);
  // What a principle means is told where it is asked about.
  await panel(page).locator("li", { hasText: "Maximizing the floor income" }).locator(".why").click();
  await panel(page).getByText("Only the income of the low class counts.").waitFor();
  await panel(page).locator(".place").nth(1).click();
  await panel(page).locator(".place").nth(2).click();
  // By keys too: the second place becomes the first.
  await panel(page).locator(".place").nth(1).press("Alt+ArrowUp");
  await panel(page).locator("[data-value=no_opinion]").check();
  await panel(page).getByTestId("human-send").click();
  await page.locator(`[data-testid=human][data-ask="${ask}"]`).waitFor({ state: "detached" });
  const id = sessionId(page);
  await asOwner(page);
  await eventually.equal(() => page.getByTestId("elapsed").isVisible(), false);
  await page.getByTestId("sight-look").click();
  await page.getByTestId("confirm").click();
  await page.getByTestId("elapsed").waitFor();
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  await view(page, "#/library", "session");
  const entries = await stored(page, id);
  const answered = entries.find(({ what }) => what.type === "answered" && what.ask === ask).what.reply;
  const order = ["maximizing_floor", "maximizing_average", "maximizing_average_floor_constraint", "maximizing_average_range_constraint"];
  assert.deepEqual(answered.values, { first: order[0], second: order[1], third: order[2], fourth: order[3], certainty: "no_opinion" });
  const ranked = events(entries, "ranked").find(({ seat }) => seat === "Guest");
  assert.deepEqual(ranked.ranking, { order, certainty: "no_opinion" });
  assert.deepEqual(problems, []);
});

test("two people at one device: a curtain between them, and who looks behind it is in the record", async () => {
  const { page, problems } = await lab.visit("#/", PHONE);
  const id = await page.evaluate(async () => {
    const { Session } = await import(new URL("engine.js", document.baseURI).href);
    const seat = (name, kind) => ({ name, personality: "-", kind });
    const session = await Session.create({ language: "English", seed: 3, phase2_rounds: 1, agents: [seat("Ana", "human"), seat("Ben", "human"), seat("Cleo", "scripted")] }, {});
    await session.close();
    return session.id;
  });
  await view(page, `#/run/${id}`);
  const hand = page.getByTestId("curtain");
  await hand.getByRole("heading", { name: "Hand over to Ana" }).waitFor();
  await eventually.equal(() => page.getByTestId("human").count(), 0, "nothing is asked behind the curtain");
  await page.keyboard.press("Escape");
  await eventually.equal(() => hand.count(), 1);
  await hand.getByTestId("curtain-go").click();
  await eventually.match(() => panel(page).getAttribute("data-ask"), /Ana/);
  await reply(page);
  await hand.getByRole("heading", { name: "Hand over to Ben" }).waitFor();
  await hand.locator("summary").click();
  // A tap that was not meant leaves nothing in the record.
  await hand.getByTestId("curtain-look").click();
  const sure = page.locator("dialog.dialog-danger");
  await sure.getByText("The record notes this for good.").waitFor();
  await sure.getByRole("button", { name: "Cancel" }).click();
  await hand.getByRole("heading", { name: "Hand over to Ben" }).waitFor();
  await eventually.equal(async () => (await stored(page, id)).filter(isLook).length, 0);
  await hand.getByTestId("curtain-look").click();
  await page.getByTestId("confirm").click();
  await page.getByTestId("sight-back").waitFor();
  await eventually.equal(() => page.getByTestId("human").count(), 0);
  await page.getByTestId("sight-back").click();
  await hand.getByTestId("curtain-go").click();
  await eventually.match(() => panel(page).getAttribute("data-ask"), /Ben/);
  const looked = (await stored(page, id)).filter(isLook);
  assert.deepEqual(looked.map(({ what }) => what.command.seat), ["Ben", "Cleo"]);
  // A file of it shows the same: who wants it is asked, and that is in the record and in the file.
  await view(page, "#/library", "session");
  await page.getByTestId("session").getByText("Export", { exact: true }).click();
  await page.getByTestId("session").getByTestId("export-json").click();
  await sure.getByText("the file will contain what people at the table may not see of each other yet").waitFor();
  await sure.getByRole("button", { name: "Cancel" }).click();
  await eventually.equal(async () => (await stored(page, id)).filter(isLook).length, 2);
  await page.getByTestId("session").getByTestId("export-json").click();
  const { text } = await saved(page, () => page.getByTestId("confirm").click());
  assert.deepEqual(JSON.parse(text).entries.filter(isLook).map(({ what }) => what.command.seat), ["Ben", "Cleo", "Ana", "Ben", "Cleo"]);
  await page.getByText(/^Saved as /).waitFor();
  assert.deepEqual(problems, []);
});
