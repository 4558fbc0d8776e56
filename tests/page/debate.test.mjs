// Debates in the page: from the home page to the verdict, through reloads, with a person at the table, with seats that
// fail; in three languages, light and dark, wide and narrow.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { startModelServer } from "../support/model_server.mjs";
import { assertAskedOnce, callsDone, made, openPage, pace, ready, runIs, sessionId, stored, unfold, view } from "../support/page.mjs";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

const events = (entries, type) => entries.map(({ what }) => what.event).filter((event) => event?.type === type);

test("a debate from the home page to its verdict: cards, diffs, votes, the judge's table, results", async () => {
  const { page, context, problems } = await lab.visit();
  const promised = page.locator(".card").filter({ has: page.getByTestId("preset-debate") });
  await promised.getByText("If their proposals become one, the debate ends there; else they vote").waitFor();
  await page.getByTestId("preset-debate-quick").click();
  await pace(page, "instant");
  await runIs(page, "ended");
  const entries = await stored(page, sessionId(page));
  assertAskedOnce(entries);
  assert.equal(await page.getByTestId("question").textContent(), entries[0].what.config.question);
  const proposed = events(entries, "proposed");
  assert.ok(proposed.length > 2);
  assert.equal(await page.getByTestId("proposal").count(), proposed.length, "every version has its card");
  assert.equal(await page.getByTestId("critique").count(), events(entries, "criticised").length);
  assert.equal(await page.locator(".critique .severity").count(), events(entries, "criticised").length);
  assert.equal(await page.getByTestId("check").count(), events(entries, "compared").length);
  for (const line of await page.getByTestId("check").locator("> p:first-of-type").allTextContents()) {
    assert.match(line, /^The likeness of the proposals, on a scale from 0 \(nothing in common\) to 1 \(the same\), is 0\.\d+\. Above 0\.\d+ they count as one\. (They have become one\.|They are (not one yet|far apart)\. The debate goes on\.) · Measure: /);
  }

  // What changed can be told from the diff; the whole text is behind a button.
  const second = proposed.find(({ version, seat, text }) => version === 2 && text !== proposed.find((one) => one.seat === seat && one.version === 1).text);
  const first = proposed.find(({ version, seat }) => version === 1 && seat === second.seat);
  const card = page.locator(`[data-key="card/${second.round}/${second.seat}"]`);
  const side = (drop) => card.getByTestId("diff").evaluate((node, tag) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll(tag).forEach((one) => one.remove());
    return copy.textContent;
  }, drop);
  assert.equal(await side("del"), second.text);
  assert.equal((await side("ins")).replace(/\s+/g, ""), first.text.replace(/\s+/g, ""));
  await unfold(page);
  await card.getByTestId("swap").click();
  assert.equal(await card.getByTestId("diff").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "swap", "the focus stays on the button");
  await card.getByTestId("swap").click();

  const [judged] = events(entries, "judged");
  const [{ order }] = events(entries, "judge_selected");
  const rows = await page.getByTestId("judge").locator("tbody tr").allInnerTexts();
  assert.equal(rows.length, order.length);
  rows.forEach((row, place) => {
    assert.ok(row.includes(order[place]), `${row}: number ${place + 1} is ${order[place]}`);
    assert.ok(row.includes(judged.evaluation.scores[place].comment));
  });
  assert.equal(await page.getByTestId("votes-table").locator("tbody tr").count(), events(entries, "counted")[0].decision.tally.took_part);
  assert.match(await page.locator(".stepper").innerText(), /0 · Context[\s\S]*1 · Proposals[\s\S]*5 · Judge/);
  assert.doesNotMatch(await page.locator(".run-people").innerText(), /Bank|Memory/);

  // Behind a card: what was asked, what came back, how it was read.
  await page.getByTestId("vote").getByTestId("details").click();
  const box = page.getByTestId("inspector");
  await box.waitFor();
  assert.match(await box.innerText(), /What was asked[\s\S]*What came back[\s\S]*How it was read[\s\S]*Branch from here/);
  await page.keyboard.press("Escape");
  await page.getByTestId("person-open").first().click();
  assert.match(await page.getByTestId("person").innerText(), /Version 1/);
  await page.keyboard.press("Escape");
  await assertFine(page, "a debate that has ended");

  const outcome = await page.getByTestId("outcome").textContent();
  await page.getByTestId("results").click();
  await page.getByTestId("verify").waitFor();
  const { result } = entries.at(-1).what;
  assert.equal(await page.getByTestId("outcome").textContent(), outcome);
  assert.ok(outcome.includes(result.winner));
  assert.ok((await page.getByTestId("final-answer").innerText()).includes(result.final_answer.slice(0, 60)));
  for (const name of result.dissenting) assert.ok((await page.getByTestId("dissent").innerText()).includes(name));
  await page.getByTestId("verify").click();
  await page.locator("[data-testid=verified][data-ok=true]").waitFor();
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await assertFine(page, "results of a debate");
  await view(page, `#/replay/${entries[0].what.session}`, "replay-slider");
  for (let presses = 0; presses < 3; presses += 1) await page.getByTestId("replay-back").click();
  await page.getByTestId("board").waitFor();
  await view(page, "#/library", "session");
  assert.ok((await page.getByTestId("session").innerText()).includes(result.winner));
  assert.deepEqual(problems, []);
  await context.close();
});

