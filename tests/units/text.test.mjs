// What the page makes of texts: addresses, the gist of a section, slides, search, and answers that come piece by piece.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readingTime } from "../../www/reading-time.js";
import { deck, pagesOf } from "../../www/slides.js";
import { gist } from "../../www/section-summary.js";
import { route } from "../../www/routes.js";
import { matterOf, placesIn, spoken, tellingSentence, unmarked, wordsIn } from "../../www/text.js";

const FLOOR = { name: "Floor", number: 1 };
const AVERAGE = { name: "Average", number: 2 };

/** A view of these sections, each with its items. */
function viewOf(sections, { people = [{ name: "Ann", index: 0, kind: "scripted" }, { name: "Bo", index: 1, kind: "scripted" }], run = "running", result = null } = {}) {
  const items = new Map();
  const parts = sections.map(([key, values, ...all]) => {
    for (const item of all) items.set(item.key, { asks: [], done: true, section: key, seat: null, isSpeech: false, isProjected: true, ...item });
    return { key, items: all.map((item) => item.key), ...values };
  });
  return { sections: parts, items, people: new Map(people.map((person) => [person.name, person])), asks: new Map(), run, result };
}
const ranking = (key, seat, ...items) => ({ key, type: "ranking", seat, blocks: [{ block: "choices", items }] });
const says = (key, seat, text, ...items) => ({ key, type: "statement", seat, isSpeech: true, blocks: [{ block: "choices", items }, { block: "quote", text }] });
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

test("a section comes to a line for each who spoke, and says who changed their mind", () => {
  const view = experiment();
  assert.deepEqual(gist(view, view.sections[0]), [{ seat: null, word: "gist.first", tally: [[FLOOR, 1], [AVERAGE, 1]] }]);
  const chosen = viewOf([["1/application/1", {}, ranking("p/A", "Ann", AVERAGE), ranking("p/B", "Bo", AVERAGE)], ["1/explanation", {}, { key: "x", seat: "Ann", blocks: [] }, { key: "y", seat: "Bo", done: false, blocks: [] }]]);
  assert.deepEqual(gist(chosen, chosen.sections[0]), [{ seat: null, word: "gist.chose", tally: [[AVERAGE, 2]] }]);
  assert.deepEqual(gist(chosen, chosen.sections[1]), [{ seat: null, word: "gist.answered", count: 1 }]);
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
    { key: "a", type: "card", seat: "Ann", isSpeech: true, blocks: [{ block: "quote", text: "It stays as it is. Now with a date.", before: "It stays as it is." }] },
    { key: "b", type: "card", seat: "Bo", isSpeech: true, blocks: [{ block: "quote", text: "The same.", before: "The same." }] },
    { key: "c", type: "check", seat: null, blocks: [{ block: "text", text: "From 0 to 1." }, { block: "text", tone: "strong", text: "Not one yet." }] }],
  ["1/round/3", { round: 3, kinds: ["critique"] },
    { key: "d", type: "card", seat: "Bo", isSpeech: true, blocks: [{ block: "fold", title: "What is criticised", blocks: [{ block: "quote", text: "The same." }] }] },
    { key: "e", type: "critique", seat: "Ann", blocks: [{ block: "text", tone: "quiet", text: "Objections" }, { block: "list", quoted: true, items: ["Too dear."] }] }]]);
  assert.deepEqual(gist(again, again.sections[0]), [
    { seat: "Ann", says: "Now with a date.", word: "gist.revised" },
    { seat: "Bo", says: "", word: "gist.kept" },
    { seat: null, says: "Not one yet." },
  ]);
  assert.deepEqual(gist(again, again.sections[1]), [{ seat: "Ann", says: "Too dear." }]);
  // A speaker's earlier words are not read out again; of a later version only what is new.
  const read = deck(again).filter(({ kind }) => kind === "text").map(({ key, seat, paragraphs }) => [key, seat, paragraphs]);
  assert.deepEqual(read, [["a/0/0", "Ann", ["Now with a date."]], ["e/0/0", "Ann", ["Too dear."]]]);
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
  const reasons = { block: "list", quoted: true, items: ["It rained.", "It will rain."] };
  const report = [{ block: "text", text: "The median is 3 days." }, { block: "fold", title: "Reasons", blocks: [reasons] }];
  const poll = deck(viewOf([["1/round/1", { round: 1 }, { key: "r", type: "report", seat: null, blocks: report }]]));
  assert.deepEqual(poll.map((slide) => slide.key), ["title", "chapter/1/round/1", "r", "r/0/0", "wait"]);
  assert.deepEqual([poll[3].seat, poll[3].paragraphs], [null, ["It rained.", "It will rain."]]);

  // What to look at is said once; a round that is like one before goes on with what was chosen, or is named alone.
  const pay = (round) => [`1/application/${round}`, { phase: 1, step: "application", round }, { key: `p/${round}`, type: "application", seat: "Ann", blocks: [{ block: "measure", text: "$1.20" }] }];
  const round = (round) => [`2/round/${round}`, { phase: 2, step: "round", round }, says(`s/${round}`, "Ann", "So be it.")];
  const rounds = (...parts) => deck(viewOf(parts)).map(({ key, looks }) => [key, ...(looks ?? [])].join(" "));
  assert.deepEqual(rounds(pay(1), pay(2), round(1), round(2)), [
    "title", "chapter/1/application/1 look.application", "p/1", "p/2", "chapter/2/round/1 look.round", "s/1/0/0", "chapter/2/round/2", "s/2/0/0", "wait",
  ]);
  const [key, values] = pay(2);
  assert.equal(rounds(pay(1), [key, values]).at(-2), "chapter/1/application/2", "what goes on is named before there is anything of it");
  assert.deepEqual(rounds(pay(1), [key, values], round(1)).slice(2, 4), ["p/1", "chapter/2/round/1 look.round"]);

  // What repeats something, is nobody else's, or is not for the room is left out.
  const text = (tone, text) => ({ block: "text", tone, text });
  const shown = keys(viewOf([["2/round/1", { phase: 2 }, { key: "v", type: "vote", blocks: [text("strong", "A vote"), text("good", "Unanimous")] },
    { key: "c", type: "notice", blocks: [text("quiet", "Ann: takes part.")] },
    { key: "t", type: "target", seat: "Ann", blocks: [text("private", "A task")] },
    { key: "e", type: "estimate", seat: "Ann", isProjected: false, blocks: [{ block: "quote", text: "Because." }] },
    { key: "n", type: "notice", blocks: [text("plain", "Two rounds are left.")] }]]));
  assert.deepEqual(shown, ["title", "chapter/2/round/1", "v", "n", "wait"]);
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
