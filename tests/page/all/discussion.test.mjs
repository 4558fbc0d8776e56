// A discussion: a person begins it, answers when it is their turn, passes and speaks out of turn; what it waits for is shown;
// and the API by ids.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/eventually.mjs";
import { assertAskedOnce, events, made, pace, runIs, sessionId, stored, usePage, view, research } from "../../support/page.mjs";

const lab = usePage();

const panel = (page) => page.getByTestId("human").first();
const said = (entries) => events(entries, "said");

const waitsForMe = async (page) => {
  await panel(page).waitFor();
  return panel(page).getAttribute("data-ask");
};
const answer = async (page, text) => {
  const ask = await waitsForMe(page);
  if (text === null) await panel(page).getByTestId("human-skip").click();
  else {
    await panel(page).getByTestId("human-answer").fill(text);
    await panel(page).getByTestId("human-send").click();
  }
  await page.locator(`[data-testid=human][data-ask="${ask}"]`).waitFor({ state: "detached" });
};

test("from the first screen to the end with a person who answers and passes", async () => {
  const { page, problems } = await lab.visit("#/");
  await view(page, "#/presets", "preset-round-table-with-me");
  await page.getByTestId("preset-round-table-with-me").click();
  await waitsForMe(page);
  await pace(page, "instant");
  await eventually.match(() => page.getByTestId("next").textContent(), /It is Guest's turn.*then Mara and Leon/);
  // That it is somebody's turn is said once.
  await eventually.equal(async () => (await panel(page).innerText()).match(/your turn/g)?.length, 1);

  const script = "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'> Let us plant **trees**.";
  await answer(page, script);
  await waitsForMe(page);
  await eventually.equal(() => page.getByTestId("message").count(), 4);
  await eventually.match(() => page.getByTestId("message").first().textContent(), /<script>window.broken = 1<\/script>/);
  await eventually.equal(() => page.evaluate(() => window.broken), undefined);
  await eventually.equal(() => page.locator("main script, main img[src=x]").count(), 0);
  await answer(page, null);
  await page.getByTestId("message").filter({ hasText: "Skipped the turn." }).waitFor();
  await answer(page, "Then let us begin with the corner.");
  await runIs(page, "ended");
  const entries = await stored(page, sessionId(page));
  assertAskedOnce(entries);
  assert.deepEqual(said(entries).map(({ round, turn, speaker }) => `${round}.${turn} ${speaker}`), [1, 2, 3].flatMap((round) => ["Guest", "Mara", "Leon", "Ines"].map((name, turn) => `${round}.${turn} ${name}`)));
  assert.deepEqual(said(entries).filter(({ speaker }) => speaker === "Guest").map(({ content }) => content), [script, "", "Then let us begin with the corner."]);
  await eventually.match(() => page.getByTestId("outcome").textContent(), /11 contributions in 3 rounds/);
  await page.getByTestId("results").click();
  await research(page);
  await page.getByTestId("verify").click();
  await page.locator("[data-testid=verified][data-ok=true]").waitFor();
  await eventually.match(() => page.getByTestId("result-blocks").textContent(), /Guest.*Mara.*Leon.*Ines/s);
  await eventually.equal(() => page.getByTestId("export-published").count(), 0);
  await view(page, `#/replay/${sessionId(page)}`, "replay-slider");
  await eventually.equal(() => page.locator(".turn-message .bubble").count(), 11);
  await view(page, "#/library", "session");
  await eventually.match(() => page.getByTestId("session").first().textContent(), /11 contributions in 3 rounds/);
  assert.deepEqual(problems, []);
});

const table = (changes = {}) => ({
  protocol: "discussion", title: "The corner", language: "English", topic: "What to do with the corner?", seed: 4,
  agents: [{ name: "Ada", role: "manager" }, { name: "Bo", role: "specialist" }], ...changes,
});

test("it waits for a first message, says so, and for more turns after the limit", async () => {
  const { page, problems } = await lab.visit("#/");
  const id = await made(page, table({ turns_per_call: 2 }), { run: false });
  await view(page, `#/run/${id}`, "rests");
  await eventually.equal(() => page.getByTestId("rests").getAttribute("data-reason"), "message");
  await pace(page, "instant");
  await page.getByTestId("floor-text").fill("What about a bench?");
  await page.getByTestId("floor-send").click();
  const limit = page.locator("[data-testid=rests][data-reason=turn_limit]");
  await limit.waitFor();
  await eventually.match(() => limit.textContent(), /2 turns in a row/);
  await eventually.deepEqual(() => page.getByTestId("message").evaluateAll((all) => all.map((one) => one.dataset.seat)), ["Guest", "Ada", "Bo"]);
  await eventually.match(() => page.getByTestId("message").first().textContent(), /Guest\s*person/);
  await limit.getByTestId("floor-go").click();
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=message]").length === 5);
  await limit.waitFor();
  await page.getByTestId("floor-close").click();
  await page.getByTestId("confirm").click();
  await runIs(page, "ended");
  await eventually.match(() => page.getByTestId("outcome").textContent(), /5 contributions in \d rounds?\. Somebody closed it/);
  assert.deepEqual(problems, []);
});

