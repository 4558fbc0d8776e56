// The costs of a run, in words and tables. Reported and estimated token counts are kept apart; a missing price is
// unknown, never zero.
import { h, table } from "./dom.js";
import { t, number, language } from "./i18n.js";

/** Number format for an amount of this size: small amounts with enough digits to be meaningful. */
export function moneyFormat(amount, currency = "USD") {
  const size = Math.abs(amount);
  const digits = size > 0 && size < 0.0001 ? 6 : size > 0 && size < 0.1 ? 4 : 2;
  return /** @type {const} */ ({ style: "currency", currency, currencyDisplay: "narrowSymbol", minimumFractionDigits: 2,
    maximumFractionDigits: digits });
}

/** Formats an amount of money. */
export const money = (amount, currency) =>
  new Intl.NumberFormat(language(), moneyFormat(amount, currency)).format(amount);

/**
 * The cost of a sum in one line: "$0.12", "$0.12 + unknown", "nothing"; a dash if only programs of the page answered.
 */
export function costText(sum, currency) {
  if (!sum || (sum.own && !sum.cost && !sum.unknown)) return "–";
  if (sum.unknown && !sum.cost) return t("cost.unknown");
  const amount = sum.cost ? money(sum.cost, currency) : t("cost.free");
  return sum.unknown ? t("cost.partly", { amount }) : amount;
}

/** The tokens of a sum, marked if some are estimated. */
function tokens({ reported, estimated }, side) {
  const [counted, guessed] = [reported[side], estimated[side]];
  const word = guessed > 0 && (counted ? t("cost.estimated", { n: guessed }) : t("cost.estimated.all"));
  return [number(counted + guessed), word && h("span", { class: "quiet" }, " ", word)];
}

/** Returns whether a call can cost something; answers of people and simulated participants cannot. */
const counts = (call) => ["model", "custom"].includes(call.seat_kind);

/** The sum restricted to these calls. */
function of(sum, calls) {
  const add = (how) => ({ input: calls.reduce((all, call) => all + call[how].input, 0),
    output: calls.reduce((all, call) => all + call[how].output, 0) });
  return { ...sum, tries: calls.reduce((all, call) => all + call.tries, 0), reported: add("reported"),
    estimated: add("estimated") };
}

const row = (name, sum,
  currency) => [name, number(sum.tries), tokens(sum, "input"), tokens(sum, "output"), costText(sum, currency)];
const costTable = (label, first, rows) =>
  table(label, [first, t("run.calls"), t("forecast.input"), t("forecast.output"), t("forecast.cost")], rows);

/** Tokens and money of one call, as facts `[name, value]`; empty if it is not counted. */
export function callFacts(call, currency) {
  if (!call || !counts(call)) return [];
  const summarize = (sum, how) =>
    sum.input + sum.output > 0
    && [t("inspect.inout", { i: sum.input, o: sum.output }),
      sum.reasoning > 0 && t("inspect.thought", { n: sum.reasoning }),
      sum.cached > 0 && t("inspect.cached", { n: sum.cached }), t(`inspect.${how}`)].filter(Boolean).join(" · ");
  return [[t("inspect.tokens"), summarize(call.reported, "reported")], [t("inspect.tokens"),
    summarize(call.estimated, "estimated")], [t("inspect.cost"), [
    h("span", { "data-testid": "call-cost" }, costText(call, currency)),
    call.cost_told > 0 && h("span", { class: "quiet" }, ` ${t("inspect.costtold")}`),
  ]]];
}

/** The section of the results on costs; null if there were no paid calls. */
export function costSection(costs) {
  const calls = costs?.calls.filter(counts) ?? [];
  if (!calls.length) return null;
  const { date, run } = costs;
  const seats = costs.seats.map((one) => of(one, calls.filter((call) => call.seat === one.seat))).filter((one) =>
    one.tries
  );
  const rounds = costs.rounds.map((one) =>
    of(one, calls.filter((call) => call.phase === one.phase && call.round === one.round))
  ).filter((one) => one.tries);
  const currency = costs.currency ?? undefined;
  return h("section", { "data-testid": "costs" }, h("h2", null, t("cost.title")),
    h("p", null, h("strong", { "data-testid": "cost-total" }, costText(run, currency)), " ",
      date && h("span", { class: "quiet" }, t("cost.prices", { date }))),
    run.cost_told > 0 && h("p", { class: "quiet" }, t("cost.told", { amount: money(run.cost_told, currency) })),
    run.cost_estimated > 0
      && h("p", { class: "quiet" }, t("cost.guessed", { amount: money(run.cost_estimated, currency) })),
    run.own > 0 && h("p", { class: "quiet" }, t("cost.own", { n: run.own })),
    run.untold > 0 && h("p", { class: "quiet" }, t("cost.untold", { n: run.untold })),
    run.unknown > 0 && h("p", { class: "note" }, t("cost.unpriced", { n: run.unknown })),
    costTable(t("cost.seats"), t("participant"), [...seats.map((seat) => row(seat.seat, seat, currency)),
      row(h("strong", null, t("results.total")), of(run, calls), currency)]), rounds.length > 1
    && h("details", null, h("summary", null, t("cost.rounds")),
      costTable(t("cost.rounds"), t("inspect.round"),
        rounds.map((one) =>
          row(one.round === null ? t("cost.noround", { phase: one.phase }) : t("round", { n: one.round }), one,
            currency)
        ))));
}
