// An item of blocks as a participant sees it: words of somebody at the table, or a notice to all.
import type { BlockItem } from "../pkg/quorate.d.ts";
import { Blocks, type Reader } from "../blocks.tsx";
import { drawn, Verbatim } from "../elements.tsx";
import { t } from "./words.js";

export interface Seen {
  isMe(seat: string): boolean;
  names: { [seat: string]: string };
}

/** Participants by the names that they chose; one's own is marked. */
export const readerOf = ({ isMe, names }: Seen): Reader => ({
  name: (seat) => (
    <>
      <Verbatim>{names[seat] ?? seat}</Verbatim>
      {isMe(seat) && ` ${t("you.mark")}`}
    </>
  ),
});

function SeenItem({ item: { seat, title, blocks }, seen }: { item: BlockItem; seen: Seen }) {
  const reader = readerOf(seen);
  const isMine = seat !== null && seen.isMe(seat);
  return (
    <li class={seat === null ? "seen-note" : isMine ? "seen-said mine" : "seen-said"}>
      {seat !== null && <b class="seen-who">{reader.name(seat)}</b>}
      {title && <b>{title}</b>}
      <Blocks blocks={blocks} reader={reader} />
    </li>
  );
}

/** An item that waits for an answer is not shown yet. */
export const seenItem = (item: BlockItem, seen: Seen) =>
  item.seat !== null && !item.done || !item.blocks.length ? null : drawn(<SeenItem item={item} seen={seen} />);
