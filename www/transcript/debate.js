// The debate as a transcript: a section for each round, in it a card for each proposal with what was criticised and
// what became of it, then how alike the proposals are, the votes, and what the judge gave.
import { bump, item, member, section as part } from "./parts.js";

const NINE = ["context", "propose", "critique", "revise", "revise", "revise", "refine", "vote", "judge"];
const WRITES = { propose: "proposal", revise: "revision", refine: "refinement" };
const CARD = { proposal: "propose", revision: "revise", refinement: "refine", critique: "critique" };
/** Places of what a round holds besides the cards, which come in the order of their proposals. */
const LAST = { check: 1e6, challenge: 2e6, vote: 3e6, judge: 4e6, moment: 4.5e6, early: 5e6 };
/** Questions of yes and no to several, and the event that tells what came of them. */
const ASKED = { poll: "polled", termination: "settled", prepare: "prepared", commit: "committed" };

/** The rounds as the configuration has them, as far as it can be read: `{ number, kind }`. */
export function scheduleOf(config) {
  const { schedule } = config ?? {};
  if (schedule === "classic") {
    const steps = [["context", "propose"], ...Array.from({ length: 9 }, (_, at) => (at === 6 ? ["refine"] : ["critique", "revise"])), ["vote", "judge"]];
    return steps.flatMap((kinds, number) => kinds.map((kind) => ({ number, kind })));
  }
  if (Array.isArray(schedule)) return schedule.map((one, place) => ({ number: Number(one?.number ?? place), kind: String(one?.kind ?? "context") }));
  return NINE.map((kind, number) => ({ number, kind }));
}

/** What is kept besides asks and items. */
export const begin = (config) => ({
  question: String(config?.question ?? ""),
  schedule: scheduleOf(config),
  /** The round under way and what is done in it. */
  round: -1,
  roundKind: null,
  /** Versions of each proposal: `{ round, version, text }` by seat. */
  proposals: new Map(),
  /** How alike the proposals were: what records call `compared`. */
  checks: [],
  convergenceAt: Number(config?.convergence_threshold ?? 0.85),
  divergenceAt: Number(config?.divergence_threshold ?? 0.4),
  judge: null,
  early: null,
});

/** What is kept of a participant. */
export const person = (agent) => ({ role: agent.role ?? "proposer", stance: agent.stance ?? "neutral", edition: 0 });

