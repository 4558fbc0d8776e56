// The justice experiment as a transcript: rankings, applications, statements, votes, payoffs, with who has earned
// and remembers what.
import { bump, item, member, section as part } from "./parts.js";

export const PRINCIPLES = [
  "maximizing_floor",
  "maximizing_average",
  "maximizing_average_floor_constraint",
  "maximizing_average_range_constraint",
];
export const MOMENTS = ["initial", "post_explanation", "after_applications", "after_results"];
export const PHASE1_STEPS = ["initial_ranking", "explanation", "post_explanation_ranking", "application", "final_ranking"];
export const CLASSES = ["high", "medium_high", "medium", "medium_low", "low"];

const RANKING_MOMENT = {
  initial_ranking: "initial",
  post_explanation_ranking: "post_explanation",
  final_ranking: "after_applications",
  results_ranking: "after_results",
};
const MOMENT_KIND = Object.fromEntries(Object.entries(RANKING_MOMENT).map(([kind, moment]) => [moment, kind]));
/** Asks whose answers stay hidden until the ballot is counted. */
const SECRET = new Set(["ballot_principle", "ballot_amount"]);

/** What is kept besides asks and items. */
export const begin = () => ({ step: null, roundStep: null, round: 0, order: [], ballots: [], drawn: null, paid: new Map(), warnings: [] });

/** What is kept of a participant. */
export const person = (agent, config) => ({
  memory: "",
  memoryAsk: null,
  memoryChanges: 0,
  bank: 0,
  rankings: {},
  favored: null,
  manipulator: config?.manipulator?.name === agent.name,
  target: null,
});

export const EVENT = {
  step_began(view, event) {
    if (event.phase === 1 && view.step?.phase === 2) return;
    view.step = { phase: event.phase, step: event.step, round: event.round };
    if (event.phase !== 2) return;
    if (event.round > view.round) view.round = event.round;
    view.roundStep = event.step;
    section(view, 2, event.step, event.round);
  },
  target_set(view, event, { seq }) {
    const person = view.people.get(event.seat);
    if (person) Object.assign(person, { manipulator: true, target: event.target });
    item(view, section(view, 2, "discussion", 1), `target/${event.seat}`, "target", { ...event, type: "target", seq });
  },
  ranked(view, event, { seq }) {
    const person = view.people.get(event.seat);
    if (person) person.rankings[event.moment] = event.ranking;
    const kind = MOMENT_KIND[event.moment];
    const home = event.moment === "after_results" ? section(view, 2, "results", 0) : section(view, 1, kind, 0);
    item(view, home, `rank/${event.moment}/${event.seat}`, "ranking", { seat: event.seat, moment: event.moment, ranking: event.ranking, done: true, seq });
  },
  applied(view, event, { seq }) {
    const person = view.people.get(event.seat);
    if (person) person.bank = event.bank;
    item(view, section(view, 1, "application", event.round), `apply/${event.round}/${event.seat}`, "application", {
      seat: event.seat, round: event.round, applied: event, done: true, seq,
    });
  },
  remembered(view, event) {
    const person = view.people.get(event.seat);
    if (!person) return;
    person.memory = event.how === "appended" && person.memory ? `${person.memory}\n${event.text}` : event.text;
    person.memoryChanges += 1;
    for (const record of view.asks.values()) {
      if (record.kind === "memory_update" && record.seat === event.seat) person.memoryAsk = record.id;
    }
  },
  ordered(view, event, { seq }) {
    view.order = event.seats;
    item(view, section(view, 2, "discussion", event.round), `order/${event.round}`, "order", { seats: event.seats, done: true, seq });
  },
  reasoned(view, event, { seq }) {
    item(view, section(view, 2, "discussion", event.round), `say/${event.round}/${event.seat}`, "statement", {
      seat: event.seat, round: event.round, reasoning: event.text, reasoningSeq: seq,
    });
  },
  spoke(view, event, { seq }) {
    const person = view.people.get(event.seat);
    item(view, section(view, 2, "discussion", event.round), `say/${event.round}/${event.seat}`, "statement", {
      seat: event.seat, round: event.round, text: event.text, characters: event.character_count,
      validation: event.validation, done: true, seq,
    });
  },
  favored(view, event) {
    const person = view.people.get(event.seat);
    if (person) person.favored = event.principle;
    item(view, section(view, 2, "discussion", event.round), `say/${event.round}/${event.seat}`, "statement", { favored: event.principle });
  },
  announced(view, event, { seq }) {
    item(view, section(view, 2, "discussion", event.round), `notice/${seq}`, "notice", { notice: event.notice, text: event.text, round: event.round, done: true, seq });
  },
  trimmed(view, event, { seq }) {
    item(view, section(view, 2, "discussion", event.round), `trimmed/${seq}`, "trimmed", { dropped: event.dropped, done: true, seq });
  },
  initiation(view, event, { seq }) {
    const shown = item(view, section(view, 2, "vote_initiation", event.round), `init/${event.round}`, "initiation", { round: event.round, seq });
    Object.assign(member(shown, event.seat), { answer: event.answer, done: true });
  },
  confirmation(view, event, { seq }) {
    const shown = vote(view, event.round);
    Object.assign(shown, { initiator: event.initiator, confirmed: event.confirmed, seq });
    for (const [seat, answer] of event.answers) {
      const one = member(shown, seat);
      // Whoever gave no answer that could be read takes no part either, and is told of as such.
      Object.assign(one, { answer: one.answer === null ? null : answer, done: true });
    }
    bump(shown);
  },
  confirmed(view, event) {
    Object.assign(member(vote(view, event.round), event.seat), { answer: event.answer, done: true });
  },
  voted(view, event) {
    (vote(view, event.round).votes ??= []).push(event.vote);
  },
  counted(view, event, { seq }) {
    const shown = vote(view, event.round);
    const ballot = { ...event, votes: shown.votes ?? [] };
    Object.assign(shown, { initiator: event.initiator, ballot, seq, done: true });
    view.ballots.push(ballot);
    bump(shown);
  },
  drawn(view, event, { seq }) {
    view.drawn = event;
    item(view, section(view, 2, "results", 0), "drawn", "drawn", { drawn: event, done: true, seq });
  },
  paid(view, event, { seq }) {
    const person = view.people.get(event.seat);
    if (person) person.bank = event.bank;
    view.paid.set(event.seat, event);
    item(view, section(view, 2, "results", 0), `paid/${event.seat}`, "paid", { seat: event.seat, paid: event, done: true, seq });
  },
  warned(view, event, { seq }) {
    view.warnings.push({ ...event, seq });
  },
};

