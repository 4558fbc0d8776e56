// A Delphi poll: items of its transcript (estimates, reports), and its results with a chart.
import { h, table } from "./dom.js";
import { t, number } from "./i18n.js";
import { avatar, nameOf } from "./participants.tsx";
import { markdown } from "./markdown.tsx";
import { POINTS, base, colour, figure, seatColour } from "./charts.js";

const written = (value, unit) => (value === null || value === undefined
  ? t("delphi.missing")
  : `${number(value, { maximumFractionDigits: 2 })}${unit ? ` ${unit}` : ""}`);
const reasons = (list) =>
  h("ul", { class: "reasons" }, list.map((reason) => h("li", { class: "prose" }, markdown(reason))));

/** The five-number summary of a round in a sentence. */
export const reportSentence = ({ spread, asked }, unit) => (spread
  ? t("delphi.told", { count: spread.count, asked, median: written(spread.median, unit),
    lower: written(spread.lower, ""), upper: written(spread.upper, unit) })
  : t("delphi.nobody", { asked }));

/** How items are drawn: see conversation.js. */
export const ITEMS = {
  estimate(item, context) {
    const person = context.person(item.seat);
    const asks = item.asks.map(context.ask);
    const open = asks.findLast((ask) => ask && !["answered", "unanswered", "withdrawn"].includes(ask.state));
    return h("li", { class: ["row-turn", !item.done && "open"], "data-testid": "estimate" }, avatar(person, "small"),
      h("div", { class: "row-body" }, h("p", { class: "who" }, nameOf(person)),
        item.done && item.reason && h("div", { class: "prose" }, markdown(item.reason)),
        open && h("p", { class: "streaming clip", "data-stream": open.id, "aria-hidden": "true" })),
      h("div", { class: "row-side" },
        item.done && h("strong", { class: "figure" }, written(item.estimate, context.unit())),
        context.details(item, person.name)));
  },
  report(item, context) {
    return h("li", { class: "notice", "data-testid": "report" },
      h("p", null, h("strong", null, reportSentence(item, context.unit()))), item.reasons.length > 0
      && h("details", null, h("summary", null, t("delphi.reasons", { n: item.reasons.length })),
        reasons(item.reasons)));
  },
};

/** A line of each participant's estimates if they are visible, and a band of the middle half, by round. */
function chart(view) {
  const reports = [...view.items.values()].filter((item) => item.type === "report");
  const estimates = [...view.items.values()].filter((item) => item.type === "estimate" && item.done);
  const rounds = reports.map((report) => t("round", { n: report.round }));
  const people = [...view.people.values()].filter((person) => estimates.some((item) => item.seat === person.name));
  const of = (pick) => reports.map((report) => (report.spread ? pick(report.spread) : null));
  const title = t("delphi.chart");
  return figure({
    id: "delphi",
    title,
    text: t("delphi.chart.text"),
    build() {
      const { axis, options } = base();
      const quiet = { pointRadius: 0, borderWidth: 1, borderColor: colour("--line"), spanGaps: true };
      return { type: "line", data: { labels: rounds, datasets: [
        { label: t("delphi.upper"), data: of((spread) => spread.upper), ...quiet, fill: "+1",
          backgroundColor: colour("--accent-soft") || "rgba(120, 120, 120, .2)" },
        { label: t("delphi.lower"), data: of((spread) => spread.lower), ...quiet },
        { label: t("delphi.median"), data: of((spread) => spread.median), borderColor: colour("--accent"),
          backgroundColor: colour("--accent"), borderWidth: 3, pointRadius: 4, spanGaps: true },
        ...people.map((person) => ({
          label: person.name,
          data: reports.map(({ round }) =>
            estimates.find((item) => item.seat === person.name && item.round === round)?.estimate ?? null
          ),
          borderColor: seatColour(person),
          backgroundColor: seatColour(person),
          pointStyle: POINTS[person.index % 4],
          borderWidth: 1.5,
          borderDash: [4, 4],
          pointRadius: 4,
          spanGaps: true,
        })),
      ] },
        options: { ...options, plugins: { ...options.plugins, filler: { drawTime: "beforeDatasetsDraw" } },
          scales: { x: axis(""), y: axis(view.unit ?? "") } } };
    },
    table: () =>
      table(title, ["", ...rounds], [
        [t("delphi.median"), ...of((spread) => written(spread.median, ""))],
        [t("delphi.lower"), ...of((spread) => written(spread.lower, ""))],
        [t("delphi.upper"), ...of((spread) => written(spread.upper, ""))],
        ...people.map((person) => [person.name, ...reports.map(({ round }) =>
          written(estimates.find((item) =>
            item.seat === person.name && item.round === round
          )?.estimate, "")
        )]),
      ]),
  });
}

/** The outcome in a sentence. */
export function outcome({ spread, ended_by: ending, rounds, unit }) {
  return spread
    ? t(`delphi.outcome.${ending}`, { median: written(spread.median, unit), rounds })
    : t("delphi.outcome.none");
}

/** The parts of the results between the heading and the draws. */
export function parts({ view }) {
  const drawn = chart(view);
  const reports = [...view.items.values()].filter((item) => item.type === "report");
  return {
    nodes: [
      h("section", null, h("h2", null, t("delphi.question")), h("p", { class: "lead" }, view.question)),
      drawn.node,
      h("section", null, h("h2", null, t("delphi.rounds")),
        reports.map((report) =>
          h("div", { class: "card round-card" }, h("h3", null, t("round", { n: report.round })),
            h("p", null, reportSentence(report, view.unit)), report.reasons.length > 0 && reasons(report.reasons))
        )),
    ],
    entered: () => drawn.draw(),
    leave: () => drawn.leave(),
  };
}
