// The editor for questionnaires of a room: before, as a comprehension check, and after; for payment, and for return
// links. The format is in docs/rooms.md. Each control edits one list or object of the plan.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../elements.tsx";
import { t } from "../i18n.js";
import { Field, NumberInput, Select, Tickbox } from "../inputs.tsx";
import { moveIn, Movers } from "../movers.tsx";
import type { RoomPlan, RoomQuestion, Way } from "../pkg/room.js";

type Kind = NonNullable<RoomQuestion["kind"]>;
type Key = "least" | "most" | "ends" | "options" | "right";

/** The settings of a question by kind of answer; others must be absent. */
const OF_KIND: Record<Kind, Key[]> = { scale: ["least", "most", "ends"], choice: ["options"], number: ["least", "most"],
  text: [], yes_no: [] };
const KINDS = Object.keys(OF_KIND) as Kind[];
/** Kinds that can have a right answer. */
const CHECKED: Kind[] = ["choice", "yes_no", "number"];
/** Most entries of a list. */
const MOST = 24;

/** Sets one key of an object; an empty value is removed. */
function set<Of extends object, Name extends keyof Of>(of: Of, name: Name, value: unknown) {
  if (value === undefined) delete of[name];
  else of[name] = value as Of[Name];
}

const lines = (text: string) => text.split("\n").map((one) => one.trim()).filter(Boolean);
const written = (value: unknown) => Array.isArray(value) ? value.join("\n") : String(value ?? "");

/** A text for one key of `of`, of several lines if it has `rows`; `read` reads what is typed. */
export function Line<Of extends object, Name extends keyof Of & string>(
  { of, name, read = (text) => text, onChange, rows, ...attributes }: {
    of: Of;
    name: Name;
    read?: (text: string) => unknown;
    onChange?: () => void;
    rows?: number;
    [attribute: string]: unknown;
  },
) {
  const type = ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
    set(of, name, value.trim() ? read(value) : undefined);
    onChange?.();
  };
  return rows
    ? <textarea rows={rows} defaultValue={written(of[name])} onInput={type} {...attributes} />
    : <input type="text" defaultValue={written(of[name])} onInput={type} {...attributes} />;
}

/** A number for one key of `of`. */
export const Figure = <Of extends object, Name extends keyof Of & string>(
  { of, name, ...attributes }: {
    of: Of;
    name: Name;
    isWhole?: boolean;
    placeholder?: number | string;
    [attribute: string]: unknown;
  },
) => <NumberInput value={of[name]} onChange={(value) => set(of, name, value)} {...attributes} />;

/** The right answer of a comprehension question. */
function Right({ question, changed, ...attributes }: { question: RoomQuestion; changed: () => void; id: string }) {
  if (question.kind === "number") return <Figure of={question} name="right" {...attributes} />;
  const isYesNo = question.kind === "yes_no";
  const values = isYesNo ? ["yes", "no"] : question.options as string[] | undefined ?? [];
  const name = (one: string) => !one ? "–" : isYesNo ? t(`ask.${one}`) : one;
  const pick = (value: string) => {
    set(question, "right", value || undefined);
    changed();
  };
  return (
    <Select value={String(question.right ?? "")} options={["", ...values]} name={name} onPick={pick} {...attributes} />
  );
}

function QuestionEditor(
  { list, at, isCheck, testid, moved }: { list: RoomQuestion[]; at: number; isCheck: boolean; testid: string;
    moved: (to: number, button?: string) => void },
) {
  const [, draw] = useState({});
  const question = list[at]!;
  const kind = question.kind as Kind;
  const own = OF_KIND[kind];
  const changed = () => draw({});
  const pickKind = (next: string) => {
    for (const key of ["least", "most", "ends", "options", "right"] as const) {
      if (key === "right" || !OF_KIND[next as Kind].includes(key)) delete question[key];
    }
    question.kind = next as Kind;
    changed();
  };
  const optionsChanged = () => {
    if (!question.options?.includes(question.right as string)) delete question.right;
    changed();
  };
  const ends = question.ends as [string, string] | undefined;
  const setEnd = (place: 0 | 1, text: string) => {
    const next = [...ends ?? ["", ""]];
    next[place] = text;
    set(question, "ends", next.some(Boolean) ? next : undefined);
    changed();
  };
  const end = (place: 0 | 1, label: string) => (
    <Field label={t(label)}>
      {(attributes) => (
        <input type="text" maxLength={60} value={ends?.[place] ?? ""}
          onInput={({ currentTarget }) => setEnd(place, currentTarget.value)} {...attributes} />
      )}
    </Field>
  );
  const limit = (name: "least" | "most", usual: number) => (
    <Field key={`${name} ${kind}`} label={t(`ask.${name}`)}>
      {(attributes) => <Figure of={question} name={name} placeholder={kind === "scale" ? usual : ""} {...attributes} />}
    </Field>
  );
  const title = t("ask.n", { n: at + 1 });
  return (
    <li data-testid={`${testid}-question`}>
      <fieldset class="stack">
        <legend>{title}</legend>
        <Field label={t("ask.label")}>
          {(attributes) => (
            <Line of={question} name="label" maxLength={2000} data-testid={`${testid}-label`} {...attributes} />
          )}
        </Field>
        <div class="fields">
          <Field label={t("ask.kind")}>
            {(attributes) => (
              <Select value={kind} options={isCheck ? CHECKED : KINDS} name={(one) => t(`ask.kind.${one}`)}
                onPick={pickKind} {...attributes} />
            )}
          </Field>
          {own.includes("options") && (
            <Field label={t("ask.options")}>
              {(attributes) => (
                <Line of={question} name="options" rows={3} read={lines} onChange={optionsChanged} {...attributes} />
              )}
            </Field>
          )}
          {own.includes("least") && limit("least", 1)}
          {own.includes("ends") && end(0, "ask.end.least")}
          {own.includes("most") && limit("most", 7)}
          {own.includes("ends") && end(1, "ask.end.most")}
          {isCheck && (
            <div>
              <Field label={t("ask.right")}>
                {({ id }) => <Right key={kind} question={question} changed={changed} id={id} />}
              </Field>
            </div>
          )}
        </div>
        <div class="row">
          {!isCheck && (
            <Tickbox label={t("ask.optional")} isOn={question.optional === true} onTick={(isOn) => {
              set(question, "optional", isOn || undefined);
              changed();
            }} />
          )}
          <Movers name={title} at={at} count={list.length} more="movers" move={(to, which) => {
            moveIn(list, at, to);
            moved(to, which);
          }} remove={() => {
            list.splice(at, 1);
            moved(-1);
          }} />
        </div>
      </fieldset>
    </li>
  );
}

