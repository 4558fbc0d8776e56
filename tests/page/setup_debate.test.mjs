// Debates and discussions set up by the form alone, and run: what is chosen there is what the record has. The table of a
// discussion changes while it goes on; a person judges.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { asOwner, assertAskedOnce, openPage, pace, runIs, sessionId, stored, view } from "../support/page.mjs";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

const events = (entries, type) => entries.map(({ what }) => what.event).filter((event) => event?.type === type);
const row = (page, path) => page.locator(`[data-path="${path}"]`);
const field = (page, path) => row(page, path).locator("input, select, textarea").first();
const open = (page, group) => page.locator(`[data-group=${group}] > summary`).click();
const sound = (page) => page.getByTestId("faults").locator(".good").waitFor();
const choose = async (page, protocol) => {
  await page.getByTestId(`protocol-${protocol}`).check();
  await page.locator(`[data-group=${{ justice: "experiment", discussion: "topic", debate: "question" }[protocol]}]`).waitFor();
};

test("a debate by the form alone, from the first screen, in Spanish, to its end", async () => {
  const { page, context, problems } = await lab.visit("#/", { locale: "es-ES" });
  await page.getByTestId("open-setup").click();
  await choose(page, "debate");
  await sound(page);
  assert.equal(await field(page, "language").inputValue(), "Spanish");
  assert.deepEqual(await page.locator('[data-path$=".name"] input').evaluateAll((all) => all.map((one) => one.value)), ["Alicia", "Benito", "Clara", "Daniel"]);

  await field(page, "question").fill("");
  await page.getByTestId("faults").locator("li [title=question]").waitFor();
  assert.equal(await field(page, "question").getAttribute("aria-invalid"), "true");
  assert.equal(await page.getByTestId("setup-start").isDisabled(), true);
  await field(page, "question").fill("¿Debe el instituto prohibir los móviles en el recreo?");
  await field(page, "title").fill("Móviles");

  // Material: one text is written, files are added and refused.
  await page.getByTestId("material-write").click();
  await page.keyboard.type("El reglamento de hoy los permite.");
  const file = (name, content) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await page.getByTestId("material-files").setInputFiles([file("encuesta.csv", "curso;a favor\n1;12\n2;30\n"), file("foto.png", "x"), file("largo.txt", "a".repeat(100_001)), file("roto.txt", Buffer.from([0xff, 0xfe, 0x00, 0xd8])), file("nota.md", "# Nota\nUna línea.")]);
  await page.locator("[data-path=context] [role=alert] .fault").nth(2).waitFor();
  assert.deepEqual(await page.locator("[data-path=context] [role=alert] .fault").evaluateAll((all) => all.map((one) => one.textContent.split(/[: ]/)[0])), ["foto.png", "largo.txt", "roto.txt"]);
  assert.equal(await page.getByTestId("material").count(), 3);
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
  assert.equal(await rounds.nth(4).locator(".up").evaluate((node) => node === document.activeElement), true, "the focus stays on what is moved");
  assert.equal(await row(page, "topology_hub_agent").isVisible(), false);
  await field(page, "topology").selectOption("star");
  await field(page, "topology_hub_agent").selectOption("Clara");
  await field(page, "max_extended_rounds").fill("0");
  await open(page, "convergence");
  await field(page, "convergence_detection").uncheck();
  assert.equal(await row(page, "convergence_threshold").isVisible(), false);
  await open(page, "decision");
  // What holds anyway is not written down.
  await field(page, "consensus").selectOption("judge");
  await field(page, "consensus").selectOption("majority");
  await page.locator("[data-path=ratings] label", { hasText: "Nora" }).locator("input").evaluate((node) => (node.closest("details").open = true));
  await page.locator("[data-path=ratings] label", { hasText: "Nora" }).locator("input").fill("1620");
  await open(page, "manner");
  await field(page, "agreement_intensity").fill("2");
  await field(page, "enable_trickster").uncheck();
  assert.equal(await row(page, "trickster_sensitivity").isVisible(), false);
  await sound(page);
  await assertFine(page, "debate-form");

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
  await context.close();
});

