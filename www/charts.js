// Charts of a result, each with its table. Drawn by Chart.js on a canvas; colours come from the style sheet.
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { seatOf } from "./participants.tsx";
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
