// A run can be followed by everybody: rounds that fold to what was said in them, search, keys to everywhere, slides for
// a projector, results on a phone, and a sentence where an address leads nowhere.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertFine } from "../support/access.mjs";
import { made, openPage, pace, runIs, small, stored, unfold, view } from "../support/page.mjs";
import { readingTime } from "../../www/aloud.js";
import { deck, pagesOf } from "../../www/deck.js";
import { gist } from "../../www/gist.js";
import { route } from "../../www/routes.js";
import { matterOf, placesIn, spoken, tellingSentence, unmarked, wordsIn } from "../../www/text.js";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

const FLOOR = "maximizing_floor";
const AVERAGE = "maximizing_average";

/** A view of these sections, each with its items. */
function viewOf(sections, { people = [{ name: "Ann", index: 0, kind: "scripted" }, { name: "Bo", index: 1, kind: "scripted" }], run = "running", result = null } = {}) {
  const items = new Map();
  const parts = sections.map(([key, values, ...all]) => {
    for (const item of all) items.set(item.key, { asks: [], members: [], done: true, section: key, ...item });
    return { key, items: all.map((item) => item.key), ...values };
  });
  return { sections: parts, items, people: new Map(people.map((person) => [person.name, person])), asks: new Map(), run, result };
}
const ranking = (key, seat, ...order) => ({ key, type: "ranking", seat, ranking: { order } });
const says = (key, seat, text, favored = null) => ({ key, type: "statement", seat, text, favored });
const experiment = (more = {}) =>
  viewOf([
    ["1/final_ranking", { phase: 1, step: "final_ranking" }, ranking("r/A", "Ann", FLOOR, AVERAGE), ranking("r/B", "Bo", AVERAGE, FLOOR)],
    ["2/round/1", { phase: 2, step: "round", round: 1 }, says("s/A", "Ann", "Good. The floor protects everybody at this table. And more.", FLOOR), says("s/B", "Bo", "I see that now; **the floor** it is.", FLOOR)],
  ], more);

test("addresses name a view with as many parts as it takes, or nothing", () => {
  const cases = {
    "": ["", []], "#": ["", []], "#/": ["", []], "#main": ["", []], "#/run/a%20b": ["run", ["a b"]], "#/run/a%2Fb/": ["run", ["a/b"]], "#/setup": ["setup", []], "#/setup/x": ["setup", ["x"]], "#/memory/constructor": ["memory", ["constructor"]],
    "#/run": null, "#/run/": null, "#/run//": null, "#/run/%": null, "#/run/%E0%A4%A": null, "#/run/a/b": null, "#/constructor": null, "#/__proto__/x": null, "#/toString": null, "#/library/x": ["library", ["x"]], "#/library/x/y": null, "#/lost": null,
  };
  for (const [hash, wanted] of Object.entries(cases)) assert.deepEqual(route(hash), wanted && { name: wanted[0], args: wanted[1] }, hash);
});

