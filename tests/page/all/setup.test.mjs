// Setting up a run by form and by text: what is chosen there is what the record has, and what is wrong is told in its place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/eventually.mjs";
import { asOwner, assertAskedOnce, events, pace, runIs, sessionId, small, stored, usePage, view } from "../../support/page.mjs";
import { faults, fixture, load, mode, text, writeConfig } from "../../support/setup.mjs";

const lab = usePage();

test("what is endless or far too large is refused with a sentence", async () => {
  const { page, problems } = await lab.visit("#/setup");
  const said = page.locator(".setup .said");
  for (const [name, content, sentence] of [
    ["self.yaml", fixture("self.yaml"), "contains itself"],
    ["bomb.yaml", fixture("bomb.yaml"), "alias"],
    ["seats.yaml", `agents:\n${"- name: a\n  personality: p\n".repeat(60_000)}`, "too large"],
    ["seats.json", JSON.stringify({ agents: Array(60_000).fill({ name: "a", personality: "p" }) }), "too large"],
  ]) {
    await load(page, name, content);
    await said.filter({ hasText: new RegExp(sentence) }).filter({ hasText: name }).waitFor();
    await eventually.equal(() => faults(page).locator(".good").count(), 0, "nothing beside it says that there are no faults");
  }
  // Fewer values than can be worked with, more seats than there can be.
  await load(page, "many.json", JSON.stringify({ agents: Array(20_000).fill({ name: "a" }) }));
  await faults(page).getByText("20000").waitFor();
  await eventually.equal(() => page.getByTestId("setup-start").isDisabled(), true);
  await eventually.equal(() => page.locator(".agent").count(), 200);
  assert.deepEqual(problems, []);
});

test("so many runs are begun as the button says, and no more than can be", async () => {
  const { page } = await lab.visit("#/setup/quick");
  const [often, start] = [page.getByTestId("repeat"), page.getByTestId("setup-start")];
  for (const wrong of ["1000000", "-3", "0", "1.5", ""]) {
    await often.fill("200");
    await start.getByText("Start 200 runs").waitFor();
    await faults(page).locator(".good").waitFor();
    await eventually.equal(() => page.locator("#repeat-fault").textContent(), "");
    await often.fill(wrong);
    await page.locator("#repeat-fault").getByText("Enter a whole number from 1 to 200.").waitFor();
    await eventually.deepEqual(async () => [await often.getAttribute("aria-invalid"), await start.isDisabled(), await faults(page).locator(".good").isVisible()], ["true", true, false], wrong);
  }
});

test("YAML's mappings that take in others are read; numbers that are none are refused", async () => {
  const { page } = await lab.visit("#/setup");
  await mode(page, "yaml");
  await writeConfig(page, "agents:\n- &first { name: Ada, personality: p }\n- { <<: *first, name: Bo }\n");
  await faults(page).locator(".good").waitFor();
  await text(page).fill("seed: .inf\nagents:\n- { name: Ada, personality: p }\n- { name: Bo, personality: q }\n");
  await faults(page).getByText("Infinity is not a number").waitFor();
  await eventually.equal(() => page.getByTestId("setup-start").isDisabled(), true);
});

