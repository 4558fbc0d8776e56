// A study with people in the page: from its file to a room, whose host sees which cell a table is, and back to what leaves.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { WebSocket } from "ws";
import { broker } from "../../../src/web/room/broker.js";
import { assertFine } from "../../support/access.mjs";
import { eventually } from "../../support/eventually.mjs";
import { guest } from "../../support/guests.mjs";
import { built } from "../../support/package.mjs";
import { ready, usePage } from "../../support/page.mjs";
import { linkOf } from "../../support/trial.mjs";

const lab = usePage();
let root;
before(() => (root = mkdtempSync(join(tmpdir(), "quorate-page-study-room-"))));
after(() => rmSync(root, { recursive: true, force: true }));

const STUDY = {
  study: 1, id: "estimates", n: 1, seed: 7,
  base: { protocol: "delphi", language: "English", question: "How many?", minimum: 0, maximum: 100, agents: ["One", "Two"].map((name) => ({ name, personality: "A neighbour." })) },
  factors: { length: { brief: { rounds: 2 }, lengthy: { rounds: 3 } } },
  people: { title: "An hour of estimates", people: 2, start: "full", patience: { after: 600, then: "skip" } },
};
const SILENT = { answers: new Proxy({}, { get: () => null }) };

test("a study with people goes from its page to a room and back", async (own) => {
  const { page, problems, context } = await lab.visit("#/study");
  const joins = (link, options) => {
    const post = broker(new URL("room", lab.url).href.replace("http", "ws"), { WebSocket });
    const one = guest(link, post, options);
    own.after(() => (one.leave(), post.close()));
    return one;
  };
  await page.getByTestId("study-file").setInputFiles({ name: "estimates.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(STUDY)) });
  await page.getByTestId("study-room").waitFor();
  await assertFine(page, "a study with people");
  await page.getByTestId("study-room").click();
  const link = await linkOf(page);
  const [gone, stays] = [joins(link, SILENT), joins(link)];
  await eventually.equal(() => stays.state?.stage, "table");
  const project = await lab.secondTab(context, page.url().slice(page.url().indexOf("#")).replace("room", "project"));
  await page.getByTestId("table-more").click();
  const cell = await page.getByTestId("table-cell").innerText();
  assert.match(cell, /^Cell (brief|lengthy), run estimates\.\1\.0001$/);
  gone.say({ type: "leave" });
  await page.getByTestId("table-void").getByText("Void: 1 person left.").waitFor();
  await assertFine(page, "a room with a void table");
  // Nobody is left, and two tables are needed.
  await eventually.equal(() => page.getByTestId("room-state").innerText(), "0 of 2 runs have ended.");
  // Two for each of the two tables that are left.
  const others = Array.from({ length: 4 }, () => joins(link));
  for (const one of others) await eventually.equal(() => one.state?.stage, "over");
  await project.page.getByText("Table 3").first().waitFor();
  await eventually.equal(() => page.getByTestId("room-state").innerText(), "All tables are done");
  const seen = JSON.stringify([stays, ...others].map(({ got }) => got)) + await project.page.content();
  for (const word of ["brief", "lengthy", "estimates."]) assert.ok(!seen.includes(word), word);
  const late = joins(link);
  await eventually.equal(() => late.state?.end?.way, "waited");

  await page.goto(`${lab.url}#/study/estimates`);
  await ready(page);
  await eventually.match(() => page.getByTestId("study-state").innerText(), /2/);
  const rows = await page.getByTestId("study-cells").locator("tbody tr").evaluateAll((all) => all.map((row) => row.cells[1].textContent));
  assert.deepEqual(rows, ["1 of 1", "1 of 1"]);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("study-bundle").click()]);
  const archive = join(root, "estimates.zip");
  await download.saveAs(archive);
  const { status, stdout } = spawnSync(process.execPath, [built("cli.js"), "verify", archive], { encoding: "utf8" });
  assert.deepEqual([status, stdout.trim().split("\n").at(-1)], [0, "verified: 0 records and the plan; NOT checked: 3 records that are left out"], stdout);
  // Its room is shown again, and no second one is opened beside it.
  await page.getByTestId("study-room").click();
  await page.getByTestId("room-table").first().waitFor();
  assert.deepEqual(problems, []);
});
