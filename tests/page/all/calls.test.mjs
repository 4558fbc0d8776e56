// What calls cost, and how they wait, fail over and are not made at all.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageWords } from "../../../scripts/words.mjs";
import { bundled } from "../../support/page_code.mjs";
import { eventually } from "../../support/eventually.mjs";
import { made, runIs, sessionId, small, stored, unfold, usePage, view } from "../../support/page.mjs";
import { bySchema, startProviders } from "../../support/providers.mjs";
import { writeConfig } from "../../support/setup.mjs";

const lab = usePage();

const OPENAI = "https://api.openai.com";
let server;
before(async () => {
  let count = 0;
  // Nine tokens in and five out, whatever is asked.
  server = await startProviders({ answer: (question, tag, schema) => (schema ? JSON.stringify(bySchema(schema)) : `A library, for reason ${(count += 1)}.`) });
});
after(() => server?.close());

const seat = (name, model = "gpt-4.1-mini") => ({ name, kind: "model", provider: "openai", model, personality: "A student." });
const talk = (changes = {}) => ({ protocol: "discussion", title: "What to build", topic: "What to build?", rounds: 2, start: "at_once", agents: [seat("Ada"), seat("Bo")], ...changes });

/** The page with a key for OpenAI, whose calls come to the double under `tag`. */
async function visit(hash, tag) {
  const opened = await lab.visit(hash);
  await opened.context.route(`${OPENAI}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: server.base("openai", tag) + pathname.replace("/v1", "") }) });
  });
  await opened.page.evaluate(async (origin) => (await import(new URL("keys.js", document.baseURI).href)).setKey(origin, "sk-test-0123456789abcdef"), OPENAI);
  return { ...opened, wrong: () => opened.problems.filter((one) => !one.includes(OPENAI)) };
}

/** Writes a configuration into set-up. */
async function setUp(page, config) {
  await page.getByTestId("mode-json").click();
  await writeConfig(page, JSON.stringify(config));
}

/** Begins a run as Start does. */
async function begin(page, config) {
  const id = await page.evaluate(async (wanted) => (await import(new URL("engine.js", document.baseURI).href)).create(wanted), config);
  await view(page, `#/run/${id}`, "state");
  return id;
}

const text = (page, testid) => page.getByTestId(testid).textContent();

async function setPrice(page, model, prices) {
  await page.getByTestId("prices").locator("> summary").click();
  await page.getByTestId("prices-search").fill(model);
  const row = page.locator(`[data-model="${model}"]`);
  for (const [key, value] of Object.entries(prices)) {
    await row.getByTestId(`price-${key}`).fill(value);
    await row.getByTestId(`price-${key}`).press("Tab");
  }
  await row.getByTestId("price-reset").waitFor();
}

test("several runs are forecast together, and a limit for all of them holds", async () => {
  const { page, wrong } = await visit("#/setup/round-table", "cap-of-all");
  await setUp(page, talk());
  await eventually.equal(() => text(page, "forecast-calls"), "4");
  assert.equal(await page.getByTestId("repeat-cap").isVisible(), false);
  await page.getByTestId("repeat").fill("4");
  await eventually.equal(() => text(page, "forecast-calls"), "16");
  await eventually.match(() => text(page, "forecast-all"), /For all 4 runs together/);
  await eventually.match(() => text(page, "forecast-short"), /^16 calls/);
  // Enough for the first of them: its answers are counted as long as they may be before they are there.
  const most = await page.getByTestId("forecast").evaluate((node) => Number(/At most \$([\d.]+)/.exec(node.textContent)[1]));
  await page.getByTestId("repeat-cap").fill(String(most / 3));
  await page.getByTestId("setup-start").click();
  await page.getByText("The rest of the budget is too little for another run.").waitFor();
  const states = await page.evaluate(async () => (await (await import(new URL("engine.js", document.baseURI).href)).Library.list()).map(({ state }) => state));
  assert.ok(states.length >= 1 && states.length < 4, states.join());
  assert.ok(states.every((state) => state === "ended"), states.join());
  assert.deepEqual(wrong(), []);
});

test("a price of one's own changes what is foretold and what a run costs, to the cent", async () => {
  const { page, context, wrong } = await visit("#/setup/round-table", "own-price");
  await page.locator("[data-testid=faults] .good").waitFor();
  await eventually.equal(() => page.getByTestId("forecast").isVisible(), false, "simulated participants cost nothing that would have to be said");
  await eventually.equal(() => page.getByTestId("recorded").isVisible(), false);
  await setUp(page, talk());
  await eventually.equal(() => text(page, "forecast-calls"), "4");
  await eventually.match(() => text(page, "forecast-cost"), /^\$0\.00\d+( – \$0\.00\d+)?$/);
  const before = await text(page, "forecast-cost");
  await eventually.equal(async () => (await text(page, "forecast-short")).split(" · ").slice(0, 2).join(" · "), `4 calls · ${before}`);

  await setUp(page, talk({ agents: [seat("Ada"), seat("Bo", "nobody-knows")] }));
  await page.getByTestId("forecast-unknown").waitFor();
  await eventually.match(() => text(page, "forecast-unknown"), /^No price is known for .*nobody-knows\./);
  await eventually.equal(() => text(page, "forecast-cost"), "unknown");
  await eventually.match(() => text(page, "forecast-short"), / · cost unknown · /);

  await view(page, "#/models", "prices");
  await setPrice(page, "openai/gpt-4.1-mini", { input: "1000", output: "2000" });
  await eventually.equal(() => page.getByTestId("prices-said").getAttribute("data-ok"), "true");
  await view(page, "#/setup", "mode-json");
  await setUp(page, talk());
  await eventually.ok(async () => Number((await text(page, "forecast-cost")).match(/[\d.]+/)?.[0]) > 1);

  await page.getByTestId("setup-start").click();
  await runIs(page, "ended");
  // Four calls of 9 and 5 tokens at 1000 and 2000 dollars a million.
  await eventually.equal(() => text(page, "cost"), "$0.076");
  const id = sessionId(page);
  const { config } = (await stored(page, id))[0].what;
  assert.deepEqual(config.prices.models, { "openai/gpt-4.1-mini": { cached: 0.1, input: 1000, output: 2000 } });
  await unfold(page);
  await page.getByTestId("details").first().click();
  await eventually.equal(() => text(page, "call-cost"), "$0.019");
  await eventually.match(() => text(page, "inspector"), /9 in, 5 out · counted by the provider/);
  await page.keyboard.press("Escape");
  await view(page, `#/results/${id}`, "costs");
  await eventually.equal(() => text(page, "cost-total"), "$0.076");
  await eventually.deepEqual(() => page.getByTestId("costs").locator("table").first().locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))),
    [["Ada", "2", "18", "10", "$0.038"], ["Bo", "2", "18", "10", "$0.038"], ["Total", "4", "36", "20", "$0.076"]]);
  await page.evaluate(() => document.querySelectorAll("[data-testid=costs] details").forEach((one) => (one.open = true)));

  // Undone, the table is the written one again.
  await view(page, "#/models", "prices");
  await page.getByTestId("prices").locator("> summary").click();
  await page.getByTestId("price-reset").click();
  await eventually.equal(() => page.getByTestId("price-reset").count(), 0);
  await eventually.equal(() => page.evaluate(() => localStorage.getItem("quorate.prices")), null);
  assert.equal(server.requests("own-price").length, 4);
  assert.deepEqual(wrong(), []);
});

