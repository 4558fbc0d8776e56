// The results of the justice experiment: payoffs, charts with tables, distributions, rankings.
import { h, table } from "../dom.js";
import { t, number, dollars, income } from "../i18n.js";
import { avatar, kindTag, orderOf } from "../participants.tsx";
import { payoffChart, rankingChart, voteChart } from "../charts.js";
import { distributions, principles } from "../explain.js";

/** The parts between the heading and the draws: `nodes`, and functions for when they are shown and left. */
export function parts({ view: shown }) {
  const { result } = shown;
  const seesAll = shown.role === "owner";
  const drawn = shown.items.get("drawn")?.drawn;
  // The public view contains no payoffs or rankings; participants do not see the votes of others.
  const hasPay = Object.keys(result.payoffs).length > 0;
  const hasRankings = [...shown.people.values()].some((person) => person.rankings);
  const charts = [hasPay && payoffChart(shown), hasRankings && rankingChart(shown), seesAll && voteChart(shown)]
    .filter(Boolean);
  const ranked = [...shown.people.values()].filter(({ name }) => seesAll || name in result.final_rankings);
  return {
    nodes: [
      hasPay && payTable(result, shown),
      charts.length > 0 && h("div", { class: "charts" }, charts.map((chart) => chart.node)),
      drawn
      && h("section", null, h("h2", null, t("results.drawn")),
        h("p", { class: "quiet" },
          t("results.multiplier", { factor: number(drawn.multiplier, { maximumFractionDigits: 4 }) })),
        distributions(drawn, drawn.distribution)),
      h("section", null, h("h2", null, t("explain.terms")), principles()),
      ranked.length > 0
      && h("section", null, h("h2", null, t("results.rankings")),
        h("ul", { class: "plain final-rankings" },
          ranked.map((person) =>
            h("li", null, avatar(person, "small"),
              h("div", null, h("p", { class: "who" }, person.name),
                orderOf(result.final_rankings?.[person.name] ?? null)))
          ))),
    ],
    entered: () => charts.forEach((chart) => chart.draw()),
    leave: () => charts.forEach((chart) => chart.leave()),
  };
}

function payTable(result, shown) {
  return h("section", null, h("h2", null, t("results.pay")), h("p", { class: "quiet" }, t("explain.paid")),
    table(t("results.pay"), [t("participant"), t("results.total"), t("class"), t("results.income"), t("results.phase1"),
      t("results.phase2")], [...shown.people.values()].filter(({ name }) => result.payoffs[name]).map((person) => {
        const { name } = person;
        const pay = result.payoffs[name];
        return [h("span", { class: "who" }, avatar(person, "small"), name, kindTag(person.kind)),
          h("strong", null, dollars(pay.total)), t(`class.${pay.class}`), income(pay.income), dollars(pay.phase1),
          dollars(pay.payoff)];
      }), { class: "numbers pay" }));
}
