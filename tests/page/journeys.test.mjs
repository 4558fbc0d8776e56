// What people come for, from the first press to the end: a run, a table of guests, a debate, a set-up, the library.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { readLink } from "../../src/web/room/link.js";
import { PHONE, plays, thought } from "../support/device.mjs";
import { eventually } from "../support/eventually.mjs";
import { assertAskedOnce, callsDone, course, events, made, pace, ready, runIs, saved, sessionId, small, stored, unfold, usePage, view, research } from "../support/page.mjs";
import { faults, load, mode, text, writeConfig } from "../support/setup.mjs";
import { host, poll } from "../support/trial.mjs";

const lab = usePage();

test("one press starts a run that comes to an outcome, which is verified", async () => {
  const { page, problems } = await lab.visit("#/presets");
  await page.getByTestId("preset-five").click();
  await runIs(page, "running");
  assert.match(page.url(), /#\/run\/\w+$/);
  await pace(page, "instant");
  await runIs(page, "ended");
  await eventually.match(() => page.getByTestId("outcome").textContent(), /^The group agreed on “.+” (with \$[\d,]+ )?in round \d+\.$|^The group did not agree/);
  const outcome = await page.getByTestId("outcome").textContent();
  const entries = await stored(page, sessionId(page));
  const count = (type) => events(entries, type).length;
  await eventually.equal(() => page.getByTestId("statement").count(), count("spoke"));
  await eventually.equal(() => page.locator(".turn-vote .verdict-line", { hasText: /^(Unanimous|No agreement)/ }).count(), count("counted"));
  assertAskedOnce(entries);

  // What a principle means is told where it stands, by a tap and by keyboard.
  await unfold(page);
  const ranked = page.locator(".turn-ranking").first();
  await ranked.getByRole("button", { name: "Average + range" }).click();
  await page.locator("dialog").getByText("differ by no more than that amount").waitFor();
  await page.keyboard.press("Escape");
  await ranked.locator(".badge-button").first().press("Enter");
  await page.locator("dialog[data-testid=about]").waitFor();
  await page.keyboard.press("Escape");
  await page.getByTestId("fold-all").click();

  await eventually.equal(() => page.getByTestId("left").isVisible(), false, "nothing is left");

  // Folded as it is now, a phone shows each round whole, and the distributions.
  await page.setViewportSize({ width: 360, height: 740 });
  await eventually.equal(() => page.locator(".notice .explained-table .scroll").evaluate((node) => node.scrollWidth <= node.clientWidth), true);
  await eventually.ok(async () => (await page.locator(".gist-change").count()) > 0);
  await eventually.equal(() => page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByTestId("results").click();
  const payoffs = page.getByTestId("result-blocks").locator("section").first().locator("tbody tr");
  await payoffs.first().waitFor();
  await eventually.equal(() => page.getByTestId("outcome").textContent(), outcome);
  await eventually.equal(() => payoffs.count(), 5);
  await research(page);
  await eventually.equal(() => page.getByTestId("seed").textContent(), "5");
  await page.getByTestId("verify").click();
  await page.locator("[data-testid=verified][data-ok=true]").waitFor();
  await eventually.match(() => page.getByTestId("verified").textContent(), new RegExp(String(entries.length.toLocaleString("en-US"))));
  // A dialog goes with the view that it was opened in.
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  await page.goBack();
  await page.getByTestId("results").waitFor();
  await eventually.equal(() => page.locator("dialog").count(), 0);
  assert.deepEqual(problems, []);
});

test("a run goes on after reloads, with nothing asked twice and the same course", async () => {
  const { page, problems } = await lab.visit();
  await view(page, "#/presets", "preset-quick");
  await page.getByTestId("preset-quick").click();
  await pace(page, "fast");
  await callsDone(page, 4);
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  const id = sessionId(page);
  await page.reload();
  await ready(page);
  await runIs(page, "paused");
  const early = await stored(page, id);
  assert.ok(early.length > 8 && early.at(-1).what.type !== "ended");

  await page.getByTestId("resume").click();
  await runIs(page, "running");
  await callsDone(page, 12);
  await page.reload(); // in full run, with questions on their way
  await ready(page);
  await pace(page, "instant");
  await runIs(page, "ended");
  const whole = await stored(page, id);
  assert.deepEqual(whole.slice(0, early.length), early, "what was recorded stays as it is");
  assertAskedOnce(whole);
  const asked = whole.filter(({ what }) => what.type === "asked").length;
  await eventually.equal(() => page.getByTestId("calls").textContent(), asked.toLocaleString("en-US"));

  const config = { ...whole[0].what.config };
  const other = await stored(page, await made(page, config));
  const sorted = (list) => course(list).map((one) => JSON.stringify(one)).sort();
  assert.deepEqual(sorted(whole), sorted(other), "an uninterrupted run takes the same course");
  assert.deepEqual(problems, []);
});

/** Somebody who answers a link on a telephone. */
async function phone(link) {
  const opened = await lab.newPage(PHONE);
  await opened.page.goto(link);
  return opened;
}

test("three guests by a link: from the lobby over their answers to the results, which verify", async () => {
  const { page, problems, link } = await host(lab, { title: "A poll", session: { ...poll(3), rounds: 2 }, people: 3, tables: 1, deal: "arrival", start: "full" });
  const guests = await Promise.all([link, link, link].map(phone));
  await Promise.all(guests.map((guest, at) => plays(guest.page, at)));
  await page.locator("[data-testid=room-table] .tag[data-state=ended]").waitFor();
  const id = `${readLink(link).room}-1`;
  const entries = await stored(page, id);
  assertAskedOnce(entries);
  const answers = entries.filter(({ what }) => what.type === "answered").map(({ what }) => what.reply);
  assert.equal(answers.length, 6, "three people in two rounds");
  assert.ok(answers.every(({ answered_as, values }) => answered_as === "form" && values.estimate === 13000));
  await view(page, `#/results/${id}`, "verify");
  await page.getByTestId("verify").click();
  await page.locator("[data-testid=verified][data-ok=true]").waitFor();
  for (const [at, guest] of guests.entries()) {
    await guest.page.getByText("Thank you for taking part").waitFor();
    await guest.page.getByTestId("own-data").click();
    const own = JSON.parse((await saved(guest.page, () => guest.page.getByTestId("data").click())).text);
    assert.equal(own.view.role, `seat:${own.table.seat}`);
    assert.ok(Object.values(own.answers).every(({ values }) => values.reason === thought(at)));
    assert.deepEqual(guest.problems, []);
  }
  assert.deepEqual(problems, []);
});

test("a person proposes, criticises and votes; votes are secret until all are in; a script tag stays text", async () => {
  const { page, problems } = await lab.visit();
  const id = await page.evaluate(async () => {
    const { Session } = await import(new URL("engine.js", document.baseURI).href);
    const seats = ["Ana", "Bo"].map((name) => ({ name, personality: "A neighbour." }));
    const schedule = ["context", "propose", "critique", "revise", "vote"].map((kind) => ({ kind }));
    const session = await Session.create({ protocol: "debate", title: "Us", language: "English", question: "Tea or coffee?", agents: [...seats, { name: "Guest", kind: "human" }], schedule, consensus: "majority", seed: 4 }, {});
    await session.close();
    return session.id;
  });
  await view(page, `#/run/${id}`, "conversation");
  await pace(page, "instant");
  const script = "<script>window.stolen = true</script> **Tea**, since <img src=x onerror=alert(1)> it is calm.";
  const panel = page.getByTestId("human").first();
  const kinds = new Set();
  for (;;) {
    await page.locator("[data-testid=human], [data-testid=state][data-state=ended]").first().waitFor();
    if (await page.locator("[data-testid=state][data-state=ended]").count()) break;
    const [ask, kind] = [await panel.getAttribute("data-ask"), await panel.getAttribute("data-kind")];
    kinds.add(kind);
    await eventually.equal(() => panel.locator(".ask-material p").first().textContent(), "Tea or coffee?");
    if (kind === "vote") {
      // Who sits at the table hears nothing of the others' votes, not even whether there are any yet.
      await eventually.equal(async () => {
        const entries = await stored(page, id);
        const votes = entries.filter(({ what }) => what.type === "asked" && what.ask.kind === "vote" && what.ask.seat !== "Guest").map(({ what }) => what.ask.id);
        return entries.filter(({ what }) => what.type === "answered" && votes.includes(what.ask)).length;
      }, 2);
      assert.equal(await page.getByTestId("vote").locator("table").count(), 0);
      assert.doesNotMatch(await page.getByTestId("vote").innerText(), /has voted/);
      await panel.getByRole("radio", { name: "Ana" }).check();
      await panel.getByLabel("How sure are you?").fill("0.7");
      await panel.getByText("70%").waitFor();
    } else if (kind === "critique") {
      await panel.getByTestId("human-issues").fill("- it is cold");
      await panel.getByTestId("human-suggestions").fill("warm it");
      await panel.getByLabel("How bad it is").fill("4");
    } else await panel.getByTestId("human-answer").fill(script);
    await panel.getByTestId("human-send").click();
    await page.locator(`[data-testid=human][data-ask="${ask}"]`).waitFor({ state: "detached" });
  }
  assert.deepEqual([...kinds].sort(), ["critique", "proposal", "revision", "vote"]);
  const entries = await stored(page, id);
  assertAskedOnce(entries);
  await unfold(page);
  const mine = page.locator('[data-key="card/1/Guest"]');
  await eventually.ok(async () => (await mine.innerText()).includes("<script>window.stolen = true</script>"));
  await eventually.equal(() => page.locator("main script, main img[src=x]").count(), 0);
  await eventually.equal(() => page.evaluate(() => window.stolen), undefined);
  await eventually.match(() => page.getByTestId("vote").locator("table").last().innerText(), /Guest\s+person\s+Ana\s+70%/);
  assert.deepEqual(problems, []);
});

test("form, YAML and JSON are one configuration, in every direction", async () => {
  const { page, problems } = await lab.visit("#/setup/quick");
  const field = (path) => page.locator(`[data-path="${path}"]`).locator("input, select, textarea").first();
  await field("title").fill("From the form");
  await page.locator("[data-group=phase2] > summary").click();
  await field("phase2_rounds").fill("2");
  await field("phase2_settings.no_consensus").selectOption("group_distribution");
  await mode(page, "yaml");
  const yaml = await eventually(async () => {
    const { title, phase2_rounds, phase2_settings, agents, ...rest } = parse(await text(page).inputValue());
    assert.deepEqual([title, phase2_rounds, phase2_settings.no_consensus, agents.length], ["From the form", 2, "group_distribution", 3]);
    return { title, phase2_rounds, phase2_settings, agents, ...rest };
  });

  await text(page).fill((await text(page).inputValue()).replace("From the form", "From YAML – “eins”"));
  await mode(page, "json");
  const json = { ...yaml, title: "From YAML – “eins”" };
  await eventually.deepEqual(async () => JSON.parse(await text(page).inputValue()), json);

  json.agents[1].name = "Zoë";
  delete json.phase2_settings.no_consensus;
  await text(page).fill(JSON.stringify(json));
  await mode(page, "form");
  await eventually.equal(() => field("title").inputValue(), "From YAML – “eins”");
  await eventually.equal(() => field("agents.1.name").inputValue(), "Zoë");
  await page.locator("[data-group=phase2] > summary").click();
  await eventually.equal(() => field("phase2_settings.no_consensus").inputValue(), "individual_distribution");

  const file = await saved(page, () => page.getByTestId("config-save").click());
  assert.match(file.name, /\.yaml$/);
  assert.deepEqual(parse(file.text), json);
  await page.getByTestId("preset").selectOption("quick");
  await eventually.notEqual(() => field("title").inputValue(), "From YAML – “eins”");
  await load(page, file.name, file.text);
  await page.waitForFunction(() => document.querySelector('[data-path="agents.1.name"] input')?.value === "Zoë");
  await mode(page, "json");
  await eventually.deepEqual(async () => JSON.parse(await text(page).inputValue()), json);
  assert.deepEqual(problems, []);
});

test("faults are listed under the form's labels, lead to their field, and keep a run from starting", async () => {
  const { page, problems } = await lab.visit("#/setup");
  const start = page.getByTestId("setup-start");
  const listed = (page) => faults(page).locator("li").evaluateAll((all) => all.map((one) => `${one.textContent.split(":")[0]} ${one.firstElementChild.title}`.trim()));
  await faults(page).locator(".good").waitFor();
  await eventually.equal(() => start.isEnabled(), true);
  await mode(page, "json");
  await writeConfig(page, JSON.stringify(small({ phase2_rounds: 0, colour: "red", agents: [{ name: "Ada", personality: "x" }, { name: "Ada", personality: "y" }], phase2_settings: { statement_timeout: 5 } })));
  await faults(page).locator(".bad").waitFor();
  await eventually.deepEqual(async () => (await listed(page)).sort(), ["Ada · Name agents[1].name", "Rounds at most phase2_rounds", "Statement phase2_settings.statement_timeout", "colour"]);
  await eventually.equal(() => start.isDisabled(), true);

  await mode(page, "form");
  await faults(page).getByRole("button", { name: "Statement" }).click();
  const field = page.locator('[data-path="phase2_settings.statement_timeout"] input');
  await eventually.equal(() => field.evaluate((node) => node === document.activeElement && node.checkVisibility()), true, "the field is open and has the focus");
  await eventually.equal(() => field.getAttribute("aria-invalid"), "true");
  await eventually.match(async () => page.locator(`#${(await field.getAttribute("aria-describedby")).split(" ").at(-1)}`).textContent(), /10 to 600/);
  await field.fill("30");
  await page.waitForFunction(() => document.querySelectorAll("[data-testid=faults] li").length === 3);
  await eventually.equal(() => field.getAttribute("aria-invalid"), null);

  await mode(page, "yaml");
  await writeConfig(page, "agents: [");
  await faults(page).locator(".bad").waitFor();
  await eventually.equal(() => start.isDisabled(), true);
  await page.getByTestId("mode-json").click();
  await eventually.equal(() => page.getByTestId("mode-yaml").getAttribute("aria-pressed"), "true", "what cannot be read is not thrown away");
  await eventually.equal(() => text(page).inputValue(), "agents: [");
  await text(page).fill("- just\n- a list\n");
  await faults(page).getByText("A plain list or a single value does not work").waitFor();
  await eventually.equal(() => start.isDisabled(), true);
  await text(page).fill("agents: [{ name: Ada, personality: p }]");
  await page.waitForFunction(() => document.querySelector("[data-testid=faults] li b")?.title === "agents");
  await eventually.equal(() => start.isDisabled(), true);
  await load(page, "broken.yaml", "agents: [");
  await page.getByText("broken.yaml could not be read. A bracket is missing, or there is one too many. Line 1, column 10.").waitFor();
  assert.deepEqual(problems, []);
});

const card = (page, id) => page.locator(`[data-testid=session][data-id="${id}"]`);

test("sessions are listed, opened, renamed, exported and deleted, the last only when confirmed", async () => {
  const { page, problems } = await lab.visit();
  await view(page, "#/library");
  await page.getByText("Nothing here yet.").waitFor();
  await view(page, "#/");
  const done = await made(page, small());
  const waits = await made(page, small({ title: "Not begun" }), { run: false });
  await view(page, "#/library", "session");
  await eventually.deepEqual(() => page.getByTestId("session").evaluateAll((all) => all.map((one) => one.dataset.id)), [waits, done], "the newest first");
  await card(page, done).getByTestId("card-outcome").filter({ hasText: "The group" }).waitFor();
  await eventually.match(() => card(page, done).textContent(), /Two at a table.*ended.*The group (agreed on|did not agree)/);
  await eventually.match(() => card(page, waits).textContent(), /Not begun.*unfinished/);

  await card(page, done).getByTestId("rename").click();
  await page.locator("dialog input").fill("A <b>new</b> name");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "A <b>new</b> name" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "A <b>new</b> name" }).waitFor();

  await card(page, done).locator("details.menu summary").click();
  const file = await saved(page, () => card(page, done).getByTestId("export-jsonl").click());
  assert.equal(file.text.trimEnd().split("\n").filter((line) => "seq" in JSON.parse(line)).length, (await stored(page, done)).length);
  await page.keyboard.press("Escape");

  await card(page, done).getByTestId("open").click();
  await runIs(page, "ended");
  assert.equal(sessionId(page), done);
  await view(page, "#/library", "session");
  await card(page, done).getByTestId("replay").click();
  const slider = page.getByTestId("replay-slider");
  await page.getByTestId("statement").first().waitFor({ state: "attached" });
  const spoken = events(await stored(page, done), "spoke").length;
  await eventually.equal(() => page.getByTestId("statement").count(), spoken);
  await eventually.equal(async () => (await slider.inputValue()) === (await slider.getAttribute("max")), true);
  await slider.fill("0");
  await eventually.equal(() => page.getByTestId("statement").count(), 0);
  await page.getByTestId("replay-on").click();
  await eventually.equal(() => slider.inputValue(), "1");
  await slider.fill(await slider.getAttribute("max"));
  await eventually.equal(() => page.getByTestId("statement").count(), spoken);

  await view(page, "#/library", "session");
  await card(page, waits).getByTestId("delete").click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await eventually.equal(() => page.getByTestId("session").count(), 2);
  await card(page, waits).getByTestId("delete").click();
  await page.getByTestId("confirm").click();
  await card(page, waits).waitFor({ state: "detached" });
  await page.reload();
  await card(page, done).waitFor();
  await eventually.equal(() => page.getByTestId("session").count(), 1);

  await view(page, `#/run/${waits}`, "trouble");
  await eventually.match(() => page.getByTestId("trouble").textContent(), /This one may have been deleted/);
  assert.deepEqual(problems, []);
});

