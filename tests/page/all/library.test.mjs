// What is kept in the browser: searched, branched, taken in, exported; and one tab at a time per session.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../../support/eventually.mjs";
import { made, runIs, saved, sessionId, small, stored, unfold, usePage, view } from "../../support/page.mjs";

const lab = usePage();

const card = (page, id) => page.locator(`[data-testid=session][data-id="${id}"]`);

test("a card says of an outcome what its results say, whatever the procedure", async () => {
  const { page, problems } = await lab.visit();
  const agents = ["Ann", "Ben", "Cleo"].map((name) => ({ name, personality: "A neighbour. Warm, likes efficient solutions." }));
  const debate = { protocol: "debate", language: "English", seed: 3, question: "Should the corner be kept?", agents };
  const all = [small(), { ...debate, title: "By votes", convergence_detection: false }, { ...debate, title: "Become one", convergence_threshold: 0.01 },
    { protocol: "discussion", title: "Talk", language: "English", topic: "What to do?", start: "at_once", rounds: 1, agents: agents.map(({ name }) => ({ name })) }];
  const said = [];
  for (const config of all) {
    const id = await made(page, config);
    await view(page, `#/results/${id}`, "outcome");
    await eventually.match(() => page.getByTestId("outcome").textContent(), /./);
    const outcome = await page.getByTestId("outcome").textContent();
    await view(page, "#/library", "session");
    await eventually.equal(() => card(page, id).getByTestId("card-outcome").textContent(), outcome);
    said.push(outcome);
  }
  assert.match(said[2], /converged/);
  assert.deepEqual(problems, []);
});

test("a branch takes over the record up to an answer, and goes on with another answer", async () => {
  const { page, problems } = await lab.visit();
  const id = await made(page, small());
  const before = await stored(page, id);
  await page.clock.install({ time: Date.now() + 3_600_000 });
  await view(page, `#/run/${id}`, "ended");
  await unfold(page);
  await page.getByTestId("statement").first().getByTestId("details").click();
  const box = page.getByTestId("inspector");
  await box.getByText("With another answer").click();
  const other = "I have changed my mind: let us take the principle that maximizes the average income, and nothing else.";
  await box.locator("#branch-answer").fill(other);
  await box.getByTestId("branch-with").click();
  await page.waitForFunction((old) => !location.hash.includes(old), id);
  await runIs(page, "ended");
  assert.doesNotMatch(await page.getByTestId("elapsed").textContent(), /h/, "its time is its own, an hour later");
  const branch = sessionId(page);
  const entries = await stored(page, branch);
  const [head] = entries;
  const { session, seq } = head.what.forked_from;
  assert.equal(session, id);
  const shape = (list) => list.slice(1, seq).map(({ what }) => what);
  assert.deepEqual(shape(entries), shape(before), "the same up to the answer");
  assert.equal(before[seq].what.type, "answered");
  assert.equal(entries[seq].what.reply.text, other);
  assert.equal(entries[seq].what.ask, before[seq].what.ask);
  await unfold(page);
  await eventually.equal(() => page.getByTestId("statement").getByText(other).first().isVisible(), true);
  await eventually.deepEqual(() => stored(page, id), before, "the original stays as it is");
  await view(page, `#/results/${branch}`, "verify");
  await page.getByText(`${id} @ ${seq}`).waitFor();
  await view(page, "#/library");
  await page.getByRole("link", { name: "Two at a table – branch", exact: true }).waitFor();
  await view(page, `#/results/${branch}`, "verify");
  await page.getByTestId("verify").click();
  await page.locator("[data-testid=verified][data-ok=true]").waitFor();
  assert.deepEqual(problems, []);
});

