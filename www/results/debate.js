// The results of a debate: the answer and the dissent, points and votes, how alike the proposals were.
import { h } from "../dom.js";
import { t, number } from "../i18n.js";
import { avatar, reasonText } from "../participants.tsx";
import { markdown } from "../markdown.tsx";
import { checkLine, checksOf, convergenceChart } from "../debate/convergence.js";
import { judgeTable, points } from "../debate/judge.js";
import { countedBallot, stretch } from "../debate/votes.js";
import { verdict } from "../debate/verdict.js";
import { afterDebate } from "../debate/after-debate.js";

/** The parts between the outcome and the draws. */
export async function parts(lab) {
  const { view } = lab;
  const { result, people } = view;
  const last = (type) => [...view.items.values()].findLast((item) => item.type === type && item.decision);
  const [votes, judge] = [last("vote"), last("judge")];
  const checks = checksOf(view);
  const chart = checks.length > 1 ? convergenceChart(view) : null;
  const section = (title, ...content) => h("section", null, h("h2", null, title), ...content);
  const nodes = [
    h("section", { class: "verdict" }, h("h2", null, t("debate.question")),
      h("p", { class: "question" }, result.question), verdict(view)),
    judge?.judged
    && section(t("debate.result.points"), h("p", { class: "quiet" }, t("debate.judge.blind", { name: judge.seat })),
      judgeTable(judge.order, judge.judged, people)),
    result.match_scores.length
      ? section(t("debate.result.scores"),
        h("ul", { class: "plain scores" },
          result.match_scores.map(([seat, score]) =>
            h("li", null, avatar(people.get(seat), "tiny"), " ", seat, " ", h("strong", null, points(score)))
          )))
      : null,
    votes && section(t("debate.votes"), countedBallot(view, votes)),
    checks.length
      ? section(t("debate.check"), checkLine(checks.at(-1), view), chart && h("div", { class: "charts" }, chart.node))
      : null,
    section(t("debate.result.proposals"),
      result.proposals.map((one) =>
        h("details", { class: "dissenter" },
          h("summary", null, avatar(people.get(one.seat), "tiny"), " ", one.seat,
            h("span", { class: "quiet" }, ` · ${t("debate.version", { n: one.version })}`)),
          h("div", { class: "prose" }, markdown(one.text)))
      )),
    result.rhetoric?.total
      ? section(t("debate.result.rhetoric"), h("p", null, t(`debate.character.${result.rhetoric.character}`)),
        h("ul", { class: "answers" },
          result.rhetoric.counts.map(([pattern, count]) =>
            h("li", null, t(`debate.pattern.${pattern}`), " ", h("b", null, number(count)))
          )))
      : null,
    result.agent_failures.length
      ? section(t("results.warnings"),
        h("ul", { class: "warnings" },
          result.agent_failures.map(({ seat, round, kind, reason }) =>
            h("li", null, t("debate.failed", { name: seat, what: t(`kind_of_ask.${kind}`) }),
              ` ${t("round", { n: round })} · `, reasonText(reason))
          )))
      : null,
    await afterDebate(lab),
  ].filter(Boolean);
  nodes.forEach(stretch);
  return { nodes, entered: () => chart?.draw(), leave: () => chart?.leave() };
}