test("what cannot be read is told in the page's language, with its place; the parser's words are for who wants them", async () => {
  const { page } = await lab.visit("#/setup", { locale: "es-ES" });
  for (const [format, content, sentence, words] of [
    ["yaml", "agents: [", "Falta o sobra un corchete o una llave. Línea 1, columna 10.", "Flow sequence in block collection"],
    ["yaml", "title: 'Té\n", "Falta una comilla de cierre. Línea 2, columna 1.", "Missing closing 'quote"],
    ["yaml", "agents:\n\t- name: A\n", "Una línea empieza con un tabulador: use espacios para la sangría. Línea 2, columna 1.", "Tabs are not allowed"],
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
    await eventually.equal(() => details.count(), words ? 1 : 0);
    // The tab that is open already leaves the text as it is.
    await page.getByTestId(`mode-${format}`).click();
    await eventually.equal(() => text(page).inputValue(), content);
    if (words) {
      await eventually.equal(() => details.locator("[lang=en]").isVisible(), false);
      await details.locator("summary").click();
      await details.getByText(words).waitFor();
    }
    await text(page).fill(format === "yaml" ? "seed: 1" : "{}");
  }
});

test("a model without a key is no fault, but nothing that is ready; a halt says that none was entered", async () => {
  const { page, problems } = await lab.visit("#/setup");
  await mode(page, "json");
  const model = { kind: "model", provider: "mistral", model: "mistral-small-latest" };
  await writeConfig(page, JSON.stringify(small({ agents: [{ name: "Ada", personality: "x", ...model }, { name: "Bo", personality: "y" }] })));
  await page.getByTestId("keyless").getByText("No key for Mistral yet: enter it so that these models can answer.").waitFor();
  await eventually.equal(() => faults(page).locator(".good").count(), 0);
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
  assert.deepEqual(problems, []);
});

test("what is no plain data is a fault, and never beside “No faults”", async () => {
  const { page } = await lab.visit("#/setup");
  await mode(page, "yaml");
  await writeConfig(page, fixture("self.yaml"));
  await faults(page).locator(".bad").waitFor();
  await eventually.equal(() => faults(page).locator(".good").count(), 0);
});

test("faults are told in the page's language, under the form's labels", async () => {
  const { page } = await lab.visit("#/setup", { locale: "es-ES" });
  await mode(page, "json");
  await writeConfig(page, JSON.stringify(small({ phase2_rounds: 0, agents: [{ name: "Ada", personality: "x", temperature: 3 }, { name: "Bo", personality: "y" }] })));
  await faults(page).locator(".bad").waitFor();
  await eventually.deepEqual(() => faults(page).locator("li").allTextContents(), ["Ada · Temperatura: es 3; debe ser un número de 0 a 2", "Rondas como máximo: es 0; debe ser un número entero de 1 a 1000"]);
});

test("an own configuration runs as it was written", async () => {
  const { page, problems } = await lab.visit("#/setup");
  await mode(page, "json");
  await writeConfig(page, JSON.stringify(small({ seed: 42 })));
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
  await eventually.equal(() => page.locator(".run-people .person").count(), 3);
  // The configuration is still there for the next run.
  await view(page, "#/setup", "setup-start");
  await eventually.equal(() => page.locator('[data-path="agents.2.name"] input').inputValue(), "Cy");
  assert.deepEqual(problems, []);
});

test("a published configuration loads from its YAML, and tells which keys it needs", async () => {
  const { page, problems } = await lab.visit("#/setup");
  await load(page, "published.yaml", fixture("published.yaml"));
  await page.waitForFunction(() => document.querySelector('[data-path="agents.0.name"] input')?.value === "Agent_1");
  await page.getByTestId("keyless").getByText(/No key for .*Google Gemini.*OpenAI.* yet/).waitFor();
  await eventually.equal(() => page.locator('[data-path="agents.0.kind"] select').inputValue(), "model");
  await eventually.equal(() => page.locator('[data-path="agents.1.model"] input').inputValue(), "gpt-4.1-mini");
  const wanted = page.locator(".key label");
  await eventually.equal(() => wanted.count(), 2);
  await eventually.match(async () => (await wanted.allTextContents()).join(), /Google Gemini.*OpenAI/);
  assert.deepEqual(problems, []);
});

test("a file in UTF-16 is read, one in another encoding refused with its name", async () => {
  const { page, problems } = await lab.visit("#/setup");
  const config = (name) => `protocol: discussion\ntopic: ¿Pan?\nagents:\n  - name: ${name}\n  - name: Ben\n`;
  const name = () => page.locator('[data-path="agents.0.name"] input').inputValue();
  const big = (text) => Buffer.from(text, "utf16le").swap16();
  for (const [bytes, expected] of [[Buffer.from(`\ufeff${config("Ramón")}`, "utf16le"), "Ramón"], [Buffer.from(config("一平"), "utf16le"), "一平"], [big(config("Zoë")), "Zoë"], [Buffer.from(`\ufeff${config("Begoña")}`), "Begoña"]]) {
    await load(page, "config.yaml", bytes);
    await eventually.equal(name, expected);
  }
  const said = page.locator(".setup .said");
  // 王明 in GBK.
  const gbk = Buffer.concat([Buffer.from("protocol: discussion\ntopic: x\nagents:\n  - name: "), Buffer.from("cdf5c3f7", "hex"), Buffer.from("\n")]);
  for (const [file, bytes, encoding] of [["latin.yaml", Buffer.from(config("Íñigo"), "latin1"), "Windows-1252"], ["gbk.yaml", gbk, "GBK"], ["half.json", Buffer.from([0xff, 0xfe, 0x00, 0xd8]), "UTF-16"]]) {
    await load(page, file, bytes);
    await said.filter({ hasText: file }).filter({ hasText: new RegExp(`UTF-8.*${encoding}`) }).waitFor();
    assert.equal(await name(), "Begoña", "nothing of it is taken");
  }
  assert.deepEqual(problems, []);
});

test("YAML that takes the reader long does not hold the page", async () => {
  const { page, problems } = await lab.visit("#/setup");
  await mode(page, "yaml");
  await text(page).evaluate((node) => {
    node.value = `agents: [${"1,".repeat(900_000)}1]`;
    node.dispatchEvent(new Event("input"));
  });
  await writeConfig(page, "protocol: discussion\ntopic: Short\nagents: [{ name: Ana }, { name: Ben }]\n");
  await mode(page, "json");
  await eventually.equal(async () => JSON.parse(await text(page).inputValue()).topic, "Short");
  assert.deepEqual(problems, []);
});

test("a preset runs under a seed of its own, which is shown, and as often as one likes", async () => {
  const { page, problems } = await lab.visit("#/setup/quick");
  const seed = async () => Number(await page.locator('[data-path="seed"] input').inputValue());
  await page.locator('[data-path="seed"] input').waitFor();
  const first = await seed();
  const preset = await page.evaluate(() => import("./engine.js").then(({ presets }) => presets().find(({ id }) => id === "quick").config.seed));
  assert.notEqual(first, preset);
  await page.getByTestId("repeat").fill("3");
  await eventually.equal(async () => (await page.getByTestId("setup-start").textContent()).trim(), "Start 3 runs");
  await page.getByTestId("setup-start").click();
  await page.getByText("All 3 runs have ended.").waitFor();
  const made = await page.evaluate(() => import("./engine.js").then(({ Library }) => Library.list()));
  const seeds = made.map((one) => one.seed);
  assert.equal(new Set(seeds).size, 3, seeds.join());
  const file = await page.evaluate(() => import("./engine.js").then(({ study }) => Object.keys(localStorage).filter((key) => key.startsWith("quorate.study.")).map((key) => JSON.parse(localStorage[key]).file).map((one) => [one.seed, study.plan(one).runs.map(({ config }) => config.seed)])));
  assert.deepEqual(file.map(([seed, planned]) => [seed, planned.sort()]), [[first, seeds.sort()]]);
  assert.equal(new Set(made.map((one) => one.config_hash)).size, 1);
  await view(page, "#/setup", "setup-start");
  await eventually.ok(async () => (await seed()) !== first, "the next one is fresh");
  await page.locator('[data-path="seed"] input').fill("77");
  await page.getByTestId("repeat").fill("1");
  await page.getByTestId("setup-start").click();
  await page.waitForURL(/#\/run\//);
  await view(page, "#/setup", "setup-start");
  await eventually.equal(seed, 77, "who typed a seed keeps it");
  assert.deepEqual(problems, []);
});

test("of a poll the form says what fits a poll", async () => {
  const { page, problems } = await lab.visit("#/setup/forest");
  await page.getByText("Best is a number that few people know").waitFor();
  assert.doesNotMatch(await page.locator("main").textContent(), /good answer|[Ww]ho criticises whom/);
  assert.deepEqual(problems, []);
});

const row = (page, path) => page.locator(`[data-path="${path}"]`);
const field = (page, path) => row(page, path).locator("input, select, textarea").first();
const open = (page, group) => page.locator(`[data-group=${group}] > summary`).click();
const sound = (page) => page.getByTestId("faults").locator(".good").waitFor();
const choose = async (page, protocol) => {
  await page.getByTestId(`protocol-${protocol}`).check();
  await page.locator(`[data-group=${{ justice: "experiment", discussion: "topic", debate: "question" }[protocol]}]`).waitFor();
};

test("a debate by the form alone, from the first screen, in Spanish, to its end", async () => {
  const { page, problems } = await lab.visit("#/", { locale: "es-ES" });
  await page.getByTestId("researchers").click();
  await page.getByTestId("for-setup").click();
  await choose(page, "debate");
  await sound(page);
  await eventually.equal(() => field(page, "language").inputValue(), "Spanish");
  await eventually.deepEqual(() => page.locator('[data-path$=".name"] input').evaluateAll((all) => all.map((one) => one.value)), ["Alicia", "Benito", "Clara", "Daniel"]);

  await field(page, "question").fill("");
  await page.getByTestId("faults").locator("li [title=question]").waitFor();
  await eventually.equal(() => field(page, "question").getAttribute("aria-invalid"), "true");
  await eventually.equal(() => page.getByTestId("setup-start").isDisabled(), true);
  await field(page, "question").fill("¿Debe el instituto prohibir los móviles en el recreo?");
  await field(page, "title").fill("Móviles");

  // Material: one text is written, files are added and refused.
  await page.getByTestId("material-write").click();
  await page.keyboard.type("El reglamento de hoy los permite.");
  const file = (name, content) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await page.getByTestId("material-files").setInputFiles([file("encuesta.csv", "curso;a favor\n1;12\n2;30\n"), file("foto.png", "x"), file("largo.txt", "a".repeat(100_001)), file("roto.txt", Buffer.from([0xff, 0xfe, 0x00, 0xd8])), file("nota.md", "# Nota\nUna línea.")]);
  await page.locator("[data-path=context] [role=alert] .fault").nth(2).waitFor();
  await eventually.deepEqual(() => page.locator("[data-path=context] [role=alert] .fault").evaluateAll((all) => all.map((one) => one.textContent.split(/[: ]/)[0])), ["foto.png", "largo.txt", "roto.txt"]);
  await eventually.equal(() => page.getByTestId("material").count(), 3);
  await page.getByTestId("material").nth(2).getByRole("button").click();

  await field(page, "agents.0.name").fill("Álvaro");
  await field(page, "agents.0.stance").selectOption("affirmative");
  await field(page, "agents.1.role").selectOption("critic");
  await page.getByTestId("add-agent").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Nora");
  await field(page, "agents.4.personality").fill("Profesora de guardia.");

  await open(page, "schedule");
  await page.getByTestId("schedule").selectOption("own");
  await page.getByTestId("schedule-add").click();
  const rounds = page.locator("[data-path=schedule] .own-rounds li");
  await rounds.nth(6).locator("select").selectOption("refine");
  // To its place before the votes, by keyboard.
  await rounds.nth(6).locator(".up").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await eventually.equal(() => rounds.nth(4).locator(".up").evaluate((node) => node === document.activeElement), true, "the focus stays on what is moved");
  await eventually.equal(() => row(page, "topology_hub_agent").isVisible(), false);
  await field(page, "topology").selectOption("star");
  await field(page, "topology_hub_agent").selectOption("Clara");
  await field(page, "max_extended_rounds").fill("0");
  await open(page, "convergence");
  await field(page, "convergence_detection").uncheck();
  await eventually.equal(() => row(page, "convergence_threshold").isVisible(), false);
  await open(page, "decision");
  // What holds anyway is not written down.
  await field(page, "consensus").selectOption("judge");
  await field(page, "consensus").selectOption("majority");
  await page.locator("[data-path=ratings] label", { hasText: "Nora" }).locator("input").evaluate((node) => (node.closest("details").open = true));
  await page.locator("[data-path=ratings] label", { hasText: "Nora" }).locator("input").fill("1620");
  await open(page, "manner");
  await field(page, "agreement_intensity").fill("2");
  await field(page, "enable_trickster").uncheck();
  await eventually.equal(() => row(page, "trickster_sensitivity").isVisible(), false);
  await sound(page);

  await page.getByTestId("setup-start").click();
  await pace(page, "instant");
  await runIs(page, "ended");
  const entries = await stored(page, sessionId(page));
  assertAskedOnce(entries);
  const { agents, seed, ...config } = entries[0].what.config;
  assert.ok(Number.isInteger(seed) && seed !== 8, "the preset's seed is not taken");
  assert.deepEqual(config, {
    title: "Móviles", protocol: "debate", language: "Spanish", question: "¿Debe el instituto prohibir los móviles en el recreo?",
    context: [{ text: "El reglamento de hoy los permite." }, { title: "encuesta.csv", text: "curso;a favor\n1;12\n2;30\n" }],
    schedule: ["context", "propose", "critique", "revise", "refine", "vote", "judge"].map((kind) => ({ kind })),
    topology: "star", topology_hub_agent: "Clara", max_extended_rounds: 0, convergence_detection: false, ratings: { Nora: 1620 },
    agreement_intensity: 2, enable_trickster: false,
  });
  assert.deepEqual(agents.map(({ name, role, stance }) => [name, role, stance]), [["Álvaro", undefined, "affirmative"], ["Benito", "critic", undefined], ["Clara", undefined, undefined], ["Daniel", "judge", undefined], ["Nora", undefined, undefined]]);
  const handed = events(entries, "gathered")[0].sources.flatMap((source) => source.items ?? [source]);
  assert.deepEqual(handed.map((one) => one.title ?? one), ["", "encuesta.csv"]);
  assert.deepEqual(problems, []);
});

test("another protocol takes along what means the same, names what stays behind, and has it again on the way back", async () => {
  const { page, problems } = await lab.visit("#/setup");
  const told = page.getByTestId("told");
  await choose(page, "debate");
  await eventually.equal(() => told.textContent(), "");
  await eventually.equal(() => field(page, "title").inputValue(), "Four debate a question");
  await choose(page, "justice");
  await field(page, "title").fill("Ours");
  await field(page, "language").selectOption("Mandarin");
  await field(page, "agents.0.name").fill("Zoë");
  await field(page, "agents.1.kind").selectOption("human");
  await open(page, "phase2");
  await field(page, "phase2_rounds").fill("4");
  await choose(page, "discussion");
  await eventually.match(() => told.textContent(), /Kept: Title, Language, and Participants\..*Not used here: Rounds at most\..*“Experiment”/);
  await eventually.deepEqual(() => Promise.all(["title", "language", "agents.0.name", "agents.1.kind"].map((path) => field(page, path).inputValue())), ["Ours", "Mandarin", "Zoë", "human"]);
  await eventually.equal(() => field(page, "agents.1.role").inputValue(), "user");
  await field(page, "topic").fill("What is fair?");
  await choose(page, "debate");
  await eventually.match(() => told.textContent(), /Kept: .*Topic/);
  await eventually.equal(() => field(page, "question").inputValue(), "What is fair?");
  await eventually.equal(() => field(page, "agents.0.name").inputValue(), "Zoë");
  await sound(page);
  await choose(page, "justice");
  await eventually.equal(() => field(page, "phase2_rounds").inputValue(), "4");
  await page.getByTestId("mode-json").click();
  const text = page.getByTestId("config-text");
  await text.fill("{");
  await page.getByTestId("protocol-debate").click();
  await eventually.equal(() => page.getByTestId("protocol-justice").isChecked(), true, "what cannot be read is not thrown away");
  await text.fill(JSON.stringify({ protocol: "discussion", agents: [{ name: "A" }, { name: "B", sequence_order: 0 }] }));
  await page.getByTestId("mode-form").click();
  await page.locator("[data-group=topic]").waitFor();
  await eventually.equal(() => page.getByTestId("protocol-discussion").isChecked(), true);
  assert.deepEqual(problems, []);
});

test("a discussion with a person in the middle by the form; others join, leave and change places while it goes on", async () => {
  const { page, problems } = await lab.visit("#/setup/round-table");
  await field(page, "topic").fill("Where should the bench stand?");
  await field(page, "rules").fill("One idea each.\n\n  Be brief. ");
  await open(page, "turns");
  await field(page, "rounds").fill("2");
  await field(page, "agents.2.name").fill("Me");
  await field(page, "agents.2.kind").selectOption("human");
  await eventually.equal(() => field(page, "agents.2.role").inputValue(), "user");
  // One place up: between the two others. The button keeps the focus.
  await page.locator('[data-agent="2"] .up').focus();
  await page.keyboard.press("Enter");
  await eventually.equal(() => field(page, "agents.1.name").inputValue(), "Me");
  await eventually.equal(() => page.locator('[data-agent="1"] .up').evaluate((node) => node === document.activeElement), true);
  await page.locator("[data-path=stop_sequences]").evaluate((node) => (node.closest("details").open = true));
  await field(page, "stop_sequences").fill("STOP\n\\n\\n");
  await sound(page);
  await page.getByTestId("setup-start").click();
  await pace(page, "instant");
  const panel = page.getByTestId("human").first();
  await panel.waitFor();
  const [head] = await stored(page, sessionId(page));
  const { config } = head.what;
  assert.deepEqual([config.rounds, config.rules, config.stop_sequences], [2, ["One idea each.", "Be brief."], ["STOP", "\n\n"]]);
  assert.deepEqual(config.agents.map(({ name, role }) => [name, role]), [["Mara", "manager"], ["Me", "user"], ["Leon", "leader"]]);

  // Ida joins and goes first; Leon leaves.
  await page.getByTestId("table-change").click();
  const dialog = page.getByTestId("table");
  await dialog.getByTestId("add-agent").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Mara");
  await dialog.getByTestId("table-faults").locator("li").first().waitFor();
  await eventually.equal(() => dialog.getByTestId("table-apply").isDisabled(), true);
  await eventually.equal(() => field(dialog, "agents.3.name").getAttribute("aria-invalid"), "true");
  await field(dialog, "agents.3.name").fill("Ida");
  await field(dialog, "agents.3.role").selectOption("leader");
  await dialog.locator('[data-agent="2"] .cross').click();
  await dialog.locator('[data-agent="2"] .up').click();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("[data-testid=table-apply]").disabled);
  await dialog.getByTestId("table-apply").click();
  await dialog.waitFor({ state: "detached" });
  await page.locator(".run-people .person", { hasText: "Ida" }).waitFor();
  for (;;) {
    await page.locator("[data-testid=human], [data-testid=state][data-state=ended]").first().waitFor();
    if (await page.locator("[data-testid=state][data-state=ended]").count()) break;
    const ask = await panel.getAttribute("data-ask");
    await panel.getByTestId("human-answer").fill("By the tree.");
    await panel.getByTestId("human-send").click();
    await page.locator(`[data-testid=human][data-ask="${ask}"]`).waitFor({ state: "detached" });
  }
  const entries = await stored(page, sessionId(page));
  assertAskedOnce(entries);
  assert.deepEqual(events(entries, "seated").map(({ order }) => order.map(({ name }) => name)), [["Mara", "Me", "Leon"], ["Ida", "Mara", "Me"]]);
  assert.ok(events(entries, "said").some(({ speaker, round }) => speaker === "Ida" && round === 2));
  assert.ok(events(entries, "said").every(({ speaker }) => speaker !== "Leon"));
  assert.deepEqual(problems, []);
});

test("an order of speaking that is set apart can be taken over", async () => {
  const { page, problems } = await lab.visit("#/setup/round-table");
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify({ protocol: "discussion", topic: "t", agents: [{ name: "A" }, { name: "B" }], participants: [{ role: "manager", agent: "B", sequence_order: 1 }, { role: "user", agent_id: "Zoe", sequence_order: 0 }, { role: "leader", agent: "A" }] }));
  await page.getByTestId("mode-form").click();
  await page.getByTestId("fold-participants").click();
  await eventually.deepEqual(() => page.locator('[data-path$=".name"] input').evaluateAll((all) => all.map((one) => one.value)), ["Zoe", "B", "A"]);
  await page.getByTestId("mode-json").click();
  const config = JSON.parse(await page.getByTestId("config-text").inputValue());
  assert.deepEqual(config.agents, [{ name: "Zoe", kind: "human", role: "user" }, { name: "B", role: "manager" }, { name: "A", role: "leader" }]);
  assert.equal("participants" in config, false);
  await sound(page);
  assert.deepEqual(problems, []);
});

