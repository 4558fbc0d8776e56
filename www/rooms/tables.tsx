// The tables of a room as cards: who is present, who is to answer and since when, other participants, progress,
// problems; and the host's controls.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { costText } from "../costs.js";
import { Button } from "../elements.tsx";
import { kindOf } from "../fields.js";
import { has, span, t } from "../i18n.js";
import { outcomeSentence } from "../outcome.js";
import { stepLabel } from "../panels.tsx";
import { Avatar, KindTag, type Person } from "../participants.tsx";
import type { Session } from "../pkg/quorate.js";
import type { RoomGuest, RoomTable, RoomView } from "../pkg/room.js";
import type { View } from "../view-types.ts";
import { activity } from "../view.js";
import { type Act, actIfSure, nameOf } from "./lobby.tsx";

/** Milliseconds of reading tables in one go. */
const SLICE = 10;
/** Milliseconds between two updates of a table's costs. */
const COUNTED = 10_000;

interface Agent {
  name: string;
  model?: string | string[] | null;
}
type Seat = RoomTable["seats"][number];
/** A participant other than a guest. */
type Other = Person & { model?: string | string[] | null };

/** The state of a table, in a sentence; `view` is the public view of its session. */
export function tableState(one: RoomTable, view: View | null): string {
  if (!one.begun) return t("room.table.waiting");
  if (one.over || view?.run === "ended") return view?.result ? outcomeSentence(view) : t("room.table.over");
  if (view?.run === "halted") return t("room.table.halted");
  if (view?.run === "paused") return t("room.table.paused");
  const step = view?.steps?.find(({ state }) => state === "current");
  return step ? stepLabel(step) : t("room.table.playing");
}

/** The earliest time since which an answer is expected, or null. */
const awaitedSince = ({ awaited }: Seat) =>
  awaited.reduce<number | null>((first, { since: at }) => (at === null ? first : Math.min(first ?? at, at)), null);

/** The participants other than guests, whose seats are called `places` in the configuration of `agents`. */
export const otherParticipants = (agents: Agent[], places: string[]): Other[] =>
  agents.map((agent, index) => ({ ...agent, kind: kindOf(agent) === "human" ? "scripted" : kindOf(agent), index }))
    .filter(({ name }) => !places.includes(name));

interface CardProps {
  table: RoomTable;
  view: View | null;
  guests: RoomGuest[];
  others: Other[];
  session: Session | null;
  act: Act;
  now: () => number;
}

/** The cost so far. It is counted from the whole record, so only now and then, and at the end. */
function useCost({ table, view, others, session }: CardProps) {
  const counted = useRef<{ when: number | "over" | null; text: string | null }>({ when: null, text: null });
  const when = table.over ? "over" : Math.floor(Date.now() / COUNTED);
  if (view && session && counted.current.when !== when && others.some(({ kind }) => kind === "model")) {
    const { run, currency } = session.costs();
    counted.current = { when, text: costText(run, currency ?? undefined) };
  }
  return counted.current.text;
}

/** Keeps the focus in `place` where the control that had it is gone: on the same seat's, or the first. */
function useFocusWithin(place: { current: HTMLElement | null }) {
  const active = document.activeElement as HTMLElement | null;
  const focused = place.current?.contains(active) ? active!.dataset["act"] ?? "" : null;
  useLayoutEffect(() => {
    if (focused === null || place.current!.contains(document.activeElement)) return;
    const acts = [...place.current!.querySelectorAll<HTMLElement>("[data-act]")];
    const seat = focused.slice(focused.indexOf(" "));
    (acts.find(({ dataset }) => dataset["act"]!.endsWith(seat)) ?? acts[0])?.focus({ preventScroll: true });
  });
}

function Card(props: CardProps) {
  const { table, view, guests, others, session, act } = props;
  const { number, begun, over, about, seats } = table;
  const place = useRef<HTMLElement>(null);
  useFocusWithin(place);
  const cost = useCost(props);
  const trouble = about?.trouble as { message?: string } | null;
  const id = session && encodeURIComponent(session.id);
  const isPaused = view?.run === "paused";
  return (
    <article ref={place} class="room-table" aria-labelledby={`table-${number}`} data-testid="room-table"
      data-table={number}>
      <header>
        <h3 id={`table-${number}`}>{t("room.table", { n: number })}</h3>
        <span class="tag" data-state={view?.run ?? "waiting"}>{tableState(table, view)}</span>
      </header>
      {begun && <progress max={1} value={over ? 1 : view?.progress ?? 0} aria-label={t("room.progress")} />}
      {cost && <p class="quiet" data-testid="table-cost">{`${t("run.cost")}: ${cost}`}</p>}
      {trouble && <p class="bad" lang="en">{trouble.message ?? String(trouble)}</p>}
      <ul class="plain room-seats">
        {seats.map((seat, index) => (
          <GuestSeat key={seat.seat} table={table} seat={seat} guests={guests} act={act} now={props.now}
            person={view?.people.get(seat.seat) ?? { name: seat.seat, index }} />
        ))}
        {others.map((agent) => <OtherSeat key={agent.name} agent={agent} view={view} />)}
      </ul>
      <div class="row">
        {id && <a class="button button-quiet" data-act="look" href={`#/run/${id}`}>{t("room.look")}</a>}
        {id && view?.run === "ended" && (
          <a class="button button-quiet" data-act="results" href={`#/results/${id}`}>{t("run.results")}</a>
        )}
        {begun && !over && (
          <Button kind="quiet" data-act="pause" onClick={() =>
            act((room) => (isPaused ? room.resume(number) : room.pause(number)))}>
            {t(isPaused ? "run.resume" : "run.pause")}
          </Button>
        )}
      </div>
    </article>
  );
}