test("today's prices are taken from the open list: what differs and what is new, and nothing that is no price", async () => {
  const { page, context, wrong } = await visit("#/models", "prices");
  let sent = null;
  const usd = (prompt, completion, more = {}) => ({ prompt, completion, ...more });
  const models = [
    { id: "openai/gpt-4.1-mini", pricing: usd("0.0000005", "2e-06", { input_cache_read: "0.00000005" }) },
    { id: "nobody/new-model:free", pricing: usd("0", "0") },
    { id: "openrouter/auto", pricing: usd("-1", "-1") },
    { id: "nobody/<img src=x>", pricing: usd("1", "1") },
    { id: "nobody/unpriced" },
    { id: "nobody/worded", pricing: usd("cheap", "0.1") },
  ];
  await context.route("https://openrouter.ai/**", (route) => {
    sent = route.request().headers();
    return route.fulfill({ status: 200, headers: { "access-control-allow-origin": "*" }, contentType: "application/json", body: JSON.stringify({ data: models }) });
  });
  await page.getByTestId("prices").locator("> summary").click();
  await page.getByTestId("prices-refresh").click();
  await page.getByText("Updated: 1 changed, 1 new.").waitFor();
  assert.equal(sent.authorization, undefined);
  await eventually.deepEqual(() => page.evaluate(() => JSON.parse(localStorage.getItem("quorate.prices"))), {
    "nobody/new-model:free": { input: 0, output: 0 },
    "openai/gpt-4.1-mini": { input: 0.5, output: 2, cached: 0.05 },
  });
  await page.getByTestId("prices-refresh").click();
  await page.getByText("Updated: 0 changed, 0 new.").waitFor();
  await context.unroute("https://openrouter.ai/**");
  await context.route("https://openrouter.ai/**", (route) => route.fulfill({ status: 503, headers: { "access-control-allow-origin": "*" }, body: "" }));
  await page.getByTestId("prices-refresh").click();
  await page.getByText("The price list could not be loaded. Try again later. openrouter.ai: 503").waitFor();
  assert.deepEqual(wrong().filter((what) => !/openrouter\.ai\/api\/v1\/models|503/.test(what)), []);
});

