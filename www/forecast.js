// What a run is going to take, before it starts: calls, tokens, money and minutes, from a dry run of the configuration.
import { h, put } from "./dom.js";
import { t, number, span, list } from "./i18n.js";
import { money } from "./costs.js";
import { priced } from "./prices.js";

/** Milliseconds of quiet before a forecast is made: it takes a moment. */
const QUIET = 600;

/** `low–high`, or one number where they are the same to the eye. */
function range({ low, high }, format) {
  const [from, to] = [format(low), format(high)];
  return from === to ? from : t("forecast.range", { from, to });
}
const short = (value) => number(value, { notation: value > 9999 ? "compact" : "standard", maximumSignificantDigits: 3 });

/** A panel that tells it: `{ node, update(config), leave }`. A configuration with faults has no forecast. */
export function forecastPanel({ engine }) {
  const body = h("div", { role: "status", "aria-live": "polite" });
  const node = h("section", { class: "forecast", "aria-labelledby": "forecast-title", "data-testid": "forecast" }, h("h2", { id: "forecast-title" }, t("forecast.title")), body);
  node.hidden = true;
  let timer = 0;
  let last = "";

  function draw(config) {
    let told;
    try {
      told = engine.forecast(priced(engine, config));
    } catch {
      node.hidden = true;
      return;
    }
    node.hidden = false;
    const { calls, input, output, cost, unknown = [], minutes } = told;
    const fact = (name, value, testid) => h("div", null, h("dt", null, name), h("dd", { "data-testid": testid }, value));
    const paid = cost && cost.most > 0;
    put(body, h("dl", { class: "facts" },
      fact(t("run.calls"), range(calls, short), "forecast-calls"),
      fact(t("forecast.input"), range(input, short)), fact(t("forecast.output"), range(output, short)),
      fact(t("forecast.cost"), cost ? (paid ? range(cost, (value) => money(value, told.currency)) : t("cost.free")) : t("cost.unknown"), "forecast-cost"),
      fact(t("forecast.minutes"), range(minutes, (value) => span(value * 60_000)), "forecast-minutes")),
      h("p", { class: "quiet" }, paid && [t("forecast.most", { amount: money(cost.most, told.currency) }), " "], unknown.length > 0 && [t("forecast.unknown", { list: list(unknown) }), " ", h("a", { href: "#/models" }, t("prices.title")), " "], t("forecast.basis")));
  }

  return {
    node,
    update(config) {
      clearTimeout(timer);
      const asked = (Array.isArray(config?.agents) ? config.agents : []).some((agent) => ["model", "custom"].includes(agent?.kind ?? (agent?.model ? "model" : "scripted")));
      if (!asked) {
        node.hidden = true;
        last = "";
        return;
      }
      const now = JSON.stringify(config);
      if (now === last) return;
      timer = setTimeout(() => {
        last = now;
        draw(config);
      }, QUIET);
    },
    leave: () => clearTimeout(timer),
  };
}