export const EVENT = {
  round_began(view, event) {
    view.round = event.round;
    view.roundKind = event.kind;
    settle(view);
    const home = section(view, event.round);
    if (!home.kinds.includes(event.kind)) home.kinds.push(event.kind);
    if (event.kind !== "revise" && event.kind !== "refine") return;
    // Whoever has a proposal has a card, changed or not.
    for (const seat of view.proposals.keys()) card(view, event.round, seat, { step: event.kind });
  },
  gathered(view, event, { seq }) {
    item(view, section(view, view.round), `context/${view.round}`, "context", { sources: event.sources, done: true, seq });
  },
  proposed(view, event, { seq }) {
    const versions = view.proposals.get(event.seat) ?? [];
    const before = versions.at(-1) ?? null;
    view.proposals.set(event.seat, [...versions, { round: event.round, version: event.version, text: event.text }]);
    const person = view.people.get(event.seat);
    if (person) person.edition = event.version;
    card(view, event.round, event.seat, { edition: event.version, text: event.text, before, done: true, seq });
  },
  criticised(view, event, { seq }) {
    const shown = card(view, event.round, event.target, {});
    Object.assign(member(shown, event.seat), { critique: event.critique, done: true, seq });
    const written = Object.values(WRITES).some((kind) => shown.asks.some((id) => view.asks.get(id)?.kind === kind));
    if (!written && shown.step === "critique") shown.done = true;
  },
  compared(view, { type, ...check }, { seq }) {
    view.checks.push(check);
    item(view, section(view, check.round), `check/${check.round}`, "check", { check, done: true, seq });
  },
  novel(view, { round, novelty }) {
    const shown = view.items.get(`check/${round}`);
    if (shown) bump(Object.assign(shown, { novelty }));
  },
  grouped(view, { round, groups }) {
    const shown = view.items.get(`vote/${round}`);
    if (shown) bump(Object.assign(shown, { groups }));
  },
  ready: moment,
  polled: moment,
  settled: moment,
  stable: moment,
  prepared: moment,
  committed: moment,
  circuit: moment,
  challenged(view, { type, ...challenge }, { seq }) {
    item(view, section(view, challenge.round), `challenge/${seq}`, "challenge", { challenge, done: true, seq });
    for (const target of challenge.targets) {
      const shown = view.items.get(`card/${challenge.round}/${target}`);
      if (shown) bump(Object.assign(shown, { challenged: true }));
    }
  },
  observed(view, event) {
    card(view, event.round, event.seat, { patterns: event.patterns });
  },
  judge_selected(view, event) {
    view.judge = event.seat;
    item(view, section(view, view.round), `judge/${view.round}`, "judge", { seat: event.seat, order: event.order });
  },
  judged(view, { type, ...judged }, { seq }) {
    item(view, section(view, judged.round), `judge/${judged.round}`, "judge", { judged, done: true, seq });
  },
  counted(view, event, { seq }) {
    const { round, decision } = event;
    const votes = view.items.get(`vote/${round}`);
    // The first count of a round is of its votes; the next one follows the judge.
    if (votes && !votes.decision) bump(Object.assign(votes, { decision, done: true, seq }));
    else {
      const shown = view.items.get(`judge/${round}`);
      if (shown) bump(Object.assign(shown, { decision, done: true }));
    }
  },
  seat_failed(view, event, { seq }) {
    const { round, seat, kind, reason } = event;
    if (kind === "critique") {
      const found = failedCritique(view, round, seat);
      if (found) {
        found.one.failed = reason;
        bump(found.shown);
        return;
      }
    }
    const home = { vote: `vote/${round}`, judgement: `judge/${round}` }[kind] ?? `card/${round}/${seat}`;
    const shown = view.items.get(home);
    if (!shown) {
      item(view, section(view, round), `failed/${seq}`, "failed", { seat, kind, reason, done: true, seq });
      return;
    }
    shown.failures = [...(shown.failures ?? []), { seat, kind, reason }];
    if (home.startsWith("card/")) shown.done = true;
    bump(shown);
  },
  ended_early(view, event, { seq }) {
    view.early = event;
    settle(view);
    item(view, section(view, event.round), `early/${event.round}`, "early", { round: event.round, reason: event.reason, done: true, seq });
  },
};

/** A line in the course of a round: what was asked of several, or what ends what was to follow. */
function moment(view, event, { seq }) {
  item(view, section(view, event.round), momentKey(event.round, event.type, event.view ?? (event.type === "circuit" ? seq : 0)), "moment", { event, done: true, seq });
}

const momentKey = (round, type, place) => `moment/${round}/${type}/${place}`;

/** What is still waited for in a card when the next step begins does not come any more. */
function settle(view) {
  for (const shown of view.items.values()) {
    if (shown.type === "card" && !shown.done && !shown.over) bump(Object.assign(shown, { over: true }));
  }
}

/** The critique of that seat that came to nothing last: failures do not say of whose proposal. */
function failedCritique(view, round, seat) {
  for (const shown of view.items.values()) {
    if (shown.type !== "card" || shown.round !== round) continue;
    const one = shown.members.find((member) => member.seat === seat);
    if (!one || one.done || one.failed) continue;
    const last = view.asks.get(one.asks.at(-1));
    if (last?.state === "unanswered" || (last?.attempt > 1 && last.reading?.value === null)) return { shown, one };
  }
  return null;
}

/** Of whose proposal a critique is: the id says it, between the kind and who is asked. */
export function targetOf({ id, round, seat, attempt }) {
  const [head, tail] = [`round/${round}/critique/`, `/${seat}#${attempt}`];
  return id.startsWith(head) && id.endsWith(tail) ? id.slice(head.length, -tail.length) : "";
}

