// Following a run: what it shows, that it is searched, presented and read aloud, what is said where an address leads nowhere,
// where a record was altered, and where the disk is full.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { readingTime } from "../../../www/reading-time.js";
import { wordsIn } from "../../../www/text.js";
import { PATIENCE, chromiumOptions } from "../../support/browser.mjs";
import { eventually } from "../../support/eventually.mjs";
import { assertAskedOnce, events, leaveFor, made, pace, ready, runIs, saved, small, stored, usePage, view } from "../../support/page.mjs";

const lab = usePage();

test("an address that leads nowhere gets a sentence at once", async () => {
  const { page, problems } = await lab.visit("#/run/%");
  for (const hash of ["#/run/%", "#/constructor", "#/run/a/b"]) {
    await leaveFor(page, hash);
    await page.getByText(`There is nothing at this address: ${hash}`, { exact: true }).waitFor();
    await eventually.equal(() => page.locator("h1").textContent(), "Page not found");
  }
  for (const name of ["run", "replay", "results", "present"]) {
    await view(page, "#/library");
    await view(page, `#/${name}/a%2Fb`, "trouble");
    await eventually.equal(() => page.locator("h1").textContent(), "Session not found", name);
  }
  for (const name of ["room", "project"]) {
    await view(page, "#/library");
    await view(page, `#/${name}/a%2Fb`, "trouble");
    await eventually.equal(() => page.locator("h1").textContent(), "Room not found", name);
  }
  for (const name of ["nope", "constructor"]) {
    await view(page, `#/setup/${name}`, "unknown-preset");
    await page.getByText(`There is no ready-made session called “${name}”. Choose one below, or write your own.`).waitFor();
  }
  await page.getByTestId("preset").selectOption({ index: 1 });
  await eventually.equal(() => page.getByTestId("unknown-preset").count(), 0);
  assert.deepEqual(problems, []);
});

test("an ended run is folded, is searched across what is folded, and is unfolded by a key", async () => {
  const { page, problems } = await lab.visit("#/");
  const id = await made(page, small({ phase2_rounds: 3 }));
  await view(page, `#/run/${id}`, "ended");
  const heights = () => page.evaluate(() => document.documentElement.scrollHeight);
  const folded = await heights();
  await eventually.equal(() => page.getByTestId("statement").first().isVisible(), false);
  const mark = page.locator("[data-part='2/round/1'] .fold");
  await eventually.equal(() => mark.getAttribute("aria-expanded"), "false");
  await eventually.equal(() => page.locator("[data-part='2/round/1'] .gist-line b").allTextContents().then((all) => [...all].sort().join()), "Ada,Bo");
  await mark.click();
  await eventually.equal(() => page.getByTestId("statement").first().isVisible(), true);
  await mark.click();

  const wanted = (await page.getByTestId("statement").last().locator(".bubble").textContent()).split(/\s+/).slice(-4).join(" ");
  await page.locator("h1").focus();
  await page.keyboard.press("/");
  await page.keyboard.type(wanted.toUpperCase());
  await page.keyboard.press("Enter");
  await eventually.match(() => page.getByTestId("found").textContent(), /^1 of \d+$/);
  await eventually.ok(async () => (await page.getByTestId("statement").last().isVisible()) || (await page.getByTestId("statement").first().isVisible()));
  await eventually.equal(() => page.evaluate(() => CSS.highlights.get("found-now").size), 1);
  await page.keyboard.type("no such words");
  await eventually.equal(() => page.getByTestId("found").textContent(), "not found");
  await page.keyboard.press("Escape");
  await eventually.equal(() => page.getByTestId("found").textContent(), "");
  await eventually.equal(() => page.evaluate(() => CSS.highlights.has("found")), false);

  await page.locator("h1").focus();
  await page.keyboard.press("f");
  await eventually.equal(() => page.locator(".turns[hidden]").count(), 0);
  await eventually.ok(async () => (await heights()) > 2 * folded, `${folded} px folded`);
  await page.keyboard.press("f");
  await eventually.equal(() => page.locator(".turns:not([hidden])").count(), 0);
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  const heading = await focused();
  await page.keyboard.press("j");
  await eventually.notEqual(focused, heading);
  const first = await focused();
  await page.keyboard.press("j");
  await eventually.notEqual(focused, first);
  await page.keyboard.press("k");
  await eventually.equal(focused, first);
  assert.deepEqual(problems, []);
});

