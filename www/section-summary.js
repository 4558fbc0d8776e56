// Short summaries of sections of a transcript: each statement in a sentence, and changes of mind. Uses only the blocks
// of a view and is pure, so that a folded round and a projector show the same.
import { matterOf, newIn, tellingSentence } from "./text.js";

/** @typedef {import("./pkg/quorate.d.ts").Choice} Choice */
/**
 * A line: `says` is a participant's own sentence, `word` the key of a text, `tally` the number for each choice.
 * @typedef {{ seat: string | null, says?: string, word?: string, from?: Choice, to?: Choice, count?: number, tally?: [Choice, number][] }} Gist
 */

/** What a participant chose in an item, or put first. @returns {Choice | undefined} */
const choiceIn = ({ blocks }) => {
  const [first] = blocks.find(({ block }) => block === "choices")?.items ?? [];
  return first?.isMissing ? undefined : first;
};
const option = (/** @type {Choice} */ { number, name }) => number ?? name;

/** What each participant was for before a section. @returns {Map<string, Choice>} */
function choicesBefore(view, part) {
  const now = new Map();
  for (const section of view.sections) {
    if (section.key === part.key) break;
    for (const item of section.items.map((key) => view.items.get(key))) {
      const chosen = item.seat === null ? undefined : choiceIn(item);
      if (chosen) now.set(item.seat, chosen);
    }
  }
  return now;
}

/** The change of mind in an item, if there is one. */
function changeIn(item, before) {
  const [from, to] = [before.get(item.seat), choiceIn(item)];
  return from && to && option(from) !== option(to) ? { from, to } : null;
}

/** Lines of a step in which all choose: how many for each choice, and changes. */
function together(items, before) {
  const chosen = items.map(choiceIn).filter(Boolean);
  if (!chosen.length) return [];
  const kinds = new Map(chosen.map((one) => [one.name, one]));
  const tally = [...kinds.values()].map((one) => [one, chosen.filter(({ name }) => name === one.name).length]);
  const isRanking = items.some(({ blocks }) =>
    blocks.some(({ block, items: all }) => block === "choices" && all.length > 1)
  );
  return [
    { seat: null, word: isRanking ? "gist.first" : "gist.chose", tally: tally.sort(([, a], [, b]) => b - a) },
    ...items.map((item) => ({ item, change: changeIn(item, before) })).filter(({ change }) => change).map((
      { item, change },
    ) => ({ seat: item.seat, ...change })),
  ];
}

/** Tones by importance: results before what they are about. */
const WEIGHTS = ["good", "bad", "strong"];
const weight = ({ tone }) => WEIGHTS.includes(tone) ? WEIGHTS.indexOf(tone) : WEIGHTS.length;

/** The main text of a notice to everybody. */
const main = ({ blocks }) =>
  blocks.filter(({ block, tone }) => block === "text" && tone !== "quiet").sort((a, b) => weight(a) - weight(b)).slice(
    0,
    1,
  )
    .map(({ text }) => ({ seat: null, says: text }));

/** Each speech in its most informative sentence, and the main results; else the words of all items. */
function wordsOf(items, before, code, matter, names) {
  const sentence = (seat, text) => tellingSentence(text, code, matter, names.filter((name) => name !== seat));
  const linesOf = (item) => {
    const { seat, blocks } = item;
    const quoted = blocks.find((one) => one.block === "quote" || one.quoted);
    if (!quoted) return [];
    const { text, items: all, before: earlier } = quoted;
    if (earlier === undefined) {
      return [{ seat, says: sentence(seat, text ?? all.join("\n")), ...changeIn(item, before) }];
    }
    const fresh = newIn(earlier, text, code);
    return [{ seat, says: sentence(seat, fresh.join("\n")), word: fresh.length ? "gist.revised" : "gist.kept" }];
  };
  const isMain = ({ blocks }) => blocks.some(({ block, tone }) => block === "text" && WEIGHTS.includes(tone));
  const speeches = items.flatMap((item) =>
    item.isSpeech ? linesOf(item) : item.seat === null && isMain(item) ? main(item) : []
  );
  return speeches.length ? speeches : items.flatMap((item) => item.seat === null ? main(item) : linesOf(item));
}

/**
 * The lines of a section.
 * @returns {Gist[]}
 */
export function gist(view, part, code = "en") {
  const items = part.items.map((key) => view.items.get(key)).filter(({ done, seat }) => done || seat === null);
  const before = choicesBefore(view, part);
  const rows = items.filter((item) => item.seat !== null && !item.isSpeech && choiceIn(item));
  if (rows.length) return together(rows, before);
  const options = [...view.items.values()].flatMap(({ blocks }) =>
    blocks.flatMap((one) => one.block === "choices" ? one.items : [])
  );
  const matter = [...new Set(options.flatMap(({ name }) => name.split(/[^\p{L}]+/u)).filter((word) => word.length > 3)),
    ...matterOf(view.topic || view.question, code)];
  const lines = wordsOf(items, before, code, matter, [...view.people.keys()]);
  const count = items.filter(({ seat }) => seat !== null).length;
  return lines.length || !count ? lines : [{ seat: null, word: "gist.answered", count }];
}