test("a cap on money halts before the call that could cross it; raised, the run goes on", async () => {
  const { page, context, wrong } = await visit("#/setup/round-table", "cap");
  // Without a price no cap could hold.
  const listed = page.getByTestId("faults").locator("li b");
  await setUp(page, talk({ limits: { max_cost: 1 }, agents: [seat("Ada", "nobody-knows"), seat("Bo")] }));
  await listed.waitFor();
  await eventually.equal(() => listed.getAttribute("title"), "limits.max_cost");
  await setUp(page, talk({ limits: { max_cost: 1 } }));
  await listed.waitFor({ state: "detached" });
  await page.locator("[data-testid=faults] .good").waitFor();
  await begin(page, talk({ rounds: 1, limits: { max_cost: 0.0001, max_answer_tokens: 50 } }));
  await runIs(page, "halted");
  assert.equal(server.requests("cap").length, 0);
  await eventually.match(() => text(page, "banner"), /spending limit of \$0\.0001/);
  await eventually.equal(() => text(page, "cost"), "nothing");
  await page.getByTestId("cap").fill("1");
  await page.getByTestId("raise").click();
  await runIs(page, "ended");
  assert.equal(server.requests("cap").length, 2);
  assert.deepEqual(wrong(), []);
});

test("what has no price is unknown, not free, in every protocol", async () => {
  const { page, context, wrong } = await visit("#/", "unknown");
  const model = { kind: "model", provider: "openai", model: "nobody-knows" };
  const debate = { protocol: "debate", title: "What to build", question: "What to build?", schedule: [{ kind: "propose" }, { kind: "vote" }], agents: ["Ada", "Bo"].map((name) => ({ name, personality: "A student.", ...model })) };
  const justice = small({ answers: "structured", agents: small().agents.map((agent, at) => (at ? agent : { ...agent, ...model })) });
  for (const [config, seats] of [[talk({ agents: [seat("Ada", "nobody-knows"), seat("Bo")] }), ["Ada", "Bo"]], [debate, ["Ada", "Bo"]], [justice, ["Ada"]]]) {
    const id = await begin(page, config);
    await runIs(page, "ended");
    await eventually.match(() => text(page, "cost"), /^(\$0\.0\d+ \+ )?unknown$/);
    await view(page, `#/results/${id}`, "costs");
    await eventually.match(() => text(page, "cost-total"), /^(\$0\.0\d+ \+ )?unknown$/);
    await eventually.match(() => text(page, "costs"), /\d+ calls have no known price\./);
    await eventually.deepEqual(() => page.getByTestId("costs").locator("table").first().locator("tbody th").allTextContents(), [...seats, "Total"], "who is simulated is not in it");
  }
  assert.deepEqual(wrong(), []);
});