test("one key leads from anywhere to the open question, the controls and the outcome; letters can be switched off", async () => {
  const { page, problems } = await lab.visit("#/");
  const focused = () => page.evaluate(() => document.activeElement.dataset.testid ?? document.activeElement.textContent);
  const person = { protocol: "debate", language: "English", question: "Tea or coffee?", seed: 1, agents: [{ name: "Ada" }, { name: "Bo" }, { name: "Cy", kind: "human" }] };
  const waits = await made(page, person, { run: false });
  await view(page, `#/run/${waits}`, "human");
  await pace(page, "instant");
  await page.locator("h1").focus();
  await page.keyboard.press("c");
  await eventually.equal(focused, "pause");
  await page.keyboard.press("q");
  await eventually.equal(focused, await page.locator(".human h2").textContent());
  await page.getByTestId("human-answer").focus();
  await page.keyboard.type("qcr?");
  await eventually.equal(() => page.getByTestId("human-answer").inputValue(), "qcr?", "whoever types types letters");
  await page.getByTestId("pause").click();

  const id = await made(page, small());
  await view(page, `#/run/${id}`, "ended");
  await page.locator("h1").focus();
  await page.keyboard.press("r");
  await eventually.equal(focused, "Results");
  await page.keyboard.press("?");
  await page.getByTestId("shortcuts").waitFor();
  await eventually.equal(() => page.locator(".key-list kbd").allTextContents().then((all) => all.join(" ")), "? q c r / f j k → p");
  await page.getByTestId("shortcuts-on").uncheck();
  await page.keyboard.press("Escape");
  await page.locator("h1").focus();
  for (const key of ["?", "r", "c", "f", "p"]) await page.keyboard.press(key);
  await eventually.equal(focused, await page.locator("h1").textContent());
  await eventually.equal(() => page.locator("dialog").count(), 0);
  await page.getByTestId("shortcuts-open").click();
  await page.getByTestId("shortcuts-on").check();
  await page.keyboard.press("Escape");
  await page.locator("h1").focus();
  await page.keyboard.press("p");
  await page.getByTestId("slide").waitFor();
  assert.deepEqual(problems, []);
});

test("a stored run is presented from its title to its outcome, on and back by keys, at a pace", async () => {
  const { page, problems } = await lab.visit("#/", { viewport: { width: 1280, height: 720 } });
  const id = await made(page, small());
  await view(page, `#/present/${id}`, "slide");
  const where = () => page.getByTestId("present-where").textContent().then((text) => text.split(" · ")[0]);
  const slide = () => page.locator(".slide").getAttribute("data-key");
  await eventually.equal(slide, "title");
  await eventually.match(where, / of \d+$/);
  const of = Number((await where()).split(" of ")[1]);
  await page.keyboard.press("Space");
  await eventually.deepEqual(async () => [await slide(), await where()], ["chapter/1/initial_ranking", `2 of ${of}`]);
  await page.getByText("Nothing has been explained yet.").waitFor();
  await page.keyboard.press("PageDown");
  await eventually.equal(() => page.locator(".slide .order").count(), 2);
  const sizes = () => page.locator(".slide").evaluate((node) => [...node.querySelectorAll("*")].filter((one) => one.checkVisibility() && !one.closest("[aria-hidden]") && [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim())).map((one) => [Number.parseFloat(getComputedStyle(one).fontSize), one.textContent]));
  await eventually.ok(async () => (await sizes()).length > 8);
  assert.deepEqual((await sizes()).filter(([pixels]) => pixels < 24), [], "all of it is read from the back of a room");
  await page.keyboard.press("ArrowLeft");
  await eventually.equal(slide, "chapter/1/initial_ranking");
  await page.getByTestId("present-chapter").selectOption("2/round/1");
  await page.locator("h1").focus();
  await page.keyboard.press("ArrowRight");
  await eventually.match(slide, /^say\/1\//);
  const size = await page.locator(".aloud").evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));
  assert.ok(size >= 30, `${size} px`);
  await page.keyboard.press("End");
  await eventually.match(() => page.getByTestId("outcome").textContent(), /^The group /);
  await eventually.equal(() => page.getByTestId("present-on").isDisabled(), true);
  await page.keyboard.press("Home");
  await eventually.equal(() => page.getByTestId("present-pace").inputValue(), "200");
  await page.keyboard.press("+");
  await eventually.equal(() => page.getByTestId("present-pace").inputValue(), "240");
  await eventually.equal(() => page.getByTestId("present-on").textContent(), "Next");
  await page.keyboard.press("?");
  await eventually.deepEqual(async () => (await page.locator(".key-list kbd").allTextContents()).filter((key) => /Arrow/.test(key)), []);
  await page.keyboard.press("Escape");
  const sign = () => page.getByTestId("present-play").locator("path").getAttribute("d");
  const triangle = await sign();
  await page.clock.install();
  await page.keyboard.press("p");
  await eventually.notEqual(sign, triangle, "what it does now is to pause");
  await page.clock.runFor(readingTime(20, 240) + 50);
  await eventually.equal(slide, "chapter/1/initial_ranking", "it goes on by itself");
  await page.keyboard.press("ArrowLeft");
  await page.clock.runFor(60_000);
  await eventually.equal(slide, "title", "by hand it stays");
  await eventually.equal(sign, triangle);
  await page.keyboard.press("Escape");
  await page.getByTestId("ended").waitFor();
  assert.deepEqual(problems, []);
});

