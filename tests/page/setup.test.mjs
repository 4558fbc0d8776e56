// Setting up a run: the form, YAML and JSON say the same, faults are shown where they are, published files load.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { made, openPage, pace, runIs, saved, sessionId, small, stored, view } from "../support/page.mjs";
import { parse } from "yaml";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

const text = (page) => page.getByTestId("config-text");
const faults = (page) => page.getByTestId("faults");
const mode = async (page, name) => {
  await page.getByTestId(`mode-${name}`).click();
  await page.locator(`[data-testid=mode-${name}][aria-pressed=true]`).waitFor();
  if (name === "form") await page.locator("[data-group=participants]").waitFor();
  else await text(page).waitFor();
};
const load = (page, name, content) => page.locator("#config-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

test("form, YAML and JSON are one configuration, in every direction", async () => {
  const { page, context, problems } = await lab.visit("#/setup/quick");
  const field = (path) => page.locator(`[data-path="${path}"]`).locator("input, select, textarea").first();
  await field("title").fill("From the form");
  await page.locator("[data-group=phase2] > summary").click();
  await field("phase2_rounds").fill("2");
  await field("phase2_settings.no_consensus").selectOption("group_distribution");
  await mode(page, "yaml");
  const yaml = parse(await text(page).inputValue());
  assert.deepEqual([yaml.title, yaml.phase2_rounds, yaml.phase2_settings.no_consensus, yaml.agents.length], ["From the form", 2, "group_distribution", 3]);

  await text(page).fill((await text(page).inputValue()).replace("From the form", "From YAML – “eins”"));
  await mode(page, "json");
  const json = JSON.parse(await text(page).inputValue());
  assert.deepEqual(json, { ...yaml, title: "From YAML – “eins”" });

  json.agents[1].name = "Zoë";
  delete json.phase2_settings.no_consensus;
  await text(page).fill(JSON.stringify(json));
  await mode(page, "form");
  assert.equal(await field("title").inputValue(), "From YAML – “eins”");
  assert.equal(await field("agents.1.name").inputValue(), "Zoë");
  await page.locator("[data-group=phase2] > summary").click();
  assert.equal(await field("phase2_settings.no_consensus").inputValue(), "individual_distribution");

  const file = await saved(page, () => page.getByTestId("config-save").click());
  assert.match(file.name, /\.yaml$/);
  assert.deepEqual(parse(file.text), json);
  await page.getByTestId("preset").selectOption("quick");
  assert.notEqual(await field("title").inputValue(), "From YAML – “eins”");
  await load(page, file.name, file.text);
  await page.waitForFunction(() => document.querySelector('[data-path="agents.1.name"] input')?.value === "Zoë");
  await mode(page, "json");
  assert.deepEqual(JSON.parse(await text(page).inputValue()), json);
  assert.deepEqual(problems, []);
  await context.close();
});

test("faults are listed with their path, lead to their field, and keep a run from starting", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  const start = page.getByTestId("setup-start");
  const listed = (page) => faults(page).locator("li code").allTextContents();
  await faults(page).locator(".good").waitFor();
  assert.equal(await start.isEnabled(), true);
  await mode(page, "json");
  await text(page).fill(JSON.stringify(small({ phase2_rounds: 0, colour: "red", agents: [{ name: "Ada", personality: "x" }, { name: "Ada", personality: "y" }], phase2_settings: { statement_timeout: 5 } })));
  await faults(page).locator(".bad").waitFor();
  assert.deepEqual((await listed(page)).sort(), ["agents[1].name", "colour", "phase2_rounds", "phase2_settings.statement_timeout"]);
  assert.equal(await start.isDisabled(), true);

  await mode(page, "form");
  await faults(page).getByRole("button", { name: "phase2_settings.statement_timeout" }).click();
  const field = page.locator('[data-path="phase2_settings.statement_timeout"] input');
  assert.equal(await field.evaluate((node) => node === document.activeElement && node.checkVisibility()), true, "the field is open and has the focus");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.match(await page.locator(`#${(await field.getAttribute("aria-describedby")).split(" ").at(-1)}`).textContent(), /10 to 600/);
  await field.fill("30");
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=faults] li").length === 3);
  assert.equal(await field.getAttribute("aria-invalid"), null);

  await mode(page, "yaml");
  await text(page).fill("agents: [");
  await faults(page).locator(".bad").waitFor();
  assert.equal(await start.isDisabled(), true);
  await page.getByTestId("mode-json").click();
  assert.equal(await page.getByTestId("mode-yaml").getAttribute("aria-pressed"), "true", "what cannot be read is not thrown away");
  assert.equal(await text(page).inputValue(), "agents: [");
  await text(page).fill("- just\n- a list\n");
  await page.waitForFunction(() => document.querySelector("[data-testid=faults] .bad"));
  assert.equal(await start.isDisabled(), true);
  await text(page).fill("agents: [{ name: Ada, personality: p }]");
  await page.waitForFunction(() => document.querySelector("[data-testid=faults] li code")?.textContent === "agents");
  assert.equal(await start.isDisabled(), true);
  await load(page, "broken.yaml", "agents: [");
  await page.getByText("broken.yaml could not be").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("what is endless or far too large is refused with a sentence, at once", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  const said = page.locator(".setup .said");
  for (const [name, content, sentence] of [
    ["self.yaml", "agents: &all [{ name: Ada, personality: p, fallback: *all }]", "contains itself"],
    ["bomb.yaml", `a: &a [1, 2]\n${"bcdefghij".split("").map((one, at) => `${one}: &${one} [${Array(9).fill(`*${"abcdefghij"[at]}`)}]`).join("\n")}`, "alias"],
    ["seats.yaml", `agents:\n${"- name: a\n  personality: p\n".repeat(60_000)}`, "too large"],
    ["seats.json", JSON.stringify({ agents: Array(60_000).fill({ name: "a", personality: "p" }) }), "too large"],
  ]) {
    const began = Date.now();
    await load(page, name, content);
    await said.filter({ hasText: new RegExp(sentence) }).filter({ hasText: name }).waitFor();
    assert.ok(Date.now() - began < 5_000, `${name}: ${Date.now() - began} ms`);
  }
  // Fewer values than can be worked with, more seats than there can be.
  await load(page, "many.json", JSON.stringify({ agents: Array(20_000).fill({ name: "a" }) }));
  await faults(page).getByText("20000").waitFor();
  assert.equal(await page.getByTestId("setup-start").isDisabled(), true);
  assert.equal(await page.locator(".agent").count(), 200);
  assert.deepEqual(problems, []);
  await context.close();
});