test("a run of simulated participants has no costs to tell", async () => {
  const { page, problems } = await lab.visit();
  const id = await begin(page, { protocol: "discussion", topic: "Bread?", rounds: 1, start: "at_once", agents: [{ name: "Ada", personality: "-" }, { name: "Bo", personality: "-" }] });
  await runIs(page, "ended");
  await eventually.equal(() => page.getByTestId("cost").count(), 0);
  await view(page, `#/results/${id}`, "verify");
  await eventually.equal(() => page.getByTestId("costs").count(), 0);
  assert.deepEqual(problems, []);
});

test("what was told, counted, estimated or is not known is kept apart", async () => {
  const { page, problems } = await lab.visit();
  const js = await bundled(null, `import { CostSection } from "./cost-tables.tsx"; import { use } from "./i18n.js"; import { h, render } from "preact";
    await use("en"); export const show = (costs, place) => render(h(CostSection, { costs }), place);`);
  await page.route("**/costs-alone.js", (route) => route.fulfill({ contentType: "text/javascript", body: js }));
  await page.route("**/i18n/en.json", (route) => route.fulfill({ json: pageWords("en") }));
  await page.evaluate(() => document.querySelector("main").replaceChildren());
  const shown = (costs) => page.evaluate(async (given) => {
    const { show } = await import(new URL("costs-alone.js", document.baseURI).href);
    show(given, document.querySelector("main"));
    return document.querySelector("[data-testid=costs]") && { total: document.querySelector("[data-testid=cost-total]").textContent, lines: [...document.querySelectorAll("[data-testid=costs] > p")].slice(1).map((one) => one.textContent), rows: [...document.querySelectorAll("table")[0].tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)) };
  }, costs);
  const none = { input: 0, output: 0, reasoning: 0, cached: 0 };
  const sum = (more) => ({ tries: 1, reported: none, estimated: none, cost: 0, cost_told: 0, cost_computed: 0, cost_estimated: 0, unknown: 0, own: 0, untold: 0, ...more });
  const call = (seat, seat_kind, more) => ({ ask: seat, seat, seat_kind, kind: "turn", phase: 1, round: 1, provider: null, model_asked: "m", model_returned: null, ...sum(more) });
  const [told, guessed] = [{ reported: { ...none, input: 1000, output: 20 }, cost: 1.5, cost_told: 1.5 }, { estimated: { ...none, input: 300, output: 7 }, cost: 0.25, cost_estimated: 0.25, untold: 2 }];
  const all = [call("Ada", "model", told), call("Bo", "model", guessed), call("Cy", "custom", { own: 1 }), call("Di", "scripted", { estimated: { ...none, input: 9, output: 9 } })];
  const whole = sum({ tries: 4, cost: 1.75, cost_told: 1.5, cost_estimated: 0.25, own: 1, untold: 2, reported: told.reported, estimated: { ...none, input: 309, output: 16 } });
  const costs = { currency: "USD", date: "2026-11-22", calls: all, seats: all.map(({ seat, ...rest }) => ({ ...rest, seat })), rounds: [{ phase: 1, round: 1, ...whole }], run: whole };
  await eventually.deepEqual(() => shown(costs), {
    total: "$1.75",
    lines: ["The provider itself reported $1.50 of this.", "$0.25 of this is based on estimated tokens.", "One call went to a program on this page; its cost is not known here.", "The usage of 2 failed tries is unknown."],
    rows: [["Ada", "1", "1,000", "20", "$1.50"], ["Bo", "1", "300 (estimated)", "7 (estimated)", "$0.25"], ["Cy", "1", "0", "0", "–"], ["Total", "3", "1,300 (300 estimated)", "27 (7 estimated)", "$1.75"]],
  });
  await eventually.equal(() => shown({ ...costs, calls: all.slice(3) }), null);
  assert.deepEqual(problems, []);
});