/** Puts an ask where it is shown: nowhere for memories, one place for all attempts of a step. */
export function place(view, record) {
  const { kind, seat, round, id } = record;
  let shown = null;
  if (kind in RANKING_MOMENT) {
    const moment = RANKING_MOMENT[kind];
    const home = kind === "results_ranking" ? section(view, 2, "results", 0) : section(view, 1, kind, 0);
    shown = item(view, home, `rank/${moment}/${seat}`, "ranking", { seat, moment });
  } else if (kind === "explanation") {
    shown = item(view, section(view, 1, kind, 0), `explain/${seat}`, "explanation", { seat });
  } else if (kind === "application" || kind === "constraint_retry") {
    shown = item(view, section(view, 1, "application", round ?? 1), `apply/${round ?? 1}/${seat}`, "application", { seat, round });
  } else if (kind === "internal_reasoning" || kind === "statement") {
    shown = item(view, section(view, 2, "discussion", round ?? view.round), `say/${round ?? view.round}/${seat}`, "statement", { seat, round });
  } else if (kind === "vote_initiation") {
    shown = item(view, section(view, 2, kind, round ?? view.round), `init/${round ?? view.round}`, "initiation", { round });
    member(shown, seat).asks.push(id);
  } else if (kind === "vote_confirmation") {
    shown = vote(view, round ?? view.round);
    member(shown, seat).asks.push(id);
  } else if (SECRET.has(kind)) {
    shown = vote(view, round ?? view.round);
    const voter = member(shown, seat);
    voter.ballots.push(id);
    voter.voting ||= "open";
  }
  if (!shown) return;
  record.item = shown.key;
  shown.asks.push(id);
  bump(shown);
}

const vote = (view, round) => item(view, section(view, 2, "ballot", round), `vote/${round}`, "vote", { round });

/** The section of a step, whoever gets there first. */
function section(view, phase, step, round) {
  if (phase === 1) {
    const place = PHASE1_STEPS.indexOf(step) * 100 + (step === "application" ? round : 0);
    return part(view, step === "application" ? `1/application/${round}` : `1/${step}`, place, { phase, step, round });
  }
  if (step === "results" || step === "results_ranking") return part(view, "2/results", 1e9, { phase, step: "results", round });
  return part(view, `2/round/${round}`, 1000 + round, { phase, step: "round", round });
}

