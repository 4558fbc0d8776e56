// A person at the table: questions come with controls that suit them, drafts survive a reload, votes stay secret.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAskedOnce, openPage, pace, ready, runIs, sessionId, stored, view } from "../support/page.mjs";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

const STATEMENT = "I would give everybody a floor of 13,000 dollars and then let the average rise as far as it can. Who is against it?";
const panel = (page) => page.getByTestId("human").first();

/** Answers the open question by its controls, and returns its kind. */
async function reply(page, statement = STATEMENT) {
  const open = panel(page);
  const [ask, kind] = [await open.getAttribute("data-ask"), await open.getAttribute("data-kind")];
  const answer = open.getByTestId("human-answer");
  if (/_ranking$/.test(kind)) {
    // The principle with a floor comes third on the list; two steps up put it first.
    await open.locator("li", { hasText: "floor constraint" }).locator(".up").click();
    await open.locator("li", { hasText: "floor constraint" }).locator(".up").click();
    await open.getByLabel("Certainty").selectOption("sure");
    assert.match(await open.locator(".human-foot .said").textContent(), /3 › 1 › 2 › 4 · sure/);
  } else if (kind === "application") {
    await open.getByRole("radio").nth(2).check();
    await open.getByTestId("human-amount").fill("13000");
    await open.getByLabel("Certainty").selectOption("very_sure");
    assert.match(await answer.inputValue(), /3\. .+\n.*\$13,000\n.*very sure/);
  } else if (kind === "ballot_principle") {
    await open.getByRole("radio").nth(2).check();
    assert.equal(await answer.inputValue(), "3");
  } else if (kind === "constraint_retry" || kind === "ballot_amount") {
    await open.getByTestId("human-amount").fill("13000");
    assert.equal(await answer.inputValue(), "$13,000");
  } else if (kind === "vote_initiation" || kind === "vote_confirmation") {
    await open.getByTestId("human-yes").click();
    assert.match(await open.locator(".human-foot .said").textContent(), /yes/i);
  } else if (kind === "explanation") {
    await open.getByRole("button", { name: "I have read it" }).click();
  } else {
    await answer.fill(statement);
  }
  assert.equal(await open.getByTestId("human-answer").count(), 1);
  await open.getByTestId("human-send").click();
  await page.locator(`[data-testid=human][data-ask="${ask}"]`).waitFor({ state: "detached" });
  return kind;
}

/** Waits for the next question or the end; false at the end. */
async function asked(page) {
  await page.locator("[data-testid=human], [data-testid=state][data-state=ended]").first().waitFor();
  return (await page.locator("[data-testid=state][data-state=ended]").count()) === 0;
}

test("a person takes part from the first ranking to the last, and votes stay hidden until all are in", async () => {
  const { page, context, problems } = await lab.visit("#/setup/with-me");
  await page.locator("[data-group=phase2] summary").click();
  await page.locator('[data-path="phase2_rounds"] input').fill("2");
  await page.getByTestId("setup-start").click();
  await pace(page, "instant");
  const kinds = new Set();
  let drafted = false;
  let secret = 0;
  while (await asked(page)) {
    const kind = await panel(page).getAttribute("data-kind");
    if (kind === "statement" && !drafted) {
      drafted = true;
      await panel(page).getByTestId("human-answer").fill("Half a thought");
      const ask = await panel(page).getAttribute("data-ask");
      await page.evaluate(async ([id, at]) => {
        const { Library } = await import(new URL("engine.js", document.baseURI).href);
        while ((await Library.draft(id, at)) !== "Half a thought") await new Promise((resolve) => setTimeout(resolve, 20));
      }, [sessionId(page), ask]);
      await page.reload();
      await ready(page);
      await panel(page).waitFor();
      assert.equal(await panel(page).getAttribute("data-ask"), ask);
      assert.equal(await panel(page).getByTestId("human-answer").inputValue(), "Half a thought");
      await pace(page, "instant");
    }
    if (kind === "ballot_principle") secret += await assertHidden(page);
    kinds.add(await reply(page));
  }
  assert.ok(secret > 0, "at least one ballot was looked at while it was open");
  for (const kind of ["initial_ranking", "explanation", "post_explanation_ranking", "application", "final_ranking", "statement", "vote_initiation", "ballot_principle", "ballot_amount", "results_ranking"]) {
    assert.ok(kinds.has(kind), `${kind} was asked; there were ${[...kinds].join(", ")}`);
  }
  assert.match(await page.getByTestId("outcome").textContent(), /agree/);
  const entries = await stored(page, sessionId(page));
  assertAskedOnce(entries);
  const mine = entries.filter(({ what }) => what.type === "event" && what.event.type === "spoke" && what.event.seat === "Guest");
  assert.ok(mine.every(({ what }) => what.event.text === STATEMENT) && mine.length > 0);
  const applied = entries.map(({ what }) => what.event).filter((event) => event?.type === "applied" && event.seat === "Guest");
  assert.ok(applied.every(({ principle, amount }) => principle === "maximizing_average_floor_constraint" && amount === 13000) && applied.length === 4);
  assert.deepEqual(problems, []);
  await context.close();
});

