// A run as slides for a projector: by chapter, first what to look for, then the statements in pages that can be read
// from the back of a room. Pure: uses only the items of a view, so that a running session and a stored one look alike.
import { newIn, sentencesOf, wordsIn } from "./text.js";

/**
 * @typedef {object} Slide
 * @property {string} key
 * @property {string | null} chapter key of the section it belongs to
 * @property {"title" | "chapter" | "text" | "items" | "end" | "wait"} kind
 * @property {any} [part]
 * @property {string[]} [looks] keys of what to look at, each at the first chapter that it holds of
 * @property {string} [seat] who speaks
 * @property {string[]} [tags] what stands beside the speaker's name
 * @property {string} [heading] the title of what is read, in words
 * @property {string[]} [paragraphs]
 * @property {any} [favored] what a speaker is for, on the last page
 * @property {number} [page]
 * @property {number} [pages]
 * @property {string[]} [items] keys of what is drawn as in the transcript
 */

/** Words on a page: what can be read from afar at a glance. */
const WORDS = 55;
/** Rows of one kind on a slide. */
const ROWS = 6;

/** Keys of what to look for in a chapter. */
const looksOf = ({ head }, { kinds, phase, step }) =>
  kinds?.length ? kinds.map((kind) => `look.debate.${kind}`) : [`look.${phase ? step : head?.protocol}`];

/** Indices of the slides that begin chapters, including the title and the last one. */
export const chaptersOf = (slides) =>
  slides.flatMap((slide, at) => (at && slides[at - 1].chapter === slide.chapter ? [] : [at]));

/** A text in pages of whole sentences, each page a list of paragraphs. */
export function pagesOf(text, code = "en", most = WORDS) {
  const pages = [[]];
  let room = most;
  for (const line of String(text ?? "").split(/\n+/)) {
    let isNew = true;
    for (const sentence of sentencesOf(line, code)) {
      const words = wordsIn(sentence, code);
      const page = pages.at(-1);
      if (words > room && page.length) {
        pages.push([sentence]);
        room = most;
      } else if (isNew) page.push(sentence);
      else page.push(`${page.pop()}${code === "zh" ? "" : " "}${sentence}`);
      room -= words;
      isNew = false;
    }
  }
  return pages.filter((page) => page.length);
}

/** What is read aloud of blocks: words of participants, those in a fold under its title; of a later version what is new. */
const quotes = (seat, blocks, code, heading = undefined) =>
  blocks.flatMap((one) => {
    if (one.block === "fold") return quotes(seat, one.blocks, code, one.title);
    if (one.block === "quote") {
      const text = one.before === undefined ? one.text : newIn(one.before, one.text, code).join("\n");
      return [{ seat: one.seat ?? seat, heading, text }];
    }
    return one.block === "list" && one.quoted ? [{ seat, heading, text: one.items.join("\n") }] : [];
  });

/** What is read aloud of an item. A speaker's earlier words, in a fold, are not repeated. */
function readAloud({ seat, isSpeech, blocks }, code) {
  const spoken = isSpeech ? blocks.filter(({ block }) => block !== "fold") : blocks;
  const tags = blocks.filter(({ block, tone }) => block === "text" && tone === "tag").map(({ text }) => text);
  const favored = isSpeech ? blocks.find(({ block }) => block === "choices") : undefined;
  return quotes(seat, spoken, code).map((one) => ({ ...one, tags, favored }));
}

/** Whether there is nothing to look at but a word or two beside the matter. */
const isAside = ({ blocks }) =>
  blocks.every(({ block, tone }) => block === "text" && ["quiet", "private"].includes(tone));

/**
 * The slides so far.
 * @param {any} view
 * @param {string} code language of the texts
 * @returns {Slide[]}
 */
export function deck(view, code = "en") {
  const isOver = ["ended", "stopped"].includes(view.run);
  const withPeople = !isOver && [...view.people.values()].some((person) => person.kind === "human");
  /** @type {Slide[]} */
  const slides = [{ key: "title", chapter: null, kind: "title" }];
  const known = new Set();
  for (const part of view.sections) {
    const chapter = part.key;
    const looks = looksOf(view, part).filter((key) => !known.has(key));
    for (const key of looks) known.add(key);
    const first = slides.push({ key: `chapter/${chapter}`, chapter, kind: "chapter", part, looks });
    for (const key of part.items) {
      const item = view.items.get(key);
      if (!item.isProjected || !item.done && !item.over || isAside(item)) continue;
      const texts = readAloud(item, code);
      // Individual results wait until nobody at the table has to decide any more.
      if (withPeople && item.seat !== null && !texts.length) continue;
      if (item.seat === null || !texts.length && !item.isSpeech) {
        const last = slides.at(-1);
        const isRow = item.seat !== null;
        if (isRow && last.kind === "items" && last.items.length < ROWS
          && view.items.get(last.items[0]).type === item.type) last.items.push(key);
        else slides.push({ key, chapter, kind: "items", items: [key] });
      }
      texts.forEach((one, at) => {
        const pages = pagesOf(one.text, code);
        pages.forEach((paragraphs, page) =>
          slides.push({ key: `${key}/${at}/${page}`, chapter, kind: "text", ...one,
            favored: page === pages.length - 1 ? one.favored : null, paragraphs, page, pages: pages.length })
        );
      });
    }
    // Items show the chapter's title themselves; without items it stands alone.
    const isTitled = slides[first] ? slides[first].kind === "items" : part !== view.sections.at(-1);
    if (!looks.length && isTitled) slides.splice(first - 1, 1);
  }
  slides.push(view.result ? { key: "end", chapter: null, kind: "end" } : { key: "wait", chapter: null, kind: "wait" });
  return slides;
}