/** A debate of two with a person as judge, set up by the form, up to the judgement. */
async function judging() {
  const opened = await lab.visit("#/setup/debate-quick");
  const { page } = opened;
  await field(page, "agents.2.kind").selectOption("human");
  await open(page, "schedule");
  await field(page, "max_extended_rounds").fill("0");
  await open(page, "decision");
  await field(page, "consensus").selectOption("judge");
  await sound(page);
  await page.getByTestId("setup-start").click();
  await pace(page, "instant");
  await page.locator("[data-testid=human][data-kind=judgement]").waitFor();
  return opened;
}

test("a person judges: points, words, order and synthesis are in the result", async () => {
  const { page, problems } = await judging();
  const panel = page.getByTestId("human");
  const each = (at) => panel.locator("[data-field=scores] .each").nth(at);
  await eventually.equal(() => page.getByTestId("judge-table").count(), 0, "whose the proposals are is not told to who judges them");
  await each(0).locator("input[type=range]").fill("4.5");
  await panel.getByTestId("human-send").click();
  await panel.locator(".said .bad").waitFor();
  await each(1).locator("input[type=range]").fill("8");
  // The place that is left goes to the other.
  await panel.locator("[data-field=ranking] .place").nth(1).click();
  await eventually.deepEqual(() => panel.locator("[data-field=ranking] .place .badge").allTextContents(), ["1", "2"]);
  await panel.locator("[data-field=confidence] input").fill("0.8");
  await panel.locator("[data-field=conclusive] input").first().check();
  await each(1).locator("textarea").fill("Clear: and cheap.");
  await panel.locator("[data-field=synthesis] textarea").fill("Both.\nRanking: none of it is a label here.");
  await panel.getByTestId("human-send").click();
  await runIs(page, "ended");
  const entries = await stored(page, sessionId(page));
  const [{ evaluation, points, conclusive }] = events(entries, "judged");
  assert.deepEqual(evaluation.scores.map(({ score: given, comment }) => [given, comment]), [[4.5, ""], [8, "Clear: and cheap."]]);
  assert.deepEqual([evaluation.missing, evaluation.conclusive, evaluation.confidence, conclusive], [[], true, 0.8, true]);
  assert.equal(evaluation.synthesis, "Both.\nRanking: none of it is a label here.");
  assert.deepEqual(evaluation.ranking.map((label) => label.match(/\d/)[0]), ["2", "1"]);
  const [{ order: whose }] = events(entries, "judge_selected");
  assert.deepEqual(points.map(({ proposer, score: given }) => [proposer, given]), [[whose[1], 8], [whose[0], 4.5]]);
  assert.equal(entries.at(-1).what.result.winner, whose[1]);
  assert.deepEqual(problems, []);
});