test("a run under way is presented as far as it has come, and goes on meanwhile", async () => {
  const { page, problems } = await lab.visit("#/");
  await view(page, "#/presets", "preset-quick");
  await page.getByTestId("preset-quick").click();
  await runIs(page, "running");
  await page.getByTestId("present").click();
  await page.getByTestId("slide").waitFor();
  const shown = [];
  while (!shown.at(-1)?.startsWith("say/1/")) {
    // Whoever waits for what comes gets it.
    await page.keyboard.press("End");
    const key = await page.waitForFunction(() => document.querySelector(".slide").dataset.key !== "wait" && document.querySelector(".slide").dataset.key);
    shown.push(await key.jsonValue());
  }
  assert.deepEqual(problems, []);
});

/** A discussion of scripts, which begins at once. */
const roundTable = (page) => page.evaluate(async () => (await import(new URL("engine.js", document.baseURI).href)).presets().find(({ id }) => id === "round-table").config);
/** What has been said so far: when, and in how many words. */
const heard = async (page, id) =>
  (await stored(page, id)).filter(({ what }) => what.type === "event" && what.event.type === "said").map(({ at, what }) => ({ at, words: wordsIn(what.event.content) }));
/** The same once it is so many. */
const heardSo = (page, id, many) => eventually(async () => {
  const all = await heard(page, id);
  assert.ok(all.length >= many);
  return all;
}, 120);

test("a run that is read aloud makes no call before what was said has been read, and goes on at once when nobody reads any longer", async () => {
  const { page, problems } = await lab.visit("#/");
  const id = await made(page, await roundTable(page), { run: false });
  await view(page, `#/run/${id}`);
  await pace(page, "aloud");
  // What was said at the pace before was not held.
  const early = (await heard(page, id)).length;
  const said = (await heardSo(page, id, early + 3)).slice(early);
  said.slice(1).forEach(({ at }, place) => {
    const time = readingTime(said[place].words, 200);
    assert.ok(at - said[place].at >= time, `${said[place].words} words were there for ${at - said[place].at} of ${time} ms`);
  });
  assert.ok(said.some(({ words }) => words > 15), JSON.stringify(said));
  await pace(page, "instant");
  await runIs(page, "ended");
  const all = await heard(page, id);
  const [next, last] = [all[early + 3], all.at(-1)];
  assert.ok(last !== next && last.at - next.at < readingTime(next.words, 200), "nothing is held any longer");
  assert.deepEqual(problems, []);
});

test("a run under way is read aloud on the wall: it waits for its slides, and goes on where somebody goes ahead", async () => {
  const { page, problems } = await lab.visit("#/");
  const id = await made(page, await roundTable(page), { run: false });
  await view(page, `#/present/${id}`, "slide");
  await page.getByTestId("present-pace").selectOption("300");
  await eventually.equal(() => page.getByTestId("present-play").getAttribute("aria-pressed"), "true");
  // By itself it comes to the second speaker, in the time that the first one takes.
  const first = await page.locator(".slide-text .speaker b").textContent();
  await page.locator(".slide-text .speaker b").filter({ hasNotText: first }).waitFor();
  const [one, two] = await heard(page, id);
  assert.ok(two.at - one.at >= 3000, `${two.at - one.at} ms`);
  await eventually.ok(async () => (await heard(page, id)).length <= 3, "the run is not far ahead of what is read");
  // Whoever goes to the end waits no longer than the next one takes to speak.
  const before = (await heard(page, id)).length;
  await page.keyboard.press("End");
  await heardSo(page, id, before + 1);
  await page.keyboard.press("Escape");
  await page.getByTestId("state").waitFor();
  await eventually.equal(() => page.getByTestId("pace").inputValue(), "aloud");
  assert.deepEqual(problems, []);
});

