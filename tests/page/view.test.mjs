// The pure parts of the page: the fold from entries to what is shown, paths of settings, and the words of the three languages.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { activity, emptyView, fold, isSecret, placesOver, stepper, viewAt } from "../../www/transcript.js";
import { parts, read, write } from "../../www/fields.js";

const WWW = new URL("../../www/", import.meta.url);
const ORDER = ["maximizing_floor", "maximizing_average", "maximizing_average_floor_constraint", "maximizing_average_range_constraint"];

/** Entries from what they say; a second apart. */
const record = (...whats) => whats.map((what, seq) => ({ seq, at: 1000 * seq, what }));
const event = (type, rest) => ({ type: "event", event: { type, ...rest } });
const started = { type: "started", engine: "quorate 0.1.0", session: "s1", protocol: "justice", seed: 7, config_hash: "h",
  config: { phase2_rounds: 3, agents: [{ name: "Ann", personality: "p" }, { name: "Bo", kind: "human", personality: "p" }] } };
const asked = (id, seat, kind, phase, round = null, attempt = 1) => ({ type: "asked", time_limits: [],
  ask: { id, seat, kind, phase, round, attempt, language: "en" }, request: { system: "s", messages: [{ role: "user", content: "q" }], max_tokens: 10 } });
const sent = (ask) => ({ type: "sent", ask, attempt: 1 });
const answered = (ask, text) => ({ type: "answered", ask, attempt: 1, reply: { text, usage: { input: 3, output: 2 } } });

test("a statement keeps its reasoning and all attempts in one item", () => {
  const view = fold(emptyView(), record(started, event("step_began", { phase: 2, step: "discussion", round: 1 }),
    asked("r", "Ann", "internal_reasoning", 2, 1), sent("r"), answered("r", "hm"), event("reasoned", { seat: "Ann", round: 1, text: "hm" }),
    asked("s#1", "Ann", "statement", 2, 1), sent("s#1"), answered("s#1", "no"), asked("s#2", "Ann", "statement", 2, 1, 2), sent("s#2"), answered("s#2", "A longer one."),
    event("spoke", { seat: "Ann", round: 1, text: "A longer one.", character_count: 13, validation: "valid" }), event("favored", { seat: "Ann", round: 1, principle: ORDER[0] })));
  assert.deepEqual(view.sections.map(({ key, items }) => [key, items]), [["2/round/1", ["say/1/Ann"]]]);
  const item = view.items.get("say/1/Ann");
  assert.deepEqual([item.reasoning, item.text, item.done, item.asks], ["hm", "A longer one.", true, ["r", "s#1", "s#2"]]);
  assert.equal(view.people.get("Ann").favored, ORDER[0]);
  assert.deepEqual([view.calls, view.tokens], [3, { input: 9, output: 6 }]);
});

test("phase 1 stands in the order of the procedure, whoever gets there first", () => {
  const view = fold(emptyView(), record(started, asked("a", "Ann", "application", 1, 2), asked("b", "Bo", "initial_ranking", 1), asked("c", "Ann", "application", 1, 1), asked("d", "Bo", "explanation", 1)));
  assert.deepEqual(view.sections.map((part) => part.key), ["1/initial_ranking", "1/explanation", "1/application/1", "1/application/2"]);
});

test("votes are secret until the ballot is counted, amounts included", () => {
  const entries = record(started, event("step_began", { phase: 2, step: "ballot", round: 1 }), asked("p", "Ann", "ballot_principle", 2, 1), sent("p"), asked("q", "Bo", "ballot_principle", 2, 1), sent("q"), answered("p", "3"), asked("m", "Ann", "ballot_amount", 2, 1), sent("m"),
    event("voted", { round: 1, vote: { seat: "Ann", principle: ORDER[2], amount: 14000, status: "valid", raw: ["3", "14000"] } }),
    event("voted", { round: 1, vote: { seat: "Bo", principle: null, amount: null, status: "timeout", raw: [] } }),
    event("counted", { round: 1, initiator: "Bo", agreed: null, amount: null, disagreement: "voting_failed" }));
  const open = viewAt(entries, 9);
  const vote = open.items.get("vote/1");
  assert.deepEqual(vote.members.map(({ seat, voting }) => [seat, voting]), [["Ann", "cast"], ["Bo", "open"]]);
  assert.equal(vote.ballot, undefined);
  // Ann is asked for an amount and Bo is not; that must not show.
  assert.deepEqual(["Ann", "Bo"].map((name) => activity(open, name)), ["voting", "voting"]);
  assert.equal(isSecret(open, open.asks.get("p")), true);
  assert.equal(isSecret(open, open.asks.get("m")), true);
  const counted = viewAt(entries, 12);
  assert.equal(isSecret(counted, counted.asks.get("p")), false);
  assert.equal(counted.ballots.length, 1);
});

