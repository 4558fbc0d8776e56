// Votes for proposals: who has voted while the ballot is open; the votes and the result afterwards.
import { h, icon, table } from "../dom.js";
import { t, number, list } from "../i18n.js";
import { avatar } from "../participants.tsx";
import { points, share, verdictLine } from "./judge.js";

/** Who has voted; the votes are secret until the count. */
export function openBallot(members, people) {
  return h("div", { "data-testid": "ballot-open" }, h("p", null, icon("lock"), " ", t("ballot.secret")),
    h("ul", { class: "answers" },
      members.map((one) =>
        h("li", { class: one.voting === "cast" && "cast" }, avatar(people.get(one.seat), "tiny"),
          h("span", null, one.seat), " ", h("b", null, t(one.voting === "cast" ? "ballot.cast" : "ballot.waits")))
      )));
}

/** `rows`: `{ seat, choice, confidence, reasoning, state }`. */
function voteTable(rows, people) {
  return table(t("debate.votes"), [t("participant"), t("debate.vote.for"), t("debate.vote.confidence"),
    t("debate.vote.why")], rows.map(({ seat, choice, confidence, reasoning, words, state }) => [
      h("th", { scope: "row", class: "whose" }, avatar(people.get(seat), "tiny"), " ", seat),
      h("td", { class: "whose" }, state === "cast"
        ? [avatar(people.get(choice), "tiny"), " ", choice]
        : h("span", { class: "missing" }, t(`debate.vote.${state}`)),
        words && h("span", { class: "quiet" }, ` “${words}”`)),
      confidence === null ? "–" : share(confidence),
      h("td", { class: "comment" }, reasoning),
    ]), { "data-testid": "votes-table" });
}

const hundredths = (value) => number(Math.round(value * 100) / 100);

/** Votes and weight by proposal, as bars. */
function tally({ rows, total, took_part, required, weights = [], bonuses = [] }, people) {
  return [
    h("ul", { class: "tally plain" },
      rows.map((row) =>
        h("li", null, avatar(people.get(row.choice), "tiny"), h("span", { class: "tally-name" }, row.choice),
          h("span", { class: "bar", "aria-hidden": "true" },
            h("i", { "data-share": total > 0 ? row.weight / total : 0 })),
          h("span", { class: "tally-count" }, t("debate.vote.count", { n: row.votes }),
            h("span", { class: "quiet" }, ` · ${t("debate.vote.weight", { value: points(row.weight) })}`)))
      )),
    h("p", { class: "quiet" }, t("debate.quorum", { took: number(took_part), required: number(required) })),
    weights.some(([, weight]) => weight !== 1)
    && h("p", { class: "quiet", "data-testid": "weights" },
      t("debate.weights", { list: list(weights.map(([name, weight]) => `${name} ${hundredths(weight)}`)) })),
    bonuses.length > 0
    && h("p", { class: "quiet", "data-testid": "bonuses" },
      t("debate.bonuses", { list: list(bonuses.map(([name, bonus]) => `${name} ${hundredths(bonus)}`)) })),
  ];
}

/** A counted ballot. If a judge decides, the votes alone decide nothing. */
export function countedBallot(view, item) {
  const { decision } = item;
  const judged = (view.head?.config?.consensus ?? "majority") === "judge"
    && decision.status !== "insufficient_participation";
  return [tally(decision.tally, view.people), voteTable(item.votes, view.people),
    decision.note && h("p", null, t(`debate.note.${decision.note}`)), judged
    ? h("p", { class: "quiet" },
      decision.winner ? t("debate.votes.judge", { name: decision.winner }) : t("debate.votes.judge.none"))
    : verdictLine(decision)];
}

/** Sets the length of bars by script: the page's security policy allows no style attributes. */
export function stretch(node) {
  for (const bar of node.querySelectorAll("[data-share]")) {
    bar.style.width = `${Math.max(0, Math.min(1, Number(bar.dataset.share))) * 100}%`;
  }
  for (const mark of node.querySelectorAll("[data-at]")) {
    mark.style.left = `${Math.max(0, Math.min(1, Number(mark.dataset.at))) * 100}%`;
  }
}