test("another protocol takes along what means the same, names what stays behind, and has it again on the way back", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  const told = page.getByTestId("told");
  await choose(page, "debate");
  assert.equal(await told.textContent(), "");
  assert.equal(await field(page, "title").inputValue(), "Four debate a question");
  await choose(page, "justice");
  await field(page, "title").fill("Ours");
  await field(page, "language").selectOption("Mandarin");
  await field(page, "agents.0.name").fill("Zoë");
  await field(page, "agents.1.kind").selectOption("human");
  await open(page, "phase2");
  await field(page, "phase2_rounds").fill("4");
  await choose(page, "discussion");
  assert.match(await told.textContent(), /Taken along: Title, Language, and Participants\..*left behind: Rounds at most\..*“Experiment”/);
  assert.deepEqual(await Promise.all(["title", "language", "agents.0.name", "agents.1.kind"].map((path) => field(page, path).inputValue())), ["Ours", "Mandarin", "Zoë", "human"]);
  assert.equal(await field(page, "agents.1.role").inputValue(), "user");
  await field(page, "topic").fill("What is fair?");
  await choose(page, "debate");
  assert.match(await told.textContent(), /Taken along: .*Topic/);
  assert.equal(await field(page, "question").inputValue(), "What is fair?");
  assert.equal(await field(page, "agents.0.name").inputValue(), "Zoë");
  await sound(page);
  await choose(page, "justice");
  assert.equal(await field(page, "phase2_rounds").inputValue(), "4");
  await page.getByTestId("mode-json").click();
  const text = page.getByTestId("config-text");
  await text.fill("{");
  await page.getByTestId("protocol-debate").click();
  assert.equal(await page.getByTestId("protocol-justice").isChecked(), true, "what cannot be read is not thrown away");
  await text.fill(JSON.stringify({ protocol: "discussion", agents: [{ name: "A" }, { name: "B", sequence_order: 0 }] }));
  await page.getByTestId("mode-form").click();
  await page.locator("[data-group=topic]").waitFor();
  assert.equal(await page.getByTestId("protocol-discussion").isChecked(), true);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a discussion with a person in the middle by the form; others join, leave and change places while it goes on", async () => {
  const { page, context, problems } = await lab.visit("#/setup/round-table");
  await field(page, "topic").fill("Where should the bench stand?");
  await field(page, "rules").fill("One idea each.\n\n  Be brief. ");
  await open(page, "turns");
  await field(page, "rounds").fill("2");
  await field(page, "agents.2.name").fill("Me");
  await field(page, "agents.2.kind").selectOption("human");
  assert.equal(await field(page, "agents.2.role").inputValue(), "user");
  // One place up: between the two others. The button keeps the focus.
  await page.locator('[data-agent="2"] .up').focus();
  await page.keyboard.press("Enter");
  assert.equal(await field(page, "agents.1.name").inputValue(), "Me");
  assert.equal(await page.locator('[data-agent="1"] .up').evaluate((node) => node === document.activeElement), true);
  await page.locator("[data-path=stop_sequences]").evaluate((node) => (node.closest("details").open = true));
  await field(page, "stop_sequences").fill("STOP\n\\n\\n");
  await sound(page);
  await assertFine(page, "discussion-form");
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
  assert.equal(await dialog.getByTestId("table-apply").isDisabled(), true);
  assert.equal(await field(dialog, "agents.3.name").getAttribute("aria-invalid"), "true");
  await field(dialog, "agents.3.name").fill("Ida");
  await field(dialog, "agents.3.role").selectOption("leader");
  await dialog.locator('[data-agent="2"] .cross').click();
  await dialog.locator('[data-agent="2"] .up').click();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("[data-testid=table-apply]").disabled);
  await assertFine(page, "table");
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
  await context.close();
});