/** Puts an ask where it is shown: all attempts of a step in one place. */
export function place(view, record) {
  const { kind, seat, id } = record;
  const round = record.round ?? view.round;
  let shown = null;
  if (kind === "critique") {
    shown = card(view, round, targetOf({ ...record, round }), {});
    member(shown, seat).asks.push(id);
  } else if (kind in CARD) {
    shown = card(view, round, seat, { step: CARD[kind] });
    shown.asks.push(id);
  } else if (kind === "vote") {
    shown = item(view, section(view, round), `vote/${round}`, "vote", { round });
    const voter = member(shown, seat);
    voter.ballots.push(id);
    voter.voting ||= "open";
  } else if (kind === "judgement") {
    shown = item(view, section(view, round), `judge/${round}`, "judge", { round, seat });
    shown.asks.push(id);
  } else if (kind in ASKED) {
    const place = Number(id.match(/\/view (\d+)\//)?.[1] ?? 0);
    shown = item(view, section(view, round), momentKey(round, ASKED[kind], place), "moment", { round, kind });
    shown.asks.push(id);
  }
  if (!shown) return;
  record.item = shown.key;
  arrange(view, shown.section);
  bump(shown);
}

function card(view, round, seat, values) {
  const home = section(view, round);
  const known = view.items.has(`card/${round}/${seat}`);
  const shown = item(view, home, `card/${round}/${seat}`, "card", { round, seat, ...values });
  shown.step ??= "critique";
  shown.standing ??= view.proposals.get(seat)?.at(-1) ?? null;
  if (!known) arrange(view, home.key);
  return shown;
}

/** Cards stand in the order of the table, whoever came first; what concerns all comes after them. */
function arrange(view, key) {
  const home = view.sections.find((one) => one.key === key);
  const order = (name) => {
    const shown = view.items.get(name);
    return LAST[shown.type] ?? (shown.type === "card" ? view.people.get(shown.seat)?.index ?? 999 : shown.type === "context" ? -1 : 1e5);
  };
  home.items.sort((a, b) => order(a) - order(b));
}

const section = (view, round) => part(view, `1/round/${round}`, round, { phase: 1, step: "round", round, kinds: [] });

/** Somebody has voted. */
export function closed(view, record) {
  const shown = view.items.get(record.item);
  if (record.kind === "vote" && shown) member(shown, record.seat).voting = "cast";
}

/** Votes are secret until all are in. */
export function isSecret(view, record) {
  if (record.kind !== "vote") return false;
  return !view.items.get(record.item)?.decision && view.run !== "ended";
}

/** What a seat is doing: `writing`, `criticising`, `voting`, `judging`, `queued`, `failed`, or null. */
export function activity(view, name) {
  let found = null;
  for (const id of view.people.get(name)?.open ?? []) {
    const { kind, state } = view.asks.get(id);
    if (state === "failed" || state === "timed_out") return "failed";
    if (kind === "vote" || (kind in ASKED && kind !== "termination")) return "voting";
    if (state === "waiting") found ??= "queued";
    else found = { critique: "criticising", judgement: "judging", termination: "judging" }[kind] ?? "writing";
  }
  return found;
}

/** The rounds with how far each has come: `done`, `current`, `coming` or `skipped`. */
export function stepper(view) {
  const kinds = new Map();
  const add = (number, kind) => {
    if (!kinds.has(number)) kinds.set(number, []);
    if (!kinds.get(number).includes(kind)) kinds.get(number).push(kind);
  };
  for (const { number, kind } of view.schedule ?? []) add(number, kind);
  const extended = new Set();
  for (const home of view.sections) {
    if (!kinds.has(home.round)) extended.add(home.round);
    for (const kind of home.kinds) add(home.round, kind);
  }
  const ended = view.run === "ended";
  return [...kinds].sort(([a], [b]) => a - b).map(([round, done]) => {
    const begun = view.sections.some((one) => one.round === round && one.kinds.length);
    const state = round === view.round && !ended ? "current" : begun ? "done" : ended || view.early || round < view.round ? "skipped" : view.round < 0 && round === (view.schedule[0]?.number ?? 0) && view.head ? "current" : "coming";
    return { step: "round", phase: 1, round, kinds: done, extended: extended.has(round), state, key: `1/round/${round}` };
  });
}

/** Who voted for whom in an item of votes: `{ seat, choice, confidence, reasoning, words, state }`, once they may be shown. */
export function ballots(view, shown) {
  if (!shown.decision) return [];
  const failed = new Set(shown.decision.tally.failed);
  return shown.members.map(({ seat, ballots: asks }) => {
    const read = asks.map((id) => view.asks.get(id)).findLast((ask) => ask?.reading?.value)?.reading.value ?? null;
    const group = shown.groups?.find((one) => one.voters.includes(seat));
    const choice = read?.choice ?? group?.choice ?? null;
    return { seat, choice, confidence: read?.confidence ?? null, reasoning: read?.reasoning ?? "", words: read?.words ?? null, state: failed.has(seat) || !read ? "failed" : choice === null ? "abstained" : "cast" };
  });
}
