// Setting up a run: the form, YAML and JSON say the same, faults are shown where they are, published files load.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
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

test("faults are listed under the form's labels, lead to their field, and keep a run from starting", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  const start = page.getByTestId("setup-start");
  const listed = (page) => faults(page).locator("li").evaluateAll((all) => all.map((one) => `${one.textContent.split(":")[0]} ${one.firstElementChild.title}`.trim()));
  await faults(page).locator(".good").waitFor();
  assert.equal(await start.isEnabled(), true);
  await mode(page, "json");
  await text(page).fill(JSON.stringify(small({ phase2_rounds: 0, colour: "red", agents: [{ name: "Ada", personality: "x" }, { name: "Ada", personality: "y" }], phase2_settings: { statement_timeout: 5 } })));
  await faults(page).locator(".bad").waitFor();
  assert.deepEqual((await listed(page)).sort(), ["Ada · Name agents[1].name", "Rounds at most phase2_rounds", "Statement phase2_settings.statement_timeout", "colour"]);
  assert.equal(await start.isDisabled(), true);

  await mode(page, "form");
  await faults(page).getByRole("button", { name: "Statement" }).click();
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
  await page.waitForFunction(() => document.querySelector("[data-testid=faults] li b")?.title === "agents");
  assert.equal(await start.isDisabled(), true);
  await load(page, "broken.yaml", "agents: [");
  await page.getByText("broken.yaml could not be read. A bracket is missing, or there is one too many. Line 1, column 10.").waitFor();
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
    assert.equal(await faults(page).locator(".good").count(), 0, "nothing beside it says that there are no faults");
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
  const [often, start] = [page.getByTestId("repeat"), page.getByTestId("setup-start")];
  for (const wrong of ["1000000", "-3", "0", "1.5", ""]) {
    await often.fill("200");
    await start.getByText("Start 200 runs").waitFor();
    assert.equal(await page.locator("#repeat-fault").textContent(), "");
    await often.fill(wrong);
    await page.locator("#repeat-fault").getByText("Enter a whole number from 1 to 200.").waitFor();
    assert.deepEqual([await often.getAttribute("aria-invalid"), await start.isDisabled()], ["true", true], wrong);
  }
  await assertFine(page, "repeat-fault");
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
  await faults(page).getByText("Infinity is not a number").waitFor();
  assert.equal(await page.getByTestId("setup-start").isDisabled(), true);
  await context.close();
});

test("what cannot be read is told in the page's language, with its place; the parser's words are for who wants them", async () => {
  const { page, context } = await lab.visit("#/setup", { locale: "es-ES" });
  for (const [format, content, sentence, words] of [
    ["yaml", "agents: [", "Falta o sobra un corchete o una llave. Línea 1, columna 10.", "Flow sequence in block collection"],
    ["yaml", "title: 'Té\n", "Falta una comilla de cierre. Línea 2, columna 1.", "Missing closing 'quote"],
    ["yaml", "agents:\n\t- name: A\n", "Una línea empieza con un tabulador: usa espacios para la sangría. Línea 2, columna 1.", "Tabs are not allowed"],
    ["yaml", "a: 1\na: 2\n", "Un nombre está repetido. Línea 2, columna 1.", "Map keys must be unique"],
    ["yaml", "title: a: b\n", "Una línea tiene mal la sangría", "Nested mappings"],
    ["yaml", "title: *té*\n", "Un alias (*nombre) no está definido", "Unresolved alias"],
    ["yaml", "title: @té\n", "No es YAML válido.", "reserved character"],
    ["yaml", "- 1\n", "Una lista o un valor suelto no sirve", null],
    ["json", "{\n  \"seed\": 1,\n}", "Línea 3, columna 1.", "JSON"],
  ]) {
    await mode(page, format);
    await text(page).fill(content);
    const line = faults(page).locator("li").filter({ hasText: sentence });
    await line.waitFor();
    const details = line.locator("details");
    assert.equal(await details.count(), words ? 1 : 0);
    // The tab that is open already leaves the text as it is.
    await page.getByTestId(`mode-${format}`).click();
    assert.equal(await text(page).inputValue(), content);
    if (words) {
      assert.equal(await details.locator("[lang=en]").isVisible(), false);
      await details.locator("summary").click();
      await details.getByText(words).waitFor();
      if (content === "agents: [") await assertFine(page, "unread");
    }
    await text(page).fill(format === "yaml" ? "seed: 1" : "{}");
  }
  await context.close();
});

test("a model without a key is no fault, but nothing that is ready; a halt says that none was entered", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  await mode(page, "json");
  const model = { kind: "model", provider: "mistral", model: "mistral-small-latest" };
  await text(page).fill(JSON.stringify(small({ agents: [{ name: "Ada", personality: "x", ...model }, { name: "Bo", personality: "y" }] })));
  await page.getByTestId("keyless").getByText("No errors, but there is no key for Mistral yet: enter it so that these models can answer.").waitFor();
  assert.equal(await faults(page).locator(".good").count(), 0);
  await assertFine(page, "keyless");
  await page.getByTestId("keyless").getByRole("button", { name: "Enter the key" }).click();
  await page.locator("dialog").getByTestId("key").fill("sk-0123456789abcdef");
  await page.locator("dialog .end").getByRole("button", { name: "Close" }).click();
  await faults(page).locator(".good").waitFor();
  await mode(page, "form");
  await page.getByRole("button", { name: "Forget: Key for Mistral" }).click();
  await page.getByTestId("keyless").waitFor();
  await page.getByTestId("setup-start").click();
  await runIs(page, "halted");
  await page.getByTestId("banner").getByText("There is no key for this provider yet. Enter it, then resume.").waitFor();
  await assertFine(page, "keyless-halt");
  assert.deepEqual(problems, []);
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
  assert.deepEqual(told, ["Ada · Temperatura: es 3; debe ser un número de 0 a 2", "Rondas como máximo: es 0; debe ser un número entero de 1 a 1000"]);
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
  await page.getByTestId("keyless").getByText(/no key for .*Google Gemini.*OpenAI.* yet/).waitFor();
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

test("of a poll the form says what fits a poll", async () => {
  const { page, context, problems } = await lab.visit("#/setup/forest");
  await page.getByText("a question whose answer is a number").waitFor();
  assert.doesNotMatch(await page.locator("main").textContent(), /more than one good answer|who criticises whom/);
  assert.deepEqual(problems, []);
  await context.close();
});