const local = (name, tag, fault = "none", more = {}) => ({ name, kind: "model", provider: "vllm", model: "m-1", base_url: server.base("vllm", tag, fault), personality: "A student.", ...more });
const among = (agents, changes = {}) => ({ protocol: "discussion", title: "What to build", topic: "What to build?", rounds: 2, start: "at_once", agents, ...changes });
const debate = (agents) => ({ protocol: "debate", title: "What to build", question: "What to build?", schedule: [{ kind: "propose" }, { kind: "vote" }], agents });
const of = (entries, type) => entries.map(({ what }) => what).filter((what) => what.type === type);
/** Without what the browser says itself of the double's statuses, and of streams that nobody reads on after their end. */
const others = (problems) => problems.filter((one) => !/Failed to load resource|ERR_ABORTED/.test(one));

test("a pause that the provider asks for is counted down, and the run goes on by itself", async () => {
  const { page, problems } = await lab.visit();
  await begin(page, among([local("Ada", "pause", "429-later~1"), local("Bo", "pause")]));
  const waits = page.getByTestId("waits");
  await waits.waitFor();
  await eventually.match(() => waits.textContent(), new RegExp(`^${new URL(server.origin).host.replaceAll(".", "\\.")} asks for a pause: [1-4] s, 1 waiting$`));
  await eventually.equal(() => waits.getAttribute("role"), "timer", "it is not read out each second");
  await page.locator(".person[data-doing=waits]").waitFor();
  await eventually.match(() => page.locator(".person[data-doing=waits] .doing").textContent(), /^waits before trying again$/);
  await runIs(page, "ended");
  await eventually.equal(() => waits.isVisible(), false);
  assert.equal(server.requests("pause").length, 5);
  await unfold(page);
  await page.getByTestId("details").first().click();
  await eventually.match(() => page.getByTestId("inspector").locator(".tries").textContent(), /429/);
  assert.deepEqual(others(problems), []);
});

test("a server that stays in trouble: since when, when it is tried again, and whoever helps need not wait", async () => {
  const { page, problems } = await lab.visit();
  await begin(page, among([local("Ada", "down", "503"), local("Bo", "down")]));
  const trouble = page.getByTestId("trouble");
  await trouble.waitFor();
  await eventually.match(() => trouble.textContent(), /^Failing since \d.*\. It is retried automatically at \d.*\.$/);
  await eventually.equal(() => page.getByTestId("state").getAttribute("data-state"), "running");
  const before = server.requests("down").length;
  assert.ok(before >= 4, String(before));
  await page.getByTestId("halt-resume").click();
  await eventually.ok(() => server.requests("down").length > before);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  await eventually.equal(() => trouble.isVisible(), false);
  assert.deepEqual(others(problems), []);
});

test("a fallback model is used where the first one fails for good, and shown, in talk and debate", async () => {
  const { page, problems } = await lab.visit();
  const fallback = [{ provider: "vllm", model: "m-2", base_url: server.base("vllm", "second") }];
  const ada = local("Ada", "first", "404", { fallback });
  for (const [name, config] of [["talk", among([ada, local("Bo", "bo")])], ["debate", debate([ada, local("Bo", "bo")])]]) {
    const id = await begin(page, config);
    await runIs(page, "ended");
    const changes = of(await stored(page, id), "fell_back");
    assert.ok(changes.length > 1 && changes.every(({ seat: who, model }) => who === "Ada" && model === "m-2"));
    await eventually.deepEqual(() => page.getByTestId("fellback").allTextContents(), ["Ada continues with m-2, because m-1 failed."], `${name}: said once`);
    const theirs = page.locator("[data-testid=message][data-seat=Ada], [data-testid=card]").first();
    await unfold(page);
    await theirs.getByTestId("details").click();
    await eventually.equal(() => page.getByTestId("try-fellback").textContent(), "Ada continues with m-2, because m-1 failed.");
    await eventually.match(() => page.getByTestId("inspector").textContent(), /404/);
    await page.keyboard.press("Escape");
    assert.equal(server.requests("first").length > 0, true);
  }
  assert.ok(server.requests("second").every(({ body }) => body.model === "m-2"));
  assert.deepEqual(others(problems), []);
});

