// The part of a run that a participant may see, from the seat's view: newest sections first.
import { Component } from "preact";
import type { ComponentChildren } from "preact";
import type { ItemView, RunView } from "../../src/web/quorate.d.ts";
import { Blocks, isTag, type Reader } from "../blocks.tsx";
import { Verbatim } from "../elements.tsx";
import { language, t } from "./words.js";

/** The names that people chose, by seat. */
type Names = { [seat: string]: string };
type View = RunView<ItemView>;
interface Own {
  seat: string | undefined;
  names: Names;
}

/** Participants by the names that they chose; one's own is marked. Of others there is only what is new at first. */
const readerOf = ({ seat, names }: Own, item: ItemView): Reader => ({
  name: (other) => (
    <>
      <Verbatim>{names[other] ?? other}</Verbatim>
      {other === seat && ` ${t("you.mark")}`}
    </>
  ),
  unfolds: item.seat === null || item.seat === seat,
});

function Seen({ item, own }: { item: ItemView; own: Own }) {
  const { seat, blocks } = item;
  const reader = readerOf(own, item);
  return (
    <li class={seat === null ? "seen-note" : seat === own.seat ? "seen-said mine" : "seen-said"}>
      {seat !== null && (
        <b class="seen-who">
          {reader.name(seat)}
          <Blocks blocks={blocks.filter(isTag)} reader={reader} />
        </b>
      )}
      <Blocks blocks={blocks.filter((one) => !isTag(one))} reader={reader} />
    </li>
  );
}

/** Drawn again only if it has changed. */
class SeenItem extends Component<{ item: ItemView; own: Own; stamp: string }> {
  override shouldComponentUpdate({ item, stamp }: SeenItem["props"]) {
    return item !== this.props.item || stamp !== this.props.stamp;
  }
  override render({ item, own }: SeenItem["props"]) {
    return <Seen item={item} own={own} />;
  }
}

/** Whether there is something to see: not while it waits for an answer. */
const isSeen = (item: ItemView | undefined): item is ItemView =>
  item !== undefined && item.blocks.length > 0 && (item.done || item.seat === null);

/** What has happened so far; `children` stand there if it is nothing. */
export function Transcript(
  { view, seat, names = {}, children }: { view: View; seat: string | undefined; names?: Names;
    children?: ComponentChildren },
) {
  const own = { seat, names };
  const stamp = JSON.stringify([own, language()]);
  const items = new Map(view.items.map((item) => [item.key, item]));
  const sections = [...view.sections].reverse().flatMap((section) => {
    const seen = section.items.map((key) => items.get(key)).filter((item) => isSeen(item));
    return seen.length ? [{ section, seen }] : [];
  });
  if (!sections.length) return <>{children}</>;
  return (
    <>
      {sections.map(({ section, seen }) => (
        <section class="seen" key={section.key}>
          <h3>{section.title}</h3>
          <ul class="plain">{seen.map((item) => <SeenItem key={item.key} item={item} own={own} stamp={stamp} />)}</ul>
        </section>
      ))}
    </>
  );
}

/** The outcome, in a sentence and with the winning text. */
export function Outcome({ view: { outcome, result } }: { view: View }) {
  const { final_answer: answer } = (result ?? {}) as { final_answer?: string };
  if (!outcome) return null;
  return (
    <div class="join-result">
      <p>{outcome}</p>
      {answer && (
        <>
          <b>{t("answer")}</b>
          {answer.split(/\n+/).filter((line) => line.trim()).map((line) => <p>{line}</p>)}
        </>
      )}
    </div>
  );
}