interface GuestSeatProps extends Pick<CardProps, "table" | "guests" | "act" | "now"> {
  seat: Seat;
  person: Person;
}

/** What the guest of a seat does, or who answers instead. */
function seatState({ seat, now, table }: GuestSeatProps, guest: RoomGuest | undefined) {
  const since = awaitedSince(seat);
  if (seat.standsIn) return t("room.standsin");
  if (!guest) return t(table.begun ? "kind.scripted" : "room.empty");
  if (guest.cut) return t("room.cut");
  if (!guest.here) return t("room.away");
  return since === null ? t("room.here") : t("room.awaited", { time: span(Math.max(1000, now() - since)) });
}

function GuestSeat(props: GuestSeatProps) {
  const { table, seat, person, guests } = props;
  const guest = guests.find(({ number }) => number === seat.guest);
  return (
    <li class={guest && !guest.here ? "room-seat away" : "room-seat"}>
      <Avatar person={person} size="small" />
      <span class="grow">
        <b>{seat.seat}</b>
        {guest && nameOf(guest) !== seat.seat && <span class="quiet">{` ${nameOf(guest)}`}</span>}
        {!table.over && (
          <span class="quiet">
            {" · "}
            {seatState(props, guest)}
            {guest?.elsewhere && ` · ${t("room.elsewhere")}`}
          </span>
        )}
      </span>
      {guest && table.begun && !table.over && <SeatControls {...props} guest={guest} />}
    </li>
  );
}

function SeatControls({ table, seat, guest, act }: GuestSeatProps & { guest: RoomGuest }) {
  const name = nameOf(guest);
  const control = (what: string, label: string, onClick: () => void, says?: string) => (
    <Button key={what} kind="quiet" data-act={`${what} ${seat.seat}`} aria-label={says} onClick={onClick}>
      {label}
    </Button>
  );
  const takeBack = () => act((room) => room.takeBack(table.number, seat.seat));
  const standIn = () =>
    actIfSure(act, t("room.standin.title", { name }), t("room.standin.text"), t("room.standin"), (room) =>
      room.standIn(table.number, seat.seat));
  return (
    <>
      {awaitedSince(seat) !== null && !seat.standsIn
        && control("remind", t("room.remind"), () => act((room) => room.remind(guest.number)),
          t("room.remind.name", { name }))}
      {seat.standsIn
        ? control("seat", t("room.takeback"), takeBack, t("room.takeback.name", { name }))
        : control("seat", t("room.standin"), standIn, t("room.standin.name", { name }))}
      {guest.cut && control("admit", t("room.admit"), () => act((room) => room.admit(guest.number)))}
    </>
  );
}

/** A participant other than a guest. */
function OtherSeat({ agent, view }: { agent: Other; view: View | null }) {
  const doing = view && activity(view, agent.name);
  return (
    <li class="room-seat" data-testid="room-other">
      <Avatar person={agent} size="small" />
      <span class="grow">
        <b>{agent.name}</b> <KindTag kind={agent.kind} />
        <span class="quiet">
          {agent.model && ` ${agent.model}`}
          {doing && has(`activity.${doing}`) && ` · ${t(`activity.${doing}`)}`}
        </span>
      </span>
    </li>
  );
}

/**
 * The cards of all tables. They are read and drawn one by one with breaks, so that answers are not delayed by forty
 * tables.
 */
export function Tables({ view, act, viewOf, session, others, now }: {
  view: RoomView;
  act: Act;
  /** The public view of a table's session, or null. */
  viewOf: (table: number) => View | null;
  session: (table: number) => Session | null;
  others: Other[];
  now: () => number;
}) {
  const [cards, setCards] = useState<ReadonlyMap<number, ComponentChildren>>(new Map());
  const wanted = useRef<RoomView | null>(null);
  const isReading = useRef(false);
  async function readAll() {
    isReading.current = true;
    while (wanted.current) {
      const { tables, guests, closed } = wanted.current;
      wanted.current = null;
      let from = performance.now();
      for (const one of tables) {
        if (performance.now() - from > SLICE) {
          await new Promise((next) => setTimeout(next));
          from = performance.now();
        }
        const { number } = one;
        const card = (
          <Card key={number} table={{ ...one, over: one.over || closed }} view={viewOf(number)} guests={guests}
            others={others} session={session(number)} act={act} now={now} />
        );
        setCards((all) => new Map(all).set(number, card));
      }
    }
    isReading.current = false;
  }
  useEffect(() => {
    wanted.current = view;
    if (!isReading.current) void readAll();
  }, [view]);
  return <div class="room-tables">{[...cards.values()]}</div>;
}
