// Whether a group agreed.
import type { View } from "../view-types.ts";

/** Null where there was nothing to agree on, or no result. */
export function agreementOf({ head, result }: View): boolean | null {
  const { consensus_reached: reached, ended_by: ended, verdict } = (result ?? {}) as { [name: string]: unknown };
  if (typeof reached === "boolean") return reached;
  if (ended === "close_enough") return true;
  return head?.protocol === "jury" && verdict ? verdict !== "hung" : null;
}
