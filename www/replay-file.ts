// A replay as a file to share: what the public of a table saw, without names; of programs alone, all of it. It is no record: it
// has no seed, no prompts and nothing to verify.
import { t } from "./i18n.js";
import type { RunView } from "./pkg/quorate.js";
import { keptRooms, tableOf } from "./rooms/stored-rooms.js";
import type { Engine, Lab, View } from "./view-types.ts";
import { emptyView, take } from "./view.js";

const FORMAT = "quorate replay 1";
/** Where a tab keeps the one that is open. */
const STORE = "quorate.replay";

/** The name in the address of what was opened. */
export const OPENED = "file";

type Procedure = RunView & Pick<View, "question" | "topic">;
interface Shared extends Pick<Procedure, "people" | "sections" | "items" | "steps" | "question" | "topic"> {
  format: typeof FORMAT;
  title: string;
  protocol: string;
}
/** Names with what stands in their place. */
type Names = [name: string, by: string][];

/** The names that guests of a room chose, and those of people's seats at this device. */
async function namesAt({ session, view }: Lab, engine: Engine): Promise<Names> {
  const found = tableOf(await keptRooms(), session.id);
  if (!found) {
    const people = [...view.people.values()].filter(({ kind }) => kind === "human");
    return people.map(({ name }, at) => [name, t("replay.person", { n: at + 1 })]);
  }
  const { getRoom } = await import("./rooms/hosted-rooms.js");
  const { room } = await getRoom(found.room.id, engine);
  return room.names.export().flatMap(({ name, seat, pseudonym }) => (name ? [[name, seat ?? pseudonym]] : []));
}

const folded = (text: string) => text.normalize("NFC").toLowerCase();

/** Replaces names, and their parts of three letters or more, in a text, whatever their case. */
function renamer(names: Names): (text: string) => string {
  const parts = names.flatMap(([name, by]): Names =>
    name.split(/\s+/).filter((part) => part.length > 2).map((part) => [part, by])
  );
  const all = new Map([...parts, ...names].map(([name, by]) => [folded(name), by]));
  if (!all.size) return (text) => text;
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const longest = [...all.keys()].sort((a, b) => b.length - a.length).map(escaped).join("|");
  // Scripts without spaces have no end of a word.
  const inWord = "(?!\\p{Script=Han})[\\p{L}\\p{N}]";
  const found = new RegExp(`(?<!${inWord})(?:${longest})(?!${inWord})`, "giu");
  return (text) => text.normalize("NFC").replace(found, (name) => all.get(folded(name)) ?? name);
}

/** Fields whose texts are the engine's own words. */
const WORDS = new Set(["type", "block", "tone", "shape", "kind", "step", "state", "protocol"]);

/** The same with every text renamed, and every seat that is a key. */
function renamed(value: unknown, names: Map<string, string>, rename: (text: string) => string): unknown {
  if (typeof value === "string") return rename(value);
  if (Array.isArray(value)) return value.map((one) => renamed(one, names, rename));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map((
      [key, one],
    ) => [names.get(key) ?? key, WORDS.has(key) ? one : renamed(one, names, rename)]),
  );
}

/** The text of a file for an ended session. */
export async function replayFile(lab: Lab, engine: Engine, language: string): Promise<string> {
  const hasPeople = [...lab.view.people.values()].some(({ kind }) => kind === "human");
  const { head, people, sections, items, steps, ...more } = lab.session.view<Procedure>(
    hasPeople ? "audience" : "owner",
    0,
    language,
  );
  const names = await namesAt(lab, engine);
  const shared: Shared = { format: FORMAT, title: head?.config.title ?? "", protocol: head!.protocol,
    question: more.question, topic: more.topic, sections, steps,
    people: people.map(({ name, index, kind, model, language: own, version }) => ({ name, index, kind, model,
      language: own, version, personality: "", blocks: [] })
    ), items: items.map((item) => ({ ...item, asks: [] })) };
  return JSON.stringify(renamed(shared, new Map(names), renamer(names)));
}

/** Opens a file: what it shows is kept until the tab is closed. Throws if it is not such a file. */
export function openReplay(text: string) {
  const { format, people, sections, items, steps } = JSON.parse(text);
  if (format !== FORMAT || ![people, sections, items, steps].every(Array.isArray)) throw new Error(FORMAT);
  sessionStorage.setItem(STORE, text);
  location.hash = `#/replay/${OPENED}`;
}

/** The replay that was opened: `count` is the number of its items, `viewAt(n)` the view after the first n of them. */
export function openedReplay() {
  const text = sessionStorage.getItem(STORE);
  if (!text) throw Object.assign(new Error(OPENED), { code: "unknown" });
  const { title, protocol, sections, items, steps, ...more } = JSON.parse(text) as Shared;
  const order = sections.flatMap((section) => section.items);
  const head = { protocol, config: { title } };
  return { title, count: order.length, viewAt(count: number, before: View | null): View {
    const isOver = count >= order.length;
    const seen = new Set(order.slice(0, count));
    const parts = sections.map((section) => ({ ...section, items: section.items.filter((key) => seen.has(key)) }))
      .filter((section) => section.items.length);
    const stateOf = ({ key, state }: Shared["steps"][number]) => {
      if (isOver) return state;
      if (parts.at(-1)?.key === key) return "current";
      const isComing = sections.some((one) => one.key === key) && !parts.some((one) => one.key === key);
      return isComing ? "coming" : state;
    };
    return take(before ?? emptyView(), { ...more, whole: before === null, head, run: isOver ? "ended" : "running",
      items: items.filter(({ key }) => seen.has(key)), sections: parts, asks: [],
      steps: steps.map((step) => ({ ...step, state: stateOf(step) })) }) as unknown as View;
  } };
}
