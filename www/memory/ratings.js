// The ratings table: results of all debates stored here, and how well confidence was calibrated.
import { h, put, button, svg, table } from "../dom.js";
import { t, number } from "../i18n.js";
import { avatar } from "../participants.tsx";

/** With fewer votes a calibration is not meaningful. */
const ENOUGH = 10;
const RIGHT = new Set(["elo", "debates", "wins", "brier"]);

const rounded = (value) => number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const precise = (
  value,
) => (typeof value === "number" ? number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) : "–");

/** The history of a rating as a line; its numbers are beside it. */
function course(history) {
  if (history.length < 2) return null;
  const values = history.map(({ elo }) => elo);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at) => (at / (values.length - 1)) * 78 + 1;
  const y = (value) => (high === low ? 12 : 22 - ((value - low) / (high - low)) * 20);
  return svg("svg", { viewBox: "0 0 80 24", class: "course", "aria-hidden": "true" },
    svg("polyline", { points: values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }));
}

function tableOf(rows) {
  const heads = ["name", "elo", "course", "debates", "wins", "brier", "bias"];
  const cell = (one) => [
    h("th", { scope: "row" }, h("span", { class: "who" }, avatar({ name: one.name }, "tiny"), one.name),
      one.player?.model && h("span", { class: "quiet" }, ` ${one.player.model}`)),
    h("td", { class: "number" }, h("strong", null, rounded(one.elo))),
    h("td", null, course(one.history)),
    h("td", { class: "number" }, number(one.debates)),
    h("td", { class: "number" }, number(one.wins)),
    h("td", { class: "number" }, precise(one.calibration.brier),
      h("span", { class: "quiet" }, ` (${number(one.calibration.predictions)})`)),
    h("td", null, t(`memory.bias.${one.calibration.predictions < ENOUGH ? "few" : one.calibration.bias}`)),
  ];
  return table(t("memory.ratings"),
    heads.map((head) => h("th", { scope: "col", class: RIGHT.has(head) ? "number" : null }, t(`memory.col.${head}`))),
    rows.map(cell), { class: "ratings", "data-testid": "ratings" });
}

export async function ratings({ engine }) {
  const { Memory } = engine;
  const all = await Memory.ratings();
  if (!all.length) {
    return h("div", { class: "empty" }, h("p", null, t("memory.ratings.empty")),
      h("a", { class: "button button-primary", href: "#/" }, t("library.begin")));
  }
  const place = h("div", null, tableOf(all));
  const domains = [...new Set(all.flatMap((one) => Object.keys(one.domains)))].sort();
  const domain = domains.length
    ? h("label", { class: "field" }, t("memory.domain"), h("select", {
      on: { change: async ({ target }) => put(place, tableOf(await Memory.ratings(target.value || undefined))) },
    }, h("option", { value: "" }, t("memory.domain.all")), domains.map((one) => h("option", { value: one }, one))))
    : null;
  const notice = h("p", { class: "said", role: "status", "data-testid": "recomputed" });
  const again = button(t("memory.recompute"), async () => {
    put(notice, t("verify.running"));
    try {
      const { same, ratings: anew } = await Memory.recomputed();
      notice.dataset.ok = String(same);
      put(notice, t(same ? "memory.recompute.same" : "memory.recompute.differs"));
      put(place, tableOf(anew));
    } catch (error) {
      notice.dataset.ok = "false";
      put(notice, t("verify.failed"), " ", h("span", { lang: "en" }, error.message));
    }
  }, { testid: "recompute" });
  return h("section", null, h("h2", { class: "sr-only" }, t("memory.ratings")),
    h("p", { class: "quiet" }, t("memory.ratings.text")), domain, place, h("div", { class: "row" }, again), notice);
}