/** The editor of a list of questions. `isCheck`: each has a right answer. `testid` is the prefix for tests. */
export function Questions(
  { list, isCheck = false, testid }: { list: RoomQuestion[]; isCheck?: boolean; testid: string },
) {
  const rows = useRef<HTMLOListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  /** The row that gets the focus, and the button in it: otherwise its first input. */
  const [focus, setFocus] = useState<{ at: number; button: string | undefined } | null>(null);
  useLayoutEffect(() => {
    if (!focus) return;
    const row = rows.current!.children[focus.at];
    const button = focus.button && row?.querySelector<HTMLButtonElement>(`.${focus.button}:enabled`);
    (button || row?.querySelector("input") || adder.current!).focus();
  }, [focus]);
  const moved = (at: number, button?: string) => setFocus({ at, button });
  const add = () => {
    list.push(isCheck ? { label: "", kind: "choice", options: [] } : { label: "", kind: "scale" });
    moved(list.length - 1);
  };
  return (
    <div class="stack">
      <ol ref={rows} class="room-questions plain">
        {list.map((question, at) => (
          <QuestionEditor key={question} list={list} at={at} isCheck={isCheck} testid={testid} moved={moved} />
        ))}
      </ol>
      <p>
        <Button place={adder} data-testid={`${testid}-add`} disabled={list.length >= MOST} onClick={add}>
          {t("ask.add")}
        </Button>
      </p>
    </div>
  );
}

const WAYS: Way[] = ["complete", "declined", "waited", "dropped", "trouble"];

/** The return link and completion code for each kind of ending. */
export function ReturnLinks({ ways }: { ways: NonNullable<RoomPlan["ways"]> }) {
  const line = (way: Way, name: "url" | "code", attributes: object) => (
    <Field label={t(`ways.${name}`)}>
      {({ id }) => (
        <Line of={ways[way] ??= {}} name={name} id={id} spellcheck={false} read={(text) => text.trim()}
          data-testid={`way-${way}-${name}`} {...attributes} />
      )}
    </Field>
  );
  return (
    <div class="stack">
      <p class="help">
        {t("ways.help", { names: "{PROLIFIC_PID}, {STUDY_ID}, {SESSION_ID}", own: "{code}, {way}, {earned}" })}
      </p>
      {WAYS.map((way) => (
        <fieldset class="room-way">
          <legend>{t(`ways.${way}`)}</legend>
          <div class="fields">
            {line(way, "url", { inputMode: "url", placeholder: "https://" })}
            {line(way, "code", { maxLength: 100 })}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

/** What participants are paid. */
export function Payment({ earned }: { earned: NonNullable<RoomPlan["earned"]> }) {
  const money = (name: "fixed" | "rate", help?: string) => (
    <Field label={t(`pay.${name}`)} help={help}>
      {(attributes) => <Figure of={earned} name={name} data-testid={`pay-${name}`} {...attributes} />}
    </Field>
  );
  return (
    <div class="stack">
      <p class="help">{t("pay.help", { own: "{earned}" })}</p>
      <div class="fields">
        <Field label={t("pay.unit")}>
          {(attributes) => (
            <Line of={earned} name="unit" maxLength={10} placeholder="€" data-testid="pay-unit" {...attributes} />
          )}
        </Field>
        {money("fixed")}
        {money("rate", t("pay.rate.help"))}
      </div>
    </div>
  );
}

/**
 * Number of the first comprehension question without a right answer, which any answer would pass; 0 if there is none.
 */
export const firstUnchecked = ({ comprehension }: RoomPlan) =>
  (comprehension ?? []).findIndex(({ right }) => right === undefined) + 1;

/** A plan without empty parts. */
export function withoutEmpty(plan: RoomPlan): RoomPlan {
  const next = { ...plan };
  for (const key of ["before", "comprehension", "after"] as const) if (!next[key]?.length) delete next[key];
  if (next.earned?.fixed === undefined && next.earned?.rate === undefined) delete next.earned;
  const named = Object.entries(next.ways ?? {}).filter(([, one]) => one?.url || one?.code);
  if (named.length) next.ways = Object.fromEntries(named);
  else delete next.ways;
  return next;
}