test("the same by ids, as other programs know discussions", async () => {
  const { page, problems } = await lab.visit("#/");
  const id = await made(page, table({ agents: [{ name: "You", kind: "human" }, ...table().agents] }), { run: false });
  const told = await page.evaluate(async (session) => {
    const api = await import(new URL("pkg/quorate.js", document.baseURI).href);
    const views = [];
    const brief = ({ status, counts, nextSpeaker, nextSpeakerName, state, entries, speakerOrder }) => ({ status, counts, nextSpeaker, nextSpeakerName, state, entries: entries.length, speakerOrder });
    const keep = async (promise) => views.push(await promise.then(brief, (error) => error.code));
    await keep(api.getDiscussion(session));
    await keep(api.advanceDiscussion(session, { message: "One.", userId: "u", requestId: "a" }));
    await keep(api.advanceDiscussion(session, { message: "One.", userId: "u", requestId: "a" }));
    await keep(api.advanceDiscussion(session, { message: " ", userId: "u" }));
    await keep(api.pauseDiscussion(session));
    await keep(api.resumeDiscussion(session));
    await keep(api.continueDiscussion(session));
    await keep(api.advanceDiscussion(session, { message: "Two.", userId: "u" }));
    await keep(api.advanceDiscussion(session, { message: "Three.", userId: "u" }));
    await keep(api.advanceDiscussion(session, { message: "Four.", userId: "u" }));
    await keep(api.resetDiscussion(session));
    const others = (await api.Library.list()).filter(({ id }) => id !== session);
    for (const { id } of others) await keep(api.getDiscussion(id));
    await keep(api.getDiscussion("nothing"));
    return views;
  }, id);
  const at = (turn, round, entries, more = {}) => ({
    status: "success", counts: entries ? { user: entries / 3, manager: entries / 3, specialist: entries / 3 } : {}, nextSpeaker: "user", nextSpeakerName: "You",
    state: { status: "active", turn, round, maxRounds: 3, pending: false }, entries, speakerOrder: ["user", "manager", "specialist"], ...more,
  });
  const paused = at(0, 2, 3, { nextSpeaker: null, nextSpeakerName: null });
  paused.state = { ...paused.state, status: "paused", reason: "command" };
  const over = at(0, 4, 9, { nextSpeaker: null, nextSpeakerName: null });
  over.state.status = "completed";
  assert.deepEqual(told, [at(0, 1, 0), at(0, 2, 3), at(0, 2, 3), "input", paused, at(0, 2, 3), at(0, 2, 3), at(0, 3, 6), over, "conflict", at(0, 1, 0), over, "unknown"]);
  assert.deepEqual(problems, []);
});

