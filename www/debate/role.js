// A debater's role, in words.
import { t, has } from "../i18n.js";

/** The role, and the stance if one was assigned. */
export function roleOf({ role, stance }) {
  const words = [t(has(`debate.role.${role}`) ? `debate.role.${role}` : "debate.role.proposer")];
  if (role !== "judge" && stance !== "neutral" && has(`debate.stance.${stance}`)) {
    words.push(t(`debate.stance.${stance}`));
  }
  return words.join(" · ");
}
