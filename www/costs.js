// What a run has cost, in words and tables. Tokens that a provider counted and tokens that are estimated are kept apart;
// what has no price is unknown and never zero.
import { h } from "./dom.js";
import { t, number, language } from "./i18n.js";

/** How an amount of about that size is written: small ones with as many digits as say something. */
export function moneyFormat(amount, currency = "USD") {
  const size = Math.abs(amount);
  const digits = size > 0 && size < 0.0001 ? 6 : size > 0 && size < 0.1 ? 4 : 2;
  return { style: "currency", currency, currencyDisplay: "narrowSymbol", minimumFractionDigits: 2, maximumFractionDigits: digits };
}

/** An amount of money. */
export const money = (amount, currency) => new Intl.NumberFormat(language(), moneyFormat(amount, currency)).format(amount);

/** The cost of a sum in one line: "$0.12", "$0.12 + unknown", "nothing"; a dash where only programs of the page were asked. */
export function costText(sum, currency) {
  if (!sum || (sum.own && !sum.cost && !sum.unknown)) return "–";
  if (sum.unknown && !sum.cost) return t("cost.unknown");
  const amount = sum.cost ? money(sum.cost, currency) : t("cost.free");
  return sum.unknown ? t("cost.partly", { amount }) : amount;
}

/** Tokens of a sum: counted by the provider, and with a sign where some are estimated. */
const tokens = ({ reported, estimated }, side) => [
  number(reported[side] + estimated[side]), estimated[side] > 0 && h("span", { class: "quiet" }, " ", t("cost.estimated", { n: estimated[side] })),
];

const row = (name, sum, currency) => h("tr", null, h("th", { scope: "row" }, name),
  h("td", null, number(sum.tries)), h("td", null, tokens(sum, "input")), h("td", null, tokens(sum, "output")), h("td", null, costText(sum, currency)));

function table(label, first, rows) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, h("table", { class: "numbers" },
    h("thead", null, h("tr", null, [first, t("run.calls"), t("forecast.input"), t("forecast.output"), t("forecast.cost")].map((cell) => h("th", { scope: "col" }, cell)))), h("tbody", null, rows)));
}

/** Tokens and money of one question, for lists of facts: `[name, value]`. Nothing where nobody counts. */
export function callFacts(call, currency) {
  if (!call || !["model", "custom"].includes(call.seat_kind)) return [];
  const told = (sum, how) => sum.input + sum.output > 0 && [t("inspect.inout", { i: sum.input, o: sum.output }),
    sum.reasoning > 0 && t("inspect.thought", { n: sum.reasoning }), sum.cached > 0 && t("inspect.cached", { n: sum.cached }), t(`inspect.${how}`)].filter(Boolean).join(" · ");
  return [[t("inspect.tokens"), told(call.reported, "reported")], [t("inspect.tokens"), told(call.estimated, "estimated")],
    [t("inspect.cost"), [h("span", { "data-testid": "call-cost" }, costText(call, currency)), call.cost_told > 0 && h("span", { class: "quiet" }, ` ${t("inspect.costtold")}`)]]];
}

/** The part of the results that tells it; null where nobody was asked for money. */
export function costSection(costs) {
  if (!costs || !costs.calls.some((call) => call.seat_kind === "model" || call.seat_kind === "custom")) return null;
  const { date, run } = costs;
  const currency = costs.currency ?? undefined;
  return h("section", { "data-testid": "costs" }, h("h2", null, t("cost.title")),
    h("p", null, h("strong", { "data-testid": "cost-total" }, costText(run, currency)), " ", date && h("span", { class: "quiet" }, t("cost.prices", { date }))),
    run.cost_told > 0 && h("p", { class: "quiet" }, t("cost.told", { amount: money(run.cost_told, currency) })),
    run.cost_estimated > 0 && h("p", { class: "quiet" }, t("cost.guessed", { amount: money(run.cost_estimated, currency) })),
    run.own > 0 && h("p", { class: "quiet" }, t("cost.own", { n: run.own })),
    run.untold > 0 && h("p", { class: "quiet" }, t("cost.untold", { n: run.untold })),
    run.unknown > 0 && h("p", { class: "note" }, t("cost.unpriced", { n: run.unknown })),
    table(t("cost.seats"), t("participant"), [...costs.seats.map((seat) => row(seat.seat, seat, currency)), row(h("strong", null, t("results.total")), run, currency)]),
    costs.rounds.length > 1 && h("details", null, h("summary", null, t("cost.rounds")),
      table(t("cost.rounds"), t("inspect.round"), costs.rounds.map((one) => row(one.round === null ? t("cost.noround", { phase: one.phase }) : t("round", { n: one.round }), one, currency)))));
}
