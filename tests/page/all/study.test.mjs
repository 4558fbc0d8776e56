// A study in the page: from its file to an archive that verifies, whatever happens on the way.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertFine } from "../../support/access.mjs";
import { eventually } from "../../support/eventually.mjs";
import { built } from "../../support/package.mjs";
import { ready, small, usePage, view } from "../../support/page.mjs";
import { startProviders } from "../../support/providers.mjs";

const lab = usePage();
let server;
let root;
/** What the server does while it answers. */
let during = () => {};
before(async () => {
  root = mkdtempSync(join(tmpdir(), "quorate-page-study-"));
  server = await startProviders({ answer: async () => {
    await during();
    return "OK. I think that it is 7.";
  } });
});
after(async () => {
  await server?.close();
  rmSync(root, { recursive: true, force: true });
});

const scripted = (changes = {}) => {
  const { title, seed, ...base } = small();
  return { study: 1, id: "strict", title: "Two rules", base, n: 15, seed: 7, seeds: "paired",
    factors: { rule: { strict: { "phase2_settings.strict": true }, tolerant: { "phase2_settings.strict": false } } }, ...changes };
};
/** A poll of models at the test's server. */
const poll = (tag, changes = {}) => ({ study: 1, id: tag, n: 4, seed: 7, base: {
  protocol: "delphi", language: "English", question: "How many?", rounds: 2, answers: "free", limits: { max_calls: 12 },
  agents: ["Ada", "Bo"].map((name) => ({ name, personality: "A person.", kind: "model", provider: "openai", model: "m-1", base_url: server.base("openai", tag) })),
}, ...changes });

const load = (page, file) => page.getByTestId("study-file").setInputFiles({ name: `${file.id}.json`, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file)) });
/** Without those of the server, whose answers are not read to the last byte. */
const wrong = (problems) => problems.filter((one) => !one.includes(server.origin));
const cells = (page) => page.getByTestId("study-cells").locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

test("a study of 2 × 15 goes on after a reload, and what leaves is verified", async () => {
  const { page, problems } = await lab.visit("#/study");
  await load(page, scripted());
  await page.getByTestId("study-go").click();
  await page.waitForFunction(() => Number(document.querySelector("[data-testid=study-state]")?.textContent.match(/^\d+/)?.[0]) >= 5);
  await page.reload();
  await ready(page);
  await page.getByText("All 30 runs have ended.").waitFor({ timeout: 120_000 });
  assert.deepEqual(await cells(page), [["strict", "15 of 15", "0", "0", "0"], ["tolerant", "15 of 15", "0", "0", "0"]]);
  await page.getByTestId("study-outcomes").getByText("consensus_reached").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("study-bundle").click()]);
  assert.equal(download.suggestedFilename(), "strict.zip");
  const archive = join(root, "strict.zip");
  await download.saveAs(archive);
  const { status, stdout } = spawnSync(process.execPath, [built("cli.js"), "verify", archive], { encoding: "utf8" });
  assert.deepEqual([status, stdout.trim()], [0, "verified: 30 records, their tables and the plan"]);
  await assertFine(page, "study");

  // Its runs are in the library where they are sought, and deleted with it.
  await view(page, "#/library", "kept-study");
  assert.equal(await page.locator("[data-testid=session]:visible").count(), 0);
  await page.getByTestId("library-find").fill("strict.0003");
  await eventually.equal(() => page.locator("[data-testid=session]:visible").count(), 1);
  await view(page, "#/study/strict", "study-delete");
  await page.getByTestId("study-delete").click();
  await page.getByTestId("confirm").click();
  await page.getByTestId("study-text").waitFor();
  assert.equal(await page.evaluate(async () => (await (await import(new URL("engine.js", document.baseURI).href)).Library.list()).length), 0);
  assert.deepEqual(problems, []);
});

test("a budget halts it, and more of it goes on", async () => {
  const { page, problems } = await lab.visit("#/study");
  await load(page, poll("halted", { budget: { calls: 30 } }));
  await page.getByTestId("study-go").click();
  await page.getByText("The rest of the budget is too little for another run. Raise it to go on.").waitFor();
  const spent = server.requests("halted").length;
  assert.ok(spent > 0 && spent <= 30, String(spent));
  await page.getByTestId("study-calls").fill("100");
  await page.getByTestId("study-go").click();
  await page.getByText("All 4 runs have ended.").waitFor();
  assert.deepEqual(wrong(problems), []);
});

test("a pause holds, through a reload, and nothing is paid for twice", async () => {
  const { page, problems } = await lab.visit("#/study");
  await load(page, poll("pause", { n: 6 }));
  const some = new Promise((resolve) => (during = () => server.requests("pause").length >= 6 && resolve()));
  await page.getByTestId("study-go").click();
  await some;
  await page.getByTestId("study-pause").click();
  await page.getByText("Paused.").waitFor();
  const made = server.requests("pause").length;
  await page.reload();
  await ready(page);
  await page.getByText("Paused.").waitFor();
  assert.equal(server.requests("pause").length, made);
  await page.getByTestId("study-go").click();
  await page.getByText("All 6 runs have ended.").waitFor();
  during = () => {};
  const answered = await page.evaluate(async () => {
    const { Library } = await import(new URL("engine.js", document.baseURI).href);
    const records = await Promise.all((await Library.list()).map(({ id }) => Library.entries(id)));
    return records.flat().filter(({ what }) => what.type === "answered").length;
  });
  assert.equal(server.requests("pause").length, answered);
  assert.deepEqual(wrong(problems), []);
});

test("one tab runs it; another says so, and takes it over when that one is closed", async () => {
  const { page, context } = await lab.visit("#/study");
  let open;
  const held = new Promise((resolve) => (open = resolve));
  during = () => held;
  await load(page, poll("tabs"));
  const other = await lab.secondTab(context, "#/study/tabs");
  await other.page.getByText("Ready.").waitFor();
  // What either changes, both have.
  await other.page.getByTestId("study-n").fill("5");
  await other.page.getByTestId("study-n").blur();
  await page.getByText("0 of 5 runs have ended.").waitFor();
  await page.getByTestId("study-go").click();
  await page.getByText("are running.").waitFor();
  await other.page.getByText("The study is running in another tab.").waitFor();
  // What this tab would change or delete, the other would write over.
  for (const name of ["study-n", "study-calls", "study-delete"]) assert.ok(await other.page.getByTestId(name).isDisabled(), name);
  open();
  during = () => {};
  await page.close();
  await other.page.getByText("All 5 runs have ended.").waitFor();
});

test("faults name cell and setting; other settings under one name are refused once there are runs", async () => {
  const { page, problems } = await lab.visit("#/study");
  await load(page, scripted({ factors: { rounds: { none: { phase2_rounds: 0 }, two: { phase2_rounds: 2 } } } }));
  await page.getByTestId("study-faults").getByText("none: phase2_rounds: ").waitFor();
  await load(page, scripted({ n: 1 }));
  await page.getByTestId("study-go").click();
  await page.getByText("All 2 runs have ended.").waitFor();
  await view(page, "#/study", "study-file");
  await load(page, scripted({ n: 1, seed: 8 }));
  await page.getByTestId("study-message").getByText("“strict” has 2 runs with other settings here, such as strict.").waitFor();
  // More runs are no other settings.
  await load(page, scripted({ n: 2 }));
  await page.getByTestId("study-go").click();
  await page.getByText("All 4 runs have ended.").waitFor();
  assert.deepEqual(problems, []);
});
