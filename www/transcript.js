// From the entries of a record to what the page shows: a fold without DOM, network or clock, so that
// a live run, a reopened one and a replay at any entry look the same. Tested in Node. What is common to all protocols
// stands here, the rest in transcript/.
import * as justice from "./transcript/justice.js";
import { bump, item, touch } from "./transcript/parts.js";

export { PRINCIPLES, MOMENTS, PHASE1_STEPS, CLASSES, placesOver } from "./transcript/justice.js";

/** The protocols by their names in records; whatever else there may be is shown like the first. */
const of = (view) => justice;

/** The view of an empty record. */
export function emptyView() {
  return {
    next: 0,
    head: null,
    startedAt: null,
    lastAt: null,
    people: new Map(),
    asks: new Map(),
    /** Everything shown in the conversation, by key; sections hold the keys in order. */
    items: new Map(),
    sections: [],
    run: "running",
    halt: null,
    result: null,
    calls: 0,
    /** Tries that have come to their end, however: what a run has cost changes with it. */
    settled: 0,
    tokens: { input: 0, output: 0 },
    ...justice.begin(),
  };
}

/** Takes entries in; those already seen are passed over. Returns the view. */
export function fold(view, entries) {
  for (const entry of entries) {
    if (entry.seq < view.next) continue;
    view.next = entry.seq + 1;
    view.lastAt = entry.at;
    TAKE[entry.what.type]?.(view, entry.what, entry);
  }
  return view;
}

/** How a question waits for its provider (`limit`, `minute`, `retry`, or null): known of a run under way, not of a record. */
export function wait(view, { ask, why }) {
  const record = view.asks.get(ask);
  if (!record) return;
  record.waits = why;
  touch(view, record);
}

/** The view after the first `count` entries. */
export const viewAt = (entries, count) => fold(emptyView(), entries.slice(0, count));

const TAKE = {
  started(view, what, { at }) {
    view.head = what;
    view.startedAt = at;
    Object.assign(view, justice.begin());
    (what.config?.agents ?? []).forEach((agent, index) => {
      const name = String(agent.name ?? "");
      view.people.set(name, {
        name,
        index,
        kind: agent.kind ?? (agent.base_url || agent.model ? "model" : "scripted"),
        model: agent.model ?? null,
        personality: agent.personality ?? "",
        language: agent.language ?? what.config.language ?? null,
        open: new Set(),
        ...of(view).person(agent, what.config),
      });
    });
  },
  asked(view, { ask, request, time_limits }, { seq, at }) {
    view.asks.set(ask.id, { ...ask, request, structured: Boolean(request.schema), timeLimits: time_limits ?? [], seq, at, tries: [], reply: null, repliedSeq: null, reading: null, fellBack: [], state: "waiting", item: null });
    const record = view.asks.get(ask.id);
    view.people.get(ask.seat)?.open.add(ask.id);
    of(view).place(view, record);
  },
  sent(view, { ask, attempt }, { at }) {
    view.calls += 1;
    const record = view.asks.get(ask);
    if (!record) return;
    record.tries.push({ attempt, sentAt: at, endedAt: null, outcome: null, failure: null });
    record.state = "sent";
    touch(view, record);
  },
  answered(view, { ask, attempt, reply }, { seq, at }) {
    const record = view.asks.get(ask);
    view.settled += 1;
    countTokens(view, reply);
    if (!record) return;
    end(record, attempt, at, "answered");
    const seat = view.people.get(record.seat);
    if (seat && !record.fellBack.length) seat.fallback = null;
    Object.assign(record, { reply, repliedSeq: seq, repliedAt: at, state: "answered" });
    close(view, record);
  },
  late(view, { ask, reply }) {
    view.settled += 1;
    countTokens(view, reply);
    const record = view.asks.get(ask);
    if (record) (record.late ??= []).push(reply);
  },
  failed(view, { ask, attempt, failure }, { at }) {
    view.settled += 1;
    const record = view.asks.get(ask);
    if (!record) return;
    end(record, attempt, at, "failed", failure);
    record.state = "failed";
    touch(view, record);
  },
  timed_out(view, { ask, attempt }, { at }) {
    view.settled += 1;
    const record = view.asks.get(ask);
    if (!record) return;
    end(record, attempt, at, "timed_out");
    record.state = "timed_out";
    touch(view, record);
  },
  fell_back(view, { ask, seat, model, because }, { seq }) {
    const record = view.asks.get(ask);
    if (!record) return;
    const before = record.fellBack.at(-1)?.model ?? record.request.model ?? "";
    record.fellBack.push({ seat, model, before, because, after: record.tries.length });
    record.state = "waiting";
    touch(view, record);
    // A seat that stays with a model of its fallbacks says so once; what is secret shows nothing of who is asked for what.
    const person = view.people.get(seat);
    if (!person || person.fallback === model || isSecret(view, record)) return;
    person.fallback = model;
    const key = record.item && view.items.get(record.item).section;
    const home = view.sections.find((one) => one.key === key) ?? view.sections.at(-1);
    if (home) item(view, home, `fellback/${seq}`, "fellback", { seat, model, before, because, done: true, seq });
  },
  retrying(view, { ask, wait }) {
    const record = view.asks.get(ask);
    if (!record) return;
    record.state = "retrying";
    record.wait = wait;
    touch(view, record);
  },
  unanswered(view, { ask }) {
    const record = view.asks.get(ask);
    if (!record) return;
    record.state = "unanswered";
    close(view, record);
  },
  withdrawn(view, { ask }) {
    const record = view.asks.get(ask);
    if (!record) return;
    record.state = "withdrawn";
    close(view, record);
  },
  read(view, { ask, reading }) {
    const record = view.asks.get(ask);
    if (!record) return;
    record.reading = reading;
    touch(view, record);
  },
  commanded(view, { command }) {
    if (command.do === "reseat") view.table = command.table?.agents ?? [];
    const state = { pause: "paused", step: "paused", resume: "running", stop: "stopped" }[command.do];
    if (!state) return;
    view.run = state;
    if (state === "running") view.halt = null;
  },
  halted(view, { halt }) {
    view.run = "halted";
    view.halt = halt;
  },
  event(view, { event }, entry) {
    of(view).EVENT[event.type]?.(view, event, entry);
  },
  ended(view, { result }) {
    view.run = "ended";
    view.halt = null;
    view.result = result;
  },
};

function end(record, attempt, at, outcome, failure = null) {
  const last = record.tries.findLast((one) => one.attempt === attempt);
  if (last) Object.assign(last, { endedAt: at, outcome, failure });
  else record.tries.push({ attempt, sentAt: null, endedAt: at, outcome, failure });
}

function close(view, record) {
  view.people.get(record.seat)?.open.delete(record.id);
  const shown = record.item && view.items.get(record.item);
  if (!shown) return;
  of(view).closed?.(view, record);
  bump(shown);
}

function countTokens(view, reply) {
  // Taken from a saved session: nobody was asked.
  if (reply?.recorded) return;
  view.tokens.input += reply?.usage?.input ?? 0;
  view.tokens.output += reply?.usage?.output ?? 0;
}

/** Whether what was answered to an ask may be shown yet. */
export const isSecret = (view, record) => record.sealed ?? of(view).isSecret(view, record);
/** What a seat is doing: `speaking`, `thinking`, `remembering`, `voting`, `queued`, `failed`, or null. */
export const activity = (view, name) => view.doing ? view.doing[name] ?? null : of(view).activity(view, name);
/** Steps of the procedure with how far each has come: `done`, `current`, `coming` or `skipped`. */
export const stepper = (view) => view.doing ? view.steps : of(view).stepper(view);