test("so many runs are begun as the button says, and no more than can be", async () => {
  const { page, context } = await lab.visit("#/setup/quick");
  await page.getByTestId("repeat").fill("1000000");
  await page.getByTestId("setup-start").getByText("200").waitFor();
  await page.getByTestId("repeat").fill("-3");
  await page.getByTestId("setup-start").getByText("Start this run").waitFor();
  await context.close();
});

test("what is written from right to left is laid out so, beside what is not", async () => {
  const { page, context } = await lab.visit();
  const id = await made(page, small({ title: "ما هو العدل؟" }), { run: false });
  await view(page, `#/run/${id}`, "state");
  const [title, text] = await page.locator(".run-title").evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [node.getBoundingClientRect().right, range.getBoundingClientRect().right];
  });
  assert.ok(Math.abs(title - text) < 2, `${title} ${text}`);
  await context.close();
});

test("YAML's mappings that take in others are read; numbers that are none are refused", async () => {
  const { page, context } = await lab.visit("#/setup");
  await mode(page, "yaml");
  await text(page).fill("agents:\n- &first { name: Ada, personality: p }\n- { <<: *first, name: Bo }\n");
  await faults(page).locator(".good").waitFor();
  await text(page).fill("seed: .inf\nagents:\n- { name: Ada, personality: p }\n- { name: Bo, personality: q }\n");
  await faults(page).getByText("Infinity is no number").waitFor();
  assert.equal(await page.getByTestId("setup-start").isDisabled(), true);
  await context.close();
});

test("what is no plain data is a fault, and never beside “No faults”", async () => {
  const { page, context } = await lab.visit("#/setup");
  await mode(page, "yaml");
  await text(page).fill("agents: &all [{ name: Ada, personality: p, fallback: *all }]");
  await faults(page).locator(".bad").waitFor();
  assert.equal(await faults(page).locator(".good").count(), 0);
  await context.close();
});