test("the files are what they say, and the record replays in another browser", async () => {
  const { page, problems } = await lab.visit();
  const id = await made(page, small());
  const entries = await stored(page, id);
  await view(page, `#/results/${id}`, "verify");
  const file = (format) => saved(page, () => page.getByTestId(`export-${format}`).click());

  const json = await file("json");
  assert.match(json.name, /\.json$/);
  // Each hash is over all lines up to its own; and taken in again below, the entries are the same.
  const hashes = (lines) => lines.map(({ hash }) => hash);
  assert.deepEqual(hashes(JSON.parse(json.text).entries), hashes(entries));
  assert.equal("signature" in JSON.parse(json.text), false, "no key is made for it");

  const jsonl = await file("jsonl");
  assert.match(jsonl.name, /\.jsonl$/);
  const lines = jsonl.text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(hashes(lines), hashes(entries));

  const csv = await file("asks");
  assert.match(csv.name, /\.csv$/);
  const rows = csv.text.replace(/^\uFEFF/, "").trimEnd().split("\r\n");
  const columns = rows[0].split(",").length;
  assert.ok(columns > 3 && rows.length > 2, rows[0]);
  assert.match(csv.text, /Ada/);

  const md = await file("md");
  assert.match(md.name, /\.md$/);
  assert.match(md.text, /^# Two at a table/m);
  const spoken = events(entries, "spoke");
  assert.ok(spoken.length > 0);
  for (const { seat } of spoken) assert.ok(md.text.includes(seat));

  const published = await file("published");
  assert.match(published.name, /\.json$/);
  const shape = JSON.parse(published.text);
  assert.ok("general_information" in shape && Array.isArray(shape.agents) && shape.agents.length === 2, Object.keys(shape).join());
  assert.deepEqual(problems, []);

  for (const { name, text } of [json, jsonl]) {
    const fresh = await lab.visit("#/library");
    await fresh.page.getByTestId("import").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    await fresh.page.getByTestId("session").waitFor();
    const taken = await fresh.page.getByTestId("session").getAttribute("data-id");
    await eventually.deepEqual(() => stored(fresh.page, taken), entries);
    await view(fresh.page, `#/results/${taken}`, "verify");
    await fresh.page.getByTestId("verify").click();
    await fresh.page.locator("[data-testid=verified][data-ok=true]").waitFor();
    assert.deepEqual(fresh.problems, []);
  }
});