test("an order of speaking that is set apart can be taken over", async () => {
  const { page, context, problems } = await lab.visit("#/setup/round-table");
  await page.getByTestId("mode-json").click();
  await page.getByTestId("config-text").fill(JSON.stringify({ protocol: "discussion", topic: "t", agents: [{ name: "A" }, { name: "B" }], participants: [{ role: "manager", agent: "B", sequence_order: 1 }, { role: "user", agent_id: "Zoe", sequence_order: 0 }, { role: "leader", agent: "A" }] }));
  await page.getByTestId("mode-form").click();
  await page.getByTestId("fold-participants").click();
  assert.deepEqual(await page.locator('[data-path$=".name"] input').evaluateAll((all) => all.map((one) => one.value)), ["Zoe", "B", "A"]);
  await page.getByTestId("mode-json").click();
  const config = JSON.parse(await page.getByTestId("config-text").inputValue());
  assert.deepEqual(config.agents, [{ name: "Zoe", kind: "human", role: "user" }, { name: "B", role: "manager" }, { name: "A", role: "leader" }]);
  assert.equal("participants" in config, false);
  await sound(page);
  assert.deepEqual(problems, []);
  await context.close();
});

/** A debate of two with a person as judge, set up by the form, up to the judgement. */
async function judging(locale, preset = "debate-quick") {
  const opened = await lab.visit(`#/setup/${preset}`, { locale });
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
  for (const locale of ["en-US", "es-ES", "zh-CN"]) {
    const { page, context, problems } = await judging(locale);
    const panel = page.getByTestId("human");
    const each = (at) => panel.locator("[data-field=scores] .each").nth(at);
    assert.equal(await page.getByTestId("judge-table").count(), 0, "whose the proposals are is not told to who judges them");
    await each(0).locator("input[type=range]").fill("4.5");
    await panel.getByTestId("human-send").click();
    await panel.locator(".said .bad").waitFor();
    await each(1).locator("input[type=range]").fill("8");
    // The place that is left goes to the other.
    await panel.locator("[data-field=ranking] .place").nth(1).click();
    assert.deepEqual(await panel.locator("[data-field=ranking] .place .badge").allTextContents(), ["1", "2"]);
    await panel.locator("[data-field=confidence] input").fill("0.8");
    await panel.locator("[data-field=conclusive] input").first().check();
    const wordy = locale !== "zh-CN";
    if (wordy) await each(1).locator("textarea").fill("Clear: and cheap.");
    await panel.locator("[data-field=synthesis] textarea").fill(wordy ? "Both.\nRanking: none of it is a label here." : "两者兼顾。");
    if (locale === "en-US") await assertFine(page, "judge-form");
    await panel.getByTestId("human-send").click();
    await runIs(page, "ended");
    const entries = await stored(page, sessionId(page));
    const [{ evaluation, points, conclusive }] = events(entries, "judged");
    assert.deepEqual(evaluation.scores.map(({ score: given, comment }) => [given, comment]), [[4.5, ""], [8, wordy ? "Clear: and cheap." : ""]]);
    assert.deepEqual([evaluation.missing, evaluation.conclusive, evaluation.confidence, conclusive], [[], true, 0.8, true]);
    assert.equal(evaluation.synthesis, wordy ? "Both.\nRanking: none of it is a label here." : "两者兼顾。");
    assert.deepEqual(evaluation.ranking.map((label) => label.match(/\d/)[0]), ["2", "1"]);
    const [{ order: whose }] = events(entries, "judge_selected");
    assert.deepEqual(points.map(({ proposer, score: given }) => [proposer, given]), [[whose[1], 8], [whose[0], 4.5]]);
    assert.equal(entries.at(-1).what.result.winner, whose[1]);
    assert.deepEqual(problems, []);
    await context.close();
  }
});

