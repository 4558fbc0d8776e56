// Incomes of one distribution as five coloured steps with twenty little people, on a scale shared with others.

/** A step: its income, and how many of the twenty people stand on it. From the lowest to the highest. */
export interface Step {
  income: number;
  people: number;
}
/** Shows the same incomes of several distributions at the same height. */
export interface Scale {
  least: number;
  most: number;
}

/** How many of twenty people belong to each class; the fractions sum to 1, the people to twenty. */
export function twenty(shares: number[]): number[] {
  const exact = shares.map((share) => share * 20);
  const people = exact.map((one) => Math.floor(one + 1e-9));
  const order = exact.map((one, at) => [one - people[at]!, at] as const).sort(([a], [b]) => b - a);
  for (const [, at] of order.slice(0, Math.max(0, 20 - people.reduce((sum, one) => sum + one, 0)))) people[at]! += 1;
  return people;
}

/** The scale of all: a little room below the lowest income. */
export function scaleOf(all: Step[][]): Scale {
  const incomes = all.flat().map(({ income }) => income);
  const least = Math.min(...incomes);
  const most = Math.max(...incomes);
  return { least: least - (most - least || 1) * 0.06, most };
}

/** Persons side by side, each 7 wide; feet at 0. */
const People = ({ n, x, y, size }: { n: number; x: number; y: number; size: number }) => (
  <>
    {Array.from({ length: n }, (_, at) => {
      const left = x + (at - (n - 1) / 2) * 10.500 * size;
      return (
        <g key={at} transform={`translate(${left.toFixed(1)} ${y.toFixed(1)}) scale(${size})`}>
          <circle cy="-14.700" r="3" />
          <path d="M-3.800 0v-7.200a3.800 3.800 0 0 1 7.600 0V0z" />
        </g>
      );
    })}
  </>
);

const WIDTH = 78;
const HEIGHT = 242;

/** One distribution as a column: a bar for each class at the height of its income. `line`: an income that is drawn through. */
export function IncomeColumn(
  { steps, scale, label, line }: { steps: Step[]; scale: Scale; label: string; line?: number | undefined },
) {
  const heightOf = (income: number) =>
    20 + (1 - (income - scale.least) / (scale.most - scale.least || 1)) * (HEIGHT - 26);
  return (
    <svg class="income-column" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {steps.map(({ income, people }, at) => (
        <g key={at} class={`step${stepColour(at, steps.length)}`}>
          <rect x="3" y={heightOf(income)} width="72" height="2.600" rx="1.300" />
          <People n={people} x={39} y={heightOf(income)} size={0.66} />
        </g>
      ))}
      {line !== undefined && <path class="rule-line" d={`M0 ${heightOf(line)}H${WIDTH}`} />}
    </svg>
  );
}

/** One distribution as a staircase from 0, each step as wide as its people are many. `chosen`: the step that somebody stands on. */
export function Staircase(
  { steps, label, chosen, most }: { steps: Step[]; label: string; chosen?: number | undefined; most?: number },
) {
  const top = most ?? Math.max(...steps.map(({ income }) => income), 1);
  let x = 0;
  return (
    <svg class="staircase" viewBox="0 0 330 170" role="img" aria-label={label}>
      {steps.map(({ income, people }, at) => {
        const width = people * 16.500;
        const y = 170 - Math.max(4, (income / top) * 145);
        const middle = x + width / 2;
        x += width;
        return (
          <g key={at}
            class={`step${stepColour(at, steps.length)}${chosen === undefined || chosen === at ? "" : " pale"}`}>
            <rect x={x - width + 0.700} y={y} width={Math.max(0, width - 1.400)} height={170 - y} rx="2" />
            <People n={people} x={middle} y={y - 1} size={1.300} />
          </g>
        );
      })}
    </svg>
  );
}

/** The colour of a step: 1 the lowest, 5 the highest. */
export const stepColour = (at: number, of: number) => of < 2 ? 3 : 1 + Math.round((at / (of - 1)) * 4);
