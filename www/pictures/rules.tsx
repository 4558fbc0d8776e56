// The four rules as pictures: five steps, and what the rule does with them.

/** The number of each rule by the value of its option. */
const NUMBERS: { [value: string]: number } = { maximizing_floor: 1, maximizing_average: 2,
  maximizing_average_floor_constraint: 3, maximizing_average_range_constraint: 4 };
export const ruleOf = (value: string): number | undefined => NUMBERS[value];

/** Left edge and top of each step. */
const STEPS = [[4, 38], [16, 32], [28, 25], [40, 19], [52, 10]] as const;

/** `rule`: 1 lift the lowest, 2 highest average, 3 average with a floor, 4 average with a limited gap. Its name stands beside it. */
export const RulePicture = ({ rule }: { rule: number }) => (
  <svg class={`rule-picture p${rule}`} viewBox="0 0 72 53" aria-hidden="true">
    {STEPS.map(([x, y], at) => (
      <rect key={at} class={rule === 1 && at === 0 ? "hot" : "dim"} x={x} y={y} width="10" height={50 - y} rx="1.5" />
    ))}
    <path class="ground" d="M1 50.500H67" />
    {rule === 1 && <path d="M9 31v-9m-3.500 4l3.500-4 3.500 4" />}
    {rule > 1 && <path class="dash" d={rule === 4 ? "M1 26H62" : "M1 26H67"} />}
    {(rule === 2 || rule === 3) && <path d="M9 19v-9m-3.500 4l3.500-4 3.500 4" />}
    {rule === 3 && <rect class="under" x="1" y="41" width="66" height="9" />}
    {rule > 2 && <path class="thick" d={rule === 3 ? "M1 41H67" : "M65 10h4v28h-4"} />}
  </svg>
);