/**
 * While this person has not voted, the other votes are in the record, but shown nowhere: to the person nothing at all, to
 * whoever looks behind, who has voted. Returns how many there are.
 */
async function assertHidden(page) {
  const open = page.getByTestId("ballot-open");
  await open.waitFor();
  const others = 4;
  assert.equal(await open.locator("li").count(), others + 1);
  assert.equal(await open.locator("li.cast").count(), 0);
  assert.equal(await page.locator("[data-testid=conversation] .turn-ranking, [data-testid=conversation] .turn-application").evaluateAll((all) => all.filter((one) => !one.textContent.includes("Guest")).length), 0);
  assert.equal(await page.locator("details.reasoning").count(), 0);
  await page.getByTestId("sight-look").click();
  await page.getByTestId("sight-back").waitFor();
  await page.waitForFunction((count) => document.querySelectorAll("[data-testid=ballot-open] li.cast").length === count, others);
  assert.equal(await open.locator("li").count(), others + 1);
  assert.equal(await open.locator(".principle").count(), 0);
  assert.match(await open.textContent(), /votes are shown when all are in/);
  const vote = page.getByTestId("vote").filter({ has: open });
  assert.equal(await vote.getByTestId("ballot").count(), 0);
  await vote.getByTestId("details").click();
  const box = page.getByTestId("inspector");
  const asks = await box.getByTestId("inspect-ask").locator("option").allTextContents();
  const ballots = asks.map((text, index) => [text, index]).filter(([text]) => /ballot/i.test(text) && !text.startsWith("Guest"));
  assert.equal(ballots.length, others);
  for (const [, index] of ballots) {
    await box.getByTestId("inspect-ask").selectOption(String(index));
    const about = await box.textContent();
    assert.match(about, /secret/i);
    assert.doesNotMatch(about, /How it was read|Branch here/);
  }
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await page.getByTestId("sight-back").click();
  await page.getByTestId("sight-look").waitFor();
  return ballots.length;
}

test("an empty answer is not sent, and what cannot be read is said before it is sent", async () => {
  const { page, context, problems } = await lab.visit();
  await page.getByTestId("preset-with-me").click();
  await panel(page).waitFor();
  const ask = await panel(page).getAttribute("data-ask");
  await panel(page).getByTestId("human-send").click();
  await page.getByText("Write something first.").waitFor();
  await panel(page).getByTestId("human-answer").fill("I like them all.");
  await page.getByText("The lab could not read a clear answer in this yet.").waitFor();
  assert.equal(await panel(page).getAttribute("data-ask"), ask);
  // Own words count: nobody has to use the controls.
  await panel(page).getByTestId("human-answer").fill("My order is 2 > 1 > 3 > 4, and I am sure.");
  await page.getByText(/Will be read as: 2 › 1 › 3 › 4/).waitFor();
  await panel(page).getByTestId("human-send").click();
  await page.locator(`[data-testid=human][data-ask="${ask}"]`).waitFor({ state: "detached" });
  const id = sessionId(page);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  await view(page, "#/library", "session");
  const ranked = (await stored(page, id)).map(({ what }) => what.event).find((event) => event?.type === "ranked" && event.seat === "Guest");
  assert.deepEqual(ranked.ranking.order, ["maximizing_average", "maximizing_floor", "maximizing_average_floor_constraint", "maximizing_average_range_constraint"]);
  assert.deepEqual(problems, []);
  await context.close();
});
