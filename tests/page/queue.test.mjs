// Calls that wait, fail over and are not made at all: a provider's pause is counted down, a fallback model is shown, a run
// repeated with recorded answers asks nobody, and a seat plays back what was said in a saved session.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { made, openPage, runIs, sessionId, stored, unfold, view } from "../support/page.mjs";
import { bySchema, startProviders } from "../support/providers.mjs";

let lab;
let server;
before(async () => {
  lab = await openPage();
  let count = 0;
  server = await startProviders({ answer: (question, tag, schema) => (schema ? JSON.stringify(bySchema(schema)) : `A library, I think, for reason ${(count += 1)}.`) });
});
after(async () => {
  await lab?.close();
  await server?.close();
});

const seat = (name, tag, fault = "none", more = {}) => ({ name, kind: "model", provider: "vllm", model: "m-1", base_url: server.base("vllm", tag, fault), personality: "A student.", ...more });
const talk = (agents, changes = {}) => ({ protocol: "discussion", title: "What to build", topic: "What to build?", rounds: 2, start: "at_once", agents, ...changes });
const debate = (agents) => ({ protocol: "debate", title: "What to build", question: "What to build?", schedule: [{ kind: "propose" }, { kind: "vote" }], agents });
const of = (entries, type) => entries.map(({ what }) => what).filter((what) => what.type === type);
/** Without what the browser says itself of the double's statuses, and of streams that nobody reads on after their end. */
const others = (problems) => problems.filter((one) => !/Failed to load resource|ERR_ABORTED/.test(one));

/** Begins a run as Start does. */
async function begin(page, config) {
  const id = await page.evaluate(async (wanted) => (await import(new URL("engine.js", document.baseURI).href)).create(wanted), config);
  await view(page, `#/run/${id}`, "state");
  return id;
}

test("a pause that the provider asks for is counted down, and the run goes on by itself", async () => {
  const { page, context, problems } = await lab.visit();
  await begin(page, talk([seat("Ada", "pause", "429-later~1"), seat("Bo", "pause")]));
  const waits = page.getByTestId("waits");
  await waits.waitFor();
  assert.match(await waits.textContent(), new RegExp(`^${new URL(server.origin).host.replaceAll(".", "\\.")} wants a pause: [1-4] s, 1 waiting$`));
  assert.equal(await waits.getAttribute("role"), "timer", "it is not read out each second");
  await page.locator(".person[data-doing=waits]").waitFor();
  assert.match(await page.locator(".person[data-doing=waits] .doing").textContent(), /^waits before the next try$/);
  await runIs(page, "ended");
  assert.equal(await waits.isVisible(), false);
  assert.equal(server.requests("pause").length, 5);
  await unfold(page);
  await page.getByTestId("details").first().click();
  assert.match(await page.getByTestId("inspector").locator(".tries").textContent(), /429/);
  assert.deepEqual(others(problems), []);
  await context.close();
});

test("a server that stays in trouble: since when, when it is tried again, and whoever helps need not wait", async () => {
  const { page, context, problems } = await lab.visit();
  await begin(page, talk([seat("Ada", "down", "503"), seat("Bo", "down")]));
  const trouble = page.getByTestId("trouble");
  await trouble.waitFor();
  assert.match(await trouble.textContent(), /^Failing since \d.*\. It is retried automatically at \d.*\.$/);
  assert.equal(await page.getByTestId("state").getAttribute("data-state"), "running");
  const before = server.requests("down").length;
  assert.ok(before >= 4, String(before));
  await page.getByTestId("halt-resume").click();
  while (server.requests("down").length === before) await page.waitForTimeout(50);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  assert.equal(await trouble.isVisible(), false);
  assert.deepEqual(others(problems), []);
  await context.close();
});

