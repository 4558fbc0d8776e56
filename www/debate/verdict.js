// The result of a debate: the answer, its author, and the dissent.
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { avatar } from "../participants.tsx";
import { statusText } from "../outcome.js";
import { markdown } from "../markdown.tsx";
import { checksOf } from "./convergence.js";
import { share, points } from "./judge.js";

const facts = (pairs) =>
  h("dl", { class: "facts" }, pairs.filter(([, value]) =>
    value
  ).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));

/** The answer, how it was decided, and the dissent. From a view whose run has ended. */
export function verdict(view) {
  const { result, people } = view;
  const measure = checksOf(view).at(-1)?.measure;
  const name = (seat) => h("span", { class: "who" }, avatar(people.get(seat), "tiny"), seat);
  // A proposal that is only ahead is its author's answer, not a decision.
  const isDecided = result.consensus_reached || result.status === "converged" || result.decided_by === "judge";
  return [
    facts([[t("debate.result.status"), statusText(result)], [
      t(isDecided ? "debate.result.winner" : "debate.result.leads"),
      result.winner && name(result.winner),
    ], [t("debate.result.by"), isDecided && t(`debate.mode.${result.decided_by}`)], [confidenceName(result, measure),
      result.decided_by === "none" ? null : share(result.confidence)], [t("debate.result.strength"),
      result.decided_by === "judge" && !result.consensus_reached
        ? null
        : t(`debate.strength.${result.consensus_strength}`)]]),
    result.final_answer
    && h("div", { class: "answer", "data-testid": "final-answer" },
      h("h3", null,
        isDecided || !result.winner ? t("debate.result.answer") : t("debate.dissent.of", { name: result.winner })),
      markdown(result.final_answer)),
    dissent(result, people),
  ];
}

/** Without a vote, the figure of a result says how alike the proposals are. */
const confidenceName = ({ decided_by: by }, measure) =>
  by !== "convergence"
    ? t("debate.result.confidence")
    : t(measure === "embedding" ? "debate.result.likeness" : "debate.result.likeness.words");

/** The authors of the other proposals, what they proposed, and the risks of the result. */
export function dissent(result, people) {
  const { risks, splits, unanimous } = result.disagreement;
  if (!result.dissenting.length && !risks.length && !splits.length && !unanimous.length) return null;
  const proposal = (seat) => result.proposals.find((one) => one.seat === seat);
  return h("div", { class: "dissent", "data-testid": "dissent" }, h("h3", null, t("debate.dissent")),
    result.dissenting.map((seat) =>
      h("details", { class: "dissenter" },
        h("summary", null, avatar(people.get(seat), "tiny"), " ", t("debate.dissent.of", { name: seat })),
        h("div", { class: "prose" }, markdown(proposal(seat)?.text ?? "")))
    ),
    h("ul", null, unanimous.map((issue) => h("li", null, t("debate.dissent.unanimous", { issue }))),
      splits.map((split) =>
        h("li", null,
          t(split.majority.length > split.minority.length ? "debate.dissent.split" : "debate.dissent.tied", {
            most: split.majority_choice,
            some: split.minority_choice,
            n: split.minority.length,
            names: split.minority.join(", "),
          }))
      ), risks.map((risk) =>
        h("li", null, risk.kind === "low_confidence"
          ? t("debate.risk.low_confidence", { name: risk.seat, choice: risk.choice, value: share(risk.confidence) })
          : [t("debate.risk.severe_critique", { name: risk.critic, value: points(risk.severity) }),
            risk.issue ? ` ${risk.issue}` : ""])
      )));
}
