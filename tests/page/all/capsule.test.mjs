// A study as one page: opened from the disk it shows and verifies its runs, and asks nothing of a network.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertFine } from "../../support/access.mjs";
import { openFirefox } from "../../support/browser.mjs";
import { eventually } from "../../support/eventually.mjs";
import { built } from "../../support/package.mjs";
import { saved, usePage } from "../../support/page.mjs";

const lab = usePage();
const HOSTILE = "</script><img src=x onerror=alert(1)><!--";
const STUDY = {
  study: 1, id: "small", title: `Rules ${HOSTILE}`, n: 2, seed: 7,
  base: { protocol: "justice", language: "English", phase2_rounds: 1, agents: ["Ana", "Ben"].map((name) => ({ name, personality: `A student. ${HOSTILE}` })) },
  factors: { rule: { strict: { "phase2_settings.strict": true }, tolerant: { "phase2_settings.strict": false } } },
};
let root;
const quorate = (...args) => spawnSync(process.execPath, [built("cli.js"), ...args], { cwd: root, encoding: "utf8" });
before(() => {
  root = mkdtempSync(join(tmpdir(), "quorate-capsule-"));
  writeFileSync(join(root, "study.json"), JSON.stringify(STUDY));
  assert.equal(quorate("run", "study.json", "--out", "runs").status, 0);
});
after(() => rmSync(root, { recursive: true, force: true }));

async function opened(name) {
  const { page, problems } = await lab.newPage();
  const requests = [];
  page.on("request", (request) => requests.push(new URL(request.url()).protocol));
  await page.goto(pathToFileURL(join(root, name)).href);
  await page.getByRole("table", { name: "Cells" }).locator("tbody tr").nth(1).waitFor();
  return { page, problems, requests };
}
const verifies = async (page) => {
  await page.getByRole("button", { name: "Verify all" }).click();
  await eventually.match(() => page.getByRole("status").innerText(), /made again/);
  return page.getByRole("status").innerText();
};

test("the runs are shown and verified from the disk, without a request", async () => {
  assert.deepEqual(quorate("capsule", "runs", "--out", "c.html").status, 0);
  const { page, problems, requests } = await opened("c.html");
  assert.equal(await page.locator("h1").innerText(), STUDY.title);
  assert.deepEqual(await page.getByRole("table", { name: "Cells" }).locator("tbody tr").allInnerTexts(), ["strict\t2 of 2\t2", "tolerant\t2 of 2\t2"]);
  assert.equal(await verifies(page), "4 of 4 runs were made again by the engine and are the same.");
  await page.getByRole("button", { name: "small.strict.0001" }).click();
  await eventually.match(() => page.getByRole("dialog", { name: "small.strict.0001" }).innerText(), /Ana[^]*Ben/);
  assert.deepEqual([...new Set(requests)].sort(), ["blob:", "file:"]);
  assert.deepEqual(problems, []);
});

test("the tables of all runs are saved as files, as the command makes them", async () => {
  assert.equal(quorate("tables", "runs").status, 0);
  const { page, problems, requests } = await opened("c.html");
  for (const name of ["runs.csv", "asks.csv", "codebook.csv"]) {
    const file = await saved(page, () => page.getByRole("group", { name: "Tables" }).getByRole("button", { name }).click());
    assert.equal(file.name, name);
    assert.ok(file.bytes.equals(readFileSync(join(root, "runs", "tables", name))), name);
  }
  assert.equal(await page.getByRole("status").innerText(), "codebook.csv was saved.");
  assert.deepEqual([[...new Set(requests)].sort(), problems], [["blob:", "file:"], []]);
});

test("the page has no fault by axe, fits narrow screens, and is used by keys", async () => {
  const { page } = await opened("c.html");
  await verifies(page);
  await assertFine(page, "capsule");
  const run = page.getByRole("button", { name: "small.strict.0002" });
  await run.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Close" }).waitFor();
  await assertFine(page, "capsule-run");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.ok(await run.evaluate((button) => document.activeElement === button));
});

test("Firefox verifies them as well", async (own) => {
  const firefox = await openFirefox();
  if (!firefox) return own.skip("no Firefox here");
  own.after(() => firefox.close());
  const page = await firefox.newPage();
  await page.goto(pathToFileURL(join(root, "c.html")).href);
  await page.waitForFunction(() => document.querySelectorAll("table:first-of-type tbody tr").length === 2);
  await page.click("main button");
  await page.waitForFunction(() => document.querySelector("[role=status]").textContent.startsWith("4 of 4 runs"));
});

test("a record that was altered is named", async () => {
  const record = join(root, "runs", "runs", "small.strict.0001.jsonl");
  const text = readFileSync(record, "utf8");
  writeFileSync(record, text.replace("A student.", "A strident."));
  assert.equal(quorate("capsule", "runs", "--out", "altered.html").status, 0);
  writeFileSync(record, text);
  const { page } = await opened("altered.html");
  assert.match(await verifies(page), /^3 of 4 runs/);
});
