// Short summaries of sections of a transcript: each statement in a sentence, and changes of mind. Uses only the items
// of a view and is pure, so that a folded round and a projector show the same.
import { matterOf, newIn, tellingSentence } from "./text.js";

/**
 * A line: `says` is a participant's own sentence, `word` the key of a text, `tally` the number for each option.
 * @typedef {{ seat: string | null, says?: string, word?: string, from?: string, to?: string | null, names?: string[], count?: number, tally?: [string, number][] }} Gist
 */

/** Each seat's favoured principle before a section: from its last statement, else first in its last ranking. */
function favouredBefore(view, part) {
  const now = new Map();
  for (const section of view.sections) {
    if (section.key === part.key) break;
    for (const key of section.items) {
      const item = view.items.get(key);
      const stand = item.type === "statement"
        ? item.favored
        : item.type === "ranking"
        ? item.ranking?.order?.[0]
        : null;
      if (stand) now.set(item.seat, stand);
    }
  }
  return now;
}

const SAYS = {
  statement: (item, { before, tell }) => {
    if (!item.done) return null;
    const from = before.get(item.seat);
    const changed = item.favored && from && from !== item.favored;
    return item.text
      ? { seat: item.seat, says: tell(item, item.text), ...(changed && { from, to: item.favored }) }
      : null;
  },
  message: (item, { tell }) =>
    item.done && item.text ? { seat: item.guest?.name ?? item.seat, says: tell(item, item.text) } : null,
  vote: (
    item,
  ) => (item.ballot
    ? { seat: null, word: item.ballot.agreed ? "gist.agreed" : "gist.disagreed", to: item.ballot.agreed }
    : item.confirmed === false
    ? { seat: null, word: "gist.novote" }
    : null),
  notice: () => null,
};

/** Lines of a step in which all do the same: counts of first ranks or choices, and changes. */
function together(view, part, items) {
  const isRanking = items[0].type === "ranking";
  const chosen = items.filter((item) => item.done).map((
    item,
  ) => [item.seat, isRanking ? item.ranking?.order?.[0] : item.applied?.principle]).filter(([, principle]) =>
    principle
  );
  if (!chosen.length) return [];
  /** @type {[string, number][]} */
  const tally = [...new Set(chosen.map(([, principle]) => principle))].map((
    one,
  ) => [one, chosen.filter(([, principle]) => principle === one).length]);
  const before = isRanking ? favouredBefore(view, part) : new Map();
  const changed = chosen.filter(([seat, principle]) => before.has(seat) && before.get(seat) !== principle);
  return [
    { seat: null, word: isRanking ? "gist.first" : "gist.chose", tally: tally.sort(([, a], [, b]) => b - a) },
    ...changed.map(([seat, to]) => ({ seat, from: before.get(seat), to })),
  ];
}

/** How a text stands in a notice: what came of a matter before what it is about. */
const WEIGHTS = ["good", "bad", "strong"];
const weight = ({ tone }) => WEIGHTS.includes(tone) ? WEIGHTS.indexOf(tone) : WEIGHTS.length;

/** The main text of a notice to everybody. */
const main = ({ blocks }) =>
  blocks.filter(({ block }) => block === "text").sort((a, b) => weight(a) - weight(b)).slice(0, 1).map(({ text }) => ({
    seat: null,
    says: text,
  }));

/** Of items of blocks: each speech in its most informative sentence, and notices to everybody; else what others say. */
function wordsOf(items, code, matter, names) {
  const tell = (seat, text) => tellingSentence(text, code, matter, names.filter((name) => name !== seat));
  const said = ({ seat, blocks }) =>
    blocks.filter(({ block, quoted }) => block === "quote" || quoted).slice(0, 1).map(({ text, items, before }) => {
      if (before === undefined) return { seat, says: tell(seat, text ?? items.join("\n")) };
      const changed = newIn(before, text, code);
      return { seat, says: tell(seat, changed.join("\n")), word: changed.length ? "gist.revised" : "gist.kept" };
    });
  const lines = items.flatMap((item) => item.seat === null ? main(item) : item.isSpeech ? said(item) : []);
  return lines.length ? lines : items.flatMap(said);
}

/**
 * The lines of a section. `words` are the names of principles in statements.
 * @param {string[]} [words]
 * @returns {Gist[]}
 */
export function gist(view, part, code = "en", words = []) {
  const items = part.items.map((key) => view.items.get(key));
  const own = items.filter((item) => item.type === "ranking" || item.type === "application");
  if (own.length && part.step !== "results") return together(view, part, own);
  const read = items.filter((item) => item.type === "explanation" && item.asks.length);
  if (read.length) return [{ seat: null, word: "gist.read", count: read.length }];
  const matter = [...words, ...matterOf(view.topic || view.question, code)];
  const names = [...view.people.keys()];
  if (items.some((item) => item.blocks)) return wordsOf(items, code, matter, names);
  const tell = (item, text) => tellingSentence(text, code, matter, names.filter((name) => name !== item.seat));
  const context = { before: favouredBefore(view, part), code, tell };
  return items.map((item) => SAYS[item.type]?.(item, context)).filter(Boolean);
}