test("files are taken in once; what is no record is refused in a sentence", async () => {
  const { page, problems } = await lab.visit();
  const id = await made(page, small());
  await view(page, "#/library", "session");
  const take = (name, text) => page.getByTestId("import").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await card(page, id).locator("details.menu summary").click();
  const file = await saved(page, () => card(page, id).getByTestId("export-json").click());
  await take(file.name, file.text);
  await page.getByText("This session is already in the library.").waitFor();
  await take("picture.json", "not a record");
  await page.getByText("picture.json could not be imported.").waitFor();
  await take("half.json", file.text.slice(0, file.text.length / 2));
  await page.getByText("half.json could not be imported.").waitFor();
  // Dropped, a file goes where it was to be picked, and nowhere does it take the place of the page.
  const drop = () =>
    page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["no record"], "dropped.png"));
      return !document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
  assert.equal(await drop(), true);
  await page.getByText("dropped.png could not be imported.").waitFor();
  await eventually.equal(() => page.getByTestId("session").count(), 1);
  await card(page, id).getByTestId("delete").click();
  await page.getByTestId("confirm").click();
  await page.getByText("Nothing here yet.").waitFor();
  await take(file.name, file.text);
  await page.getByText(`${file.name} is in the library now.`).waitFor();
  await eventually.equal(() => page.getByTestId("session").getAttribute("data-id"), id);
  await view(page, "#/run/none", "trouble");
  assert.equal(await drop(), true);
  await eventually.equal(() => page.title(), "Session not found · Quorate");
  await eventually.equal(() => page.evaluate(() => document.activeElement.localName), "h1");
  assert.deepEqual(problems, []);
});

test("a worker makes the files of what is stored: the page stays at hand, and they are the same", async () => {
  const { page, problems } = await lab.visit();
  const ids = [await made(page, small()), await made(page, small({ seed: 12 }))];
  const fileOf = (which, format) => page.evaluate(async ([which, format]) => (await (await import(new URL("engine.js", document.baseURI).href)).Library.export(which, format)).text, [which, format]);
  const beside = async (press) => {
    const [worker, file] = await Promise.all([page.waitForEvent("worker", (one) => /exports_worker/.test(one.url())), saved(page, press)]);
    while (page.workers().includes(worker)) await worker.waitForEvent("close");
    return file.text;
  };
  await view(page, "#/library", "session");
  await card(page, ids[0]).locator("details.menu summary").click();
  for (const format of ["jsonl", "md", "asks"]) assert.equal(await beside(() => card(page, ids[0]).getByTestId(`export-${format}`).click()), await fileOf(ids[0], format), format);
  await page.keyboard.press("Escape");
  await page.getByTestId("export-these").click();
  await eventually.equal(() => page.getByTestId("session").count(), 2);
  const listed = await page.getByTestId("session").evaluateAll((all) => all.map((one) => one.dataset.id));
  assert.equal(await beside(() => page.locator(".filters").getByTestId("export-seats").click()), await fileOf(listed, "seats"));
  await view(page, `#/results/${ids[1]}`, "verify");
  assert.equal(await beside(() => page.getByTestId("export-json").click()), await fileOf(ids[1], "json"));
  assert.deepEqual(problems, []);
});

test("a second tab is told that the session is open elsewhere, and gets it when it is free", async () => {
  const { page, context, problems } = await lab.visit();
  await view(page, "#/presets", "preset-quick");
  await page.getByTestId("preset-quick").click();
  await runIs(page, "running");
  const id = sessionId(page);
  const second = await lab.secondTab(context, `#/run/${id}`);
  await second.page.getByTestId("trouble").waitFor();
  await eventually.match(() => second.page.locator("h1").textContent(), /open in another tab/);
  await eventually.equal(() => second.page.getByTestId("state").count(), 0);
  await page.bringToFront();
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  await second.page.bringToFront();
  await page.close();
  await eventually(async () => {
    if (await second.page.getByTestId("trouble").count()) await second.page.getByRole("button", { name: "again" }).click();
    await second.page.getByTestId("state").waitFor({ timeout: 1000 });
  });
  await runIs(second.page, "paused");
  await second.page.getByTestId("stop").click();
  await runIs(second.page, "stopped");
  assert.deepEqual([...problems, ...second.problems], []);
});

