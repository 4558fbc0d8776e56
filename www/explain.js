// The experiment in plain words: principles, distributions, and what was chosen and why.
import { h, table } from "./dom.js";
import { t, income, number } from "./i18n.js";
import { principle, principleName } from "./participants.tsx";
import { CLASSES, PRINCIPLES } from "./justice.js";
import { openDialog } from "./dialog.tsx";

/** The principles (all or some) with their meanings. */
export const principles = (ids = PRINCIPLES) =>
  h("dl", { class: "terms", "data-testid": "principles" }, ids.map((id) =>
    h("div", null, h("dt", null, principle(id), " ", principleName(id)), h("dd", null, t(`principle.${id}.about`)))
  ));

/** A principle that shows its meaning when pressed. `isReached`: whether Tab stops at it. */
export function badge(id, amount = null, isReached = true) {
  if (!PRINCIPLES.includes(id)) return principle(id);
  const explain = () =>
    openDialog(principleName(id),
      () => [h("p", null, t(`principle.${id}.about`)), h("hr"), principles(PRINCIPLES.filter((one) => one !== id))], {
      testid: "explanation",
    });
  return h("button", { type: "button", class: "badge-button", "aria-haspopup": "dialog",
    tabindex: isReached ? null : "-1", on: { click: explain } }, principle(id, amount));
}

/** Shares of the five classes; equal by default. */
const shares = (probabilities) => probabilities ?? CLASSES.map(() => 1 / CLASSES.length);

/**
 * A table of distributions with the chance of each class and the average; the applied one and the drawn class are
 * marked.
 * @param {{ distributions: number[][], probabilities: number[] | null }} set
 * @param {number | null} [chosen] from 1
 * @param {string | null} [drawn] a class
 */
export function distributions({ distributions: rows, probabilities }, chosen = null, drawn = null) {
  const odds = shares(probabilities);
  const mark = (index) => chosen === index + 1 && "chosen";
  const mean = (row) => row.reduce((sum, one, at) => sum + one * odds[at], 0);
  return h("div", { class: "explained-table" }, h("p", { class: "quiet" }, t("explain.distributions")),
    table(t("distributions"), [t("class"),
      ...rows.map((_, index) =>
        h("th", { scope: "col", class: mark(index) }, t("distribution.n", { n: index + 1 }), mark(index) && " ✓")
      ), t("explain.chance")], [
      ...CLASSES.map((name,
        at) => [[t(`class.${name}`), drawn === name && " ●"],
        ...rows.map((row, index) => h("td", { class: [mark(index), drawn === name && "drawn"] }, income(row[at]))),
        number(odds[at], { style: "percent", maximumFractionDigits: 1 })]
      ),
      [t("explain.mean"),
        ...rows.map((row, index) => h("td", { class: [mark(index), "mean"] }, income(Math.round(mean(row))))), ""],
    ]), drawn && h("p", { class: "quiet" }, t("explain.drawn", { class: t(`class.${drawn}`), n: chosen ?? "–" })));
}

/** What each principle chooses from the distributions of the worked examples. */
export const examples = ({ examples: picks }) =>
  h("div", null, h("p", { class: "quiet" }, t("explain.examples")),
    h("ul", { class: "plain examples" }, picks.map((pick) =>
      h("li", null, principle(pick.principle, pick.amount), " ",
        t(pick.constraint_met ? "explain.picks" : "explain.picks.unmet", { n: pick.distribution }))
    )));
