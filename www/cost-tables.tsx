// The costs of a run in tables, and of one call. Reported and estimated token counts are kept apart.
import type { ComponentChildren } from "preact";
import { costText, money } from "./costs.js";
import { Table } from "./elements.tsx";
import { number, t } from "./i18n.js";
import type { CallCost, Costs, CostSum, CostTokens } from "./pkg/quorate.js";

/** A sum of calls, as a row of a table shows it. */
type Sum = Pick<CostSum, "tries" | "reported" | "estimated" | "cost" | "unknown" | "own">;

/** The tokens of a sum, marked if some are estimated. */
function Tokens({ of: { reported, estimated }, side }: { of: Sum; side: "input" | "output" }) {
  const [counted, guessed] = [reported[side], estimated[side]];
  const word = guessed > 0 && (counted ? t("cost.estimated", { n: guessed }) : t("cost.estimated.all"));
  return (
    <>
      {number(counted + guessed)}
      {word && <span class="quiet">{` ${word}`}</span>}
    </>
  );
}

/** Returns whether a call can cost something; answers of people and simulated participants cannot. */
const counts = (call: CallCost) => ["model", "custom"].includes(call.seat_kind);

/** The sum restricted to these calls. */
function of<Of extends CostSum>(sum: Of, calls: CallCost[]): Of {
  const add = (how: "reported" | "estimated"): CostTokens => ({
    ...sum[how],
    input: calls.reduce((all, call) => all + call[how].input, 0),
    output: calls.reduce((all, call) => all + call[how].output, 0),
  });
  return { ...sum, tries: calls.reduce((all, call) => all + call.tries, 0), reported: add("reported"),
    estimated: add("estimated") };
}

const row = (name: ComponentChildren, sum: Sum,
  currency: string | undefined) => [name, number(sum.tries), <Tokens of={sum} side="input" />,
  <Tokens of={sum} side="output" />, costText(sum, currency)];
const CostTable = ({ label, first, rows }: { label: string; first: string; rows: ComponentChildren[][] }) => (
  <Table label={label} name="numbers" rows={rows}
    head={[first, t("run.calls"), t("forecast.input"), t("forecast.output"), t("forecast.cost")]} />
);

/** Tokens and money of one call, as facts `[name, value]`; empty if it is not counted. */
export function callFacts(call: CallCost | undefined, currency: string | undefined): [string, ComponentChildren][] {
  if (!call || !counts(call)) return [];
  const summarize = (how: "reported" | "estimated") => {
    const { input, output, reasoning, cached } = call[how];
    return input + output > 0
      && [t("inspect.inout", { i: input, o: output }), reasoning > 0 && t("inspect.thought", { n: reasoning }),
        cached > 0 && t("inspect.cached", { n: cached }), t(`inspect.${how}`)].filter(Boolean).join(" · ");
  };
  return [[t("inspect.tokens"), summarize("reported")], [t("inspect.tokens"), summarize("estimated")], [
    t("inspect.cost"),
    <>
      <span data-testid="call-cost">{costText(call, currency)}</span>
      {call.cost_told > 0 && <span class="quiet">{` ${t("inspect.costtold")}`}</span>}
    </>,
  ]];
}

/** The section of the results on costs; nothing if there were no paid calls. */
export function CostSection({ costs: { calls: all, date, run, ...costs } }: { costs: Costs }) {
  const calls = all.filter(counts);
  if (!calls.length) return null;
  const currency = costs.currency ?? undefined;
  const seats = costs.seats.map((one) => of(one, calls.filter(({ seat }) => seat === one.seat)))
    .filter((one) => one.tries);
  const rounds = costs.rounds.map((one) =>
    of(one, calls.filter(({ phase, round }) => phase === one.phase && round === one.round))
  ).filter((one) => one.tries);
  return (
    <section data-testid="costs">
      <h2>{t("cost.title")}</h2>
      <p>
        <strong data-testid="cost-total">{costText(run, currency)}</strong>{" "}
        {date && <span class="quiet">{t("cost.prices", { date })}</span>}
      </p>
      {run.cost_told > 0 && <p class="quiet">{t("cost.told", { amount: money(run.cost_told, currency) })}</p>}
      {run.cost_estimated > 0 && (
        <p class="quiet">{t("cost.guessed", { amount: money(run.cost_estimated, currency) })}</p>
      )}
      {run.own > 0 && <p class="quiet">{t("cost.own", { n: run.own })}</p>}
      {run.untold > 0 && <p class="quiet">{t("cost.untold", { n: run.untold })}</p>}
      {run.unknown > 0 && <p class="note">{t("cost.unpriced", { n: run.unknown })}</p>}
      <CostTable label={t("cost.seats")} first={t("participant")}
        rows={[...seats.map((seat) => row(seat.seat, seat, currency)),
          row(<strong>{t("results.total")}</strong>, of(run, calls), currency)]} />
      {rounds.length > 1 && (
        <details>
          <summary>{t("cost.rounds")}</summary>
          <CostTable label={t("cost.rounds")} first={t("inspect.round")} rows={rounds.map((one) =>
            row(one.round === null ? t("cost.noround", { phase: one.phase }) : t("round", { n: one.round }), one,
              currency)
          )} />
        </details>
      )}
    </section>
  );
}
