// Incomes under several rules or at several tables, one row each, on one scale: a dot for each class, as large as its share.
import { number, t } from "../i18n.js";
import { Face } from "../pictures/people.tsx";
import type { Fate, World } from "./worlds.ts";

export interface Scale {
  least: number;
  most: number;
  ticks: number[];
}

/** A scale of round numbers around all incomes. */
export function scaleOf(worlds: World[]): Scale {
  const all = worlds.flatMap(({ incomes }) => incomes);
  if (!all.length) return { least: 0, most: 1, ticks: [] };
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const raw = (high - low || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw)!;
  const first = Math.floor(low / step) * step;
  const count = Math.ceil((high - first) / step) + 1;
  const ticks = Array.from({ length: count }, (_, at) => first + at * step);
  return { least: first, most: ticks.at(-1)!, ticks };
}

/** The rule with its amount, where it was kept, in a few words. */
export const ruleText = (world: World) =>
  world.amount !== null && world.isMet ? t(`rule.${world.rule}.of`, { amount: world.amount }) : t(`rule.${world.rule}`);

const WIDTH = 400;
const at = ({ least, most }: Scale, income: number) => 16 + ((income - least) / (most - least || 1)) * (WIDTH - 32);

/** The numbers of the scale. */
export const IncomeScale = ({ scale }: { scale: Scale }) => (
  <div class="income-scale" aria-hidden="true">
    {scale.ticks.map((tick, n) => (
      <span key={tick} class={n % 2 && scale.ticks.length > 5 ? "tick odd" : "tick"}
        style={{ "--x": `${(at(scale, tick) / WIDTH) * 100}%` }}>
        {number(tick)}
      </span>
    ))}
  </div>
);

/** The five incomes of a world; `you` is somebody whose face stands in place of the dot. */
export function IncomeRow(
  { world, shares, scale, you }: { world: World; shares: number[]; scale: Scale; you?: Fate | undefined },
) {
  const { incomes } = world;
  const x = incomes.map((income) => at(scale, income));
  const label = incomes.map((income, n) =>
    t("class.income", { name: t(`class.${["poorest", "second", "middle", "fourth", "richest"][n]}`), income })
  ).join(", ");
  return (
    <svg class="income-row" viewBox={`0 0 ${WIDTH} 44`} role="img" aria-label={label}>
      {scale.ticks.map((tick) => <path key={tick} class="tick-line" d={`M${at(scale, tick)} 0V44`} />)}
      <path class="income-line" d={`M${Math.min(...x)} 22H${Math.max(...x)}`} />
      {[2, 1, 3, 0, 4].map((n) => <circle key={n} class={`step${n + 1}`} cx={x[n]} cy="22" r={5 + 16 * shares[n]!} />)}
      {you && (
        <g transform={`translate(${x[you.at]! - 13} 9)`}>
          <Face index={you.index} kind={you.kind} size={26} />
        </g>
      )}
    </svg>
  );
}
