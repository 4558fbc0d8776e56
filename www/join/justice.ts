// The parts of an experiment's view that the result of a guest shows.
import type { ItemView, JusticeResult as Whole } from "../../src/web/quorate.d.ts";

/** A guest has the payment of its own seat alone. */
export type JusticeResult = Pick<Whole, "payoffs" | "consensus_reached" | "phase1" | "final_rankings">;
export type DrawnItem = ItemView & { drawn: { distributions: number[][] | null; probabilities: number[] | null } };
