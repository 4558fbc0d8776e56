// The people and programs at a table: who they are, and whom it waits for.
import type { GuestState, Program } from "../../src/web/guest.d.ts";
import type { ItemView } from "../../src/web/quorate.d.ts";
import { Filled, Verbatim } from "../elements.tsx";
import { Face, isProgram } from "../pictures/people.tsx";
import { listParts, t } from "./words.js";

/** Somebody at the table; `index` is the place there. */
export interface Seated {
  seat: string;
  name: string;
  kind: string;
  index: number;
}

/** Everybody at the table. A program that stands in for a person counts as one. */
export function seatedAt({ table, view }: GuestState): Seated[] {
  const known = table?.participants ?? [];
  if (!known.length) return (view?.people ?? []).map(({ name, kind, index }) => ({ seat: name, name, kind, index }));
  return known.map(({ seat, name, kind, standsIn }, index) => ({ seat, name, kind: standsIn ? "scripted" : kind,
    index })
  );
}

/** Whose item it is: a person's stays the person's, and a program's the program's, whoever answers in the seat now. */
export function authorOf({ seat, called, standsIn }: ItemView, all: Seated[]): Seated | undefined {
  const who = all.find((one) => one.seat === seat);
  return who && called !== undefined ? { ...who, name: called, kind: standsIn ? "scripted" : "human" } : who;
}

/** One's own face; null before there is a table. */
export const ownFace = (state: GuestState) => seatedAt(state).find(({ seat }) => seat === state.table?.seat);

export const ProgramTag = ({ kind }: { kind: string | undefined }) =>
  isProgram(kind) ? <span class="program-tag">{t("computer")}</span> : null;

/** Names in a sentence, each in its own direction. */
export const named = (names: string[]) =>
  listParts(names).map(({ type, value }) => type === "element" ? <Verbatim>{value}</Verbatim> : value);

/** Says which participants are programs. */
export const ProgramNote = ({ names }: { names: string[] }) =>
  names.length
    ? (
      <p class="program-note" data-testid="programs">
        <Filled text={t(names.length === 1 ? "program.one" : "program.some")} with={{ names: named(names) }} />
      </p>
    )
    : null;

/** Faces with names. */
export function Faces({ all, own }: { all: Seated[]; own: string | undefined }) {
  return (
    <ul class="faces plain" data-testid="faces">
      {all.map(({ seat, name, kind, index }) => (
        <li key={seat}>
          <Face index={index} kind={kind} size={44} />
          <b title={name}>
            <Verbatim>{name}</Verbatim>
          </b>
          {seat === own ? <span class="tag">{t("you.short")}</span> : <ProgramTag kind={kind} />}
        </li>
      ))}
    </ul>
  );
}

/** The table as it is known: before it is made, the programs that will sit there. */
export function YourTable({ state, isShort }: { state: GuestState; isShort?: boolean }) {
  const all = seatedAt(state);
  const programs: Program[] = state.room?.programs ?? [];
  const known = all.length
    ? all
    : programs.map(({ name, kind }, index) => ({ seat: name, name, kind, index }));
  if (!known.length) return null;
  return (
    <section class="your-table">
      <h2 class={isShort ? "sr-only" : ""}>{t("table.yours")}</h2>
      <Faces all={known} own={state.table?.seat} />
      {!isShort && <ProgramNote names={known.filter(({ kind }) => isProgram(kind)).map(({ name }) => name)} />}
    </section>
  );
}

/** The table from above: pale faces are still thinking, the others are done. */
export function RoundTable({ all, busy }: { all: Seated[]; busy: string[] }) {
  const done = all.filter(({ seat }) => !busy.includes(seat)).length;
  return (
    <svg class="round-table" viewBox="0 0 200 200" role="img" aria-label={t("done.count", { done, of: all.length })}>
      <circle class="top" cx="100" cy="100" r="62" />
      <circle class="ring" cx="100" cy="100" r="54" pathLength="100" transform="rotate(-90 100 100)"
        stroke-dasharray={`${(done / all.length) * 100} 100`} />
      {all.map(({ seat, kind, index }, at) => {
        const angle = (at / all.length) * 2 * Math.PI - Math.PI / 2;
        const [x, y] = [100 + Math.cos(angle) * 72, 100 + Math.sin(angle) * 72];
        const isBusy = busy.includes(seat);
        return (
          <g key={seat} transform={`translate(${(x - 25).toFixed(1)} ${(y - 25).toFixed(1)})`}>
            <Face index={index} kind={kind} size={50} isPale={isBusy} />
            {!isBusy && (
              <>
                <circle class="tick" cx="43" cy="43" r="9" />
                <path class="tick" d="M38.500 43l3.500 3.500 6-7" />
              </>
            )}
          </g>
        );
      })}
      <text x="100" y="107">{done} / {all.length}</text>
    </svg>
  );
}
