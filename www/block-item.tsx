// What consists of blocks on the lab's page. An item of a transcript is a row of its participant, or a notice to all.
import { render } from "preact";
import type { Block, BlockItem } from "./pkg/quorate.d.ts";
import { type Ask, pendingAsk, UnreadNote, Waiting } from "./ask-state.tsx";
import { Blocks, type Measure, type Reader, SideMeasure } from "./blocks.tsx";
import { ChartFigure } from "./chart-figure.tsx";
import { Button, drawn, Verbatim } from "./elements.tsx";
import { t } from "./i18n.js";
import { asksOf } from "./inspector.tsx";
import { Avatar, Name, type Person } from "./participants.tsx";

/** What an item needs of its view. `inspect` shows the item's questions and answers. */
interface Context {
  person(name: string): Person;
  ask(id: string): Ask | undefined;
  inspect: ((item: { key: string }) => void) | null;
}

const readerOf = (person: (seat: string) => Person): Reader => ({
  name: (seat) => <Verbatim>{seat}</Verbatim>,
  person,
  Chart: ChartFigure,
});

/** The button for the questions and answers of an item. */
export const Details = ({ what, onClick }: { what: string; onClick: () => void }) => (
  <Button kind="quiet" more="details" data-testid="details" aria-label={t("details.of", { what })} onClick={onClick}>
    {t("details")}
  </Button>
);
export const detailsButton = (what: string, onClick: () => void) => drawn(<Details what={what} onClick={onClick} />);

function Content({ item, context }: { item: BlockItem; context: Context }) {
  const { seat, title, blocks, done } = item;
  const reader = readerOf(context.person);
  const { inspect } = context;
  const details = inspect && asksOf(item).length > 0
    && <Details what={seat ?? title ?? ""} onClick={() => inspect(item)} />;
  const heading = title && <h4>{title}</h4>;
  if (seat === null) {
    return (
      <>
        {heading}
        <Blocks blocks={blocks} reader={reader} />
        {details && <p class="under">{details}</p>}
      </>
    );
  }
  const person = context.person(seat);
  const open = done ? undefined : pendingAsk(item, context);
  const isMeasure = (one: BlockItem["blocks"][number]): one is Measure => one.block === "measure";
  return (
    <>
      <Avatar person={person} size="small" />
      <div class="row-body">
        <p class="who">
          <Name person={person} />
          {open && <Waiting ask={open} />}
        </p>
        {heading}
        <Blocks blocks={blocks.filter((one) => !isMeasure(one))} reader={reader} />
        <UnreadNote item={item} asks={context} />
        {open && !open.structured && <p class="streaming clip" data-stream={open.id} aria-hidden="true" />}
      </div>
      <div class="row-side">{blocks.filter(isMeasure).map((one) => <SideMeasure measure={one} />)}{details}</div>
    </>
  );
}

/** Draws an item into its place in the list, or again into the same. */
export function drawBlocks(item: BlockItem, context: Context, place = document.createElement("li")) {
  const arriving = place.classList.contains("arriving") && "arriving";
  place.className = [item.seat === null ? "notice" : "row-turn", item.seat !== null && !item.done && "open", arriving]
    .filter(Boolean).join(" ");
  place.dataset.testid = item.type;
  render(<Content item={item} context={context} />, place);
  return place;
}

/** Frees what an item holds. */
export const leaveBlocks = (place: HTMLElement) => render(null, place);

/** The results as the engine words them. */
export function ResultBlocks({ results, people }: { results: Block[]; people: Map<string, Person> }) {
  return (
    <section data-testid="result-blocks">
      <Blocks blocks={results} reader={readerOf((name) => people.get(name) ?? { name })} />
    </section>
  );
}
