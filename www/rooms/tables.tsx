// The tables of a room as cards, always in the same order: who has answered, who is awaited and until when, and what the
// host can do about it.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { costText } from "../costs.js";
import { Button } from "../elements.tsx";
import { has, list, t } from "../i18n.js";
import { outcomeSentence } from "../outcome.js";
import { agreementOf } from "../results/agreement.ts";
import { KindTag } from "../participants.tsx";
import { Face } from "../pictures/people.tsx";
import type { Session } from "../pkg/quorate.js";
import type { RoomGuest, RoomTable, RoomView } from "../pkg/room.js";
import type { Participant, View } from "../view-types.ts";
import { activity } from "../view.js";
import { Clock } from "./clock.tsx";
import { NamedFace } from "./faces.tsx";
import { type Act, actIfSure } from "./lobby.tsx";
import { progressOf, type SeatProgress, stepText } from "./progress.ts";

/** Milliseconds of reading tables in one go. */
const SLICE = 10;
/** Milliseconds between two updates of a table's costs. */
const COUNTED = 10_000;
/** Milliseconds of waiting for somebody after which the host may want to act. */
const LONG = 120_000;

/** The state of a table, in a sentence; `view` is its session as any role sees it. */
export function tableState(one: RoomTable, view: View | null): string {
  if (!one.begun) return t("room.table.waiting");
  if (one.over || view?.run === "ended") return view?.result ? outcomeSentence(view) : t("room.table.over");
  if (view?.run === "halted") return t("room.table.halted");
  if (view?.run === "paused") return t("room.table.paused");
  return view ? stepText(view) : t("room.table.playing");
}

interface CardProps {
  table: RoomTable;
  /** The session as its owner sees it. */
  view: View | null;
  guests: RoomGuest[];
  session: Session | null;
  act: Act;
  now: () => number;
  /** Shows the table on the wall. */
  onWall: (table: number) => void;
}

/** The cost so far. It is counted from the whole record, so only now and then, and at the end. */
function useCost({ table, view, session }: CardProps) {
  const counted = useRef<{ when: number | "over" | null; text: string | null }>({ when: null, text: null });
  const when = table.over ? "over" : Math.floor(Date.now() / COUNTED);
  const hasModels = [...view?.people.values() ?? []].some(({ kind }) => kind === "model");
  if (session && counted.current.when !== when && hasModels) {
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
    const acts = [...place.current!.querySelectorAll<HTMLElement>("[data-act]")].filter((one) => one.checkVisibility());
    const seat = focused.slice(focused.indexOf(" "));
    (acts.find(({ dataset }) => dataset["act"]!.endsWith(seat)) ?? acts[0])?.focus({ preventScroll: true });
  });
}

/** Who is awaited, in a sentence, and whether the host can do something about it. */
function waiting(seats: SeatProgress[], now: number): { text: string; isTrouble: boolean; until: number | null;
  since: number | null } | null {
  const awaited = seats.filter(({ state }) => state === "awaited");
  if (!awaited.length) return null;
  const gone = awaited.find(({ guest }) => guest && (!guest.here || guest.cut));
  const until = awaited.map(({ deadline }) => deadline).filter((at) => at !== null);
  const since = awaited.map((one) => one.since).filter((at) => at !== null);
  const first = since.length ? Math.min(...since) : null;
  const names = list(awaited.map(({ name }) => name));
  return {
    text: gone
      ? t("room.gone.phone", { name: gone.name })
      : awaited.length > 2
      ? t("room.waiting.many", { n: awaited.length })
      : t("room.waiting.for", { names }),
    isTrouble: Boolean(gone) || (first !== null && now - first > LONG),
    until: until.length ? Math.min(...until) : null,
    since: first,
  };
}