const fellBack = (ask, seat, model, because = "failed") => ({ type: "fell_back", ask, seat, model, base_url: "https://b.example", because });
const failed = (ask, attempt) => ({ type: "failed", ask, attempt, failure: { kind: "request", message: "No.", status: 404 } });

test("a change of model is a notice where the question stands, once until the first model answers again", () => {
  const notices = (view) => [...view.items.values()].filter((item) => item.type === "fellback").map(({ section, seat, model, before }) => [section, seat, model, before]);
  const again = (ask) => [asked(ask, "Ann", "statement", 2, 1), sent(ask), failed(ask, 1), fellBack(ask, "Ann", "m-2"), sent(ask), answered(ask, "x")];
  const first = { ...asked("s#1", "Ann", "statement", 2, 1), request: { system: "s", messages: [], model: "m-1", max_tokens: 10 } };
  const entries = record(started, first, sent("s#1"), failed("s#1", 1), fellBack("s#1", "Ann", "m-2"), sent("s#1"), answered("s#1", "x"), ...again("s#2"),
    asked("s#3", "Ann", "statement", 2, 2), sent("s#3"), answered("s#3", "y"), ...again("s#4"));
  const view = fold(emptyView(), entries);
  assert.deepEqual(notices(view), [["2/round/1", "Ann", "m-2", "m-1"], ["2/round/1", "Ann", "m-2", ""]]);
  const { fellBack: changes, tries } = view.asks.get("s#1");
  assert.deepEqual([changes, tries.length], [[{ seat: "Ann", model: "m-2", before: "m-1", because: "failed", after: 1 }], 2]);
  assert.equal(view.settled, 7);

  // A ballot tells nothing of who is asked what.
  const secret = record(started, event("step_began", { phase: 2, step: "ballot", round: 1 }), asked("p", "Ann", "ballot_principle", 2, 1), sent("p"), failed("p", 1), fellBack("p", "Ann", "m-2"));
  assert.deepEqual(notices(fold(emptyView(), secret)), []);
  assert.equal(fold(emptyView(), secret).asks.get("p").fellBack.length, 1);
});

test("the same entries twice change nothing", () => {
  const entries = record(started, asked("a", "Ann", "statement", 2, 1), sent("a"));
  const view = fold(emptyView(), entries);
  const before = JSON.stringify([view.calls, view.items.get("say/1/Ann")]);
  fold(view, entries);
  assert.equal(JSON.stringify([view.calls, view.items.get("say/1/Ann")]), before);
});

test("who does what follows from the open asks", () => {
  const view = fold(emptyView(), record(started, asked("a", "Ann", "statement", 2, 1), sent("a"), asked("b", "Bo", "memory_update", 2, 1)));
  assert.equal(activity(view, "Ann"), "speaking");
  assert.equal(activity(view, "Bo"), "queued");
  fold(view, [{ seq: 4, at: 4000, what: sent("b") }, { seq: 5, at: 5000, what: answered("a", "x") }]);
  assert.equal(activity(view, "Ann"), null);
  assert.equal(activity(view, "Bo"), "remembering");
});

test("memories are added to or replaced", () => {
  const view = fold(emptyView(), record(started, event("remembered", { seat: "Ann", phase: 1, how: "rewritten", text: "one" }), event("remembered", { seat: "Ann", phase: 2, how: "appended", text: "two" })));
  assert.equal(view.people.get("Ann").memory, "one\ntwo");
  fold(view, [{ seq: 3, at: 0, what: event("remembered", { seat: "Ann", phase: 2, how: "shortened", text: "two" }) }]);
  assert.equal(view.people.get("Ann").memory, "two");
});

test("halts, commands and failures show in the state of the run", () => {
  const failure = { kind: "key", message: "m", status: 401 };
  const view = fold(emptyView(), record(started, asked("a", "Ann", "statement", 2, 1), sent("a"), { type: "failed", ask: "a", attempt: 1, failure }, { type: "halted", halt: { because: "call_failed", ask: "a", failure } }));
  assert.deepEqual([view.run, view.halt.failure.kind, view.asks.get("a").state], ["halted", "key", "failed"]);
  assert.deepEqual(view.asks.get("a").tries, [{ attempt: 1, sentAt: 2000, endedAt: 3000, outcome: "failed", failure }]);
  fold(view, [{ seq: 5, at: 0, what: { type: "commanded", command: { do: "resume" } } }]);
  assert.deepEqual([view.run, view.halt], ["running", null]);
});