test("a critique by its form is read as it was meant", async () => {
  const { page, problems } = await lab.visit("#/setup/debate-quick", { locale: "es-ES" });
  await field(page, "agents.0.kind").selectOption("human");
  await page.getByTestId("setup-start").click();
  await pace(page, "instant");
  const panel = page.getByTestId("human").first();
  await page.locator("[data-testid=human][data-kind=proposal]").waitFor();
  await panel.getByTestId("human-answer").fill("1. X. 2. Y.");
  await panel.getByTestId("human-send").click();
  await page.locator("[data-testid=human][data-kind=critique]").waitFor();
  await panel.getByTestId("human-issues").fill("- too dear\nSeverity: of the cold");
  await panel.getByTestId("human-suggestions").fill("begin small");
  await eventually.equal(() => panel.locator("[data-field=severity] output").textContent(), "–", "nothing is said of what was not touched");
  await panel.locator("[data-field=severity] input").focus();
  for (let presses = 0; presses < 7; presses += 1) await page.keyboard.press("ArrowRight");
  await panel.getByTestId("human-send").click();
  await page.locator("[data-testid=human][data-kind=critique]").waitFor({ state: "detached" });
  const id = sessionId(page);
  await asOwner(page);
  await page.getByTestId("stop").click();
  await runIs(page, "stopped");
  await view(page, "#/library", "session");
  const [seat] = (await stored(page, id))[0].what.config.agents;
  const { critique } = events(await stored(page, id), "criticised").find((event) => event.seat === seat.name);
  assert.deepEqual([critique.issues, critique.suggestions, critique.severity], [["too dear", "Severity: of the cold"], ["begin small"], 7]);
  assert.deepEqual(problems, []);
});