test("a session that is open in the page: it is said so, no message comes from a seat without a person, and it begins anew", async () => {
  const { page, problems } = await lab.visit("#/");
  const id = await made(page, table({ agents: [{ name: "You", kind: "human" }, { name: "I", kind: "human" }, ...table().agents] }), { run: false });
  const told = await page.evaluate(async (id) => {
    const api = await import(new URL("pkg/quorate.js", document.baseURI).href);
    const code = (error) => [error.code, error.message];
    const session = await api.Session.open(id);
    const twice = await api.Session.open(id).catch(code);
    const said = {};
    for (const { name: userId } of session.config.agents) said[userId] = await api.advanceDiscussion(id, { message: `I am ${userId}.`, userId }).then(() => "said", ({ code }) => code);
    const before = session.entries().length;
    const run = session.run().catch(code);
    const { entries } = await api.resetDiscussion(id);
    const ended = await run;
    const again = await api.Session.open(id);
    const branches = (await api.Library.list()).filter((one) => one.id !== id).length;
    const anew = again.entries().length;
    await again.close();
    return { twice, said, anew: anew < before, entries: entries.length, ended: ended[0], branches };
  }, id);
  assert.match(told.twice.join(" "), /^locked .*in this page already/);
  const people = ["You", "I"];
  for (const { name } of table().agents) assert.equal(told.said[name], "input", name);
  for (const name of people) assert.equal(told.said[name], "said", name);
  assert.deepEqual([told.anew, told.entries, told.ended, told.branches], [true, 0, "closed", 1]);
  assert.deepEqual(problems, []);
});

test("the seed's two paths are answered by an open page", async () => {
  const { page, problems } = await lab.visit("#/");
  const id = await made(page, table({ agents: [{ name: "You", kind: "human" }, ...table().agents] }), { run: false });
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const ask = (path, body) => page.evaluate(async ([to, sent]) => {
    const answer = await fetch(new URL(to, document.baseURI), sent === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: sent });
    return [answer.status, await answer.json()];
  }, [path, body]);
  const [status, before] = await ask(`api/discussions/${id}`);
  assert.deepEqual([status, before.status, before.entries, before.nextSpeaker], [200, "success", [], "user"]);
  const [after, told] = await ask(`api/discussions/${id}`, JSON.stringify({ message: "Hello.", userId: "u", organizationId: "o" }));
  assert.equal(after, 200, JSON.stringify(told));
  assert.deepEqual(told.entries.map(({ speakerName, content }) => [speakerName, Boolean(content)]), [["You", true], ["Ada", true], ["Bo", true]]);
  assert.equal(told.entries[0].content, "Hello.");
  // While the page shows the session, the message goes into the run that is shown.
  await view(page, `#/run/${id}`, "human");
  await pace(page, "instant");
  await ask(`api/discussions/${id}`, JSON.stringify({ message: "Again.", userId: "u" }));
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=message]").length === 6);
  const faults = [];
  for (const [path, body] of [[`api/discussions/${id}`, "{}"], [`api/discussions/${id}`, "no JSON"], ["api/discussions/nothing"], ["api/discussions/nothing", JSON.stringify({ message: "a", userId: "u" })]]) {
    const [code, { status: word, message }] = await ask(path, body);
    assert.equal(word, "error");
    assert.ok(message);
    faults.push(code);
  }
  assert.deepEqual(faults, [400, 400, 404, 404]);
  // The browser itself reports the refused requests.
  assert.deepEqual(problems.filter((one) => !/status of 40[04]/.test(one)), []);
});

test("set-up offers what has an effect in a discussion", async () => {
  const { page, problems } = await lab.visit("#/setup/round-table");
  await eventually.deepEqual(() => page.locator("[data-group]").evaluateAll((all) => all.map((one) => one.dataset.group)), ["topic", "participants", "turns", "patience", "limits", "prompts"]);
  await page.getByTestId("setup-start").click();
  await pace(page, "instant");
  await runIs(page, "ended");
  assert.deepEqual(problems, []);
});
