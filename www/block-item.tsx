// What consists of blocks on the lab's page. An item of a transcript is a row of its participant, or a notice to all.
import { render, type VNode } from "preact";
import type { Block, Choice, ItemView } from "./pkg/quorate.d.ts";
import { type Ask, isThought, openAsks, pendingAsk, UnreadNote, Waiting } from "./ask-state.tsx";
import { Blocks, Chosen, isMeasure, isTag, type Reader, SideMeasure } from "./blocks.tsx";
import { Changes } from "./changes.tsx";
import { ChartFigure } from "./chart-figure.tsx";
import { Button, drawn, Verbatim } from "./elements.tsx";
import { t } from "./i18n.js";
import { asksOf } from "./inspector.tsx";
import { Avatar, Name, type Person, seatOf } from "./participants.tsx";

/** What an item needs of its view. `inspect` shows the item's questions and answers. */
interface Context {
  person(name: string): Person;
  ask(id: string): Ask | undefined;
  inspect: ((item: { key: string }) => void) | null;
}
interface Parts {
  item: ItemView;
  details: VNode | null;
  reader: Reader;
  context: Context;
}
interface PersonParts extends Parts {
  person: Person;
  /** The question that is open. */
  open: Ask | undefined;
}

const readerOf = (person: (seat: string) => Person): Reader => ({
  name: (seat, called = seat) => <Verbatim>{called}</Verbatim>,
  person,
  Chart: ChartFigure,
  Changes,
});

/** The button for the questions and answers of an item. */
const Details = ({ what, onClick }: { what: string; onClick: () => void }) => (
  <Button kind="quiet" more="details" data-testid="details" aria-label={t("details.of", { what })} onClick={onClick}>
    {t("details")}
  </Button>
);

/** The text as it is being written. */
const Writing = ({ ask, look }: { ask: Ask; look: string }) => (
  <p class={look} data-stream={ask.id} aria-hidden="true" />
);

/** Who is still asked. */
function Asked({ item, context }: { item: ItemView; context: Context }) {
  const open = item.done ? [] : openAsks(item, context);
  if (!open.length) return null;
  return (
    <ul class="answers">
      {open.map((ask) => (
        <li key={ask.id}>
          <Avatar person={context.person(ask.seat)} size="tiny" />
          <span>{ask.seat}</span> <Waiting ask={ask} />
        </li>
      ))}
    </ul>
  );
}

function Notice({ item, details, reader, context }: Parts) {
  return (
    <>
      <Blocks blocks={item.blocks} reader={reader} />
      <Asked item={item} context={context} />
      <UnreadNote item={item} asks={context} />
      {details && <p class="under">{details}</p>}
    </>
  );
}

function Row({ item, person, open, details, reader, context }: PersonParts) {
  const beside = item.blocks.filter((one) => !isMeasure(one) && !isTag(one));
  return (
    <>
      <Avatar person={person} size="small" />
      <div class="row-body">
        <Who {...{ item, person, open, reader }} />
        <Blocks blocks={beside} reader={reader} />
        <UnreadNote item={item} asks={context} />
        {open && !open.structured && <Writing ask={open} look="streaming clip" />}
      </div>
      <div class="row-side">
        {item.blocks.filter(isMeasure).map((one) => <SideMeasure measure={one} />)}
        {details}
      </div>
    </>
  );
}

const Who = ({ item, person, open, reader }: Pick<PersonParts, "item" | "person" | "open" | "reader">) => (
  <p class="who">
    <Name person={person} />
    <Blocks blocks={item.blocks.filter(isTag)} reader={reader} />
    {open && <Waiting ask={open} />}
  </p>
);

/** Words to the table, in a bubble; what goes with them stands around it. */
function Speech({ item, person, open, details, reader }: PersonParts) {
  const rest = item.blocks.filter((one) => !isMeasure(one) && !isTag(one));
  const at = rest.findIndex(({ block }) => block === "quote");
  const before = at < 0 ? rest : rest.slice(0, at);
  const measures = item.blocks.filter(isMeasure);
  const isWritten = open && ["sent", "retrying"].includes(open.state);
  return (
    <>
      <Avatar person={person} />
      <article aria-label={t("speech.by", { name: person.name })}>
        <Who {...{ item, person, open, reader }} />
        <Blocks blocks={before} reader={reader} />
        {at >= 0 && (
          <div class="bubble">
            <Blocks blocks={rest.slice(at, at + 1)} reader={reader} />
          </div>
        )}
        {isWritten && (isThought(open)
          ? <Writing ask={open} look="streaming private pre" />
          : (
            <div class="bubble streaming">
              <p class="pre" data-stream={open.id} />
            </div>
          ))}
        {at >= 0 && <Blocks blocks={rest.slice(at + 1)} reader={reader} />}
        {(details || measures.length > 0) && (
          <p class="under">
            {measures.map(({ text }) => <span class="quiet">{text}</span>)} {details}
          </p>
        )}
      </article>
    </>
  );
}

/** Whose item it is: of a program, where one stood in. */
const authorOf = ({ called, standsIn }: ItemView, person: Person): Person => ({ ...person,
  ...(called !== undefined && { name: called }), ...(standsIn && { kind: "scripted" }) });

function Content({ item, context }: { item: ItemView; context: Context }) {
  const { seat, isSpeech, done } = item;
  const { inspect } = context;
  const what = seat ?? item.blocks.map((one) => "text" in one ? one.text : "").find(Boolean) ?? "";
  const details = inspect && asksOf(item).length > 0 ? <Details what={what} onClick={() => inspect(item)} /> : null;
  const reader = readerOf(context.person);
  if (seat === null) return <Notice {...{ item, details, reader, context }} />;
  const open = done ? undefined : pendingAsk(item, context);
  const Shown = isSpeech ? Speech : Row;
  return <Shown {...{ item, details, reader, open, context }} person={authorOf(item, context.person(seat))} />;
}

/** The classes of an item's place in the list. */
function looks(item: ItemView, { person }: Context) {
  const { seat, isSpeech, done, blocks } = item;
  if (seat !== null) {
    const sits = authorOf(item, person(seat));
    const kind = isSpeech ? ["say", sits.kind === "human" && "chat own"] : ["row-turn"];
    return [...kind, seatOf(sits), !done && "open"];
  }
  if (blocks.some(({ block }) => block === "votes")) return ["vote"];
  return [blocks.every((one) => one.block === "text" && one.tone === "quiet") ? "line quiet" : "notice"];
}

/** Draws an item into its place in the list, or again into the same. */
export function drawBlocks(item: ItemView, context: Context, place = document.createElement("li")) {
  const { type, seat, isSpeech, done, blocks } = item;
  const arriving = place.classList.contains("arriving") && "arriving";
  place.className = [...looks(item, context), arriving].filter(Boolean).join(" ");
  place.dataset.testid = isSpeech && !done ? "speaking" : type;
  if (seat !== null) place.dataset.seat = seat;
  place.hidden = !blocks.length && (seat === null || isSpeech && !pendingAsk(item, context));
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

/** What somebody chose, in short. */
export const chosen = (choice: Choice) => drawn(<Chosen choice={choice} isShort />);

/** What is shown of a participant besides name and kind. */
export const PersonBlocks = ({ name, blocks }: { name: string; blocks: Block[] }) => (
  <div class="stands">
    <Blocks blocks={blocks} reader={readerOf(() => ({ name }))} />
  </div>
);
