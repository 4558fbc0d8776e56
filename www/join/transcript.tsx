// The part of a run that a participant may see, from the seat's view: newest sections first.
import { Component } from "preact";
import type { ComponentChildren } from "preact";
import type { BlockItem, RunView, SectionView } from "../../src/web/quorate.d.ts";
import { Blocks, type Reader } from "../blocks.tsx";
import { Verbatim } from "../elements.tsx";
import { verbatim } from "../dom.js";
import { drawItem } from "./old-items.js";
import { has, income, language, number, t } from "./words.js";

/** The names that people chose, by seat. */
type Names = { [seat: string]: string };
type Item = RunView["items"][number] & Partial<BlockItem>;
type View = RunView<Item> & { outcome?: string | null; unit?: string };
interface Own {
  seat: string | undefined;
  names: Names;
  unit: string;
}

/** Participants by the names that they chose; one's own is marked. */
const readerOf = ({ seat, names }: Own): Reader => ({
  name: (other) => (
    <>
      <Verbatim>{names[other] ?? other}</Verbatim>
      {other === seat && ` ${t("you.mark")}`}
    </>
  ),
});

const isWords = (item: Item): item is Item & BlockItem => item.blocks !== undefined;

function WordedItem({ item: { seat, title, blocks }, own }: { item: BlockItem; own: Own }) {
  const reader = readerOf(own);
  return (
    <li class={seat === null ? "seen-note" : seat === own.seat ? "seen-said mine" : "seen-said"}>
      {seat !== null && <b class="seen-who">{reader.name(seat)}</b>}
      {title && <b>{title}</b>}
      <Blocks blocks={blocks} reader={reader} />
    </li>
  );
}

function OldItem({ item, own: { seat, names, unit } }: { item: Item; own: Own }) {
  const isMe = (other: string) => other === seat;
  const name = (other: string) => [verbatim(names[other] ?? other), isMe(other) && ` ${t("you.mark")}`];
  const made = drawItem(item, { isMe, name, unit });
  return made && <li class={made.className} ref={(place) => place?.replaceChildren(...made.childNodes)} />;
}

/** Drawn again only if it has changed. */
class SeenItem extends Component<{ item: Item; own: Own; stamp: string }> {
  override shouldComponentUpdate({ item, stamp }: SeenItem["props"]) {
    return item !== this.props.item || stamp !== this.props.stamp;
  }
  override render({ item, own }: SeenItem["props"]) {
    return isWords(item) ? <WordedItem item={item} own={own} /> : <OldItem item={item} own={own} />;
  }
}

function headingOf({ title, kinds, step, round }: SectionView & { title?: string }) {
  if (title) return title;
  const kind = `debate.kind.${kinds?.[0]}`;
  const what = has(kind) ? t(kind) : step !== "round" && has(`step.${step}`) ? t(`step.${step}`) : "";
  return [what, round > 0 && t("round", { n: round })].filter(Boolean).join(" · ");
}

/** Whether there is something to see: not while it waits for an answer. */
const isSeen = (item: Item | undefined, own: Own): item is Item =>
  item !== undefined
  && (isWords(item) ? item.blocks.length > 0 && (item.done || item.seat === null) : OldItem({ item, own }) !== null);

/** What has happened so far; `children` stand there if it is nothing. */
export function Transcript(
  { view, seat, names = {}, children }: { view: View; seat: string | undefined; names?: Names;
    children?: ComponentChildren },
) {
  const own = { seat, names, unit: view.unit ?? "" };
  const stamp = JSON.stringify([own, language()]);
  const items = new Map(view.items.map((item) => [item.key, item]));
  const sections = [...view.sections].reverse().flatMap((section) => {
    const seen = section.items.map((key) => items.get(key)).filter((item) => isSeen(item, own));
    return seen.length ? [{ section, seen }] : [];
  });
  if (!sections.length) return <>{children}</>;
  return (
    <>
      {sections.map(({ section, seen }) => (
        <section class="seen" key={section.key}>
          {headingOf(section) && <h3>{headingOf(section)}</h3>}
          <ul class="plain">{seen.map((item) => <SeenItem key={item.key} item={item} own={own} stamp={stamp} />)}</ul>
        </section>
      ))}
    </>
  );
}

/** What an outcome is made of, where the engine does not word it. */
interface Result {
  final_answer?: string;
  chosen_principle?: string;
  constraint_amount?: number | null;
  consensus_reached?: boolean;
  payoffs?: unknown;
  spread?: { count: number; median: number; lower: number; upper: number };
  unit?: string;
}

/** The outcome in a sentence; empty while there is none. */
function outcomeOf(result: Result) {
  const { chosen_principle: principle, constraint_amount: amount, spread, unit = "" } = result;
  if (principle) {
    return t("vote.agreed", {
      principle: `${t(`principle.${principle}`)}${
        amount == null ? "" : `, ${t("amount", { amount: income(amount) })}`
      }`,
    });
  }
  if (result.consensus_reached === false && result.payoffs) return t("outcome.none");
  if (!spread) return "";
  return t("delphi.told", { count: spread.count, asked: spread.count, median: `${number(spread.median)} ${unit}`,
    lower: number(spread.lower), upper: `${number(spread.upper)} ${unit}` });
}

/** The outcome, in a sentence or as the winning text. */
export function Outcome({ view: { outcome, result } }: { view: View }) {
  const { final_answer: answer } = (result ?? {}) as Result;
  const sentence = outcome ?? outcomeOf((result ?? {}) as Result);
  if (!outcome && answer) {
    return (
      <div class="join-result">
        <b>{t("debate.result.answer")}</b>
        {answer.split(/\n+/).filter((line) => line.trim()).map((line) => <p>{line}</p>)}
      </div>
    );
  }
  return sentence
    ? (
      <div class="join-result">
        <p>{sentence}</p>
      </div>
    )
    : null;
}