test("nine rounds go on after reloads, with nothing asked twice", async () => {
  const { page, context, problems } = await lab.visit();
  await page.getByTestId("preset-debate").click();
  await pace(page, "fast");
  await callsDone(page, 4);
  await page.reload();
  await ready(page);
  await pace(page, "fast");
  await callsDone(page, 12);
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  const early = await stored(page, sessionId(page));
  await page.reload();
  await ready(page);
  await runIs(page, "paused");
  assert.equal(await page.locator(".step").count(), 9);
  await page.getByTestId("resume").click();
  await pace(page, "instant");
  await runIs(page, "ended");
  const whole = await stored(page, sessionId(page));
  assert.deepEqual(whole.slice(0, early.length), early);
  assertAskedOnce(whole);
  assert.deepEqual(problems, []);
  await context.close();
});

/** Holds a debate whose seats are programs of this test, and returns its id. */
const held = (page, changes = {}) => page.evaluate(async (more) => {
  const { Session } = await import(new URL("engine.js", document.baseURI).href);
  const word = (ask, what) => Array.from({ length: 8 }, (_, n) => `${what}${ask.seat}${n}`).join(" ");
  const answer = (ask) => ({
    proposal: () => word(ask, "idea"),
    revision: () => `${word(ask, "idea")} and ${word(ask, `more${ask.round}`)}`,
    refinement: () => `${word(ask, "idea")} in the end`,
    critique: () => (ask.seat === "Cy" ? "" : "ISSUES:\n- <b>too short</b>\nSUGGESTIONS:\n- say more\nSEVERITY: 9"),
    vote: () => (ask.seat === "Bob" ? "I like them all the same." : "CHOICE: Ann\nCONFIDENCE: 0.4\nREASONING: it is best"),
    judgement: () => (ask.round === 8 ? "Hm." : JSON.stringify({ scores: ask.facts.proposals?.map(({ label }, at) => ({ proposal: label, score: 9 - 2 * at, comment: "fine" })) ?? [], conclusive: true })),
  })[ask.kind]();
  const agents = ["Ann", "Bob", "Cy"].map((name) => ({ name, kind: "custom" }));
  const session = await Session.create({ protocol: "debate", title: "Tea", question: "Tea or coffee?", agents: [...agents, { name: "Judy", kind: "custom", role: "judge" }], seed: 1, ...more }, { answer });
  await session.run();
  await session.close();
  return session.id;
}, changes);