test("an address that leads nowhere gets a sentence at once", async () => {
  const { page, context, problems } = await lab.visit("#/run/%");
  for (const hash of ["#/run/%", "#/constructor", "#/run/a/b"]) {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.getByText(`This address leads nowhere here: ${hash}`, { exact: true }).waitFor();
    assert.equal(await page.locator("h1").textContent(), "There is no such page");
  }
  await assertFine(page, "lost", { widths: [360] });
  for (const name of ["run", "replay", "results", "present"]) {
    await view(page, "#/library");
    await view(page, `#/${name}/a%2Fb`, "trouble");
    assert.equal(await page.locator("h1").textContent(), "There is no such session here", name);
  }
  for (const name of ["room", "project"]) {
    await view(page, "#/library");
    await view(page, `#/${name}/a%2Fb`, "trouble");
    assert.equal(await page.locator("h1").textContent(), "There is no such room here", name);
  }
  for (const name of ["nope", "constructor"]) {
    await view(page, `#/setup/${name}`, "unknown-preset");
    await page.getByText(`There is no ready-made set-up called “${name}”.`).waitFor();
  }
  await page.getByTestId("preset").selectOption({ index: 1 });
  assert.equal(await page.getByTestId("unknown-preset").count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a section comes to a line for each who spoke, and says who changed their mind", () => {
  const view = experiment();
  assert.deepEqual(gist(view, view.sections[0]), [{ seat: null, word: "gist.first", tally: [[FLOOR, 1], [AVERAGE, 1]] }]);
  assert.deepEqual(gist(view, view.sections[1]), [
    { seat: "Ann", says: "The floor protects everybody at this table." },
    { seat: "Bo", says: "I see that now; the floor it is.", from: AVERAGE, to: FLOOR },
  ]);
  const told = "A short word on where we are, before anybody goes on. I am glad of it. A floor it is. With $12,000 in it.";
  assert.equal(tellingSentence(told), "With $12,000 in it.");
  assert.equal(tellingSentence(told, "en", ["Floor", "Average"]), "A floor it is.");
  for (const [code, wanted, text] of [
    ["en", "We should close two streets.", "That is a good point. Thank you, Bo, for putting it so clearly to all of us here. We should close two streets. Who is for it?"],
    ["es", "Propongo cerrar dos calles.", "Es un buen argumento. Gracias, Bo, por decirlo con tanta claridad. Propongo cerrar dos calles. ¿Quién está a favor?"],
    ["zh", "我建议关闭两条街。", "说得好。谢谢Bo讲得这么清楚。我建议关闭两条街。谁赞成？"],
    ["en", "It takes $12,000 a year.", "Let me add a short word before anybody goes on. It takes $12,000 a year."],
  ]) assert.equal(tellingSentence(text, code, [], ["Bo"]), wanted);
  assert.equal(tellingSentence("I ask Bo who pays for a floor. Our school opens late. Ours is the poorest.", "en", matterOf("Should schools open at noon?"), ["Bo"]), "Our school opens late.");
  assert.equal(tellingSentence("大家好。我认为应当先保障最低收入。其余再说。", "zh"), "我认为应当先保障最低收入。");
  assert.equal(tellingSentence("“Should it be kept?” is new to me. I ask."), "“Should it be kept?” is new to me.");
  assert.equal(tellingSentence("On “Should it be kept?” I bring questions. I ask."), "On “Should it be kept?” I bring questions.");
  assert.equal(tellingSentence("“Why now?” The plan says so."), "The plan says so.");
  assert.equal(tellingSentence("关于“茶？”我只能提问。其次如此。", "zh"), "关于“茶？”我只能提问。");
  assert.equal(tellingSentence("**Yes.**"), "Yes.");
  assert.equal(tellingSentence(""), "");
  const again = viewOf([["1/round/2", { round: 2, kinds: ["revise"] },
    { key: "a", type: "card", seat: "Ann", edition: 2, text: "It stays as it is. Now with a date.", before: { text: "It stays as it is." } },
    { key: "b", type: "card", seat: "Bo", edition: 2, text: "The same.", before: { text: "The same." } },
    { key: "c", type: "card", seat: "Bo", members: [{ seat: "Ann", critique: { issues: ["Too dear."], suggestions: [] } }] }]]);
  assert.deepEqual(gist(again, again.sections[0]), [
    { seat: "Ann", says: "Now with a date.", word: "gist.revised" },
    { seat: "Bo", says: "", word: "gist.kept" },
    { seat: "Bo", word: "gist.criticised", names: ["Ann"] },
  ]);
});

test("slides go chapter by chapter, in pages that can be read aloud; what is private waits for the end while people play", () => {
  const sentence = (n) => `${Array.from({ length: n }, (_, at) => `Word${at}`).join(" ")}.`;
  assert.deepEqual(pagesOf(`${sentence(30)} ${sentence(30)}\n\n${sentence(20)}`), [[sentence(30)], [sentence(30), sentence(20)]]);
  assert.deepEqual(pagesOf(""), []);
  assert.deepEqual([wordsIn("It is 10 past."), wordsIn("最低收入", "zh")], [4, 2]);
  assert.deepEqual([readingTime(200, 200), readingTime(50, 100), readingTime(1, 200)], [60_800, 30_800, 3000]);

  const keys = (view) => deck(view).map((slide) => slide.key);
  const open = ["title", "chapter/1/final_ranking", "r/A", "chapter/2/round/1", "s/A/0/0", "s/B/0/0"];
  assert.deepEqual(keys(experiment()), [...open, "wait"]);
  assert.deepEqual(deck(experiment())[2].items, ["r/A", "r/B"]);
  assert.deepEqual(keys(experiment({ run: "ended", result: {} })), [...open, "end"]);
  const people = [{ name: "Ann", index: 0, kind: "scripted" }, { name: "Bo", index: 1, kind: "human" }];
  assert.deepEqual(keys(experiment({ people })), ["title", "chapter/1/final_ranking", "chapter/2/round/1", "s/A/0/0", "s/B/0/0", "wait"]);
  assert.deepEqual(keys(experiment({ people, run: "ended", result: {} })), [...open, "end"]);

  // The reasons of a poll, which nobody's name stands at, are read out after what they brought.
  const poll = deck(viewOf([["1/round/1", { round: 1 }, { key: "r", type: "report", reasons: ["It rained.", "It will rain."] }]]));
  assert.deepEqual(poll.map((slide) => slide.key), ["title", "chapter/1/round/1", "r", "r/0/0", "wait"]);
  assert.deepEqual([poll[3].seat, poll[3].paragraphs], [null, ["It rained.", "It will rain."]]);

  // What to look at is said once; a round that is like one before goes on with what was chosen, or is named alone.
  const pay = (round) => [`1/application/${round}`, { phase: 1, step: "application", round }, { key: `p/${round}`, type: "application" }];
  const round = (round) => [`2/round/${round}`, { phase: 2, step: "round", round }, says(`s/${round}`, "Ann", "So be it.")];
  const rounds = (...parts) => deck(viewOf(parts)).map(({ key, looks }) => [key, ...(looks ?? [])].join(" "));
  assert.deepEqual(rounds(pay(1), pay(2), round(1), round(2)), [
    "title", "chapter/1/application/1 look.application", "p/1", "p/2", "chapter/2/round/1 look.round", "s/1/0/0", "chapter/2/round/2", "s/2/0/0", "wait",
  ]);
  const [key, values] = pay(2);
  assert.equal(rounds(pay(1), [key, values]).at(-2), "chapter/1/application/2", "what goes on is named before there is anything of it");
  assert.deepEqual(rounds(pay(1), [key, values], round(1)).slice(2, 4), ["p/1", "chapter/2/round/1 look.round"]);

  // What the slide of a vote has told is not told again; without the ballot its outcome is.
  const voted = (ballot) =>
    keys(viewOf([["2/round/1", { phase: 2 }, { key: "v", type: "vote", confirmed: true, ballot },
      { key: "c", type: "notice", notice: "confirmations", text: "Ann: takes part." },
      { key: "n", type: "notice", notice: "consensus", text: "The ballot brought a consensus." }]]));
  assert.deepEqual(voted({ votes: [] }), ["title", "chapter/2/round/1", "v", "wait"]);
  assert.deepEqual(voted(null), ["title", "chapter/2/round/1", "v", "n/0/0", "wait"]);
});

test("search minds neither case nor accents, and finds every place", () => {
  assert.deepEqual(placesIn("Él sabía más: MÁS o menos", "mas"), [[9, 12], [14, 17]]);
  assert.deepEqual(placesIn("aaa", "aa"), [[0, 2]]);
  assert.deepEqual(placesIn("text", "  "), []);
});

test("a statement that comes as the first field of a form is shown as it is said, piece by piece", () => {
  const whole = JSON.stringify({ text: "One \"two\"\nthré 🙂.", favored_principle: null }).replace("é", "\\u00e9");
  const shown = [...whole].map((_, at) => spoken(whole.slice(0, at + 1)));
  const begun = shown.findIndex((text) => text === "");
  assert.equal(whole.slice(0, begun + 1), '{"text":"');
  for (const text of shown.slice(begun)) assert.ok('One "two"\nthré 🙂.'.startsWith(text.replace(/\p{Surrogate}$/u, "")), text);
  assert.equal(shown.at(-1), 'One "two"\nthré 🙂.');
  assert.equal(spoken("{not} a form"), "{not} a form");
  assert.equal(spoken(undefined), undefined);
});

test("what has come so far of a text in Markdown is shown without its marks", () => {
  const whole = "## One\n\nA **bold** claim, `so` it is.\n1. first";
  for (let at = 1; at <= whole.length; at += 1) assert.doesNotMatch(unmarked(whole.slice(0, at)), /[#*`]/);
  assert.equal(unmarked(whole), "One\n\nA bold claim, so it is.\n1. first");
  assert.equal(unmarked(undefined), undefined);
});

test("an ended run is folded, is searched across what is folded, and is unfolded by a key", async () => {
  const { page, context, problems } = await lab.visit("#/");
  const id = await made(page, small({ phase2_rounds: 3 }));
  await view(page, `#/run/${id}`, "ended");
  const heights = () => page.evaluate(() => document.documentElement.scrollHeight);
  const folded = await heights();
  assert.equal(await page.getByTestId("statement").first().isVisible(), false);
  const mark = page.locator("[data-part='2/round/1'] .fold");
  assert.equal(await mark.getAttribute("aria-expanded"), "false");
  assert.equal(await page.locator("[data-part='2/round/1'] .gist-line b").allTextContents().then((all) => [...all].sort().join()), "Ada,Bo");
  await assertFine(page, "folded");
  await mark.click();
  assert.equal(await page.getByTestId("statement").first().isVisible(), true);
  await mark.click();

  const wanted = (await page.getByTestId("statement").last().locator(".bubble").textContent()).split(/\s+/).slice(-4).join(" ");
  await page.locator("h1").focus();
  await page.keyboard.press("/");
  await page.keyboard.type(wanted.toUpperCase());
  await page.keyboard.press("Enter");
  assert.match(await page.getByTestId("found").textContent(), /^1 of \d+$/);
  assert.equal(await page.getByTestId("statement").last().isVisible() || (await page.getByTestId("statement").first().isVisible()), true);
  assert.ok((await page.evaluate(() => CSS.highlights.get("found-now").size)) === 1);
  await page.keyboard.type("no such words");
  assert.equal(await page.getByTestId("found").textContent(), "not found");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByTestId("found").textContent(), "");
  assert.equal(await page.evaluate(() => CSS.highlights.has("found")), false);

  await page.locator("h1").focus();
  await page.keyboard.press("f");
  assert.equal(await page.locator(".turns[hidden]").count(), 0);
  assert.ok((await heights()) > 2 * folded, `${folded} px folded`);
  await page.keyboard.press("f");
  assert.equal(await page.locator(".turns:not([hidden])").count(), 0);
  await page.keyboard.press("j");
  const first = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("j");
  assert.notEqual(await page.evaluate(() => document.activeElement.textContent), first);
  await page.keyboard.press("k");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), first);
  assert.deepEqual(problems, []);
  await context.close();
});

