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
 * @property {string} [about] of whose proposal
 * @property {string} [says] key of what kind of text it is
 * @property {string} [heading] the title of what is read, in words
 * @property {number} [n] of how many
 * @property {string[]} [paragraphs]
 * @property {string | null} [favored] what a speaker is for, on the last page
 * @property {number} [page]
 * @property {number} [pages]
 * @property {string[]} [items] keys of what is drawn as in the transcript
 */

/** Words on a page: what can be read from afar at a glance. */
const WORDS = 55;
/** Rows of one kind on a slide. */
const ROWS = 6;
const ROW = new Set(["ranking", "application", "paid"]);
/** Items that are irrelevant to a room, private, or covered by the outcome. */
const SKIPPED = new Set(["explanation", "order", "trimmed", "target", "fellback", "estimate", "private_vote",
  "completed"]);
/** Individual results: hidden from the wall while people at the table still have to decide. */
const PRIVATE = new Set(["ranking", "application", "paid"]);
/** Returns whether the slide of a vote already contains this notice. */
const isRedundant = ({ notice }, vote) => (notice === "confirmations"
  ? typeof vote?.confirmed === "boolean"
  : ["consensus", "no_consensus"].includes(notice) && Boolean(vote?.ballot));

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

/** What is read aloud of blocks: words of participants, those in a fold under its title. */
const quotes = (seat, blocks, heading = undefined) =>
  blocks.flatMap((one) => {
    if (one.block === "fold") return quotes(seat, one.blocks, one.title);
    if (one.block === "quote") return [{ seat: one.seat ?? seat, heading, text: one.text }];
    return one.block === "list" && one.quoted ? [{ seat, heading, text: one.items.join("\n") }] : [];
  });

/** What is read aloud of an item: author, text and, for a critique, whose proposal. */
function readAloud(item, code) {
  if (item.blocks) {
    const texts = quotes(item.seat, item.blocks);
    return texts.length ? texts : null;
  }
  if (item.type === "statement" || item.type === "message") {
    return item.done && item.text
      ? [{ seat: item.guest?.name ?? item.seat, text: item.text, favored: item.favored ?? null }]
      : [];
  }
  if (item.type === "notice") return [{ seat: null, text: item.text }];
  if (item.type !== "card") return null;
  const critiques = (item.members ?? []).filter((one) => one.critique).map((one) => ({ seat: one.seat, about: item.seat,
    says: "present.criticises",
    text: [...one.critique.issues, ...one.critique.suggestions].join("\n") || one.critique.reasoning })
  );
  // Only the new sentences of a revision.
  const own = item.edition
    ? [
      item.before
        ? { seat: item.seat, says: "present.revises", text: newIn(item.before.text, item.text, code).join("\n") }
        : { seat: item.seat, says: "present.proposes", text: item.text },
    ]
    : [];
  return [...critiques, ...own];
}

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
    let vote = null;
    for (const key of part.items) {
      const item = view.items.get(key);
      if (SKIPPED.has(item.type) || (!item.done && !item.over)) continue;
      if (withPeople && PRIVATE.has(item.type)) continue;
      if (item.type === "vote") vote = item;
      if (item.type === "notice" && isRedundant(item, vote)) continue;
      const texts = readAloud(item, code);
      if (!texts || item.blocks && item.seat === null) {
        const last = slides.at(-1);
        const isRow = item.blocks ? item.seat !== null : ROW.has(item.type);
        if (isRow && last.kind === "items" && last.items.length < ROWS
          && view.items.get(last.items[0]).type === item.type) last.items.push(key);
        else slides.push({ key, chapter, kind: "items", items: [key] });
      }
      texts?.forEach((one, at) => {
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