test("sources and ratings by the form: what they hold besides stays", async () => {
  const { page, problems } = await lab.visit("#/setup/debate");
  await page.locator("[data-path=sources]").waitFor();
  await eventually.equal(() => page.getByTestId("source-knowledge").isChecked(), true, "looked into unless said otherwise");
  await page.getByTestId("source-debates").uncheck();
  await page.getByTestId("source-feeds").fill("https://example.org/a.xml\n https://example.org/b.xml \n");
  await page.getByTestId("mode-json").click();
  const config = async () => JSON.parse(await page.getByTestId("config-text").inputValue());
  assert.deepEqual((await config()).sources, [{ kind: "knowledge" }, { kind: "feed", url: "https://example.org/a.xml" }, { kind: "feed", url: "https://example.org/b.xml" }]);
  await page.getByTestId("config-text").fill(JSON.stringify({ ...(await config()), sources: [{ kind: "knowledge", limit: 3 }, { kind: "program" }], ratings: { Ben: { elo: 1400, debates: 4 } } }));
  await page.getByTestId("mode-form").click();
  await page.getByTestId("source-debates").check();
  await page.locator("[data-path=ratings]").evaluate((node) => node.closest("[data-group]").querySelectorAll("details").forEach((one) => (one.open = true)) ?? (node.closest("[data-group]").open = true));
  await page.locator("[data-path=ratings] label", { hasText: "Ben" }).locator("input").fill("1510");
  await page.getByTestId("mode-json").click();
  assert.deepEqual((await config()).ratings, { Ben: { elo: 1510, debates: 4 } }, "what a rating holds besides stays");
  assert.deepEqual((await config()).sources, [{ kind: "debates" }, { kind: "knowledge", limit: 3 }, { kind: "program" }]);
  assert.deepEqual(problems, []);
});

