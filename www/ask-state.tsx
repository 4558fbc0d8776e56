// What happens to the questions of an item: who is thinking, and which answers could not be read.
import type { AskView, ItemView } from "./pkg/quorate.d.ts";
import { Icon } from "./elements.tsx";
import { t } from "./i18n.js";
import { reasonText } from "./participants.tsx";

/** An ask as the page knows it; `waits`: why the call is delayed. */
export type Ask = AskView & { waits?: string | null };
interface Asks {
  ask(id: string): Ask | undefined;
}

const asksOf = (item: Pick<ItemView, "asks">, { ask }: Asks) => item.asks.map(ask).filter((one) => one !== undefined);

/** The asks of an item that are still open. */
export const openAsks = (item: Pick<ItemView, "asks">, asks: Asks) =>
  asksOf(item, asks).filter((ask) => !["answered", "unanswered", "withdrawn"].includes(ask.state));

/** The last of them. */
export const pendingAsk = (item: Pick<ItemView, "asks">, asks: Asks) => openAsks(item, asks).at(-1);

const STATES: { [state: string]: string } = { waiting: "queued", retrying: "retrying", failed: "failed",
  timed_out: "timedout" };

const DOING: { [kind: string]: string } = { statement: "speaking", turn: "speaking", proposal: "writing",
  revision: "writing", refinement: "writing", critique: "criticising", judgement: "judging" };

/** Whether the answer is for the participant's own use. */
export const isThought = (ask: Ask) => ask.kind === "internal_reasoning";

/** What the asked participant does. */
export function Waiting({ ask }: { ask: Ask }) {
  if (ask.waits) return <span class="waiting">{t(`activity.waits.${ask.waits}`)}</span>;
  const word = STATES[ask.state] ?? DOING[ask.kind] ?? "thinking";
  return (
    <span class={ask.state === "failed" ? "waiting bad" : "waiting"}>
      {t(`activity.${word}`)}
      {["sent", "retrying"].includes(ask.state) && (
        <span class="dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
    </span>
  );
}

/** How many answers could not be read, and why. */
export function UnreadNote({ item, asks }: { item: Pick<ItemView, "asks">; asks: Asks }) {
  const missed = asksOf(item, asks).flatMap(({ reading }) => (reading && "reason" in reading ? [reading.reason] : []));
  if (!missed.length) return null;
  return (
    <p class="note">
      <Icon name="warn" />
      {t("unread", { n: missed.length })} {reasonText(missed.at(-1))}
    </p>
  );
}
