// A text with what has changed since an earlier version, word by word; or whole, by a button.
import { diffWords } from "diff";
import { useState } from "preact/hooks";
import { t } from "./i18n.js";
import { Prose } from "./markdown.tsx";

/** Chinese has no spaces between words; for other languages the library's own segmentation is better. */
const words = (text: string) =>
  /\p{Script=Han}/u.test(text) && Intl.Segmenter
    ? { intlSegmenter: new Intl.Segmenter("zh", { granularity: "word" }) }
    : {};

/** Fewest unchanged words that separate two changes. */
const APART = 4;
const wordCount = (text: string) => text.trim().split(/\s+|(?=\p{Script=Han})/u).filter(Boolean).length;

interface Run {
  /** What is unchanged; `null` if something was taken out or put in. */
  kept: string | null;
  out: string;
  in: string;
}
type Part = { added?: boolean; removed?: boolean; value: string };

/** Stretches of a text; a few unchanged words between two changes are joined to them, for readability. */
function runs(parts: Part[]) {
  const all: Run[] = [];
  const open = () => {
    const last = all.at(-1);
    if (last?.kept === null) return last;
    const run: Run = { kept: null, out: "", in: "" };
    all.push(run);
    return run;
  };
  parts.forEach(({ added, removed, value }, at) => {
    if (removed) open().out += value;
    else if (added) open().in += value;
    else if (all.length && at < parts.length - 1 && wordCount(value) < APART) {
      const run = open();
      run.out += value;
      run.in += value;
    } else all.push({ kept: value, out: "", in: "" });
  });
  return all;
}

/** The later text with additions and deletions marked; the text itself if the comparison takes too long. */
function Marked({ before, text }: { before: string; text: string }) {
  const parts = diffWords(before, text, { ...words(text), timeout: 150 });
  if (!parts) return <Prose text={text} />;
  if (!parts.some((part) => part.added || part.removed)) return <p class="quiet">{t("diff.same")}</p>;
  return (
    <div class="diff pre" data-testid="diff">
      {runs(parts).map((run) =>
        run.kept ?? (
          <>
            {run.out && <del>{run.out}</del>}
            {run.in && <ins>{run.in}</ins>}
          </>
        )
      )}
    </div>
  );
}

export function Changes({ before, text }: { before: string; text: string }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      {isWhole ? <Prose text={text} /> : <Marked before={before} text={text} />}
      <p class="under">
        <button type="button" class="button button-quiet swap" aria-pressed={isWhole} data-testid="swap"
          onClick={() => setWhole(!isWhole)}>
          {t("diff.whole")}
        </button>
      </p>
    </>
  );
}
