// What changed between two versions of a text, word by word.
import { diffWords } from "diff";
import { h } from "../dom.js";
import { t } from "../i18n.js";

/** Chinese has no spaces between words; elsewhere the library's own words are better. */
const words = (
  language,
) => (language === "zh" && Intl.Segmenter ? { intlSegmenter: new Intl.Segmenter("zh", { granularity: "word" }) } : {});

/** Words that two changes have to be apart, to be read as two. */
const APART = 4;
const wordCount = (text) => text.trim().split(/\s+|(?=\p{Script=Han})/u).filter(Boolean).length;

/** Runs of `[kept, out, in]`; a few kept words between two changes go with them, else nobody can read it. */
function runs(parts) {
  const all = [];
  const open = () => {
    if (!all.length || all.at(-1).kept !== null) all.push({ kept: null, out: "", in: "" });
    return all.at(-1);
  };
  parts.forEach(({ added, removed, value }, at) => {
    if (removed) open().out += value;
    else if (added) open().in += value;
    else if (all.length && at < parts.length - 1 && wordCount(value) < APART) {
      const run = open();
      run.out += value;
      run.in += value;
    } else all.push({ kept: value });
  });
  return all;
}

/** The later text with what came in and what went out marked; null where the two have too little in common to say soon. */
export function changes(before, after, language) {
  const parts = diffWords(before, after, { ...words(language), timeout: 150 });
  if (!parts) return null;
  if (!parts.some((part) => part.added || part.removed)) return h("p", { class: "quiet" }, t("debate.diff.same"));
  return h("div", { class: "diff pre", "data-testid": "diff" },
    runs(parts).map((run) => run.kept ?? [run.out && h("del", null, run.out), run.in && h("ins", null, run.in)]));
}
