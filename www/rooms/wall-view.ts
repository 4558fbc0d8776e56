// What a room's wall shows, as plain data: a window of its own gets it from the tab that has the room.
import { t } from "../i18n.js";
import { outcomeSentence } from "../outcome.js";
import type { Config, ItemView } from "../pkg/quorate.js";
import type { RoomPlan, RoomTable, RoomView } from "../pkg/room.js";
import { figuresOf, hasChanged, type World } from "../results/worlds.ts";
import type { View } from "../view-types.ts";
import { begunAt, classDeadline } from "./class-times.ts";
import type { Hosted } from "./hosted-rooms.js";
import { canStart, codeHint, codeInHalves, guestsWaiting, nameOf } from "./lobby.tsx";
import { type FaceOf, progressOf, stepText } from "./progress.ts";
import { tableState } from "./tables.tsx";

/** Statements that the large view of a table shows. */
const SAID = 3;

export interface WallTable {
  number: number;
  isOver: boolean;
  state: string;
  faces: FaceOf[];
  done: number;
}
/** A table of an experiment at the end; `world` is null without an agreement. */
export interface WallResult {
  number: number;
  outcome: string;
  world: World | null;
}
/** The end: `results` of all tables; `experiment` where their figures can be compared. */
export interface WallEnd {
  results: WallResult[];
  experiment: {
    shares: number[];
    /** Whether incomes were brought to the scale of the first table. */
    isScaled: boolean;
    /** Tables that got less on average than they could have, and more for the poorest. */
    gaveUp: number;
    changed: number;
    ranked: number;
  } | null;
}
export interface WallView {
  id: string;
  title: string;
  stage: "lobby" | "play" | "end";
  show: "progress" | "table" | "blank";
  /** What keeps guests from joining; empty if they can. */
  trouble: string;
  link: string;
  words: string;
  hint: string | null;
  code: string;
  canStart: boolean;
  guests: FaceOf[];
  /** How many people the host expects. */
  expected: number | null;
  /** People and programs at a table. */
  people: number;
  programs: number;
  /** What most tables do. */
  now: string;
  until: number | null;
  since: number | null;
  tables: WallTable[];
  /** The table that is shown large, and what was said there last. */
  large: { number: number; said: (FaceOf & { text: string })[] } | null;
  end: WallEnd | null;
}

/** The last statements at a table, as the public sees them. */
function saidAt(view: View | null, faces: FaceOf[]) {
  const speeches: ItemView[] = [...view?.items.values() ?? []].filter(({ isSpeech, done }) => isSpeech && done);
  return speeches.slice(-SAID).flatMap(({ seat, blocks }) => {
    const text = blocks.flatMap((one) => (one.block === "quote" ? [one.text] : [])).join("\n");
    const person = view!.people.get(seat!);
    const face = person && faces.find(({ index }) => index === person.index);
    return face && text ? [{ name: face.name, index: face.index, kind: face.kind, text }] : [];
  });
}

/** The step that most tables are at. */
function usual(views: View[]): string {
  const counts = new Map<string, number>();
  for (const view of views.filter(({ run }) => run !== "ended")) {
    counts.set(stepText(view), (counts.get(stepText(view)) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

const scaled = (world: World, by: number): World =>
  by === 1
    ? world
    : { ...world, average: world.average * by, amount: world.amount && Math.round(world.amount * by),
      incomes: world.incomes.map((income) => Math.round(income * by)) };

/** All tables side by side: those of an experiment by their poorest, without an agreement last. */
function endOf(tables: RoomTable[], viewOf: (table: number) => View | null): WallEnd {
  const all = tables.filter(({ begun }) => begun).map(({ number }) => {
    const view = viewOf(number);
    const isExperiment = view?.head?.protocol === "justice" && Boolean(view.result);
    return { number, view, figures: isExperiment ? figuresOf(view) : null };
  });
  const first = all.find(({ figures }) => figures)?.figures;
  const results = all.map(({ number, view, figures }): WallResult => ({ number,
    outcome: view?.result ? outcomeSentence(view) : t("room.table.over"),
    world: figures?.chosen ? scaled(figures.chosen, first!.multiplier / figures.multiplier) : null })
  );
  if (!first) return { results, experiment: null };
  const known = all.flatMap(({ figures }) => figures ?? []);
  const gaveUp = known.filter(({ chosen, worlds }) => {
    const best = worlds.find(({ rule }) => rule === 2);
    return chosen && best && chosen.average < best.average && chosen.incomes[0]! > best.incomes[0]!;
  });
  const minds = known.flatMap((one) => one.minds.filter(({ kind }) => kind === "human"));
  const poorest = ({ world }: WallResult) => world?.incomes[0] ?? Infinity;
  return {
    results: results.sort((a, b) =>
      poorest(a) - poorest(b) || (b.world?.average ?? 0) - (a.world?.average ?? 0) || a.number - b.number
    ),
    experiment: { shares: first.shares, isScaled: known.some(({ multiplier }) => multiplier !== first.multiplier),
      gaveUp: gaveUp.length, changed: minds.filter(hasChanged).length, ranked: minds.length },
  };
}

/** The configuration of a table; of the first run of a study, whose cells have the same seats for people. */
const tableOf = ({ session, study }: RoomPlan) => (session ?? study?.base ?? {}) as Pick<Config, "agents">;

export function wallView(hosted: Hosted): WallView {
  const { room, wall } = hosted;
  const view: RoomView = room.view();
  const { tables, guests, closed } = view;
  const begun = tables.filter((one) => one.begun);
  const isOver = begun.length > 0 && (closed || begun.every(({ over }) => over));
  const views = begun.map(({ number }) => hosted.viewOf(number)).filter((one) => one !== null);
  const walls = begun.map((table): WallTable => {
    const own = hosted.viewOf(table.number);
    const { seats, done } = progressOf(table, own, guests);
    const isDone = table.over || closed || own?.run === "ended";
    return { number: table.number, isOver: isDone, state: tableState({ ...table, over: isDone }, own), done,
      faces: seats.map(({ name, index, kind, state }) => ({ name, index, kind, state: isDone ? undefined : state })) };
  });
  const shown = walls.find(({ number }) => number === wall.table) ?? walls[0];
  return {
    id: room.id,
    title: view.title || t("room.title"),
    stage: isOver ? "end" : begun.length ? "play" : "lobby",
    show: wall.show,
    trouble: hosted.trouble() ?? "",
    link: hosted.isReachable ? room.link : "",
    words: room.fingerprint,
    hint: hosted.isReachable && room.code ? codeHint(room) : null,
    code: hosted.isReachable && room.code ? codeInHalves(room.code) : "",
    canStart: canStart(view),
    guests: guestsWaiting(view).filter(({ here }) => here).map((guest) => ({ name: nameOf(guest), index: guest.number,
      kind: "human" })
    ),
    expected: hosted.expected,
    people: view.people,
    programs: (tableOf(room.plan).agents ?? []).filter(({ name }) => !view.seats.includes(name)).length,
    now: usual(views),
    until: classDeadline(view),
    since: begunAt(views),
    tables: walls,
    large: wall.show === "table" && shown
      ? { number: shown.number, said: saidAt(hosted.viewOf(shown.number, "audience"), shown.faces) }
      : null,
    end: isOver ? endOf(tables, hosted.viewOf) : null,
  };
}