test("the same run again with recorded answers asks nobody; its answers say where they are from", async () => {
  const { page, problems } = await lab.visit("#/setup/round-table");
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify(among([local("Ada", "again"), local("Bo", "again")], { seed: 3 })));
  await page.getByTestId("recorded").check();
  await page.getByTestId("setup-start").click();
  await runIs(page, "ended");
  const first = sessionId(page);
  assert.equal(server.requests("again").length, 4);
  await eventually.equal(() => page.getByTestId("message").count(), 4);
  const said = await page.getByTestId("message").allTextContents();
  await view(page, "#/setup", "setup-start");
  await eventually.equal(() => page.getByTestId("recorded").isChecked(), true);
  await page.getByTestId("setup-start").click();
  await page.waitForFunction((before) => location.hash.startsWith("#/run/") && !location.hash.includes(before), first);
  await runIs(page, "ended");
  const second = sessionId(page);
  assert.equal(server.requests("again").length, 4, "no request the second time");
  await eventually.deepEqual(() => page.getByTestId("message").allTextContents(), said);
  for (const { reply } of of(await stored(page, second), "answered")) assert.equal(reply.recorded.session, first);
  await eventually.equal(() => page.getByTestId("cost").textContent(), "nothing");
  await unfold(page);
  await page.getByTestId("details").first().click();
  await page.getByTestId("recorded-note").waitFor();
  await page.getByTestId("recorded-note").locator("a").click();
  await page.getByTestId("replay-slider").waitFor();
  assert.equal(sessionId(page), first);
  await eventually.equal(() => page.locator("dialog[open]").count(), 0);
  assert.deepEqual(others(problems), []);
});

test("a seat plays back a saved session, chosen in set-up", async () => {
  const { page, problems } = await lab.visit();
  const source = await made(page, among([{ name: "Ada", personality: "-" }, { name: "Bo", personality: "-" }], { seed: 5, title: "The first evening" }));
  const spoken = of(await stored(page, source), "answered").filter(({ ask }) => ask.includes("Ada")).map(({ reply }) => reply.text);
  assert.equal(spoken.length, 2);
  await view(page, "#/setup/round-table", "mode-json");
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify(among([{ name: "Ada", personality: "-" }, { name: "Bo", personality: "-" }], { seed: 6 })));
  await page.getByTestId("mode-form").click();
  await page.locator("[data-path='agents.0.kind'] select").selectOption("recorded");
  await page.locator("[data-testid=faults] .bad").waitFor();
  const session = page.getByTestId("plays");
  await page.locator(`[data-testid=plays] option[value="${source}"]`).waitFor({ state: "attached" });
  await session.selectOption(source);
  await eventually.deepEqual(() => page.getByTestId("plays-seat").locator("option").evaluateAll((all) => all.map((one) => one.value)), ["", "Ada", "Bo"]);
  await page.locator("[data-testid=faults] .good").waitFor();
  await page.getByTestId("setup-start").click();
  await runIs(page, "ended");
  const entries = await stored(page, sessionId(page));
  assert.deepEqual(entries[0].what.config.agents[0].plays, { session: source });
  assert.deepEqual(of(entries, "answered").filter(({ ask }) => ask.includes("Ada")).map(({ reply }) => reply.text), spoken);
  await eventually.equal(() => page.locator(".run-people .person").first().locator(".tag").first().textContent(), "saved session");
  assert.deepEqual(problems, []);
});
