// The forecast of a run: calls, tokens, money and minutes, from a dry run of the configuration.
import { h, put } from "./dom.js";
import { t, number, language, list } from "./i18n.js";
import { money, moneyFormat } from "./costs.js";
import { priced } from "./prices.js";
import { foretell } from "./rehearsal.js";
import { AT_ONCE } from "./batch.js";

/** Milliseconds without edits before a forecast is made. */
const QUIET = 600;

/** Formats a range in the page's language; a single number if both ends look the same. */
function range({ low, high }, options) {
  const format = new Intl.NumberFormat(language(), options);
  const [from, to] = [format.format(low), format.format(high)];
  return from === to ? from : format.formatRange(low, high);
}
const counts = ({ low, high }) =>
  range({ low, high }, { notation: high > 9999 ? "compact" : "standard", maximumSignificantDigits: 3 });
/** Formats money to a hundredth, or small amounts to about two digits: more would be false precision. */
const moneyRange = (both, currency) =>
  range(both, { ...moneyFormat(both.high, currency),
    maximumFractionDigits: both.high >= 0.1 ? 2 : both.high >= 0.01 ? 3 : 4 });
function times({ low, high }) {
  const [divisor, unit] = high < 1.5 ? [1 / 60, "second"] : high < 90 ? [1, "minute"] : [60, "hour"];
  return range({ low: low / divisor, high: high / divisor }, { style: "unit", unit, unitDisplay: "short",
    maximumFractionDigits: unit === "hour" ? 1 : 0 });
}

/** The forecast of so many runs together. */
function ofAll(result, runs) {
  const all = (range, by = runs) =>
    range && Object.fromEntries(Object.entries(range).map(([end, value]) => [end, value * by]));
  return { ...result, calls: all(result.calls), input: all(result.input), output: all(result.output),
    cost: all(result.cost), minutes: all(result.minutes, Math.ceil(runs / AT_ONCE)) };
}

/** The kind of a seat. */
const kindOf = (agent) => agent?.kind ?? (agent?.model ? "model" : "scripted");
const seatsOf = (config) => (Array.isArray(config?.agents) ? config.agents : []);
/** Returns whether a model takes part; else there is nothing to forecast. */
export const hasModels = (config) => seatsOf(config).some((agent) => ["model", "custom"].includes(kindOf(agent)));

/**
 * A panel with the forecast and a one-line summary: `{ node, short, update(config, runs), leave }`, for all runs
 * together. A configuration with faults (null) has no forecast. `onForecast` gets that of a single run.
 */
export function forecastPanel({ engine, onForecast = (_) => {} }) {
  const body = h("div", { role: "status", "aria-live": "polite" });
  const node = h("section", { class: "forecast", "aria-labelledby": "forecast-title", "data-testid": "forecast" },
    h("h2", { id: "forecast-title" }, t("forecast.title")), body);
  const short = h("p", { class: "forecast-short quiet", "data-testid": "forecast-short" });
  let timer = 0;
  let last = "";
  const hide = () => {
    node.hidden = short.hidden = true;
    last = "";
  };
  hide();

  async function draw(config, runs) {
    const wanted = last;
    const result = await foretell(priced(engine, config)).catch(() => null);
    if (wanted !== last) return;
    if (!result) return hide();
    node.hidden = short.hidden = false;
    onForecast(result);
    const { calls, input, output, cost, currency, unknown = [], minutes } = ofAll(result, runs);
    const fact = (name, value, testid) =>
      h("div", null, h("dt", null, name), h("dd", { "data-testid": testid }, value));
    const paid = cost && cost.most > 0;
    const sum = paid && moneyRange(cost, currency);
    put(body, runs > 1 && h("p", { "data-testid": "forecast-all" }, t("forecast.all", { n: runs })),
      h("dl", { class: "facts" }, fact(t("run.calls"), counts(calls), "forecast-calls"),
        fact(t("forecast.input"), counts(input)), fact(t("forecast.output"), counts(output)),
        fact(t("forecast.cost"), cost ? sum || t("cost.free") : t("cost.unknown"), "forecast-cost"),
        fact(t("forecast.minutes"), times(minutes), "forecast-minutes")), unknown.length > 0
      && h("p", { class: "note", "data-testid": "forecast-unknown" },
        h("span", null, t("forecast.unknown", { list: list(unknown) }), " ",
          h("a", { href: "#/models" }, t("forecast.prices")))),
      h("p", { class: "quiet" }, paid && [t("forecast.most", { amount: money(cost.most, currency) }), " "],
        t("forecast.basis")));
    put(short,
      [t("forecast.calls", { range: counts(calls), n: calls.high }),
        cost ? sum || t("forecast.free") : t("forecast.nocost"), times(minutes)].join(" · "));
  }

  return {
    node,
    short,
    update(config, runs = 1) {
      clearTimeout(timer);
      if (!hasModels(config)) return hide();
      const now = JSON.stringify([config, runs]);
      if (now === last) return;
      timer = setTimeout(() => {
        last = now;
        // A copy, since further edits change the configuration itself.
        draw(JSON.parse(now)[0], runs);
      }, QUIET);
    },
    leave: () => clearTimeout(timer),
  };
}