test("on a phone the totals are in sight, and what is cut off has a shadow", async () => {
  const { page, problems } = await lab.visit("#/", { viewport: { width: 360, height: 740 } });
  const id = await made(page, small());
  await view(page, `#/results/${id}`, "verify");
  const section = (title) => page.getByTestId("result-blocks").locator("section", { has: page.getByRole("heading", { name: title, exact: true }) }).locator(".scroll");
  await eventually.deepEqual(() => section("Payoffs").locator("td:nth-child(2)").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right <= 344)), [true, true]);
  const distributions = section("Distributions of phase 2");
  await eventually.ok(() => distributions.evaluate((node) => node.scrollWidth <= node.clientWidth), "the distributions are whole");
  await page.getByText("Every choice and what it paid", { exact: true }).click();
  const place = section("Phase 1: choices alone");
  await eventually.ok(() => place.evaluate((node) => node.scrollWidth > node.clientWidth));
  await eventually.equal(() => place.evaluate((node) => getComputedStyle(node).backgroundAttachment), "local, local, scroll, scroll");
  assert.deepEqual(problems, []);
});

test("progress is that of the engine's forecast, and time runs while a run goes", async () => {
  const { page, problems } = await lab.visit("#/");
  const person = small({ agents: [...small().agents, { name: "Cy", kind: "human", personality: "A person." }] });
  await view(page, `#/run/${await made(page, person, { run: false })}`, "human");
  const elapsed = page.getByTestId("elapsed");
  const before = await elapsed.textContent();
  await page.waitForFunction((text) => document.querySelector("[data-testid=elapsed]").textContent !== text, before);
  await page.getByText(/^\d+% done$/).waitFor({ state: "attached" });
  await leaveFor(page, "#/");
  await page.getByTestId("start").waitFor();

  const id = await made(page, small(), { run: false });
  await view(page, `#/run/${id}`, "conversation");
  await page.getByText(/^≈ \d+ (min( \d+ s)?|s)$/).waitFor();
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  const { low, high } = await page.evaluate(async (session) => {
    const { Library, forecast } = await import(new URL("engine.js", document.baseURI).href);
    const [{ what }] = await Library.entries(session);
    return forecast(what.config).calls;
  }, id);
  await eventually(async () => {
    const [calls, behind] = await page.evaluate(() => [Number(document.querySelector("[data-testid=calls]").textContent), document.querySelector(".run-bar progress").value]);
    assert.equal(behind.toFixed(3), ((200 * calls) / (low + high)).toFixed(3));
  });
  await pace(page, "instant");
  await page.getByTestId("resume").click();
  await runIs(page, "ended");
  await eventually.equal(() => page.locator(".run-bar progress").evaluate((meter) => meter.value), 100);
  const all = Number(await page.getByTestId("calls").textContent());
  assert.ok(low <= all && all <= high, `${all} calls, ${low} to ${high} foretold`);
  assert.deepEqual(problems, []);
});

test("what is written from right to left is laid out so, beside what is not", async () => {
  const { page } = await lab.visit();
  const id = await made(page, small({ title: "ما هو العدل؟" }), { run: false });
  await view(page, `#/run/${id}`, "state");
  await eventually.ok(() => page.locator(".run-title").evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return Math.abs(node.getBoundingClientRect().right - range.getBoundingClientRect().right) < 2;
  }));
});

/** Makes another word of one in the stored record. */
const alter = (page, id) => page.evaluate(async (id) => {
  const request = indexedDB.open("quorate");
  const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const transaction = database.transaction("entries", "readwrite");
  transaction.objectStore("entries").openCursor(IDBKeyRange.bound([id], [id, []])).onsuccess = ({ target: { result: cursor } }) => {
    if (!cursor) return;
    if (cursor.value.includes("phase1/")) cursor.update(cursor.value.replace("phase1/", "phase2/"));
    else cursor.continue();
  };
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}, id);

