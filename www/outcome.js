// The outcome of a run in a sentence.
import { t, income } from "./i18n.js";
import { principleName } from "./participants.tsx";
import { outcome } from "./delphi.js";

/** From a view whose run has ended. */
export function outcomeSentence({ outcome, result, head }) {
  if (outcome) return outcome;
  if (!result) return t("outcome.unfinished");
  return sentence(result, head?.protocol);
}

/** From a result or a summary of it. */
export function sentence(result, protocol = "justice") {
  return (SENTENCE[protocol] ?? SENTENCE.justice)(result);
}

const SENTENCE = {
  justice({ consensus_reached, chosen_principle, constraint_amount, rounds_completed: n }) {
    if (!consensus_reached) return t("outcome.none", { n });
    const values = { principle: principleName(chosen_principle), amount: income(constraint_amount), n };
    return t(constraint_amount === null ? "outcome.agreed" : "outcome.agreed.amount", values);
  },
  discussion({ completed_by, rounds, contributions }) {
    const said = t("outcome.discussion", { n: contributions, rounds: t("rounds.n", { n: rounds }) });
    return completed_by === "closed" ? `${said} ${t("outcome.discussion.closed")}` : said;
  },
  debate,
  delphi: outcome,
};

/** The status of a debate, of a result or a decision: a judge's decision is not an agreement. */
export const statusText = ({ status, decided_by }) => t(`debate.status.${decided_by === "judge" ? "judged" : status}`);

function debate({ consensus_reached, winner, status, decided_by }) {
  if (status === "converged") return t("debate.outcome.converged", { name: winner });
  if (status === "failed" || status === "insufficient_participation") return t(`debate.outcome.${status}`);
  if (consensus_reached || (winner && decided_by === "judge")) {
    return t("debate.outcome.won.by", { name: winner, mode: t(`debate.mode.${decided_by}`) });
  }
  return winner ? t("debate.outcome.leads", { name: winner }) : t("debate.outcome.none");
}
