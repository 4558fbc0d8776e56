// How alike the proposals were, check by check, with the threshold: a line chart and its table.
import { figure, base, colour } from "../charts.js";
import { h, table as rowed } from "../dom.js";
import { t, number } from "../i18n.js";

/** Two decimals, or a dash; more if it would otherwise look equal to `other`. */
function figureOf(value, other = value) {
  if (value === null || value === undefined) return "–";
  const digits = [2, 3, 4].find((few) => value === other || value.toFixed(few) !== other.toFixed(few)) ?? 5;
  return number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The checks of a view, oldest first. */
export const checksOf = (view) =>
  [...view.items.values()].filter((item) => item.type === "check").map((item) => item.check);

/** The chart from the checks of a view or result; `threshold` and `divergence` come from the configuration. */
export function convergenceChart(view) {
  const title = t("debate.chart");
  const several = () => checksOf(view).some((check) => check.inter_agent.texts > 1);
  const series = () => [
    { name: t("debate.chart.score"), of: (check) => check.score, colour: "--p1", point: "circle", dash: [] },
    ...(several()
      ? [{ name: t("debate.chart.mean"), of: (check) => check.inter_agent.mean, colour: "--p2", point: "rect",
        dash: [7, 4] }]
      : []),
    { name: t("debate.chart.stability"), of: (check) => check.self_stability?.mean ?? null, colour: "--p3",
      point: "triangle", dash: [2, 3] },
  ];
  const { convergenceAt } = view;
  return figure({
    id: "convergence",
    title,
    text: t("debate.chart.text"),
    build() {
      const { axis, options } = base();
      const labels = checksOf(view).map((check) => t("round", { n: check.round }));
      const line = (one) => ({ label: one.name, data: checksOf(view).map(one.of), borderColor: colour(one.colour),
        backgroundColor: colour(one.colour), pointStyle: one.point, borderDash: one.dash, pointRadius: 5,
        borderWidth: 2.5, clip: false });
      const limit = { label: t("debate.chart.threshold"), data: labels.map(() => convergenceAt),
        borderColor: colour("--ink-2"), backgroundColor: colour("--ink-2"), borderDash: [4, 4], borderWidth: 1.5,
        pointRadius: labels.length > 1 ? 0 : 4, pointStyle: "line" };
      return { type: "line", data: { labels, datasets: [...series().map(line), limit] },
        options: { ...options,
          scales: { x: axis("", { grid: { display: false } }), y: axis("", { min: 0, max: 1 }) } } };
    },
    table: () =>
      rowed(title, [t("chart.round"), ...series().map((one) => one.name), t("debate.chart.threshold"),
        t("debate.measure"), t("debate.chart.status")],
        checksOf(view).map((check) => [number(check.round), ...series().map((one) =>
          figureOf(one.of(check))
        ), figureOf(convergenceAt), t(`debate.measure.${check.measure}`), t(`debate.check.${check.status}`)])),
  });
}

/** One check in words: score, result and, while the debate is running, the next step; with a gauge. */
export const checkLine = (check, view, isUnderWay = false) => [
  h("p", null, t("debate.check.of"), " ", h("strong", null, figureOf(check.score, view.convergenceAt)), ". ",
    t("debate.check.limit", { threshold: figureOf(view.convergenceAt) }), " ",
    h("strong", { class: `check-${check.status}` }, t(`debate.check.${check.status}`)),
    isUnderWay && check.status !== "converged" && [" ", t("debate.check.on")],
    h("span", { class: "quiet" }, ` · ${t("debate.measure")}: ${t(`debate.measure.${check.measure}`)}`)),
  check.measure !== "embedding" && h("p", { class: "quiet" }, t("debate.measure.words")),
  h("div", { class: "gauge", "aria-hidden": "true" }, h("i", { "data-share": check.score }),
    h("b", { "data-at": view.convergenceAt })),
];