test("the stepper goes forward and leaves out rounds that were not needed", () => {
  const ranked = (seat) => event("ranked", { seat, moment: "initial", ranking: null });
  const view = fold(emptyView(), record(started, ranked("Ann")));
  assert.equal(stepper(view)[0].state, "current");
  fold(view, [{ seq: 2, at: 0, what: ranked("Bo") }]);
  assert.deepEqual(stepper(view).slice(0, 2).map((step) => step.state), ["done", "current"]);
  fold(view, [{ seq: 3, at: 0, what: event("step_began", { phase: 2, step: "discussion", round: 1 }) }, { seq: 4, at: 0, what: event("drawn", { multiplier: 1, distributions: [], probabilities: null, distribution: 1, no_consensus: null }) }]);
  assert.deepEqual(stepper(view).filter((step) => step.phase === 2).map((step) => [step.step, step.state]), [["round", "done"], ["round", "skipped"], ["round", "skipped"], ["results", "current"]]);
});

test("places over the moments: of one, of all, and none where no ranking could be read", () => {
  const ranked = (seat, moment, order) => event("ranked", { seat, moment, ranking: order && { order, certainty: null } });
  const view = fold(emptyView(), record(started, ranked("Ann", "initial", ORDER), ranked("Bo", "initial", [...ORDER].reverse()), ranked("Ann", "post_explanation", null)));
  assert.deepEqual(placesOver(view, "Ann")[0].places, [1, null, null, null]);
  assert.deepEqual(placesOver(view)[3].places, [2.5, null, null, null]);
});

test("settings are read and written by path, and emptied objects go", () => {
  assert.deepEqual(parts("agents[2].name"), ["agents", "2", "name"]);
  const config = { agents: [{ name: "A" }] };
  write(config, "phase2_settings.memory_management.statement_max_length", 10);
  assert.equal(read(config, "phase2_settings.memory_management.statement_max_length"), 10);
  write(config, "phase2_settings.memory_management.statement_max_length", undefined);
  assert.deepEqual(config, { agents: [{ name: "A" }] });
  write(config, "agents.0.name", undefined);
  assert.deepEqual(config, { agents: [{}] });
});

const table = (language) => JSON.parse(readFileSync(new URL(`i18n/${language}.json`, WWW), "utf8"));

test("the three languages have the same keys, and the same variables in each", () => {
  const english = table("en");
  for (const language of ["es", "zh"]) {
    const other = table(language);
    assert.deepEqual(Object.keys(other), Object.keys(english), language);
    for (const [key, text] of Object.entries(english)) {
      const variables = (from) => [...from.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      assert.deepEqual(variables(other[key]), variables(text), `${language}: ${key}`);
      assert.ok(other[key].trim(), `${language}: ${key} is empty`);
    }
  }
});

test("every text that the page names exists", () => {
  const english = table("en");
  for (const file of readdirSync(WWW).filter((name) => name.endsWith(".js"))) {
    const source = readFileSync(new URL(file, WWW), "utf8");
    for (const [, key] of source.matchAll(/\b(?:t|say)\(\s*"([^"]+)"/g)) {
      assert.ok(key in english || `${key}.other` in english, `${file}: ${key}`);
    }
    for (const [, start] of source.matchAll(/\b(?:t|say)\(\s*`([a-z_]+\.)\$\{/g)) {
      assert.ok(Object.keys(english).some((key) => key.startsWith(start)), `${file}: ${start}…`);
    }
  }
});

test("nothing on the page parses HTML or calls other hosts by itself", () => {
  for (const file of readdirSync(WWW).filter((name) => name.endsWith(".js"))) {
    const source = readFileSync(new URL(file, WWW), "utf8");
    assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, file);
  }
});

test("Spanish says usted throughout", () => {
  const spanish = JSON.parse(readFileSync(new URL("i18n/es.json", WWW), "utf8"));
  const familiar = /(?<![\p{L}])(tú|tu|tus|ti|contigo|tuy[oa]s?|te|puedes|tienes|quieres|eres|estás|debes|verás|podrás|harías|elige tu|di qué|discute las)(?![\p{L}])/iu;
  assert.deepEqual(Object.entries(spanish).filter(([, text]) => familiar.test(text)), []);
});
