// The fold from the entries of a debate to what the board shows: cards, secret votes, failures, rounds, calls to come.
import assert from "node:assert/strict";
import test from "node:test";
import { activity, emptyView, fold, isSecret, stepper, viewAt } from "../../www/transcript.js";
import { ballots, scheduleOf, targetOf } from "../../www/transcript/debate.js";

/** Entries from what they say; a second apart. */
const record = (...whats) => whats.map((what, seq) => ({ seq, at: 1000 * seq, what }));
const event = (type, rest) => ({ type: "event", event: { type, ...rest } });
const config = { question: "Tea?", agents: [{ name: "Ann" }, { name: "B/o", stance: "negative" }, { name: "Judy", role: "judge" }] };
const started = (changes = {}) => ({ type: "started", engine: "quorate 0.1.0", session: "d1", protocol: "debate", seed: 7, config_hash: "h", config: { ...config, ...changes } });
const began = (round, kind) => event("round_began", { round, kind });
const asked = (kind, seat, round, about = "", attempt = 1) => ({ type: "asked", time_limits: [],
  ask: { id: `round/${round}/${kind}/${about && `${about}/`}${seat}#${attempt}`, seat, kind, phase: 1, round, attempt, language: "en" }, request: { system: "s", messages: [{ role: "user", content: "q" }], max_tokens: 10 } });
const idOf = (what) => what.ask.id;
const sent = (what) => ({ type: "sent", ask: idOf(what), attempt: 1 });
const answered = (what, text) => ({ type: "answered", ask: idOf(what), attempt: 1, reply: { text } });
const read = (what, value, reason) => ({ type: "read", ask: idOf(what), reading: value === null ? { value, reason } : { value, how: "label" } });
const proposed = (round, seat, version, text) => event("proposed", { round, seat, version, text });
const critique = { issues: ["thin"], suggestions: [], severity: 4, reasoning: "" };
const tally = { rows: [{ choice: "Ann", weight: 1, votes: 1, confidence: 0.5 }], total: 1, took_part: 1, abstained: [], failed: ["B/o"], users: 0, required: 1 };
const counted = (round) => event("counted", { round, decision: { status: "consensus_reached", decided_by: "majority", winner: "Ann", tally } });

test("a card keeps its proposal, what was criticised and what stood before", () => {
  const criticism = asked("critique", "Ann", 2, "B/o");
  const revision = asked("revision", "B/o", 3);
  const view = fold(emptyView(), record(started(), began(0, "context"), event("gathered", { sources: [] }), began(1, "propose"),
    asked("proposal", "B/o", 1), asked("proposal", "Ann", 1), proposed(1, "B/o", 1, "one"), proposed(1, "Ann", 1, "two"),
    began(2, "critique"), criticism, event("criticised", { round: 2, seat: "Ann", target: "B/o", critique }), began(3, "revise"), revision, proposed(3, "B/o", 2, "one more"), event("observed", { round: 3, seat: "B/o", patterns: ["rebuttal"] })));
  assert.equal(targetOf(criticism.ask), "B/o");
  assert.deepEqual(view.sections.map(({ key, kinds }) => [key, kinds]), [["1/round/0", ["context"]], ["1/round/1", ["propose"]], ["1/round/2", ["critique"]], ["1/round/3", ["revise"]]]);
  assert.deepEqual(view.sections[1].items, ["card/1/Ann", "card/1/B/o"], "in the order of the table");
  const criticised = view.items.get("card/2/B/o");
  assert.deepEqual([criticised.step, criticised.standing.text, criticised.members.map(({ seat, critique: said }) => [seat, said.severity])], ["critique", "one", [["Ann", 4]]]);
  const revised = view.items.get("card/3/B/o");
  assert.deepEqual([revised.before.text, revised.text, revised.edition, revised.patterns, revised.asks, revised.done], ["one", "one more", 2, ["rebuttal"], [idOf(revision)], true]);
  fold(view, [{ seq: 15, at: 0, what: began(4, "revise") }]);
  const unchanged = view.items.get("card/3/Ann");
  assert.deepEqual([unchanged.over, unchanged.edition, unchanged.standing.version], [true, undefined, 1]);
  assert.equal(view.people.get("B/o").edition, 2);
});