/** The lines as another engine would have written them. */
function ofAnother(text) {
  let chain = Buffer.alloc(32);
  return text.trimEnd().split("\n").map((line) => {
    const body = line.replace(/"engine":"[^"]+"/, '"engine":"quorate 0.0.1"').replace(/,"hash":"[0-9a-f]{8}"\}$/, "");
    chain = createHash("sha256").update(chain).update(body).digest();
    return `${body},"hash":"${chain.toString("hex", 0, 4)}"}`;
  });
}

const take = (page, lines) => page.getByTestId("import").setInputFiles({ name: "other.jsonl", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) });

test("an altered record and one of another engine are told", async () => {
  const { page } = await lab.visit();
  const id = await made(page, small());
  await view(page, `#/results/${id}`, "verify");
  await page.getByTestId("verify").click();
  await page.locator("[data-testid=verified][data-ok=true]").waitFor();
  const { text } = await saved(page, () => page.getByTestId("export-jsonl").click());
  await alter(page, id);
  await page.getByTestId("verify").click();
  await page.locator("[data-testid=verified][data-ok=false]").waitFor();
  await eventually.match(() => page.getByTestId("verified").textContent(), /^Changed: entry \d+ or an earlier one was changed/);
  await fits(page, "verdict");
  await page.reload();
  await page.getByTestId("trouble").waitFor();
  await eventually.match(() => page.locator("h1").textContent(), /This record was changed/);
  await fits(page, "trouble");
  // What stands there can be seen, and the whole is gone from nowhere.
  await page.getByTestId("trouble").locator("xpath=../p[@class='row']/a[1]").click();
  await page.getByTestId("replay-slider").waitFor();

  const lines = ofAnother(text).slice(0, 60);
  await view(page, "#/library", "session");
  await page.getByTestId("delete").click();
  await page.getByTestId("confirm").click();
  await page.getByTestId("session").waitFor({ state: "detached" });
  await take(page, lines);
  await page.getByTestId("session").waitFor();
  assert.doesNotMatch(await page.getByTestId("open").textContent(), /Resume/);
  await page.getByTestId("open").click();
  await eventually.match(() => page.getByTestId("foreign").textContent(), /quorate 0\.0\.1 wrote this record/);
  for (const control of ["resume", "pause", "step", "stop", "pace"]) await eventually.equal(() => page.getByTestId(control).isVisible(), false, control);
  await eventually.equal(() => page.getByTestId("calls").isVisible(), false);
  await eventually.ok(() => page.getByTestId("foreign").locator("summary").isVisible(), "its exports");
  await fits(page, "foreign");
});

/** Nothing sticks out, on a phone or on a desk. */
async function fits(page, name) {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await eventually.ok(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} at ${width}`);
  }
}

// In a browser of its own, since its profile lies on a small file system, which a file fills. Only root may mount one; elsewhere the
// session cases, with a browser that calls itself full, have to do.

/** A file system of so many megabytes: `{ folder, fill, free, remove }`; null where none may be mounted. */
function smallDisk(megabytes) {
  const folder = mkdtempSync(join(tmpdir(), "quorate-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill() {
      const file = openSync(ballast, "a");
      for (let size = 1 << 20; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size >>= 1;
        }
      }
      fsyncSync(file);
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

test("a run on a disk that is full says so, and goes on by itself once there is room", async (t) => {
  const disk = smallDisk(120);
  if (!disk) return t.skip("no file system may be mounted here");
  t.after(() => disk.remove());
  const context = await chromium.launchPersistentContext(join(disk.folder, "profile"), { ...chromiumOptions(), locale: "en-US", reducedMotion: "reduce" });
  t.after(() => context.close());
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await page.goto(lab.url);
  await ready(page);
  const id = await made(page, small(), { run: false });
  disk.fill();
  await view(page, `#/run/${id}`, "state");
  // Chromium breaks the connection off and does not say why; what can be said is what it may be, and that nothing is lost.
  const banner = page.getByTestId("banner").filter({ hasText: /disk is full|storage is full/ });
  await banner.waitFor();
  await eventually.match(() => banner.innerText(), /Nothing is lost/);
  assert.doesNotMatch(await banner.innerText(), /reload/i);
  await page.getByTestId("store-again").click();
  await banner.waitFor();
  disk.free();
  await banner.waitFor({ state: "detached" });
  await runIs(page, "ended");
  const entries = await stored(page, id);
  assertAskedOnce(entries);
  assert.equal(entries.at(-1).what.type, "ended");
});