function Card(props: CardProps) {
  const { table, view, guests, session, act, now, onWall } = props;
  const { number, begun, over, about, run } = table;
  const place = useRef<HTMLElement>(null);
  useFocusWithin(place);
  const cost = useCost(props);
  const trouble = about?.trouble as { message?: string } | null;
  const id = session && encodeURIComponent(session.id);
  const isPaused = view?.run === "paused";
  const isEnded = over || view?.run === "ended";
  const { seats, done, of } = progressOf(table, view, guests);
  const awaited = seats.filter(({ state, guest }) => state === "awaited" && guest);
  const waits = !isEnded && !isPaused && begun ? waiting(seats, now()) : null;
  const remind = () => act((room) => awaited.map(({ guest }) => room.remind(guest!.number)).some(Boolean));
  const isAgreed = isEnded && view ? agreementOf(view) : null;
  const needsHost = waits?.isTrouble || Boolean(trouble) || view?.run === "halted";
  const label = t("room.table", { n: number });
  const named = (text: string) => `${label}: ${text}`;
  return (
    <article ref={place}
      class={["room-table", needsHost && "needs-host", isAgreed && "agreed"].filter(Boolean).join(" ")}
      aria-labelledby={`table-${number}`} data-testid="room-table" data-table={number}>
      <header>
        <h3 id={`table-${number}`}>{label}</h3>
        <span class="tag" data-state={view?.run ?? "waiting"}>
          {isAgreed === null || !isEnded
            ? (isEnded ? t("room.table.over") : tableState(table, view))
            : t(isAgreed ? "results.agreed" : "results.open")}
        </span>
      </header>
      <ul class="plain table-faces">
        {seats.map((seat) => (
          <NamedFace key={seat.seat} of={{ ...seat, state: begun && !isEnded ? seat.state : undefined }} size={42} />
        ))}
      </ul>
      {begun && !isEnded && (
        <div class="table-count">
          <progress max={of} value={done} aria-hidden="true" />
          <b data-testid="answered">{t("room.answered", { done, of })}</b>
        </div>
      )}
      {waits && (
        <p class="table-waits">
          <b data-testid="awaited">{waits.text}</b>
          <Clock until={waits.until} since={waits.since} now={now} />
        </p>
      )}
      {isEnded && view?.result && <p class="table-outcome">{outcomeSentence(view)}</p>}
      {run?.void && <p class="bad" data-testid="table-void">{t("room.void", { n: run.left })}</p>}
      {trouble && <p class="bad" lang="en">{trouble.message ?? String(trouble)}</p>}
      <div class="row table-acts">
        {waits && awaited.length > 0 && (
          <>
            <Button data-act="remind" aria-label={named(t("room.remind"))} onClick={remind}>{t("room.remind")}</Button>
            <Button data-act="skip" data-testid="table-skip" aria-label={named(t("room.skip"))} onClick={() =>
              act((room) => room.skip(number))}>
              {t("room.skip")}
            </Button>
          </>
        )}
        {id && isEnded && view?.result && (
          <a class="button" data-act="results" href={`#/results/${id}`}>{t("run.results")}</a>
        )}
        {begun && (
          <Button data-act="wall" data-testid="table-wall" aria-label={named(t("room.wall.table.show"))} onClick={() =>
            onWall(number)}>
            {t("room.wall")}
          </Button>
        )}
      </div>
      <details class="table-more">
        <summary data-testid="table-more" aria-label={named(t("room.more"))}>{t("room.more")}</summary>
        {run && <p class="quiet" data-testid="table-cell">{t("room.cell", { cell: run.cell, run: run.id })}</p>}
        {cost && <p class="quiet" data-testid="table-cost">{`${t("run.cost")}: ${cost}`}</p>}
        <ul class="plain room-seats">
          {seats.map((one) => {
            const seat = table.seats.find(({ seat: name }) => name === one.seat);
            return seat
              ? <GuestSeat key={one.seat} table={{ ...table, over: isEnded }} seat={seat} person={one} act={act} />
              : <OtherSeat key={one.seat} person={view?.people.get(one.seat)} view={view} />;
          })}
        </ul>
        <div class="row">
          {id && <a class="button button-quiet" data-act="look" href={`#/run/${id}`}>{t("room.look")}</a>}
          {begun && !isEnded && (
            <Button kind="quiet" data-act="pause" onClick={() =>
              act((room) => (isPaused ? room.resume(number) : room.pause(number)))}>
              {t(isPaused ? "run.resume" : "run.pause")}
            </Button>
          )}
        </div>
      </details>
    </article>
  );
}

interface GuestSeatProps {
  table: RoomTable;
  seat: RoomTable["seats"][number];
  person: SeatProgress;
  act: Act;
}

/** What the guest of a seat does, or who answers instead. */
function seatState({ seat, table, person: { guest, state } }: GuestSeatProps) {
  if (seat.standsIn) return t("room.standsin");
  if (!guest) return t(table.begun ? "room.computer" : "room.empty");
  if (guest.cut) return t("room.cut");
  if (!guest.here) return t("room.away");
  return t(state === "awaited" ? "room.face.awaited" : "room.here");
}

function GuestSeat(props: GuestSeatProps) {
  const { table, seat, person } = props;
  const { guest } = person;
  return (
    <li class={guest && !guest.here ? "room-seat away" : "room-seat"}>
      <Face index={person.index} kind={person.kind} size={32} />
      <span class="grow">
        <b>{person.name}</b>
        {guest && !seat.standsIn && person.name !== seat.seat && <span class="quiet">{` ${seat.seat}`}</span>}
        {!table.over && (
          <span class="quiet">
            {" · "}
            {seatState(props)}
            {guest?.elsewhere && ` · ${t("room.elsewhere")}`}
          </span>
        )}
      </span>
      {guest && table.begun && !table.over && <SeatControls {...props} guest={guest} />}
    </li>
  );
}

function SeatControls({ table, seat, person, guest, act }: GuestSeatProps & { guest: RoomGuest }) {
  const name = guest.name || guest.pseudonym || seat.seat;
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
      {person.state === "awaited"
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
function OtherSeat({ person, view }: { person: Participant | undefined; view: View | null }) {
  if (!person || !view) return null;
  const doing: string | null = activity(view, person.name);
  return (
    <li class="room-seat" data-testid="room-other">
      <Face index={person.index} kind={person.kind} size={32} />
      <span class="grow">
        <b>{person.name}</b> <KindTag kind={person.kind} />
        <span class="quiet">
          {person.model && ` ${person.model}`}
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
export function Tables({ view, viewOf, session, ...rest }: {
  view: RoomView;
  /** A table's session as its owner sees it, or null. */
  viewOf: (table: number) => View | null;
  session: (table: number) => Session | null;
} & Pick<CardProps, "act" | "now" | "onWall">) {
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
            session={session(number)} {...rest} />
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
