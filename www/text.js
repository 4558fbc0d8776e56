// Splits texts into sentences, words and matches, in any of the languages. Pure.

const segmenters = new Map();
function segments(text, code, granularity) {
  const key = `${code} ${granularity}`;
  if (!segmenters.has(key)) segmenters.set(key, new Intl.Segmenter(code, { granularity }));
  return [...segmenters.get(key).segment(text)];
}

/** The text without Markdown. */
const plain = (text) =>
  String(text ?? "").replace(/^\s*(#{1,6}|>|[-*•]|\d{1,3}[.)])\s+/gm, "").replace(/\*\*|__|`/g, "").replace(/\s+/g, " ")
    .trim();

/** Streamed Markdown without marks of headings, bold and code. */
export const unmarked = (text) => text?.replace(/^#{1,6}(\s+|$)/gm, "").replace(/\*\*|__|`|[*_]$/g, "");

const quotesWithin = /.[“"«「『‘][^“"«「『‘]*[?!？！…]["”»」』’]\s*$/u;

/** Sentences of a text, in order. A quoted question within one does not end it. */
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

/** Words that mark a claim or a proposal, in any of the languages. */
const CLAIM = new RegExp([
  "\\b(should|must|ought|would|propos\\w+|suggest\\w*|support|favou?r|prefer|choose|vote)\\b",
  "(?<!\\p{L})(deb(e|ía)\\p{L}*|hay que|prop(on|uest)\\p{L}+|sugier\\p{L}+|apoy\\p{L}+|prefier\\p{L}+|elij\\p{L}+|\\p{L}{3,}ría)(?!\\p{L})",
  "应|该|必须|建议|主张|提议|支持|赞成|反对|倾向|选择",
].join("|"), "iu");
/** An amount, a share, a year; a single digit counts things or names them. */
const FIGURE = /\p{Nd}[\p{Nd}.,\s]*(\p{Nd}{2}|[万千百%％])|[$€£¥]\s?\p{Nd}/u;
const NUMBER = /(?<![\p{Script=Latin}_])\p{Nd}/u;

/**
 * The most informative sentence: on the subject (`words`), with a figure, a claim, and not short. Questions and remarks
 * to or about others (`names`) count less.
 */
export function tellingSentence(text, code = "en", words = [], names = []) {
  const wanted = [...new Set(words.map(folded))];
  const others = names.map((name) =>
    new RegExp(`(?<!\\p{Script=Latin})${folded(name).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?!\\p{Script=Latin})`,
      "u")
  );
  const worth = (sentence) => {
    const low = folded(sentence);
    return 2 * Math.min(2, wanted.filter((word) => low.includes(word)).length)
      + (FIGURE.test(sentence) ? 1.5 : NUMBER.test(sentence) ? 0.5 : 0) + (CLAIM.test(sentence) ? 2 : 0)
      - (/[?？]\P{L}*$/u.test(sentence) ? 3 : 0) - (others.some((name) => name.test(low)) ? 1 : 0)
      + Math.min(15, wordsIn(sentence, code)) / 6;
  };
  return sentencesOf(text, code).map((sentence) => ({ sentence, worth: worth(sentence) }))
    .reduce((most, one) => (one.worth > most.worth ? one : most), { sentence: "", worth: -Infinity }).sentence;
}

/** The subject of a text: its longer words, without endings. */
export const matterOf = (text, code = "en") =>
  segments(text ?? "", code, "word").flatMap(({ segment }) =>
    /\p{Script=Han}{2}|\p{L}{5}/u.test(segment) ? segment.slice(0, 5) : []
  );

/** The sentences of a text that the previous one did not have. */
export function newIn(before, text, code = "en") {
  const known = new Set(sentencesOf(before, code));
  return sentencesOf(text, code).filter((sentence) => !known.has(sentence));
}

/** The number of words. */
export const wordsIn = (text, code = "en") => segments(text, code, "word").filter((one) => one.isWordLike).length;

/** Folds case and accents letter by letter, so that indices stay the same: `É` is `e`. */
export const folded = (text) =>
  Array.from({ length: text.length }, (_, at) => text[at].normalize("NFD")[0].toLowerCase()).join("");

/** Matches of `wanted` in `text`, as `[from, to]`. */
export function placesIn(text, wanted) {
  const [hay, needle] = [folded(text), folded(wanted.trim())];
  const found = [];
  for (let at = needle ? hay.indexOf(needle) : -1; at >= 0; at = hay.indexOf(needle, at + needle.length)) {
    found.push([at, at + needle.length]);
  }
  return found;
}

/** A streamed text, also if it is the first field of a JSON form. */
export function spoken(text) {
  const said = /^\s*(?:```json\s*)?\{\s*"text"\s*:\s*"((?:[^"\\]|\\.)*)/s.exec(text ?? "")?.[1];
  if (said === undefined) return text;
  try {
    return JSON.parse(`"${said.replace(/\\u[\da-f]{0,3}$/i, "").replace(/[\n\r\t]/g, " ")}"`);
  } catch {
    return text;
  }
}
