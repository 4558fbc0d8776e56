// What changed between two versions of a text, word by word.
import { diffWords } from "../vendor/diff.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";

/** Chinese has no spaces between words; elsewhere the library's own words are better. */
const words = (language) => (language === "zh" && Intl.Segmenter ? { intlSegmenter: new Intl.Segmenter("zh", { granularity: "word" }) } : {});

/** The later text with what came in and what went out marked; null where the two have too little in common to say soon. */
export function changes(before, after, language) {
  const parts = diffWords(before, after, { ...words(language), timeout: 150 });
  if (!parts) return null;
  if (!parts.some((part) => part.added || part.removed)) return h("p", { class: "quiet" }, t("debate.diff.same"));
  return h("div", { class: "diff pre", "data-testid": "diff" }, parts.map(({ added, removed, value }) => (added ? h("ins", null, value) : removed ? h("del", null, value) : value)));
}
