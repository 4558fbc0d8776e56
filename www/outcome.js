// The outcome of a run in a sentence.
import { t, income } from "./i18n.js";
import { principleName } from "./people.js";
import { outcome } from "./delphi.js";

/** From a view whose run has ended. */
export function outcomeSentence({ result, head }) {
  if (!result) return t("outcome.unfinished");
  return sentence(result, result.rounds_completed, head?.protocol);
}

/** From a result or a summary of it. */
export function sentence(result, rounds = null, protocol = "justice") {
  return (SENTENCE[protocol] ?? SENTENCE.justice)(result, rounds);
}

const SENTENCE = {
  justice({ consensus_reached, chosen_principle, constraint_amount }, rounds) {
    if (!consensus_reached) return rounds === null ? t("outcome.none.short") : t("outcome.none", { n: rounds });
    const values = { principle: principleName(chosen_principle), amount: income(constraint_amount), n: rounds };
    const key = constraint_amount === null || constraint_amount === undefined
      ? "outcome.agreed"
      : "outcome.agreed.amount";
    return rounds === null ? t(`${key}.short`, values) : t(key, values);
  },
  discussion({ completed_by, rounds, contributions }) {
    const said = t("outcome.discussion", { n: contributions, rounds: t("rounds.n", { n: rounds }) });
    return completed_by === "closed" ? `${said} ${t("outcome.discussion.closed")}` : said;
  },
  debate,
  delphi: outcome,
};

/** Where a debate stands, of a result or a decision: a judge's word is a decision, but nobody's agreement. */
export const statusText = ({ status, decided_by }) => t(`debate.status.${decided_by === "judge" ? "judged" : status}`);

/** A summary has no status: then it is said in general who won, if anybody did. */
function debate({ consensus_reached, winner, status = null, decided_by = null }) {
  if (status === "converged") return t("debate.outcome.converged", { name: winner });
  if (status === "failed" || status === "insufficient_participation") return t(`debate.outcome.${status}`);
  if (consensus_reached || (winner && decided_by === "judge")) {
    return decided_by
      ? t("debate.outcome.won.by", { name: winner, mode: t(`debate.mode.${decided_by}`) })
      : t("debate.outcome.won", { name: winner });
  }
  return winner ? t("debate.outcome.leads", { name: winner }) : t("debate.outcome.none");
}
