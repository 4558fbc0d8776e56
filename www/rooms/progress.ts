// How far a table is, as its host may know it: who has answered the present question and who is awaited. It says nothing
// of what was answered.
import { t } from "../i18n.js";
import { stepName } from "../panels.tsx";
import type { Person } from "../participants.tsx";
import type { RoomGuest, RoomTable } from "../pkg/room.js";
import type { Ask, View } from "../view-types.ts";

/** What is shown of a participant's face. */
export interface FaceOf {
  name: string;
  index: number;
  kind?: string | undefined;
  /** `later`: not asked yet. */
  state?: "done" | "awaited" | "later" | undefined;
}
/** A participant at a table. `kind` is `scripted` as well where a program answers in a person's seat. */
export interface SeatProgress extends FaceOf {
  /** Its name at the table. */
  seat: string;
  kind: string;
  guest: RoomGuest | undefined;
  state: "done" | "awaited" | "later";
  /** Since when, and until when at most, a person's answer is awaited; milliseconds by the room's clock. */
  since: number | null;
  deadline: number | null;
}
export interface Progress {
  seats: SeatProgress[];
  done: number;
  of: number;
}

/** Kinds of questions that belong to one step; a separate count of ballots' amounts would give votes away. */
const STEP_OF: { [kind: string]: string } = { constraint_retry: "application", ballot_amount: "ballot_principle",
  internal_reasoning: "statement" };
const stepOf = ({ phase, round, kind }: Ask) => `${phase}/${round}/${STEP_OF[kind] ?? kind}`;
const SETTLED = ["answered", "unanswered", "withdrawn"];
const isOpen = ({ state }: Ask) => !SETTLED.includes(state);

/** The seats that have answered the earliest step with an open question, or else the last step. */
function answeredIn(view: View) {
  const asks = [...view.asks.values()].filter(({ kind }) => kind !== "memory_update").sort((a, b) => a.seq - b.seq);
  const present = asks.find(isOpen) ?? asks.at(-1);
  const within = present ? asks.filter((ask) => stepOf(ask) === stepOf(present)) : [];
  const open = new Set(within.filter(isOpen).map(({ seat }) => seat));
  return new Set(within.filter(({ state, seat }) => state === "answered" && !open.has(seat)).map(({ seat }) => seat));
}

const least = (all: (number | null)[]) =>
  all.reduce<number | null>((first, at) => (at === null ? first : Math.min(first ?? at, at)), null);

/** `view` is the table's session as its owner sees it; without it the table has not begun. */
export function progressOf(table: RoomTable, view: View | null, guests: RoomGuest[]): Progress {
  const answered = view ? answeredIn(view) : new Set<string>();
  const people: Person[] = view
    ? [...view.people.values()]
    : table.seats.map(({ seat }, index) => ({ name: seat, index }));
  const seats = people.map((person, index): SeatProgress => {
    const chair = table.seats.find(({ seat }) => seat === person.name);
    const guest = chair && guests.find(({ number }) => number === chair.guest);
    const isProgram = chair ? Boolean(chair.standsIn) || (table.begun && !guest) : person.kind !== "human";
    const awaited = chair?.awaited ?? [];
    const isOver = table.over || view?.run === "ended";
    return { seat: person.name, name: chair?.name ?? person.name, index: person.index ?? index,
      kind: isProgram ? (person.kind === "model" ? "model" : "scripted") : "human", guest,
      state: isOver || answered.has(person.name) ? "done" : awaited.length && !isProgram ? "awaited" : "later",
      since: least(awaited.map((one) => one.since)), deadline: least(awaited.map((one) => one.deadline)) };
  });
  return { seats, done: seats.filter(({ state }) => state === "done").length, of: seats.length };
}

/** The present step in a few words. */
export function stepText(view: View): string {
  const step = view.steps.find(({ state }) => state === "current");
  if (!step) return t("room.table.playing");
  const now = step.step === "round" && view.roundStep && t(`step.${view.roundStep}`);
  return [stepName(step), now].filter(Boolean).join(" · ");
}

/** Parts of the experiment that take several steps. */
const PART_OF: { [step: string]: string } = { initial_ranking: "rules", explanation: "rules",
  post_explanation_ranking: "rules", application: "rounds", final_ranking: "rounds", round: "talk",
  results: "results" };

export interface Part {
  key: string;
  name: string;
  state: "done" | "current" | "coming";
}

/** The parts of the session, over all tables: a part is done where no table has yet to finish it. */
export function partsOf(views: View[]): Part[] {
  const longest = views.reduce<View | null>(
    (most, view) => (view.steps.length > (most?.steps.length ?? 0) ? view : most),
    null,
  );
  const isExperiment = longest?.steps.some(({ step }) => step === "application") ?? false;
  const keyOf = ({ key, step }: View["steps"][number]) => (isExperiment ? PART_OF[step] ?? step : key);
  const parts = new Map(
    (longest?.steps ?? []).map((step) => [keyOf(step), isExperiment ? t(`room.part.${keyOf(step)}`) : stepName(step)]),
  );
  return [...parts].map(([key, name]) => {
    const states = views.flatMap((view) => view.steps.filter((step) => keyOf(step) === key).map((step) => step.state));
    const isOver = (state: string) => state === "done" || state === "skipped";
    return { key, name, state: states.every(isOver) ? "done" : states.includes("current")
      ? "current"
      : states.some(isOver)
      ? "current"
      : "coming" };
  });
}