test("one key leads from anywhere to the open question, the controls and the outcome; letters can be switched off", async () => {
  const { page, context, problems } = await lab.visit("#/");
  const focused = () => page.evaluate(() => document.activeElement.dataset.testid ?? document.activeElement.textContent);
  const person = { protocol: "debate", language: "English", question: "Tea or coffee?", seed: 1, agents: [{ name: "Ada" }, { name: "Bo" }, { name: "Cy", kind: "human" }] };
  const waits = await made(page, person, { run: false });
  await view(page, `#/run/${waits}`, "human");
  await pace(page, "instant");
  await page.locator("h1").focus();
  await page.keyboard.press("c");
  assert.equal(await focused(), "pause");
  await page.keyboard.press("q");
  assert.equal(await focused(), await page.locator(".human h2").textContent());
  await page.getByTestId("human-answer").focus();
  await page.keyboard.type("qcr?");
  assert.equal(await page.getByTestId("human-answer").inputValue(), "qcr?", "whoever types types letters");
  await page.getByTestId("pause").click();

  const id = await made(page, small());
  await view(page, `#/run/${id}`, "ended");
  await page.locator("h1").focus();
  await page.keyboard.press("r");
  assert.equal(await focused(), "Results");
  await page.keyboard.press("?");
  await page.getByTestId("shortcuts").waitFor();
  assert.equal(await page.locator(".key-list kbd").allTextContents().then((all) => all.join(" ")), "? q c r / f j k p");
  await assertFine(page, "the list of keys");
  await page.getByTestId("shortcuts-on").uncheck();
  await page.keyboard.press("Escape");
  await page.locator("h1").focus();
  for (const key of ["?", "r", "c", "f", "p"]) await page.keyboard.press(key);
  assert.equal(await focused(), await page.locator("h1").textContent());
  assert.equal(await page.locator("dialog").count(), 0);
  await page.getByTestId("shortcuts-open").click();
  await page.getByTestId("shortcuts-on").check();
  await page.keyboard.press("Escape");
  await page.locator("h1").focus();
  await page.keyboard.press("p");
  await page.getByTestId("slide").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("a stored run is presented from its title to its outcome, on and back by keys, at a pace", async () => {
  const { page, context, problems } = await lab.visit("#/", { viewport: { width: 1280, height: 720 } });
  const id = await made(page, small());
  await view(page, `#/present/${id}`, "slide");
  const where = () => page.getByTestId("present-where").textContent().then((text) => text.split(" · ")[0]);
  const slide = () => page.locator(".slide").getAttribute("data-key");
  assert.equal(await slide(), "title");
  const of = Number((await where()).split(" of ")[1]);
  await assertFine(page, "presenter, title");
  await page.keyboard.press("Space");
  assert.deepEqual([await slide(), await where()], ["chapter/1/initial_ranking", `2 of ${of}`]);
  await page.getByText("Nothing has been explained yet.").waitFor();
  await page.keyboard.press("PageDown");
  assert.equal(await page.locator(".slide .order").count(), 2);
  const sizes = await page.locator(".slide").evaluate((node) => [...node.querySelectorAll("*")].filter((one) => one.checkVisibility() && !one.closest("[aria-hidden]") && [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim())).map((one) => [Number.parseFloat(getComputedStyle(one).fontSize), one.textContent]));
  assert.ok(sizes.length > 8);
  assert.deepEqual(sizes.filter(([pixels]) => pixels < 24), [], "all of it is read from the back of a room");
  await assertFine(page, "presenter, rankings");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await slide(), "chapter/1/initial_ranking");
  await page.getByTestId("present-chapter").selectOption("2/round/1");
  await page.locator("h1").focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await slide(), /^say\/1\//);
  const size = await page.locator(".aloud").evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));
  assert.ok(size >= 30, `${size} px`);
  await assertFine(page, "presenter, a statement");
  await page.keyboard.press("End");
  assert.match(await page.getByTestId("outcome").textContent(), /^The group /);
  assert.equal(await page.getByTestId("present-on").isDisabled(), true);
  await page.keyboard.press("Home");
  assert.equal(await page.getByTestId("present-pace").inputValue(), "200");
  await page.keyboard.press("+");
  assert.equal(await page.getByTestId("present-pace").inputValue(), "240");
  assert.equal(await page.getByTestId("present-on").textContent(), "Next");
  await page.keyboard.press("?");
  assert.deepEqual((await page.locator(".key-list kbd").allTextContents()).filter((key) => /Arrow/.test(key)), []);
  await page.keyboard.press("Escape");
  const sign = () => page.getByTestId("present-play").locator("path").getAttribute("d");
  const triangle = await sign();
  await page.clock.install();
  await page.keyboard.press("p");
  assert.notEqual(await sign(), triangle, "what it does now is to pause");
  await page.clock.runFor(readingTime(20, 240) + 50);
  assert.equal(await slide(), "chapter/1/initial_ranking", "it goes on by itself");
  await page.keyboard.press("ArrowLeft");
  await page.clock.runFor(60_000);
  assert.equal(await slide(), "title", "by hand it stays");
  assert.equal(await sign(), triangle);
  await page.keyboard.press("Escape");
  await page.getByTestId("ended").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("a run under way is presented as far as it has come, and goes on meanwhile", async () => {
  const { page, context, problems } = await lab.visit("#/");
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
  await context.close();
});

/** A discussion of scripts, which begins at once. */
const roundTable = (page) => page.evaluate(async () => (await import(new URL("engine.js", document.baseURI).href)).presets().find(({ id }) => id === "round-table").config);
/** What has been said so far: when, and in how many words. */
const heard = async (page, id) =>
  (await stored(page, id)).filter(({ what }) => what.type === "event" && what.event.type === "said").map(({ at, what }) => ({ at, words: wordsIn(what.event.content) }));
const saidSo = async (page, id, many) => {
  for (;;) {
    const said = await heard(page, id);
    if (said.length >= many) return said;
    await page.waitForTimeout(200);
  }
};

test("a run that is read aloud makes no call before what was said has been read, and goes on at once when nobody reads any longer", async () => {
  const { page, context, problems } = await lab.visit("#/");
  const id = await made(page, await roundTable(page), { run: false });
  await view(page, `#/run/${id}`);
  await pace(page, "aloud");
  // What was said at the pace before was not held.
  const early = (await heard(page, id)).length;
  const said = (await saidSo(page, id, early + 3)).slice(early);
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
  await context.close();
});

test("a run under way is read aloud on the wall: it waits for its slides, and goes on where somebody goes ahead", async () => {
  const { page, context, problems } = await lab.visit("#/");
  const id = await made(page, await roundTable(page), { run: false });
  await view(page, `#/present/${id}`, "slide");
  await page.getByTestId("present-pace").selectOption("300");
  assert.equal(await page.getByTestId("present-play").getAttribute("aria-pressed"), "true");
  // By itself it comes to the second speaker, in the time that the first one takes.
  const first = await page.locator(".slide-text .speaker b").textContent();
  await page.locator(".slide-text .speaker b").filter({ hasNotText: first }).waitFor();
  const [one, two] = await heard(page, id);
  assert.ok(two.at - one.at >= 3000, `${two.at - one.at} ms`);
  assert.ok((await heard(page, id)).length <= 3, "the run is not far ahead of what is read");
  // Whoever goes to the end waits no longer than the next one takes to speak.
  const before = (await heard(page, id)).length;
  await page.keyboard.press("End");
  await saidSo(page, id, before + 1);
  await page.keyboard.press("Escape");
  await page.getByTestId("state").waitFor();
  assert.equal(await page.getByTestId("pace").inputValue(), "calm");
  assert.deepEqual(problems, []);
  await context.close();
});

test("on a phone the totals are in sight, and what is cut off has a shadow", async () => {
  const { page, context, problems } = await lab.visit("#/", { viewport: { width: 360, height: 740 } });
  const id = await made(page, small());
  await view(page, `#/results/${id}`, "verify");
  const rights = await page.locator("table.pay strong").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  assert.equal(rights.length, 2);
  assert.ok(rights.every((right) => right <= 344), rights.join());
  const distributions = page.locator(".results .explained-table .scroll");
  assert.ok(await distributions.evaluate((node) => node.scrollWidth <= node.clientWidth), "the distributions are whole");
  const place = page.locator(".scroll:has(table.pay)");
  assert.ok(await place.evaluate((node) => node.scrollWidth > node.clientWidth));
  assert.equal(await place.evaluate((node) => getComputedStyle(node).backgroundAttachment), "local, local, scroll, scroll");
  assert.deepEqual(problems, []);
  await context.close();
});

test("the library is searched and narrowed down", async () => {
  const { page, context, problems } = await lab.visit("#/library");
  await made(page, small({ seed: 4711 }));
  const other = await made(page, { protocol: "discussion", title: "The corner", language: "English", topic: "What to do?", agents: [{ name: "Zoë" }, { name: "Bo" }] }, { run: false });
  await view(page, "#/");
  await view(page, "#/library", "session");
  const visible = () => page.locator("[data-testid=session]:visible h2 a").allTextContents();
  assert.equal((await visible()).length, 2);
  assert.equal(await page.getByTestId("library-nothing").isVisible(), false);
  await page.keyboard.press("/");
  await page.keyboard.type("zoe corner");
  assert.deepEqual(await visible(), ["The corner"]);
  assert.equal(await page.getByTestId("library-count").textContent(), "1 of 2");
  await page.getByTestId("library-find").fill("");
  await page.getByTestId("library-protocol").selectOption("justice");
  assert.deepEqual(await visible(), ["Two at a table"]);
  assert.match(await page.locator("[data-testid=session]:visible [data-testid=facts]").textContent(), /^Experiment · .*English · /);
  await page.getByTestId("library-state").selectOption("unfinished");
  assert.deepEqual(await visible(), []);
  assert.equal(await page.getByTestId("library-nothing").isVisible(), true);
  await page.getByTestId("library-protocol").selectOption("");
  assert.equal(await page.locator("[data-testid=session]:visible").getAttribute("data-id"), other);
  assert.deepEqual(problems, []);
  await context.close();
});

test("progress is that of the engine's forecast, and time runs while a run goes", async () => {
  const { page, context, problems } = await lab.visit("#/");
  const person = small({ agents: [...small().agents, { name: "Cy", kind: "human", personality: "A person." }] });
  await view(page, `#/run/${await made(page, person, { run: false })}`, "human");
  const elapsed = page.getByTestId("elapsed");
  const before = await elapsed.textContent();
  await page.waitForFunction((text) => document.querySelector("[data-testid=elapsed]").textContent !== text, before);
  await page.getByText(/^\d+% done$/).waitFor({ state: "attached" });
  await page.evaluate(() => (location.hash = "#/"));
  await page.getByTestId("start").waitFor();

  const id = await made(page, small(), { run: false });
  await view(page, `#/run/${id}`, "conversation");
  await page.getByText(/^≈ \d+ (min( \d+ s)?|s)$/).waitFor();
  await page.getByTestId("pause").click();
  await runIs(page, "paused");
  const { calls, behind, low, high } = await page.evaluate(async (session) => {
    const { Library, forecast } = await import(new URL("engine.js", document.baseURI).href);
    const [{ what }] = await Library.entries(session);
    return { calls: Number(document.querySelector("[data-testid=calls]").textContent), behind: document.querySelector(".run-bar progress").value, ...forecast(what.config).calls };
  }, id);
  assert.equal(behind.toFixed(3), ((200 * calls) / (low + high)).toFixed(3));
  await pace(page, "instant");
  await page.getByTestId("resume").click();
  await runIs(page, "ended");
  const all = Number(await page.getByTestId("calls").textContent());
  assert.ok(low <= all && all <= high, `${all} calls, ${low} to ${high} foretold`);
  assert.equal(await page.locator(".run-bar progress").evaluate((meter) => meter.value), 100);
  assert.deepEqual(problems, []);
  await context.close();
});