test("a fallback model is used where the first one fails for good, and shown, in talk and debate", async () => {
  const { page, context, problems } = await lab.visit();
  const fallback = [{ provider: "vllm", model: "m-2", base_url: server.base("vllm", "second") }];
  const ada = seat("Ada", "first", "404", { fallback });
  for (const [name, config] of [["talk", talk([ada, seat("Bo", "bo")])], ["debate", debate([ada, seat("Bo", "bo")])]]) {
    const id = await begin(page, config);
    await runIs(page, "ended");
    const changes = of(await stored(page, id), "fell_back");
    assert.ok(changes.length > 1 && changes.every(({ seat: who, model }) => who === "Ada" && model === "m-2"));
    assert.deepEqual(await page.getByTestId("fellback").allTextContents(), [" Ada continues with m-2, because m-1 failed."], `${name}: said once`);
    const theirs = page.locator("[data-testid=message][data-seat=Ada], [data-testid=card]").first();
    await unfold(page);
    await theirs.getByTestId("details").click();
    assert.equal(await page.getByTestId("try-fellback").textContent(), "Ada continues with m-2, because m-1 failed.");
    assert.match(await page.getByTestId("inspector").textContent(), /404/);
    if (name === "talk") await assertFine(page, "the tries of a question", { themes: ["dark"] });
    await page.keyboard.press("Escape");
    assert.equal(server.requests("first").length > 0, true);
  }
  assert.ok(server.requests("second").every(({ body }) => body.model === "m-2"));
  assert.deepEqual(others(problems), []);
  await context.close();
});

test("the same run again with recorded answers asks nobody; its answers say where they are from", async () => {
  const { page, context, problems } = await lab.visit("#/setup/round-table");
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify(talk([seat("Ada", "again"), seat("Bo", "again")], { seed: 3 })));
  await page.getByTestId("recorded").check();
  await page.getByTestId("setup-start").click();
  await runIs(page, "ended");
  const first = sessionId(page);
  assert.equal(server.requests("again").length, 4);
  const said = await page.getByTestId("message").allTextContents();
  await view(page, "#/setup", "setup-start");
  assert.equal(await page.getByTestId("recorded").isChecked(), true);
  await page.getByTestId("setup-start").click();
  await page.waitForFunction((before) => location.hash.startsWith("#/run/") && !location.hash.includes(before), first);
  await runIs(page, "ended");
  const second = sessionId(page);
  assert.equal(server.requests("again").length, 4, "no request the second time");
  assert.deepEqual(await page.getByTestId("message").allTextContents(), said);
  for (const { reply } of of(await stored(page, second), "answered")) assert.equal(reply.recorded.session, first);
  assert.equal(await page.getByTestId("cost").textContent(), "nothing");
  await unfold(page);
  await page.getByTestId("details").first().click();
  await page.getByTestId("recorded-note").waitFor();
  await assertFine(page, "an answer out of a saved session", { themes: ["light"] });
  await page.getByTestId("recorded-note").locator("a").click();
  await page.getByTestId("replay-slider").waitFor();
  assert.equal(sessionId(page), first);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  assert.deepEqual(others(problems), []);
  await context.close();
});

test("a seat plays back a saved session, chosen in set-up", async () => {
  const { page, context, problems } = await lab.visit();
  const source = await made(page, talk([{ name: "Ada", personality: "-" }, { name: "Bo", personality: "-" }], { seed: 5, title: "The first evening" }));
  const spoken = of(await stored(page, source), "answered").filter(({ ask }) => ask.includes("Ada")).map(({ reply }) => reply.text);
  assert.equal(spoken.length, 2);
  await view(page, "#/setup/round-table", "mode-json");
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify(talk([{ name: "Ada", personality: "-" }, { name: "Bo", personality: "-" }], { seed: 6 })));
  await page.getByTestId("mode-form").click();
  await page.locator("[data-path='agents.0.kind'] select").selectOption("recorded");
  await page.locator("[data-testid=faults] .bad").waitFor();
  const session = page.getByTestId("plays");
  await page.locator(`[data-testid=plays] option[value="${source}"]`).waitFor({ state: "attached" });
  await session.selectOption(source);
  assert.deepEqual(await page.getByTestId("plays-seat").locator("option").evaluateAll((all) => all.map((one) => one.value)), ["", "Ada", "Bo"]);
  await page.locator("[data-testid=faults] .good").waitFor();
  await assertFine(page, "set-up with a seat that is played back", { themes: ["light"] });
  await page.getByTestId("setup-start").click();
  await runIs(page, "ended");
  const entries = await stored(page, sessionId(page));
  assert.deepEqual(entries[0].what.config.agents[0].plays, { session: source });
  assert.deepEqual(of(entries, "answered").filter(({ ask }) => ask.includes("Ada")).map(({ reply }) => reply.text), spoken);
  assert.equal(await page.locator(".run-people .person").first().locator(".tag").first().textContent(), "saved session");
  assert.deepEqual(problems, []);
  await context.close();
});