test("a critique by its form is read as it was meant, in three languages", async () => {
  for (const [locale, preset] of [["en-US", "debate-quick"], ["es-ES", "debate-quick"], ["zh-CN", "debate-quick"]]) {
    const { page, context, problems } = await lab.visit(`#/setup/${preset}`, { locale });
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
    assert.equal(await panel.locator("[data-field=severity] output").textContent(), "–", "nothing is said of what was not touched");
    await panel.locator("[data-field=severity] input").focus();
    for (let presses = 0; presses < 7; presses += 1) await page.keyboard.press("ArrowRight");
    if (locale === "es-ES") await assertFine(page, "critique-form");
    await panel.getByTestId("human-send").click();
    await page.locator("[data-testid=human][data-kind=critique]").waitFor({ state: "detached" });
    const id = sessionId(page);
    await asOwner(page);
    await page.getByTestId("stop").click();
    await runIs(page, "stopped");
    await view(page, "#/library", "session");
    const { seats } = { seats: (await stored(page, id))[0].what.config.agents };
    const { critique } = events(await stored(page, id), "criticised").find(({ seat }) => seat === seats[0].name);
    assert.deepEqual([critique.issues, critique.suggestions, critique.severity], [["too dear", "Severity: of the cold"], ["begin small"], 7]);
    assert.deepEqual(problems, []);
    await context.close();
  }
});

test("sources and ratings by the form: what they hold besides stays", async () => {
  const { page, context, problems } = await lab.visit("#/setup/debate");
  await page.locator("[data-path=sources]").waitFor();
  assert.equal(await page.getByTestId("source-knowledge").isChecked(), true, "looked into unless said otherwise");
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
  await context.close();
});

test("by keyboard alone: the choice of what they do, a question, and Start", async () => {
  const { page, context, problems } = await lab.visit("#/setup");
  const focused = () => page.evaluate(() => document.activeElement.dataset.testid ?? document.activeElement.closest("[data-path]")?.dataset.path ?? null);
  const tabTo = async (wanted) => {
    for (let presses = 0; presses < 120 && (await focused()) !== wanted; presses += 1) await page.keyboard.press("Tab");
    assert.equal(await focused(), wanted);
  };
  await tabTo("protocol-justice");
  await page.keyboard.press("ArrowRight");
  await page.locator("[data-group=topic]").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator("[data-group=question]").waitFor();
  assert.equal(await focused(), "protocol-debate");
  await tabTo("question");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Tea or coffee?");
  await page.locator("[data-group]").last().scrollIntoViewIfNeeded();
  await sound(page);
  await tabTo("setup-start");
  assert.equal(await page.getByTestId("setup-start").evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }), true, "Start is in sight");
  await page.keyboard.press("Enter");
  await runIs(page, "running");
  assert.equal(await page.getByTestId("question").textContent(), "Tea or coffee?");
  assert.equal(await page.locator("h1").textContent(), "Tea or coffee?", "and not what the preset is called");
  assert.deepEqual(problems, []);
  await context.close();
});

test("what happens with the result is set by the form, and read back from the text", async () => {
  const { page, context, problems } = await lab.visit("#/setup/debate");
  await open(page, "after");
  await page.getByTestId("after-broadcast").check();
  await page.getByTestId("after-webhook").fill("http://127.0.0.1:9/in");
  await page.getByTestId("after-when").selectOption("with");
  await page.getByTestId("after-sure").fill("80");
  await assertFine(page, "setup-after");
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
  assert.equal(await page.getByTestId("after-download").isChecked(), true);
  assert.deepEqual([await page.getByTestId("after-broadcast").isChecked(), await page.getByTestId("after-when").inputValue()], [false, "always"]);
  await page.getByTestId("after-download").uncheck();
  await page.getByTestId("mode-json").click();
  assert.deepEqual(JSON.parse(await text.inputValue()).after, [{ do: "embed", origin: "https://school.example" }]);
  assert.deepEqual(problems, []);
  await context.close();
});