/** A ballot's principle is in. */
export function closed(view, record) {
  const shown = record.item && view.items.get(record.item);
  if (shown && record.kind === "ballot_principle") member(shown, record.seat).voting = "cast";
}

/** Whether what was answered to an ask may be shown: a ballot's answers not before all are counted. */
export function isSecret(view, record) {
  if (!SECRET.has(record.kind)) return false;
  const shown = record.item && view.items.get(record.item);
  return !shown?.ballot && view.run !== "ended";
}

/** What a seat is doing: `speaking`, `thinking`, `remembering`, `voting`, `queued`, `failed`, or null. */
export function activity(view, name) {
  const person = view.people.get(name);
  // Who is asked for an amount has voted for a constraint: until the ballot is counted, all look alike.
  const ballot = view.items.get(`vote/${view.round}`);
  if (ballot && !ballot.ballot && view.run !== "ended" && ballot.members.some((one) => one.ballots.length)) return "voting";
  let found = null;
  for (const id of person?.open ?? []) {
    const { kind, state } = view.asks.get(id);
    if (state === "failed" || state === "timed_out") return "failed";
    if (state === "waiting") found ??= "queued";
    else if (kind === "statement") return "speaking";
    else if (kind === "memory_update") found = "remembering";
    else if (kind.startsWith("ballot") || kind.startsWith("vote")) found = "voting";
    else found = "thinking";
  }
  return found;
}

/** Steps of the procedure with how far each has come: `done`, `current` or `coming`. */
export function stepper(view) {
  const seats = view.people.size || 1;
  const rounds = Number(view.head?.config?.phase2_rounds ?? 10);
  const ended = view.run === "ended";
  const finished = (key) => {
    const found = view.sections.find((one) => one.key === key);
    return found ? found.items.filter((name) => isDone(view, view.items.get(name))).length : 0;
  };
  const state = (count) => (count >= seats ? "done" : "coming");
  const first = PHASE1_STEPS.map((step) => {
    if (step !== "application") return { step, phase: 1, round: 0, finished: finished(`1/${step}`), of: seats, state: state(finished(`1/${step}`)), key: `1/${step}` };
    const counts = [1, 2, 3, 4].map((round) => finished(`1/application/${round}`));
    const count = counts.reduce((sum, one) => sum + one, 0);
    const round = Math.min(4, counts.filter((one) => one >= seats).length + 1);
    return { step, phase: 1, round, of: 4 * seats, finished: count, state: count >= 4 * seats ? "done" : "coming", key: `1/application/${round}` };
  });
  const results = view.sections.find((one) => one.key === "2/results");
  const last = [...view.sections].reverse().find((one) => one.step === "round")?.round ?? 0;
  const second = [];
  for (let round = 1; round <= rounds; round += 1) {
    const over = round < last || (round === last && Boolean(results));
    second.push({ step: "round", phase: 2, round, state: over ? "done" : round === last ? "current" : results || ended ? "skipped" : "coming", key: `2/round/${round}` });
  }
  second.push({ step: "results", phase: 2, round: 0, state: ended ? "done" : results ? "current" : "coming", key: "2/results" });
  const steps = [...first, ...second];
  if (!ended && !steps.some((one) => one.state === "current")) {
    const open = steps.find((one) => one.state === "coming");
    if (open && view.head) open.state = "current";
  }
  return steps;
}

function isDone(view, shown) {
  if (shown.done) return true;
  return shown.type === "explanation" && shown.asks.length > 0 && shown.asks.every((id) => ["answered", "unanswered"].includes(view.asks.get(id)?.state));
}

/** The four places of each principle over the four moments: for one seat, or the mean of all that ranked. */
export function placesOver(view, name = null) {
  const people = name ? [view.people.get(name)] : [...view.people.values()];
  return PRINCIPLES.map((principle) => ({
    principle,
    places: MOMENTS.map((moment) => {
      const places = people
        .map((person) => person?.rankings[moment]?.order?.indexOf(principle))
        .filter((place) => place !== undefined && place >= 0);
      return places.length ? places.reduce((sum, place) => sum + place + 1, 0) / places.length : null;
    }),
  }));
}
