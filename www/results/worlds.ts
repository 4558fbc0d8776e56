// What an experiment came to, in figures: the incomes of the five classes under each of the four rules, after the draw.
import type { JusticeItem, JusticeResult, PrincipleId } from "../pkg/quorate.js";
import type { View } from "../view-types.ts";

const RULES: PrincipleId[] = ["maximizing_floor", "maximizing_average", "maximizing_average_floor_constraint",
  "maximizing_average_range_constraint"];

/** The incomes of the classes, lowest first, under a rule. */
export interface World {
  /** From 1 to 4. */
  rule: number;
  /** The floor, or the gap at most, of rules 3 and 4. */
  amount: number | null;
  incomes: number[];
  average: number;
}
/** Somebody's class, from 0, the lowest, and income. */
export interface Fate {
  seat: string;
  index: number;
  kind: string;
  at: number;
  income: number;
}
/** Whose first rule is another than before. */
export interface Change {
  seat: string;
  index: number;
  kind: string;
  from: number;
  to: number;
}
export interface Figures {
  /** One for each rule; that of the group with its own amount, others with the middle one. */
  worlds: World[];
  /** The group's own; null without an agreement. */
  chosen: World | null;
  /** Shares of the classes, lowest first, that sum to 1. */
  shares: number[];
  /** Incomes were multiplied by it. */
  multiplier: number;
  fates: Fate[];
  changes: Change[];
  /** How many changed their mind, of those who ranked the rules twice. */
  changed: number;
  ranked: number;
}

export const ruleOf = (id: PrincipleId | null | undefined) => (id ? RULES.indexOf(id) + 1 : 0);
export const lowest = ({ incomes }: World) => incomes[0]!;
export const highest = ({ incomes }: World) => incomes.at(-1)!;

/** The first and the last ranking's first rule, of each who ranked more than once. */
function changesOf(view: View): Change[] {
  const moments = ["initial", "post_explanation", "after_applications", "after_results"];
  return [...view.people.values()].flatMap(({ name, index, kind, rankings }) => {
    const firsts = moments.flatMap((moment) => rankings?.[moment]?.order[0] ?? []);
    return firsts.length > 1
      ? [{ seat: name, index, kind, from: ruleOf(firsts[0]), to: ruleOf(firsts.at(-1)) }]
      : [];
  });
}

/** Of a finished experiment, as its owner or a participant sees it; null without a draw. */
export function figuresOf(view: View): Figures | null {
  const items = [...view.items.values()] as unknown as JusticeItem[];
  const drawn = items.find((one) => one.type === "drawn")?.drawn;
  const paid = items.flatMap((one) => (one.type === "paid" ? [one.paid] : []));
  if (!drawn || !paid[0]) return null;
  const { distributions, multiplier } = drawn;
  const shares = [...drawn.probabilities ?? distributions[0]!.map((_, __, all) => 1 / all.length)].reverse();
  const result = view.result as JusticeResult;
  const own = result.consensus_reached ? ruleOf(result.chosen_principle) : 0;
  const middle = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]!;
  const amounts = [null, null, middle(distributions.map((all) => all.at(-1)!)),
    middle(distributions.map((all) => all[0]! - all.at(-1)!))];
  const worlds = RULES.flatMap((principle, at): World[] => {
    const isOwn = own === at + 1;
    const amount = isOwn && at > 1 ? result.constraint_amount : amounts[at]!;
    const row = paid[0]!.sweep.find((one) => one.principle === principle && one.amount === amount);
    const incomes = row && [...distributions[row.distribution - 1]!].reverse();
    return incomes
      ? [{ rule: at + 1, amount, incomes, average: incomes.reduce((sum, one, n) => sum + one * shares[n]!, 0) }]
      : [];
  });
  const classes = ["low", "medium_low", "medium", "medium_high", "high"];
  const fates = paid.map(({ seat, class: id, income }): Fate => {
    const { index, kind } = view.people.get(seat)!;
    return { seat, index, kind, at: classes.indexOf(id), income };
  });
  const ranked = changesOf(view);
  const changes = ranked.filter(({ from, to }) => from !== to);
  return { worlds, chosen: worlds.find(({ rule }) => rule === own) ?? null, shares, multiplier, fates, changes,
    changed: changes.length, ranked: ranked.length };
}
