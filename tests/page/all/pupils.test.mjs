// Pupils of classes, on a phone: each procedure in each language from the link to the result.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { usePage } from "../../support/page.mjs";
import { NODE, ROOM } from "../../support/paths.mjs";
import { lessonOf, pupilOf, walk } from "../../support/pupil.mjs";

const quorate = await import(NODE);
const { Room } = await import(ROOM);
const lab = usePage();
before(() => quorate.default());

const LANGUAGES = {
  English: { locale: "en-US", text: "I want a rule that helps the poorest." },
  Spanish: { locale: "es-ES", text: "Quiero una regla que ayude a los más pobres." },
  Mandarin: { locale: "zh-CN", text: "我想要一条帮助最穷的人的规则。" },
};
/** Taps and words that a lesson of that kind may take of a pupil, programs being as talkative as they are. */
const MOST = { justice: [32, 1100], discussion: [10, 400], debate: [20, 900], delphi: [20, 500] };

for (const [kind, [taps, words]] of Object.entries(MOST)) {
  for (const [language, { locale, text }] of Object.entries(LANGUAGES)) {
    test(`a lesson on a phone: ${kind} in ${language}`, async (own) => {
      const pupil = await pupilOf({ Room, lab, own }, lessonOf(quorate.presets(), `class-${kind}`, { language }), { locale });
      const took = await walk(pupil, { text, looks: language === "English" });
      own.diagnostic(JSON.stringify(took));
      assert.ok(took.taps <= taps, `${took.taps} taps`);
      assert.ok(took.words <= words, `${took.words} words`);
      if (language !== "English") assert.doesNotMatch(await pupil.page.getByTestId("result").innerText(), /\b(the|and|You)\b/);
      assert.deepEqual(pupil.problems, []);
    });
  }
}