test("any selection of sessions goes into one set of tables", async (own) => {
  const { page, problems } = await lab.visit();
  const ids = [];
  for (const seed of [1, 2, 3]) ids.push(await made(page, small({ title: `Run ${seed}`, condition: seed < 3 ? "early" : "late", seed })));
  await view(page, "#/library", "session");
  const runs = async () => {
    await page.getByTestId("export-these").click();
    const { text } = await saved(page, () => page.locator(".filters").getByTestId("export-runs").click());
    await page.keyboard.press("Escape");
    const [head, ...rows] = text.trimEnd().split("\r\n").map((row) => row.split(",").slice(0, 3));
    assert.deepEqual(head, ["session", "title", "condition"]);
    return rows.sort((a, b) => a[1].localeCompare(b[1]));
  };
  assert.deepEqual(await runs(), ids.map((id, at) => [id, `Run ${at + 1}`, at < 2 ? "early" : "late"]));
  await page.getByTestId("library-find").fill("early");
  await eventually.equal(() => page.locator("[data-testid=session]:visible").count(), 2);
  assert.deepEqual((await runs()).map(([id]) => id), ids.slice(0, 2));
  await card(page, ids[1]).getByTestId("pick").check();
  assert.deepEqual((await runs()).map(([id]) => id), [ids[1]]);

  await page.getByTestId("library-find").fill("");
  await card(page, ids[1]).getByTestId("pick").uncheck();
  await eventually.equal(() => page.locator("[data-testid=session]:visible").count(), 3);
  await page.getByTestId("export-these").click();
  const { name, bytes } = await saved(page, () => page.locator(".filters").getByTestId("export-zip").click());
  assert.equal(name, "quorate-3-runs.zip");
  const folder = mkdtempSync(join(tmpdir(), "quorate-zip-"));
  own.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), bytes);
  const listed = execFileSync("python3", ["-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist()); print(len(z.read('seats.csv').decode().strip().splitlines()))", join(folder, name)], { encoding: "utf8" });
  assert.deepEqual(listed.trim().split("\n"), ["README.md codebook.csv load.R load.py runs.csv seats.csv decisions.csv utterances.csv asks.csv", "7"]);
  assert.deepEqual(problems, []);
});

test("the library is searched and narrowed down", async () => {
  const { page, problems } = await lab.visit("#/library");
  await made(page, small({ seed: 4711 }));
  const other = await made(page, { protocol: "discussion", title: "The corner", language: "English", topic: "What to do?", agents: [{ name: "Zoë" }, { name: "Bo" }] }, { run: false });
  await view(page, "#/");
  await view(page, "#/library", "session");
  const visible = () => page.locator("[data-testid=session]:visible h2 a").allTextContents();
  await eventually.equal(async () => (await visible()).length, 2);
  await eventually.equal(() => page.getByTestId("library-nothing").isVisible(), false);
  await page.keyboard.press("/");
  await page.keyboard.type("zoe corner");
  await eventually.deepEqual(() => visible(), ["The corner"]);
  await eventually.equal(() => page.getByTestId("library-count").textContent(), "1 of 2");
  await page.getByTestId("library-find").fill("");
  await page.getByTestId("library-protocol").selectOption("justice");
  await eventually.deepEqual(() => visible(), ["Two at a table"]);
  await eventually.match(() => page.locator("[data-testid=session]:visible [data-testid=facts]").textContent(), /^Experiment · .*English · /);
  await page.getByTestId("library-state").selectOption("unfinished");
  await eventually.deepEqual(() => visible(), []);
  await eventually.equal(() => page.getByTestId("library-nothing").isVisible(), true);
  await page.getByTestId("library-protocol").selectOption("");
  await eventually.equal(() => page.locator("[data-testid=session]:visible").getAttribute("data-id"), other);
  assert.deepEqual(problems, []);
});