test("by keyboard alone: the choice of what they do, a question, and Start", async () => {
  const { page, problems } = await lab.visit("#/setup");
  const focused = () => page.evaluate(() => document.activeElement.dataset.testid ?? document.activeElement.closest("[data-path]")?.dataset.path ?? null);
  const tabTo = async (wanted) => {
    for (let presses = 0; presses < 120 && (await focused()) !== wanted; presses += 1) await page.keyboard.press("Tab");
    await eventually.equal(focused, wanted);
  };
  await tabTo("protocol-justice");
  await page.keyboard.press("ArrowRight");
  await page.locator("[data-group=topic]").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator("[data-group=question]").waitFor();
  await eventually.equal(focused, "protocol-debate");
  await tabTo("question");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Tea or coffee?");
  await page.locator("[data-group]").last().scrollIntoViewIfNeeded();
  await sound(page);
  await tabTo("setup-start");
  await eventually.equal(() => page.getByTestId("setup-start").evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }), true, "Start is in sight");
  await page.keyboard.press("Enter");
  await runIs(page, "running");
  await eventually.equal(() => page.getByTestId("question").textContent(), "Tea or coffee?");
  await eventually.equal(() => page.locator("h1").textContent(), "Tea or coffee?", "and not what the preset is called");
  assert.deepEqual(problems, []);
});