test("faults are told in the page's language, under the form's labels", async () => {
  const { page, context } = await lab.visit("#/setup", { locale: "es-ES" });
  await mode(page, "json");
  await text(page).fill(JSON.stringify(small({ phase2_rounds: 0, agents: [{ name: "Ada", personality: "x", temperature: 3 }, { name: "Bo", personality: "y" }] })));
  await faults(page).locator(".bad").waitFor();
  const told = await faults(page).locator("li").allTextContents();
  assert.deepEqual(told, ["agents[0].temperature Ada · Temperatura: es 3; debe ser un número de 0 a 2", "phase2_rounds Rondas como máximo: es 0; debe ser un número entero de 1 a 1000"]);
  await context.close();
});

test("an own configuration runs as it was written", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  await mode(page, "json");
  await text(page).fill(JSON.stringify(small({ seed: 42 })));
  await mode(page, "form");
  await page.getByTestId("add-agent").click();
  await page.locator('[data-path="agents.2.name"] input').fill("Cy");
  await page.getByTestId("setup-start").click();
  await pace(page, "instant");
  await runIs(page, "ended");
  const [head] = await stored(page, sessionId(page));
  assert.deepEqual(head.what.config.agents.map(({ name }) => name), ["Ada", "Bo", "Cy"]);
  assert.equal(head.what.seed, 42);
  assert.equal(head.what.config.phase2_rounds, 1);
  assert.equal(await page.locator(".run-people .person").count(), 3);
  // The configuration is still there for the next run.
  await view(page, "#/setup", "setup-start");
  assert.equal(await page.locator('[data-path="agents.2.name"] input').inputValue(), "Cy");
  assert.deepEqual(problems, []);
  await context.close();
});

const PUBLISHED = `
# A configuration as the published program reads it.
language: "English"
agents:
  - name: "Agent_1"
    personality: "You are an American college student."
    model: "google/gemini-2.5-flash"
    temperature: 0
    memory_character_limit: 25000
    reasoning_enabled: true
  - name: "Agent_2"
    personality: "You are an American college student."
    model: "gpt-4.1-mini"
    temperature: 0
    memory_character_limit: 25000
    reasoning_enabled: true
utility_agent_model: "gpt-4.1-mini"
utility_agent_temperature: 0.0
phase2_rounds: 10
distribution_range_phase1: [0.5, 2.0]
distribution_range_phase2: [0.5, 2.0]
original_values_mode:
  enabled: true
income_class_probabilities:
  high: 0.05
  medium_high: 0.10
  medium: 0.50
  medium_low: 0.25
  low: 0.10
`;

test("a published configuration loads from its YAML, and tells which keys it needs", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  await load(page, "published.yaml", PUBLISHED);
  await page.waitForFunction(() => document.querySelector('[data-path="agents.0.name"] input')?.value === "Agent_1");
  await faults(page).locator(".good").waitFor();
  assert.equal(await page.locator('[data-path="agents.0.kind"] select').inputValue(), "model");
  assert.equal(await page.locator('[data-path="agents.1.model"] input').inputValue(), "gpt-4.1-mini");
  const wanted = await page.locator(".key label").allTextContents();
  assert.equal(wanted.length, 2, wanted.join());
  assert.match(wanted.join(), /Google Gemini.*OpenAI/);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a preset runs under a seed of its own, which is shown, and as often as one likes", async () => {
  const { page, context, problems } = await lab.visit("#/setup/quick");
  const seed = async () => Number(await page.locator('[data-path="seed"] input').inputValue());
  const first = await seed();
  const preset = await page.evaluate(() => import("./engine.js").then(({ presets }) => presets().find(({ id }) => id === "quick").config.seed));
  assert.notEqual(first, preset);
  await page.getByTestId("repeat").fill("3");
  assert.equal((await page.getByTestId("setup-start").textContent()).trim(), "Start 3 runs");
  await page.getByTestId("setup-start").click();
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=session] .tag-good").length === 3, null, { timeout: 60_000 });
  const made = await page.evaluate(() => import("./engine.js").then(({ Library }) => Library.list()));
  const seeds = made.map((one) => one.seed);
  assert.ok(seeds.includes(first) && new Set(seeds).size === 3, seeds.join());
  assert.equal(new Set(made.map((one) => one.config_hash)).size, 1);
  await view(page, "#/setup");
  assert.ok(!seeds.includes(await seed()), "the next one is fresh");
  await page.locator('[data-path="seed"] input').fill("77");
  await page.getByTestId("repeat").fill("1");
  await page.getByTestId("setup-start").click();
  await page.waitForURL(/#\/run\//);
  await view(page, "#/setup");
  assert.equal(await seed(), 77, "who typed a seed keeps it");
  assert.deepEqual(problems, []);
  await context.close();
});
