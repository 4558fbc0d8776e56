// A discussion as a transcript: its rounds, what was said in turn and out of turn, whose turn it is and who sits there.
import { bump, item, section } from "./parts.js";

/** What is kept besides asks and items. */
export const begin = (config) => ({
  order: [],
  turn: 0,
  round: 1,
  rounds: Number(config?.rounds ?? config?.max_discussion_rounds ?? 3),
  turnsPerCall: Number(config?.turns_per_call ?? config?.max_turn_iterations ?? 20),
  topic: String(config?.topic ?? ""),
  rules: (Array.isArray(config?.rules) ? config.rules : String(config?.rules ?? "").split("\n")).filter((rule) => typeof rule === "string" && rule.trim()),
  completedBy: null,
  warnings: [],
});

/** What is kept of a participant. */
export const person = (agent) => ({ role: agent.role ?? null, said: 0, passed: 0, isPerson: agent.kind === "human", seated: true });

const roundOf = (view, round) => section(view, `round/${round}`, round, { phase: null, step: "round", round });

export const EVENT = {
  /** Whoever is new joins those who are known; who is gone stays, marked. */
  seated(view, { order }) {
    view.order = order;
    const before = view.people;
    view.people = new Map();
    for (const { name, role, person: isPerson, known } of order) {
      const found = before.get(name) ?? { name, index: before.size + view.people.size, kind: isPerson ? "human" : "scripted", model: null, personality: "", language: null, open: new Set(), ...person({}) };
      // What a change of the table says of somebody holds from then on.
      const agent = Array.isArray(view.table) ? view.table.find((one) => one?.name === name) : null;
      const said = agent && { kind: agent.kind ?? (agent.base_url || agent.model || agent.ai_model_config ? "model" : "scripted"), model: agent.model ?? null, personality: String(agent.personality ?? "") };
      view.people.set(name, Object.assign(found, said, { role, isPerson, known, seated: true }));
      before.delete(name);
    }
    for (const [name, gone] of before) view.people.set(name, Object.assign(gone, { seated: false }));
  },
  moved(view, { turn, round }) {
    Object.assign(view, { turn, round });
  },
  said(view, event, { seq }) {
    const { speaker, role, round, content, metadata } = event;
    const ask = metadata.ask ? view.asks.get(metadata.ask) : null;
    const home = roundOf(view, round);
    const values = { seat: speaker, role, round, text: content, isPerson: event.person, metadata, done: true, seq };
    const shown = item(view, home, ask?.item ?? `said/${seq}`, "message", values);
    // What is said while somebody thinks stands before that answer.
    home.items = [...home.items.filter((key) => key !== shown.key && view.items.get(key).done), shown.key, ...home.items.filter((key) => key !== shown.key && !view.items.get(key).done)];
    const known = view.people.get(speaker);
    // Who has no place at the table is seen all the same.
    if (!known) shown.guest = { name: speaker, index: view.people.size, kind: "human" };
    if (known && content) known.said += 1;
    if (known && metadata.passed) known.passed += 1;
  },
  noted(view, { code, about, round }, { seq }) {
    item(view, roundOf(view, Math.min(round, view.rounds)), `noted/${seq}`, "noted", { code, about, done: true, seq });
    view.warnings.push({ code, seat: null, round, message: about, seq });
  },
  completed(view, { by }, { seq }) {
    view.completedBy = by;
    const last = view.sections.at(-1) ?? roundOf(view, 1);
    item(view, last, `completed/${seq}`, "completed", { by, done: true, seq });
  },
};

/** A question stands where its answer will: both tries of one turn at the same place. */
export function place(view, record) {
  const { seat, id, round } = record;
  const home = roundOf(view, round ?? view.round);
  const base = id.replace(/#\d+$/, "");
  const key = view.items.get(base)?.done ? id : base;
  const known = view.people.get(seat);
  const shown = item(view, home, key, "message", { seat, role: known?.role ?? null, round, text: "", isPerson: Boolean(known?.isPerson) });
  record.item = key;
  shown.asks.push(id);
  bump(shown);
}

/** Nothing is secret here. */
export const isSecret = () => false;

/** Whose turn it is, with who comes after: places in the order, none at the end. */
export function upNext(view, most = 3) {
  if (view.run === "ended" || view.completedBy || !view.order.length) return [];
  const next = [];
  for (let step = 0; step < view.order.length && next.length < most; step += 1) {
    const at = view.turn + step;
    if (view.round + Math.floor(at / view.order.length) > view.rounds) break;
    const one = view.order[at % view.order.length];
    if (one.known) next.push(one);
  }
  return next;
}

/** What a seat is doing: `speaking`, `turn` (a person who is waited for), `next`, `queued`, `failed`, `left`, or null. */
export function activity(view, name) {
  const known = view.people.get(name);
  for (const id of known?.open ?? []) {
    const { state } = view.asks.get(id);
    if (state === "failed" || state === "timed_out") return "failed";
    if (state === "waiting") return "queued";
    if (["sent", "retrying"].includes(state)) return known.isPerson ? "turn" : "speaking";
  }
  if (known && !known.seated) return "left";
  return upNext(view, 1)[0]?.name === name ? "next" : null;
}

/** The rounds with how far each has come. */
export function stepper(view) {
  const ended = view.run === "ended" || Boolean(view.completedBy);
  const last = Math.max(0, ...view.sections.map((one) => one.round));
  return Array.from({ length: view.rounds }, (_, index) => {
    const round = index + 1;
    const state = ended ? (round <= last ? "done" : "skipped") : round < view.round ? "done" : round === view.round ? "current" : "coming";
    return { step: "round", phase: null, round, state, key: `round/${round}` };
  });
}