test("what happens with the result is set by the form, and read back from the text", async () => {
  const { page, problems } = await lab.visit("#/setup/debate");
  await open(page, "after");
  await page.getByTestId("after-broadcast").check();
  await page.getByTestId("after-webhook").fill("http://127.0.0.1:9/in");
  await page.getByTestId("after-when").selectOption("with");
  await page.getByTestId("after-sure").fill("80");
  await page.getByTestId("mode-json").click();
  const text = page.getByTestId("config-text");
  const when = { consensus: true, min_confidence: 0.8 };
  const { after: rules, ...rest } = JSON.parse(await text.inputValue());
  assert.deepEqual(rules, [{ do: "broadcast", when }, { do: "webhook", url: "http://127.0.0.1:9/in", when }]);
  await sound(page);
  // What the form does not show stays.
  await text.fill(JSON.stringify({ ...rest, after: [{ do: "embed", origin: "https://school.example" }, { do: "download" }] }));
  await page.getByTestId("mode-form").click();
  await open(page, "after");
  await eventually.equal(() => page.getByTestId("after-download").isChecked(), true);
  await eventually.deepEqual(async () => [await page.getByTestId("after-broadcast").isChecked(), await page.getByTestId("after-when").inputValue()], [false, "always"]);
  await page.getByTestId("after-download").uncheck();
  await page.getByTestId("mode-json").click();
  await eventually.deepEqual(async () => JSON.parse(await text.inputValue()).after, [{ do: "embed", origin: "https://school.example" }]);
  assert.deepEqual(problems, []);
});
