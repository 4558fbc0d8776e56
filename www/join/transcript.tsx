// The part of a run that a participant may see, from the seat's view: newest sections first.
import { Component } from "preact";
import type { ComponentChildren } from "preact";
import type { GuestState } from "../../src/web/guest.d.ts";
import type { ItemView } from "../../src/web/quorate.d.ts";
import { Blocks, isTag, type Reader } from "../blocks.tsx";
import { Verbatim } from "../elements.tsx";
import { isProgram } from "../pictures/people.tsx";
import { authorOf, ProgramTag, type Seated, seatedAt } from "./table.tsx";
import { language, t } from "./words.js";

interface Own {
  seat: string | undefined;
  all: Seated[];
}

/** Participants by the names that they chose; one's own is marked. Of others there is only what is new at first. */
const readerOf = ({ seat, all }: Own, item: ItemView): Reader => ({
  name(other, called) {
    const who = other === item.seat ? authorOf(item, all) : all.find((one) => one.seat === other);
    // Called otherwise than now, the name says all.
    const kind = called === undefined || called === who?.name ? who?.kind : undefined;
    return (
      <>
        <Verbatim>{called ?? who?.name ?? other}</Verbatim>
        {isProgram(kind) && " "}
        <ProgramTag kind={kind} />
        {other === seat && !item.standsIn && ` ${t("you.mark")}`}
      </>
    );
  },
  unfolds: item.seat === null || item.seat === seat,
});

function Seen({ item, own }: { item: ItemView; own: Own }) {
  const { seat, called, standsIn, blocks } = item;
  const reader = readerOf(own, item);
  return (
    <li class={seat === null ? "seen-note" : seat === own.seat && !standsIn ? "seen-said mine" : "seen-said"}>
      {seat !== null && (
        <b class="seen-who">
          {reader.name(seat, called)}
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
export function Transcript({ state, children }: { state: GuestState; children?: ComponentChildren }) {
  const view = state.view!;
  const own = { seat: state.table?.seat, all: seatedAt(state) };
  const stamp = JSON.stringify([own, language()]);
  const items = new Map(view.items.map((item) => [item.key, item]));
  const sections = [...(view.sections ?? [])].reverse().flatMap((section) => {
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
