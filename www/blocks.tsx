// Draws what the engine has put into words: the blocks of items and of results, for every reader.
import type { ComponentChildren, ComponentType, VNode } from "preact";
import type { Block } from "./pkg/quorate.d.ts";
import { openDialog } from "./dialog.tsx";
import { drawn, Table } from "./elements.tsx";
import { number, t } from "./i18n.js";
import { Prose } from "./markdown.tsx";
import { Avatar, type Person } from "./participants.tsx";

type Kind = Block["block"];
type Of<K extends Kind> = Extract<Block, { block: K }>;
export type Chart = Of<"chart">;
export type Measure = Of<"measure">;

/** What differs between pages. */
export interface Reader {
  /** A participant's name. */
  name(seat: string): ComponentChildren;
  /** Who sits there, where participants have symbols. */
  person?: (seat: string) => Person;
  /** Whether folds are open at first. */
  unfolds?: boolean;
  /** Draws a chart; without it there is only the table. */
  Chart?: ComponentType<{ chart: Chart; person: Reader["person"] }>;
}

/** A name that shows what it means when pressed, if it has an explanation. */
function Explained({ name, about }: { name: string; about?: string | undefined }) {
  if (!about) return <bdi>{name}</bdi>;
  const explain = () => openDialog(name, () => drawn(<p class="pre">{about}</p>), { testid: "explanation" });
  return (
    <button type="button" class="badge-button" aria-haspopup="dialog" onClick={explain}>
      <bdi class="term">{name}</bdi>
    </button>
  );
}

/** A figure that stands at the side of a row. */
export const SideMeasure = ({ measure: { text, label } }: { measure: Measure }) => (
  <>
    {label && <span class="quiet">{label}</span>}
    <strong class="figure">{text}</strong>
  </>
);

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
  text: ({ of: { text, strong } }) => <p class="pre">{strong ? <strong>{text}</strong> : text}</p>,
  quote: ({ of: { text, seat }, reader }) => (
    <>
      {seat !== undefined && <p class="who">{reader.name(seat)}</p>}
      <Prose text={text} />
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
  ranking: ({ of: { items } }) => (
    <ol class="order" aria-label={t("ranking.label")}>
      {items.map((one) => (
        <li>
          <Explained {...one} />
        </li>
      ))}
    </ol>
  ),
  votes: ({ of: { votes }, reader }) => (
    <ul class="ballots">
      {votes.map(({ seat, choice, about }) => (
        <li key={seat}>
          {reader.person && <Avatar person={reader.person(seat)} size="tiny" />}
          <span>{reader.name(seat)}</span>
          {choice === null ? <span class="missing">–</span> : <Explained name={choice} about={about} />}
        </li>
      ))}
    </ul>
  ),
  table: ({ of: { title, columns, rows, notes = [] } }) => (
    <div class="explained-table">
      <p class="quiet">{title}</p>
      <Table label={title} head={columns} rows={rows} name="numbers" />
      {notes.map((note) => <p class="quiet">{note}</p>)}
    </div>
  ),
  terms: ({ of: { terms } }) => (
    <dl class="terms">
      {terms.map(({ name, text }) => (
        <div>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  ),
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
