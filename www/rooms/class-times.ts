// The times of all tables together, in milliseconds by the room's clock.
import type { RoomView } from "../pkg/room.js";
import type { View } from "../view-types.ts";

/** When the last open question of people ends; null if one of them has no end, or none is open. */
export function classDeadline({ tables }: RoomView): number | null {
  const all = tables.filter(({ over }) => !over).flatMap(({ seats }) => seats.flatMap(({ awaited }) => awaited));
  const ends = all.map(({ deadline }) => deadline).filter((at) => at !== null);
  return ends.length && ends.length === all.length ? Math.max(...ends) : null;
}

/** When the first table began; null before. */
export const begunAt = (views: View[]) =>
  views.reduce<number | null>(
    (first, { startedAt }) => startedAt === null ? first : Math.min(first ?? startedAt, startedAt),
    null,
  );
