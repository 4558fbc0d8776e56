// What a participant of a debate is there for, in words.
import { t, has } from "../i18n.js";

/** What a participant is there for, and where it was told to stand. */
export function roleOf({ role, stance }) {
  const words = [t(has(`debate.role.${role}`) ? `debate.role.${role}` : "debate.role.proposer")];
  if (role !== "judge" && stance !== "neutral" && has(`debate.stance.${stance}`)) {
    words.push(t(`debate.stance.${stance}`));
  }
  return words.join(" · ");
}
