// Texts in sentences, words and places where something stands, in any of the languages. Pure.

const segmenters = new Map();
function segments(text, code, granularity) {
  const key = `${code} ${granularity}`;
  if (!segmenters.has(key)) segmenters.set(key, new Intl.Segmenter(code, { granularity }));
  return [...segmenters.get(key).segment(text)];
}

/** The text without what makes it Markdown. */
const plain = (text) =>
  String(text ?? "").replace(/^\s*(#{1,6}|>|[-*•]|\d{1,3}[.)])\s+/gm, "").replace(/\*\*|__|`/g, "").replace(/\s+/g, " ")
    .trim();

/** What has come so far of a text in Markdown, without the marks of headings, of what is bold and of code. */
export const unmarked = (text) => text?.replace(/^#{1,6}(\s+|$)/gm, "").replace(/\*\*|__|`|[*_]$/g, "");

const quotesWithin = /.[“"«「『‘][^“"«「『‘]*[?!？！…]["”»」』’]\s*$/u;

/** Sentences of a text, in its order. A question that is quoted within one does not end it. */
export function sentencesOf(text, code = "en") {
  const all = [];
  let last = "";
  for (const { segment } of segments(plain(text), code, "sentence")) {
    if (all.length && (/^\p{Ll}/u.test(segment) || quotesWithin.test(last))) all.push(all.pop() + segment);
    else if (segment.trim()) all.push(segment);
    last = segment;
  }
  return all.map((sentence) => sentence.trim());
}

/**
 * The sentence that says most: the first with a number or one of the `words`, where there are any; else the longest of the
 * first three, as who takes the floor often opens with one that says nothing.
 */
export function tellingSentence(text, code = "en", words = []) {
  const all = sentencesOf(text, code);
  const wanted = words.map(folded);
  const telling = words.length
    && all.find((sentence) => /\p{Nd}/u.test(sentence) || wanted.some((word) => folded(sentence).includes(word)));
  return telling || all.slice(0, 3).reduce((most, one) => (one.length > most.length ? one : most), "");
}

/** The sentences of a text that were not in the one before. */
export function newIn(before, text, code = "en") {
  const known = new Set(sentencesOf(before, code));
  return sentencesOf(text, code).filter((sentence) => !known.has(sentence));
}

/** How many words. */
export const wordsIn = (text, code = "en") => segments(text, code, "word").filter((one) => one.isWordLike).length;

/** One letter for each, so that places stay the same: `É` is `e`. */
export const folded = (text) =>
  Array.from({ length: text.length }, (_, at) => text[at].normalize("NFD")[0].toLowerCase()).join("");

/** Where `wanted` stands in `text`, as `[from, to]`. */
export function placesIn(text, wanted) {
  const [hay, needle] = [folded(text), folded(wanted.trim())];
  const found = [];
  for (let at = needle ? hay.indexOf(needle) : -1; at >= 0; at = hay.indexOf(needle, at + needle.length)) {
    found.push([at, at + needle.length]);
  }
  return found;
}

/** What has come so far of a text, also where it is the first field of a form. */
export function spoken(text) {
  const said = /^\s*(?:```json\s*)?\{\s*"text"\s*:\s*"((?:[^"\\]|\\.)*)/s.exec(text ?? "")?.[1];
  if (said === undefined) return text;
  try {
    return JSON.parse(`"${said.replace(/\\u[\da-f]{0,3}$/i, "").replace(/[\n\r\t]/g, " ")}"`);
  } catch {
    return text;
  }
}
