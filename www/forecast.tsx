// The forecast of a run: calls, tokens, money and minutes, from a dry run of the configuration.
import type { ComponentChildren } from "preact";
import { money, moneyFormat } from "./costs.js";
import { kindOf } from "./fields.js";
import { agentsOf, type Config } from "./fields/controls.tsx";
import { language, list, number, t } from "./i18n.js";
import { priced } from "./prices.js";
import type { Forecast, ForecastMost, ForecastRange, StudyForecast } from "./pkg/quorate.d.ts";
import { foretell } from "./rehearsal.js";
import { AT_ONCE } from "./study/stored-studies.js";

/** Milliseconds without edits before a forecast is made. */
const QUIET = 600;

/** Returns whether a model takes part; else there is nothing to forecast. */
export const hasModels = (config: Config) =>
  agentsOf(config).some((agent) => ["model", "custom"].includes(kindOf(agent)));

/** The forecast of a single run, and the number of runs. */
export interface RunsForecast {
  single: Forecast;
  runs: number;
}

/**
 * Forecasts a configuration while it is edited. One with faults (null), or without models, has no forecast, and
 * `onForecast` gets null.
 */
export function forecaster(engine: typeof import("./engine.js"), onForecast: (forecast: RunsForecast | null) => void) {
  let timer = 0;
  let last = "";
  const clear = () => {
    last = "";
    onForecast(null);
  };
  async function make(config: Config, runs: number) {
    const wanted = last;
    const forecast: Forecast | null = await foretell(priced(engine, config)).catch(() => null);
    if (wanted !== last) return;
    if (forecast) onForecast({ single: forecast, runs });
    else clear();
  }
  return {
    update(config: Config | null, runs: number) {
      clearTimeout(timer);
      if (!config || !hasModels(config)) return clear();
      const now = JSON.stringify([config, runs]);
      if (now === last) return;
      timer = window.setTimeout(() => {
        last = now;
        // A copy, since further edits change the configuration itself.
        void make(JSON.parse(now)[0], runs);
      }, QUIET);
    },
    leave: () => clearTimeout(timer),
  };
}

/** Formats a range in the page's language; a single number if both ends look the same. */
function range({ low, high }: ForecastRange, options: Intl.NumberFormatOptions) {
  const format = new Intl.NumberFormat(language(), options);
  const [from, to] = [format.format(low), format.format(high)];
  return from === to ? from : format.formatRange(low, high);
}
const counts = ({ low, high }: ForecastRange) =>
  range({ low, high }, { notation: high > 9999 ? "compact" : "standard", maximumSignificantDigits: 3 });
/** Formats money to a hundredth, or small amounts to about two digits: more would be false precision. */
const moneyRange = (both: ForecastRange, currency: string) =>
  range(both,
    { ...moneyFormat(both.high, currency),
      maximumFractionDigits: both.high >= 0.1 ? 2 : both.high >= 0.01 ? 3 : 4 } as Intl.NumberFormatOptions);
function times({ low, high }: ForecastRange) {
  const [divisor, unit] = high < 1.5 ? [1 / 60, "second"] : high < 90 ? [1, "minute"] : [60, "hour"];
  return range({ low: low / (divisor as number), high: high / (divisor as number) }, { style: "unit",
    unit: unit as string, unitDisplay: "short", maximumFractionDigits: unit === "hour" ? 1 : 0 });
}

/** A forecast of several runs together, and how many are made at once. */
interface AllForecast {
  all: Omit<StudyForecast, "cells">;
  runs: number;
  atOnce: number;
}
function ofAll({ single, runs }: RunsForecast): AllForecast {
  const by = <Range extends ForecastRange>(range: Range, factor: number) =>
    Object.fromEntries(Object.entries(range).map(([end, value]) => [end, value * factor])) as unknown as Range;
  const { calls, input, output, cost, minutes, currency, unknown, complete } = single;
  return { runs, atOnce: AT_ONCE,
    all: { runs, currency, unknown, complete, calls: by(calls, runs), input: by(input, runs), output: by(output, runs),
      cost: cost && by(cost, runs), minutes: by(minutes, runs) } };
}
/** Minutes of several runs at once. */
const minutesOf = ({ all: { minutes: { low, high } }, runs, atOnce }: AllForecast): ForecastRange => {
  const share = Math.ceil(runs / atOnce) / runs;
  return { low: low * share, high: high * share };
};

const isPaid = (cost: ForecastMost | null): cost is ForecastMost => cost !== null && cost.most > 0;

/** The forecast in full; hidden while there is none. */
export const ForecastPanel = ({ forecast }: { forecast: RunsForecast | AllForecast | null }) => (
  <section class="forecast" aria-labelledby="forecast-title" data-testid="forecast" hidden={!forecast}>
    <h2 id="forecast-title">{t("forecast.title")}</h2>
    <div role="status" aria-live="polite">
      {forecast && <Facts forecast={"single" in forecast ? ofAll(forecast) : forecast} />}
    </div>
  </section>
);

function Facts({ forecast }: { forecast: AllForecast }) {
  const { calls, input, output, cost, currency, unknown } = forecast.all;
  const fact = (name: string, value: ComponentChildren, testid?: string) => (
    <div>
      <dt>{name}</dt>
      <dd data-testid={testid}>{value}</dd>
    </div>
  );
  return (
    <>
      {forecast.runs > 1 && (
        <p data-testid="forecast-all">
          {t("forecast.all", { n: forecast.runs, k: number(Math.min(forecast.atOnce, forecast.runs)) })}
        </p>
      )}
      <dl class="facts">
        {fact(t("run.calls"), counts(calls), "forecast-calls")}
        {fact(t("forecast.input"), counts(input))}
        {fact(t("forecast.output"), counts(output))}
        {fact(t("forecast.cost"), isPaid(cost) ? moneyRange(cost, currency) : t(cost ? "cost.free" : "cost.unknown"),
          "forecast-cost")}
        {fact(t("forecast.minutes"), times(minutesOf(forecast)), "forecast-minutes")}
      </dl>
      {unknown.length > 0 && (
        <p class="note" data-testid="forecast-unknown">
          <span>
            {t("forecast.unknown", { list: list(unknown) })} <a href="#/models">{t("forecast.prices")}</a>
          </span>
        </p>
      )}
      <p class="quiet">
        {isPaid(cost) && `${t("forecast.most", { amount: money(cost.most, currency) })} `}
        {t("forecast.basis")}
      </p>
    </>
  );
}

/** The forecast in one line. */
export function ForecastLine({ forecast }: { forecast: RunsForecast | null }) {
  const words = (forecast: AllForecast) => {
    const { calls, cost, currency } = forecast.all;
    return [
      t("forecast.calls", { range: counts(calls), n: calls.high }),
      isPaid(cost) ? moneyRange(cost, currency) : t(cost ? "forecast.free" : "forecast.nocost"),
      times(minutesOf(forecast)),
    ];
  };
  return (
    <p class="forecast-short quiet" data-testid="forecast-short" hidden={!forecast}>
      {forecast && words(ofAll(forecast)).join(" · ")}
    </p>
  );
}
