// What an experiment came to, in the engine's figures, with the faces of the participants.
import type { JusticeFigures, World } from "../pkg/quorate.js";
import type { View } from "../view-types.ts";

export type { World };
interface Somebody {
  seat: string;
  index: number;
  kind: string;
}
/** A participant's class, from 0, the lowest, and income. */
export type Fate = Somebody & JusticeFigures["fates"][number];
/** The best rules of a participant's first and last ranking. */
export type Mind = Somebody & { from: number; to: number };
export type Figures = Omit<JusticeFigures, "chosen" | "fates" | "minds"> & {
  /** The group's own; null without an agreement. */
  chosen: World | null;
  fates: Fate[];
  /** Of those who ranked the rules twice. */
  minds: Mind[];
};

export const lowest = ({ incomes }: World) => incomes[0]!;
export const highest = ({ incomes }: World) => incomes.at(-1)!;
export const hasChanged = ({ from, to }: Mind) => from !== to;

/** Of a finished experiment; null without a draw. */
export function figuresOf({ figures, people }: View): Figures | null {
  if (!figures) return null;
  const somebody = <One extends { seat: string }>(one: One) => {
    const { index, kind } = people.get(one.seat)!;
    return { ...one, index, kind };
  };
  return { ...figures, chosen: figures.worlds.find(({ rule }) => rule === figures.chosen) ?? null,
    fates: figures.fates.map(somebody), minds: figures.minds?.of.map(somebody) ?? [] };
}