test("nine rounds with seats that fail: every failure is a note, the line of convergence has its table", async () => {
  const { page, context, problems } = await lab.visit();
  const id = await held(page);
  const entries = await stored(page, id);
  await view(page, `#/run/${id}`, "ended");
  assert.equal(await page.locator("[data-part]").count(), 9);
  await unfold(page);
  assert.equal(await page.getByTestId("check").count(), 3);
  assert.equal(await page.getByTestId("chart-convergence").count(), 1);
  const table = page.getByTestId("chart-convergence").locator("table");
  await table.locator("tbody tr").nth(2).waitFor({ state: "attached" });
  for (const { score } of events(entries, "compared")) assert.ok((await table.textContent()).includes(score.toFixed(2)));
  assert.ok((await table.textContent()).includes("0.85"));
  const failed = events(entries, "seat_failed");
  assert.deepEqual([...new Set(failed.map(({ kind }) => kind))].sort(), ["critique", "judgement", "vote"]);
  const notes = (kind) => failed.filter((one) => one.kind === kind).length;
  assert.equal(await page.locator(".critique .note").count(), notes("critique"));
  assert.equal(await page.getByTestId("failure").count(), failed.length - notes("critique"));
  assert.match(await page.getByTestId("votes-table").innerText(), /Bob\s+no vote that could be read/);
  assert.equal(await page.locator(".critique b").count(), 0, "what critics write stays text");
  assert.match(await page.locator(".severity-critical").first().innerText(), /critical \(9 of 10\)/);
  await assertFine(page, "a debate with failures");
  await view(page, `#/results/${id}`, "verify");
  await page.getByTestId("chart-convergence").waitFor();
  assert.match(await page.getByTestId("dissent").innerText(), /little confidence \(40%\)/);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a person proposes, criticises and votes; votes are secret until all are in; a script tag stays text", async () => {
  const { page, context, problems } = await lab.visit();
  const id = await page.evaluate(async () => {
    const { Session } = await import(new URL("engine.js", document.baseURI).href);
    const seats = ["Ana", "Bo"].map((name) => ({ name, personality: "A neighbour." }));
    const schedule = ["context", "propose", "critique", "revise", "vote"].map((kind) => ({ kind }));
    const session = await Session.create({ protocol: "debate", title: "Us", language: "English", question: "Tea or coffee?", agents: [...seats, { name: "Guest", kind: "human" }], schedule, consensus: "majority", seed: 4 }, {});
    await session.close();
    return session.id;
  });
  await view(page, `#/run/${id}`, "board");
  await pace(page, "instant");
  const script = "<script>window.stolen = true</script> **Tea**, since <img src=x onerror=alert(1)> it is calm.";
  const panel = page.getByTestId("human").first();
  const kinds = new Set();
  for (;;) {
    await page.locator("[data-testid=human], [data-testid=state][data-state=ended]").first().waitFor();
    if (await page.locator("[data-testid=state][data-state=ended]").count()) break;
    const [ask, kind] = [await panel.getAttribute("data-ask"), await panel.getAttribute("data-kind")];
    kinds.add(kind);
    assert.equal(await panel.locator(".ask-material p").first().textContent(), "Tea or coffee?");
    if (kind === "vote") {
      // Who sits at the table hears nothing of the others' votes, not even whether there are any yet.
      await page.waitForTimeout(500);
      assert.equal(await page.getByTestId("votes-table").count(), 0);
      assert.equal(await page.locator("[data-testid=ballot-open] li.cast").count(), 0);
      await assertFine(page, "a person's vote");
      await panel.getByRole("radio", { name: "Ana" }).check();
      await panel.getByLabel("How sure are you?").fill("0.7");
      await panel.getByText("70%").waitFor();
    } else if (kind === "critique") {
      await panel.getByTestId("human-issues").fill("- it is cold");
      await panel.getByTestId("human-suggestions").fill("warm it");
      await panel.getByLabel("How bad it is").fill("4");
    } else await panel.getByTestId("human-answer").fill(script);
    await panel.getByTestId("human-send").click();
    await page.locator(`[data-testid=human][data-ask="${ask}"]`).waitFor({ state: "detached" });
  }
  assert.deepEqual([...kinds].sort(), ["critique", "proposal", "revision", "vote"]);
  const entries = await stored(page, id);
  assertAskedOnce(entries);
  await unfold(page);
  const mine = page.locator('[data-key="card/1/Guest"]');
  assert.ok((await mine.innerText()).includes("<script>window.stolen = true</script>"));
  assert.equal(await page.locator("main script, main img[src=x]").count(), 0);
  assert.equal(await page.evaluate(() => window.stolen), undefined);
  assert.match(await page.getByTestId("votes-table").innerText(), /Guest\s+A\s+Ana\s+70%/);
  assert.deepEqual(problems, []);
  await context.close();
});

