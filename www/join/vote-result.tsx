// A ballot without agreement: how many voted for which rule, and which amounts they named, without names.
import type { ItemView, JusticeItem, RuleCount } from "../../src/web/quorate.d.ts";
import { RulePicture, ruleOf } from "../pictures/rules.tsx";

type VoteItem = Extract<JusticeItem, { type: "vote" }>;

const tallyOf = (item: ItemView) => (item.type === "vote" ? (item as VoteItem).ballot?.tally : undefined);
export const isFailedVote = (item: ItemView) => tallyOf(item) !== undefined;

/** A dot for each amount on one scale; equal ones are stacked. */
function Amounts({ amounts }: { amounts: number[] }) {
  const [least, most] = [amounts[0]!, amounts.at(-1)!];
  const below = (at: number) => amounts.slice(0, at).filter((one) => one === amounts[at]).length;
  const top = 15 - 7 * Math.max(...amounts.map((_, at) => below(at)));
  return (
    <svg class="tally-dots" viewBox={`0 ${top} 200 ${26 - top}`} aria-hidden="true">
      <path d="M6 25H194" />
      {amounts.map((amount, at) => (
        <circle key={at} cx={most > least ? 10 + ((amount - least) / (most - least)) * 180 : 100}
          cy={20 - 7 * below(at)} r="5" />
      ))}
    </svg>
  );
}

/** The rows are those of the engine's table: name, votes and amounts in words. */
export function VoteResult({ item }: { item: ItemView }) {
  const table = item.blocks.find((one) => one.block === "table");
  const verdict = item.blocks.find((one) => one.block === "text" && one.tone === "bad");
  if (table?.block !== "table") return null;
  return (
    <div class="tally">
      <b>{verdict?.block === "text" && verdict.text}</b>
      <ul class="plain">
        {tallyOf(item)!.map(({ principle, amounts }: RuleCount, at) => (
          <li key={principle} class={`p${ruleOf(principle)}`}>
            <RulePicture rule={ruleOf(principle)!} />
            <span>
              <b>{table.rows[at]![0]}</b>
              <small>{`${table.columns[1]}: ${table.rows[at]![1]}`}</small>
              <small>{table.rows[at]![2]}</small>
            </span>
            {amounts.length > 1 && <Amounts amounts={amounts} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
