// Charts of a result, each with its table. Drawn by Chart.js on a canvas; colours come from the style sheet.
import { h, table as rowed } from "./dom.js";
import { t, dollars, number } from "./i18n.js";
import { PRINCIPLES, MOMENTS, ballotsOf, placesOver } from "./justice.js";
import { principleShort, principleNumber, seatOf } from "./participants.tsx";
import { onTheme } from "./theme.js";

const library = () => import("./libraries/chart.js");
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
/** A participant's colour for lines: in dark mode a third lighter. */
export function seatColour(person) {
  const plain = colour(`--${seatOf(person)}`);
  const part = (at) => Math.round(parseInt(plain.slice(at, at + 2), 16) * 0.65 + 255 * 0.35).toString(16);
  return document.documentElement.dataset.theme === "dark" ? `#${part(1)}${part(3)}${part(5)}` : plain;
}
export const POINTS = ["circle", "rect", "triangle", "rectRot"];
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

export function base(extra = {}) {
  const ink = colour("--ink-2");
  const line = colour("--line");
  const font = { family: colour("--sans"), size: 13 };
  const axis = (title, more = {}) => ({ title: { display: Boolean(title), text: title, color: ink, font },
    ticks: { color: ink, font }, grid: { color: line }, border: { color: line }, ...more });
  return { axis, font, options: { responsive: true, maintainAspectRatio: false, animation: false, plugins: {
    legend: { position: "bottom", labels: { color: ink, font, usePointStyle: true, boxHeight: 7, padding: 16 } },
    tooltip: { bodyFont: font, titleFont: font },
  }, ...extra } };
}

/** A figure: heading, canvas, and the same data as a table. Returns the node and a function that frees it. */
export function figure({ id, title, text, build, table, tools = null }) {
  const canvas = h("canvas", { role: "img", "aria-label": `${title}. ${t("chart.table.below")}` });
  const note = h("p", { class: "quiet", hidden: true }, t("chart.failed"));
  const tablePlace = h("div");
  const node = h("figure", { class: "chart", "data-testid": `chart-${id}` },
    h("figcaption", null, h("h3", null, title), text && h("p", { class: "quiet" }, text)), tools,
    h("div", { class: "canvas" }, canvas), note, h("details", null, h("summary", null, t("chart.table")), tablePlace));
  let chart = null;
  let isDisposed = false;
  async function draw() {
    tablePlace.replaceChildren(table());
    try {
      const { Chart } = await library();
      if (isDisposed) return;
      chart?.destroy();
      chart = new Chart(canvas, build());
    } catch (error) {
      console.error(error);
      note.hidden = false;
    }
  }
  const quiet = onTheme(draw);
  return { node, draw, leave: () => {
    isDisposed = true;
    quiet();
    chart?.destroy();
  } };
}

/** Payments of phase 2, and what each principle would have paid in the same class. */
export function payoffChart(view) {
  const { result } = view;
  const names = [...view.people.keys()].filter((name) => result.payoffs[name]);
  const title = t("chart.payoffs");
  return figure({
    id: "payoffs",
    title,
    text: t("chart.payoffs.text"),
    build() {
      const { axis, options } = base();
      return { type: "bar", data: { labels: names, datasets: [
        { label: t("chart.paid"), data: names.map((name) => result.payoffs[name].payoff),
          backgroundColor: colour("--ink"), pointStyle: "rect" },
        ...PRINCIPLES.map((id) => ({ label: `${principleNumber(id)} ${principleShort(id)}`,
          data: names.map((name) => result.payoffs[name].counterfactuals?.[id] ?? null),
          backgroundColor: colour(`--p${principleNumber(id)}`), pointStyle: "rect" })
        ),
      ] },
        options: { ...options,
          scales: { x: axis("", { grid: { display: false } }), y: axis(t("chart.dollars"), { beginAtZero: true }) } } };
    },
    table: () =>
      rowed(title, [t("participant"), t("chart.paid"), ...PRINCIPLES.map(principleShort)],
        names.map((name) => [name, dollars(result.payoffs[name].payoff), ...PRINCIPLES.map((id) =>
          dollars(result.payoffs[name].counterfactuals?.[id])
        )])),
  });
}