test("what streams in is shown in its card", async () => {
  const text = "Tea, for it is calm, cheap and warm. ".repeat(30);
  const server = await startModelServer({ answer: () => `**Tea**${text.slice(3)}`, chunk: { characters: 4, bytes: 200, delay: 25 } });
  const { page, context, problems } = await lab.visit();
  try {
    const agents = ["Ann", "Bob"].map((name) => ({ name, kind: "model", model: "test", base_url: server.url }));
    const id = await made(page, { protocol: "debate", question: "Tea or coffee?", agents }, { run: false });
    await view(page, `#/run/${id}`, "board");
    const coming = page.locator('[data-key="card/1/Ann"] [data-stream]');
    await page.waitForFunction(() => document.querySelector('[data-key="card/1/Ann"] [data-stream]')?.textContent.length > 20);
    const so = await coming.textContent();
    assert.ok(text.startsWith(so) && so.length < text.length, so);
    // A host on this computer is asked one thing at a time.
    assert.deepEqual(await page.locator(".person").evaluateAll((all) => all.map((one) => one.dataset.doing).sort()), ["queued", "writing"]);
    await page.getByTestId("stop").click();
    await runIs(page, "stopped");
    assert.deepEqual(problems.filter((one) => !/ERR_ABORTED|aborted/.test(one)), []);
  } finally {
    await context.close();
    await server.close();
  }
});

test("the judge's table fits on the wall, where nobody scrolls", async () => {
  const { page, context, problems } = await lab.visit("#/", { viewport: { width: 1280, height: 800 } });
  await page.getByTestId("preset-debate-quick").click();
  await pace(page, "instant");
  await runIs(page, "ended");
  await view(page, `#/present/${sessionId(page)}`, "slide");
  const judged = page.getByTestId("slide").getByTestId("judge-table");
  while (!(await judged.count())) await page.getByTestId("present-on").click();
  assert.ok(await judged.evaluate((node) => node.scrollWidth <= node.clientWidth));
  assert.deepEqual(problems, []);
  await context.close();
});

test("in Spanish and Chinese", async () => {
  for (const [locale, question] of [["es-ES", /^¿Deberían/], ["zh-CN", /十四岁/]]) {
    const { page, context, problems } = await lab.visit("#/", { locale });
    await page.getByTestId("preset-debate-quick").click();
    await pace(page, "instant");
    await runIs(page, "ended");
    assert.match(await page.getByTestId("question").textContent(), question);
    assert.ok((await page.getByTestId("diff").count()) > 0);
    const keys = /\b[a-z]+(_[a-z]+)?\.[a-z_]+\b/;
    assert.doesNotMatch(await page.locator("main").innerText(), keys, "no key of a missing text is shown");
    await view(page, `#/results/${sessionId(page)}`, "verify");
    assert.doesNotMatch(await page.locator("main").innerText().then((text) => text.replace(/quorate \S+/, "")), keys);
    assert.deepEqual(problems, []);
    await context.close();
  }
});