test("votes are secret until they are counted, and who votes looks like who has voted", () => {
  const [ann, bo] = [asked("vote", "Ann", 7), asked("vote", "B/o", 7)];
  const entries = record(started(), began(7, "vote"), ann, sent(ann), bo, answered(ann, "CHOICE: Ann"), read(ann, { choice: "Ann", confidence: 0.5, reasoning: "good" }), sent(bo), answered(bo, "Hm"), read(bo, null, "no_choice_found"),
    event("seat_failed", { round: 7, seat: "B/o", kind: "vote", reason: "no_choice_found" }), counted(7));
  const open = viewAt(entries, 7);
  const votes = open.items.get("vote/7");
  assert.deepEqual(votes.members.map(({ seat, voting }) => [seat, voting]), [["Ann", "cast"], ["B/o", "open"]]);
  assert.equal(isSecret(open, open.asks.get(idOf(ann))), true);
  assert.deepEqual(ballots(open, votes), []);
  assert.equal(activity(open, "B/o"), "voting");
  const closed = viewAt(entries, 12);
  assert.equal(isSecret(closed, closed.asks.get(idOf(ann))), false);
  const shown = closed.items.get("vote/7");
  assert.deepEqual(ballots(closed, shown).map(({ seat, choice, state }) => [seat, choice, state]), [["Ann", "Ann", "cast"], ["B/o", null, "failed"]]);
  assert.deepEqual(shown.failures, [{ seat: "B/o", kind: "vote", reason: "no_choice_found" }]);
});

test("the count after the judge is the judge's, also where votes and judge share a round", () => {
  const view = fold(emptyView(), record(started(), began(9, "vote"), asked("vote", "Ann", 9), counted(9), began(9, "judge"), event("judge_selected", { seat: "Judy", order: ["B/o", "Ann"] }), asked("judgement", "Judy", 9),
    event("judged", { round: 9, seat: "Judy", evaluation: {}, points: [], conclusive: false }), counted(9)));
  assert.deepEqual([view.items.get("vote/9").done, view.items.get("judge/9").done, Boolean(view.items.get("judge/9").decision)], [true, true, true]);
  assert.deepEqual(view.items.get("judge/9").order, ["B/o", "Ann"]);
  assert.deepEqual(view.sections.at(-1).kinds, ["vote", "judge"]);
});

test("a critique that failed is noted where it was asked for, any other failure too", () => {
  const [first, second] = [asked("critique", "Ann", 2, "B/o"), asked("critique", "Ann", 2, "B/o", 2)];
  const view = fold(emptyView(), record(started(), began(2, "critique"), first, answered(first, ""), read(first, null, "empty_response"), second, answered(second, ""), read(second, null, "empty_response"),
    event("seat_failed", { round: 2, seat: "Ann", kind: "critique", reason: "empty_response" }), event("seat_failed", { round: 2, seat: "Judy", kind: "critique", reason: "timed_out" })));
  assert.equal(view.items.get("card/2/B/o").members[0].failed, "empty_response");
  assert.equal([...view.items.values()].filter(({ type }) => type === "failed").length + (view.items.get("card/2/Judy")?.failures?.length ?? 0), 1);
});

test("the stepper knows the rounds of every schedule, early ends and further rounds", () => {
  const states = (view) => stepper(view).map(({ round, state }) => `${round} ${state}`).join(", ");
  assert.equal(states(fold(emptyView(), record(started()))), "0 current, 1 coming, 2 coming, 3 coming, 4 coming, 5 coming, 6 coming, 7 coming, 8 coming");
  const early = record(started(), began(0, "context"), began(1, "propose"), event("ended_early", { round: 1, reason: "one_proposal" }), { type: "ended", result: {} });
  assert.match(states(viewAt(early, 5)), /^0 done, 1 done, 2 skipped, .* 8 skipped$/);
  const further = stepper(fold(emptyView(), record(started(), began(8, "judge"), began(9, "critique"), began(9, "revise"))));
  assert.deepEqual(further.at(-1), { step: "round", phase: 1, round: 9, kinds: ["critique", "revise"], extended: true, state: "current", key: "1/round/9" });
  assert.equal(scheduleOf({ schedule: "classic" }).filter(({ kind }) => kind === "revise").length, 8);
  assert.deepEqual(scheduleOf({ schedule: [{ kind: "propose" }, { number: 4, kind: "vote" }] }), [{ number: 0, kind: "propose" }, { number: 4, kind: "vote" }]);
});

