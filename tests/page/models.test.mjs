// Models and keys: what a provider's card does, that a first answer is a few clicks from a pasted key, what is wrong with a
// connection in the page's words, and the choice of models per seat.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { openPage, ready, runIs, sessionId, stored, view } from "../support/page.mjs";
import { startProviders } from "../support/providers.mjs";
import { PROVIDERS, firstModel, providerAt } from "../../www/models/providers.js";

const KEY = "sk-test-0123456789abcdef";
let lab;
let server;
before(async () => {
  lab = await openPage();
  server = await startProviders({ answer: () => "The floor matters most to me. 1. Maximizing the floor income", chunk: 40 });
});
after(async () => {
  await lab?.close();
  await server?.close();
});

test("the page's table of providers is the engine's", () => {
  const source = readFileSync(new URL("../../src/seat/provider.rs", import.meta.url), "utf8");
  const rows = [...source.matchAll(/^ {4}profile\(Provider::\w+, "(.*?)", "(.*?)", "(.*?)", "(.*?)"\),$/gm)].map(([, id, name, baseUrl, keyPage]) => ({ id, name, baseUrl, keyPage }));
  assert.equal(rows.length, 28);
  assert.deepEqual(PROVIDERS.map(({ id, name, baseUrl, keyPage }) => ({ id, name, baseUrl, keyPage })), rows);
  assert.equal(providerAt("http://localhost:11434").id, "ollama");
  assert.equal(providerAt("https://example.org"), null);
  assert.equal(firstModel(["m-2", "m-1"], [{ id: "a" }, { id: "m-1" }, { id: "m-2" }]), "m-2");
  assert.equal(firstModel(["gone"], [{ id: "text-embedding-3-small" }, { id: "llama-guard-4" }, { id: "whisper-1" }, { id: "talks" }]), "talks");
  assert.equal(firstModel(["gone"], [{ id: "text-embedding-3-small" }]), "");
  assert.equal(firstModel([], []), "");
  // Of everything that the catalogue knows of a provider, beside what guards, embeds or speaks, the one that it prefers is taken.
  const sections = readFileSync(new URL("../../src/providers/catalogue.tsv", import.meta.url), "utf8").split(/^\[/m).slice(1);
  const special = ["text-embedding-9", "llama-guard-9", "gpt-oss-safeguard-9", "omni-moderation-9", "whisper-9", "davinci-002"].map((id) => ({ id }));
  for (const section of sections) {
    const [[id, ...first], ...rows] = section.trim().split("\n").map((line) => line.replace("]", "").split("\t"));
    const offered = rows.map(([name]) => ({ id: name }));
    assert.equal(firstModel(first, [...special, ...offered]), first[0], id);
    assert.ok(!special.some((one) => one.id === firstModel([], [...special, ...offered])), id);
  }
  assert.ok(sections.length >= 18);
});

test("of the levels of effort those are offered that the model takes", async () => {
  const { page, context, problems } = await lab.visit("#/setup/quick");
  const field = (path) => page.locator(`[data-path="${path}"]`).locator("input, select").first();
  await field("agents.0.kind").selectOption("model");
  await field("agents.0.provider").selectOption("openai");
  await page.locator("[data-agent='0'] details.more summary").click();
  const effort = field("agents.0.reasoning_effort");
  const offered = async (model) => {
    await field("agents.0.model").fill(model);
    await effort.focus();
    return effort.locator("option").evaluateAll((all) => all.map(({ value }) => value));
  };
  assert.deepEqual(await offered("nobody-knows-it"), ["", "none", "minimal", "low", "medium", "high", "xhigh", "max"]);
  assert.deepEqual(await offered("gpt-5"), ["", "minimal", "low", "medium", "high"]);
  assert.deepEqual(await offered("gpt-5-2025-08-07"), ["", "minimal", "low", "medium", "high"], "a dated version of it");
  await effort.selectOption("minimal");
  assert.deepEqual(await offered("o3"), ["", "low", "medium", "high", "minimal"], "what is set stays");
  await page.getByText("is minimal, by the catalogue o3 takes: low, medium, high").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("the view is fine in every look and language", async () => {
  const { page, context, problems } = await lab.visit("#/models");
  await assertFine(page, "models");
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await assertFine(page, "models, all open");
  for (const language of ["es", "zh"]) {
    await page.getByTestId("language").selectOption(language);
    await page.locator(`html[lang^=${language}]`).waitFor();
    await page.locator("[data-provider=groq]").waitFor();
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    await assertFine(page, `models in ${language}`);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

/** Counts presses of the mouse, and of keys that press. */
const counting = (page) => page.evaluate(() => {
  window.clicks = 0;
  addEventListener("click", () => (window.clicks += 1), true);
});

const openCard = async (page, id) => {
  const card = page.locator(`[data-provider=${id}]`);
  if (!(await card.evaluate((node) => node.open))) await card.locator("> summary").click();
  return card;
};

test("from a pasted key to the first answer in three clicks at most", async () => {
  const { page, context, problems } = await lab.visit("#/models");
  const card = await openCard(page, "compatible");
  await card.getByTestId("address-compatible").fill(server.base("compatible", "clicks"));
  await card.getByTestId("address-compatible").press("Tab");
  await page.evaluate((key) => {
    const field = document.querySelector("[data-testid=key-compatible]");
    field.focus();
    document.execCommand("insertText", false, key);
  }, KEY);
  await counting(page);
  await card.getByTestId("test-compatible").click();
  await card.getByTestId("begin-compatible").waitFor();
  assert.equal(await card.getByTestId("model-compatible").inputValue(), "m-1");
  assert.match(await card.getByTestId("state-compatible").textContent(), /^•••• cdef/);
  assert.equal(await card.getByTestId("key-compatible").inputValue(), "");
  await assertFine(page, "a provider that answers");
  await card.getByTestId("begin-compatible").click();
  // In the page, not in sight: a run that is quicker than who looks has folded its first round by then.
  await page.getByText("The floor matters most").first().waitFor({ state: "attached" });
  const clicks = await page.evaluate(() => window.clicks);
  assert.ok(clicks <= 3, `${clicks} clicks`);
  assert.equal(clicks, 2);
  const [first] = server.requests("clicks");
  assert.equal(first.headers.authorization, `Bearer ${KEY}`);
  assert.equal(first.body.model, "m-1");
  assert.equal(first.body.stream, true);
  const entries = await stored(page, sessionId(page));
  const { config } = entries[0].what;
  assert.ok(config.agents.length > 2 && config.agents.every(({ kind, provider, model, base_url }) => kind === "model" && provider === "compatible" && model === "m-1" && base_url.endsWith("/clicks/none")));
  assert.ok(!JSON.stringify(entries).includes("sk-test"));
  assert.deepEqual(server.problems, []);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  assert.deepEqual(problems.filter((one) => !one.includes(server.origin)), []);
  await context.close();
});

test("what is wrong is said in the page's words, the engine's sentence below", async () => {
  const { page, context } = await lab.visit("#/models");
  const card = await openCard(page, "compatible");
  const said = page.getByTestId("said-compatible");
  const tell = async (address, key) => {
    await card.getByTestId("address-compatible").fill(address);
    await card.getByTestId("address-compatible").press("Tab");
    if (key) await card.getByTestId("key-compatible").fill(key);
    await card.getByTestId("test-compatible").click();
    await page.locator("[data-testid=said-compatible][data-ok]").waitFor();
    return said.textContent();
  };
  assert.match(await tell(server.base("compatible", "wrong"), "wrong-key-0000"), /^The key is missing or was not accepted\./);
  assert.ok(!(await said.innerHTML()).includes("wrong-key"));
  assert.match(await said.locator("details p").textContent(), /did not accept the API key\..*removed/s);
  await assertFine(page, "a provider that refuses", { themes: ["light"] });
  assert.match(await tell(server.base("compatible", "cors", "no-cors")), /^The server is running, but does not accept calls from this page/);
  assert.match(await tell("http://127.0.0.1:9/v1"), /^No answer from this address\./);
  // An address that the policy does not have is not tried.
  await card.getByTestId("address-compatible").fill("https://models.example/v1");
  await card.getByTestId("address-compatible").press("Tab");
  await card.getByText("This page may not call this address yet").waitFor();
  assert.equal(await card.getByTestId("key-compatible").count(), 0, "no key is asked for where it could not go");
  await card.getByTestId("address-compatible").fill("nonsense");
  await card.getByTestId("address-compatible").press("Tab");
  await card.getByText("This is not the address of a server").waitFor();
  await page.getByTestId("language").selectOption("es");
  await openCard(page, "compatible");
  assert.match(await tell(server.base("compatible", "wrong"), "wrong-key-0000"), /^La clave falta o no se aceptó\./);
  await context.close();
});

test("seats choose their model from what the provider offers, by keyboard, or name another", async () => {
  const { page, context, problems } = await lab.visit("#/setup/quick");
  const field = (path, tag = "input, select") => page.locator(`[data-path="${path}"]`).locator(tag).first();
  for (const at of [0, 1]) await field(`agents.${at}.kind`).selectOption("model");
  await field("agents.0.provider").selectOption("compatible");
  assert.equal(await field("agents.0.base_url").evaluate((node) => node.closest("details.more") === null), true, "an address of one's own is asked for at once");
  await field("agents.0.base_url").fill(server.base("compatible", "seats"));
  const model = field("agents.0.model");
  await model.click();
  await page.locator("[data-path='agents.0.model'] [role=option]").waitFor();
  assert.equal(await model.getAttribute("aria-expanded"), "true");
  assert.match(await page.locator("[data-path='agents.0.model'] [role=status]").textContent(), /1 model fits/);
  await assertFine(page, "set-up, a list of models");
  await model.press("ArrowDown");
  assert.equal(await page.locator(`#${await model.getAttribute("aria-activedescendant")}`).getAttribute("aria-selected"), "true");
  await model.press("Enter");
  assert.equal(await model.inputValue(), "m-1");
  assert.equal(await model.getAttribute("aria-expanded"), "false");
  await page.locator("[data-agent='0'] details.more summary").click();
  await field("agents.0.reasoning_effort").selectOption("low");
  await page.locator("[data-agent='0']").getByTestId("alike").click();
  // A key of its own for one of them.
  await page.locator(".key-seats summary").click();
  await page.getByTestId("key").first().fill("sk-of-all-000000");
  await page.getByTestId("key-seat").nth(1).fill("sk-of-one-111111");
  await page.getByTestId("key-seat").nth(1).press("Tab");
  await page.getByTestId("mode-json").click();
  const config = JSON.parse(await page.getByTestId("config-text").inputValue());
  for (const at of [0, 1]) {
    const { kind, provider, model: name, base_url, reasoning_effort } = config.agents[at];
    assert.deepEqual([kind, provider, name, base_url, reasoning_effort], ["model", "compatible", "m-1", server.base("compatible", "seats"), "low"]);
  }
  assert.ok(!JSON.stringify(config).includes("sk-of"));
  assert.notEqual(config.agents[2].kind, "model");
  await page.getByTestId("setup-start").click();
  await page.getByText("The floor matters most").nth(1).waitFor({ state: "attached" });
  const keys = new Set(server.requests("seats").map(({ headers }) => headers.authorization));
  assert.deepEqual([...keys].sort(), ["Bearer sk-of-all-000000", "Bearer sk-of-one-111111"]);
  for (const { headers, body } of server.requests("seats")) {
    const isSecond = JSON.stringify(body).includes(config.agents[1].personality.slice(0, 20));
    assert.equal(headers.authorization.includes("of-one"), isSecond);
  }
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  assert.deepEqual(problems.filter((one) => !one.includes(server.origin)), []);
  await context.close();
});

test("models are asked for answers in a fixed form unless the configuration says otherwise", async () => {
  const { page, context, problems } = await lab.visit("#/setup/quick");
  await page.locator("[data-path=answers]").waitFor();
  const field = (path) => page.locator(`[data-path="${path}"]`).locator("input, select").first();
  const config = async () => {
    await page.getByTestId("mode-json").click();
    const text = await page.getByTestId("config-text").inputValue();
    await page.getByTestId("mode-form").click();
    await field("agents.0.kind").waitFor();
    return JSON.parse(text);
  };
  assert.equal(await field("answers").inputValue(), "structured");
  await field("agents.0.kind").selectOption("model");
  assert.equal("answers" in (await config()), false);
  await field("answers").selectOption("free");
  await field("agents.1.kind").selectOption("model");
  assert.equal((await config()).answers, "free");
  await field("answers").selectOption("structured");
  assert.equal("answers" in (await config()), false);
  assert.deepEqual(problems, []);
  await context.close();
});
