// Draws what the engine has put into words: the blocks of items and of results, for every reader.
import type { ComponentChildren, ComponentType, VNode } from "preact";
import type { Block, Choice } from "./pkg/quorate.d.ts";
import { openDialog } from "./dialog.tsx";
import { drawn, Icon, Table } from "./elements.tsx";
import { number, t } from "./i18n.js";
import { Prose } from "./markdown.tsx";
import { Avatar, KindTag, type Person } from "./participants.tsx";

type Kind = Block["block"];
type Of<K extends Kind> = Extract<Block, { block: K }>;
export type Chart = Of<"chart">;
export type Measure = Of<"measure">;
type Text = Of<"text">;

/** What differs between pages. */
export interface Reader {
  /** A participant's name. `called`: what the view calls the participant, if not by the name of the seat. */
  name(seat: string, called?: string): ComponentChildren;
  /** Who sits there, where participants have symbols. */
  person?: (seat: string) => Person;
  /** Whether folds are open at first. */
  unfolds?: boolean;
  /** Draws a chart; without it there is only the table. */
  Chart?: ComponentType<{ chart: Chart; person: Reader["person"] }>;
  /** Draws a text with what has changed since an earlier one; without it there is only the text. */
  Changes?: ComponentType<{ before: string; text: string }>;
}

/** What stands beside the name of a participant. */
export const isTag = (one: Block): one is Text => one.block === "text" && one.tone === "tag";
/** What stands at the side of a participant's row. */
export const isMeasure = (one: Block): one is Measure => one.block === "measure";

/** What somebody chose; it shows what that means when pressed. */
export function Chosen(
  { choice: { name, short, about, number: at, isMissing }, isShort }: { choice: Choice; isShort: boolean },
) {
  if (isMissing) return <span class="missing">{name}</span>;
  const shown = at === undefined
    ? <bdi class={about && "term"}>{name}</bdi>
    : (
      <span class={`principle p${at}`} title={name}>
        <b aria-hidden="true">{at}</b>
        <span>{isShort && short || name}</span>
      </span>
    );
  if (!about) return shown;
  const explain = () => openDialog(name, () => drawn(<p class="pre">{about}</p>), { testid: "about" });
  return (
    <button type="button" class="badge-button" aria-haspopup="dialog" onClick={explain}>
      {shown}
    </button>
  );
}

export const SideMeasure = ({ measure: { text } }: { measure: Measure }) => <strong class="figure">{text}</strong>;

const TONES: { [T in NonNullable<Text["tone"]>]: (text: string) => VNode } = {
  plain: (text) => <p class="pre">{text}</p>,
  strong: (text) => (
    <p class="pre">
      <strong>{text}</strong>
    </p>
  ),
  quiet: (text) => <p class="quiet">{text}</p>,
  tag: (text) => <span class="tag">{text}</span>,
  note: (text) => (
    <p class="note">
      <Icon name="warn" />
      {text}
    </p>
  ),
  private: (text) => (
    <p>
      <Icon name="lock" /> {text}
    </p>
  ),
  good: (text) => (
    <p class="verdict-line good">
      <Icon name="check" />
      {text}
    </p>
  ),
  bad: (text) => (
    <p class="verdict-line bad">
      <Icon name="cross" />
      {text}
    </p>
  ),
};

/** The values of a chart, with the lines to look at first. */
export function ChartTable({ chart: { title, x, band, lines } }: { chart: Chart }) {
  const rows = [...lines.filter(({ strong }) => strong), ...(band ? [band.lower, band.upper] : []),
    ...lines.filter(({ strong }) => !strong)];
  const written = (value: number | null) => value === null ? "–" : number(value, { maximumFractionDigits: 2 });
  return (
    <Table label={title} name="numbers" head={["", ...x]}
      rows={rows.map(({ label, values }) => [label, ...values.map(written)])} />
  );
}

const DRAW: { [K in Kind]: (props: { of: Of<K>; reader: Reader }) => VNode } = {
  text: ({ of: { text, tone } }) => (TONES[tone ?? "plain"] ?? TONES.plain)(text),
  quote: ({ of: { text, seat, called, before }, reader }) => (
    <>
      {seat !== undefined && <p class="who">{reader.name(seat, called)}</p>}
      {before !== undefined && reader.Changes ? <reader.Changes before={before} text={text} /> : <Prose text={text} />}
    </>
  ),
  list: ({ of: { items, quoted } }) => (
    <ul class="reasons">{items.map((one) => <li>{quoted ? <Prose text={one} /> : one}</li>)}</ul>
  ),
  measure: ({ of }) => (
    <p class="row">
      <SideMeasure measure={of} />
    </p>
  ),
  choices: ({ of: { label, items }, reader }) => {
    const [first, ...rest] = items;
    if (!first) return <></>;
    if (!rest.length) {
      return (
        <p class="chain">
          {label && <span class="quiet">{label}</span>} <Chosen choice={first} isShort={reader.person !== undefined} />
        </p>
      );
    }
    return (
      <ol class="order" aria-label={label || t("ranking.label")}>
        {items.map((one) => (
          <li>
            <Chosen choice={one} isShort={reader.person !== undefined} />
          </li>
        ))}
      </ol>
    );
  },
  votes: ({ of: { votes }, reader }) => (
    <ul class="ballots">
      {votes.map(({ seat, called, choice }) => (
        <li key={seat}>
          {reader.person && <Avatar person={reader.person(seat)} size="tiny" />}
          <span>{reader.name(seat, called)}</span>
          <Chosen choice={choice} isShort={reader.person !== undefined} />
        </li>
      ))}
    </ul>
  ),
  table: ({ of: { title, columns, rows, hasSeats, called, column, row }, reader }) => {
    const head = (seat: string, index: number) => (
      <span class="who">
        {reader.person && <Avatar person={reader.person(seat)} size="small" />}
        {reader.name(seat, called?.[index])}
        {reader.person && <KindTag kind={reader.person(seat).kind} />}
      </span>
    );
    return (
      <div class="explained-table">
        {title && <p class="quiet">{title}</p>}
        <Table label={title || columns.filter(Boolean).join(", ")} head={columns} name="numbers" column={column}
          row={row}
          rows={hasSeats ? rows.map(([seat = "", ...cells], index) => [head(seat, index), ...cells]) : rows} />
      </div>
    );
  },
  section: ({ of: { title, blocks }, reader }) => (
    <section>
      <h2>{title}</h2>
      {blocks.map((one, at) =>
        one.block === "section"
          ? (
            <div class="card round-card" key={at}>
              <h3>{one.title}</h3>
              <Blocks blocks={one.blocks} reader={reader} />
            </div>
          )
          : <Blocks key={at} blocks={[one]} reader={reader} />
      )}
    </section>
  ),
  fold: ({ of: { title, blocks }, reader }) => (
    <details open={reader.unfolds === true}>
      <summary>{title}</summary>
      <Blocks blocks={blocks} reader={reader} />
    </details>
  ),
  chart: ({ of, reader }) =>
    reader.Chart
      ? <reader.Chart chart={of} person={reader.person} />
      : (
        <details>
          <summary>{of.title}</summary>
          <p class="quiet">{of.text}</p>
          <ChartTable chart={of} />
        </details>
      ),
};

/** Draws blocks in their order. Kinds of another version are left out. */
export const Blocks = ({ blocks, reader }: { blocks: Block[]; reader: Reader }) => (
  <>
    {blocks.map((one, at) => {
      const Draw = DRAW[one.block] as ComponentType<{ of: Block; reader: Reader }> | undefined;
      return Draw && <Draw key={at} of={one} reader={reader} />;
    })}
  </>
);
