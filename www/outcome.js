// The outcome of a run in a sentence.
import { t, income } from "./i18n.js";
import { principleName } from "./people.js";

/** From a view whose run has ended. */
export function outcomeSentence({ result }) {
  if (!result) return t("outcome.unfinished");
  return sentence(result, result.rounds_completed);
}

/** From a result or a summary of it. */
export function sentence({ consensus_reached, chosen_principle, constraint_amount }, rounds = null) {
  if (!consensus_reached) return rounds === null ? t("outcome.none.short") : t("outcome.none", { n: rounds });
  const values = { principle: principleName(chosen_principle), amount: income(constraint_amount), n: rounds };
  const key = constraint_amount === null || constraint_amount === undefined ? "outcome.agreed" : "outcome.agreed.amount";
  return rounds === null ? t(`${key}.short`, values) : t(key, values);
}