/** Ranks of the four principles at the four moments. */
export function rankingChart(view) {
  let who = null;
  const title = t("chart.rankings");
  const select = h("select", { id: "chart-who", on: { change: () => {
    who = select.value || null;
    made.draw();
  } } }, h("option", { value: "" }, t("chart.mean")),
    [...view.people.values()].filter((person) => person.rankings).map(({ name }) =>
      h("option", { value: name }, name)
    ));
  const made = figure({
    id: "rankings",
    title,
    text: t("chart.rankings.text"),
    tools: h("p", { class: "row" }, h("label", { for: "chart-who" }, t("chart.who")), select),
    build() {
      const { axis, options } = base();
      return {
        type: "line",
        data: {
          labels: MOMENTS.map((moment) => t(`moment.${moment}`)),
          datasets: placesOver(view, who).map(({ principle, places }, index) => ({
            label: `${index + 1} ${principleShort(principle)}`,
            data: places,
            borderColor: colour(`--p${index + 1}`),
            backgroundColor: colour(`--p${index + 1}`),
            pointStyle: POINTS[index],
            borderDash: DASHES[index],
            pointRadius: 5,
            borderWidth: 2.5,
            spanGaps: false,
          })),
        },
        options: { ...options,
          scales: { x: axis("", { grid: { display: false } }),
            y: axis(t("chart.place"), { reverse: true, min: 0.75, max: 4.25,
              ticks: { stepSize: 1, color: colour("--ink-2"),
                callback: (value) => (Number.isInteger(value) ? value : "") }, afterBuildTicks: (scale) => {
                scale.ticks = [1, 2, 3, 4].map((value) => ({ value }));
              } }) } },
      };
    },
    table: () =>
      rowed(title, [t("principle"), ...MOMENTS.map((moment) => t(`moment.${moment}`))], placesOver(view, who).map((
        { principle, places },
      ) => [principleShort(principle),
        ...places.map((place) => (place === null ? "–" : number(place, { maximumFractionDigits: 1 })))]
      )),
  });
  return made;
}

/** Votes of every ballot by principle, with those that could not be counted. */
export function voteChart(view) {
  const title = t("chart.votes");
  const ballots = ballotsOf(view);
  if (!ballots.length) {
    return {
      node: h("figure", { class: "chart", "data-testid": "chart-votes" }, h("figcaption", null, h("h3", null, title)),
        h("p", { class: "quiet" }, t("chart.novotes"))),
      draw() {},
      leave() {},
    };
  }
  const count = (ballot, test) => ballot.votes.filter(test).length;
  const series = [
    ...PRINCIPLES.map((id) => ({ label: `${principleNumber(id)} ${principleShort(id)}`,
      colour: `--p${principleNumber(id)}`,
      of: (ballot) => count(ballot, (vote) => vote.status === "valid" && vote.principle === id) })
    ),
    { label: t("chart.invalid"), colour: "--ink-3", of: (ballot) => count(ballot, (vote) => vote.status !== "valid") },
  ];
  return figure({
    id: "votes",
    title,
    text: t("chart.votes.text"),
    build() {
      const { axis, options } = base();
      return { type: "bar",
        data: { labels: ballots.map((ballot) => t("round", { n: ballot.round })),
          datasets: series.map((one) => ({ label: one.label, data: ballots.map(one.of),
            backgroundColor: colour(one.colour), pointStyle: "rect", maxBarThickness: 90 })
          ) },
        options: { ...options,
          scales: { x: axis("", { stacked: true, grid: { display: false } }),
            y: axis(t("chart.votecount"), { stacked: true, beginAtZero: true,
              ticks: { stepSize: 1, color: colour("--ink-2") } }) } } };
    },
    table: () =>
      rowed(title, [t("chart.round"), ...series.map((one) => one.label)],
        ballots.map((ballot) => [number(ballot.round), ...series.map((one) => number(one.of(ballot)))])),
  });
}
