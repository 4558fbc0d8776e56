// A judge's evaluation as a table: numbers of the proposals as shown, their authors, points and comments.
import { h, icon, table } from "../dom.js";
import { t, has, number } from "../i18n.js";
import { avatar } from "../participants.tsx";
import { markdown } from "../markdown.tsx";
import { statusText } from "../outcome.js";

export const points = (value) => number(value, { maximumFractionDigits: 1 });
export const share = (value) => number(value, { style: "percent", maximumFractionDigits: 0 });

/** The index of a label such as "Proposal 2" or "方案 2"; labels are written by the lab. */
export const placeOf = (label) => Number(/\d+/.exec(label)?.[0] ?? 0) - 1;

/** `order`: proposers in the order shown; `judged`: `{ evaluation, points }`, or null before there is one. */
export function judgeTable(order, judged, people) {
  const scores = judged?.evaluation.scores ?? [];
  const criteria = [...new Set(scores.flatMap((score) => score.criteria.map(([name]) => name)))];
  const ranks = judged?.evaluation.ranking ?? [];
  const cell = (value) => value ?? h("span", { class: "missing" }, "–");
  return table(t("debate.judge.table"),
    [t("debate.judge.shown"), t("debate.judge.whose"), judged && t("debate.judge.points"), ...criteria.map(criterion),
      ranks.length && t("debate.judge.rank"), judged && t("debate.judge.comment")].filter(Boolean),
    order.map((proposer, place) => {
      const score = scores.find((one) => placeOf(one.label) === place) ?? null;
      const rank = ranks.findIndex((label) => placeOf(label) === place);
      return [number(place + 1), h("td", { class: "whose" }, avatar(people.get(proposer), "tiny"), " ", proposer),
        judged && cell(score && h("strong", null, points(score.score))),
        ...criteria.map((name) => cell(score?.criteria.find(([one]) => one === name)?.[1])),
        ranks.length > 0 && cell(rank < 0 ? null : number(rank + 1)),
        judged && h("td", { class: "comment" }, score?.comment ?? "")].filter(Boolean);
    }), { class: "judge-table", "data-testid": "judge-table" });
}

/** Criteria are in the judge's own words; the default ones are translated. */
const criterion = (name) => (has(`debate.criterion.${name}`) ? t(`debate.criterion.${name}`) : name);

/** Table, synthesis and verdict. */
export function judgement({ seat, order, judged, decision }, people) {
  const { evaluation } = judged ?? {};
  return [
    h("p", { class: "quiet" }, t("debate.judge.blind", { name: seat })),
    // A person who judges at this page must not see the authors beforehand.
    order && (judged || people.get(seat)?.kind !== "human") && judgeTable(order, judged, people),
    evaluation?.missing.length
      ? h("p", { class: "note" }, icon("warn"), t("debate.judge.missing", { list: evaluation.missing.join(", ") }))
      : null,
    evaluation?.synthesis
    && h("details", { class: "synthesis" }, h("summary", null, t("debate.judge.synthesis")),
      markdown(evaluation.synthesis)),
    judged
    && h("p", { class: "conclusive" },
      h("strong", null, t(judged.conclusive ? "debate.judge.conclusive" : "debate.judge.open")), " ", evaluation.reason,
      evaluation.confidence !== null
        && h("span", { class: "quiet" }, ` · ${t("debate.confidence", { value: share(evaluation.confidence) })}`)),
    decision && verdictLine(decision),
  ];
}

/** The result of a count, in a line. */
export function verdictLine(decision) {
  const reached = decision.status === "consensus_reached"
    || (decision.decided_by === "judge" && decision.winner !== null);
  return h("p", { class: ["verdict-line", reached ? "good" : "bad"], "data-testid": "decision" },
    icon(reached ? "check" : "cross"),
    h("span", null, statusText(decision),
      decision.winner ? [" ", t(reached ? "debate.won" : "debate.leads", { name: decision.winner })] : "",
      h("span", { class: "quiet" }, reached && ` · ${t(`debate.mode.${decision.decided_by}`)}`,
        ` · ${t("debate.confidence", { value: share(decision.confidence) })}`)));
}
