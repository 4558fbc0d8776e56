// Items that have no blocks yet, as a participant sees them: statements, own results, outcomes of votes, proposals and
// critiques.
import { filled, h, verbatim } from "../dom.js";
import { dollars, income, t } from "./words.js";

const paragraphs = (text) =>
  String(text ?? "").split(/\n+/).filter((line) => line.trim()).map((line) => h("p", null, line));
const principle = (id, amount) =>
  `${t(`principle.${id}`)}${amount == null ? "" : `, ${t("amount", { amount: income(amount) })}`}`;
const note = (...inside) => h("li", { class: "seen-note" }, inside);
const quote = (context, seat, text, more = null) =>
  h("li", { class: ["seen-said", context.isMe(seat) && "mine"] }, h("b", { class: "seen-who" }, context.name(seat)),
    paragraphs(text), more);

/** Each returns the content of a list item, or null. */
const DRAWN = {
  ranking: ({ ranking, moment, done }) =>
    done
    && note(h("b", null, `${t("ranked")} · ${t(`moment.${moment}`)}`), ranking
      ? h("ol", { class: "seen-ranking" }, ranking.order?.map((id) => h("li", null, t(`principle.${id}`))))
      : h("p", null, t("ranked.none"))),
  application: ({ applied, round }) =>
    applied
    && note(
      h("b", null,
        t("applied", { n: round, principle: applied.principle ? principle(applied.principle, applied.amount) : "–" })),
      h("p", null, applied.income == null
        ? t("applied.none")
        : t("applied.paid", { class: t(`class.${applied.class}`), income: income(applied.income),
          payoff: dollars(applied.payoff) })),
    ),
  statement: (item, context) => item.done && item.text && quote(context, item.seat, item.text),
  notice: ({ text }) => note(paragraphs(text)),
  target: ({ target }) => target && note(h("b", null, t("target", { principle: t(`principle.${target}`) }))),
  vote: (item,
    context) => (item.round !== undefined && item.groups ? debateVote(item, context) : justiceVote(item, context)),
  drawn: ({ drawn }) =>
    note(h("p", null, drawn.distribution == null ? t("drawn.none") : t("drawn.agreed", { n: drawn.distribution }))),
  paid: ({ paid }) =>
    paid
    && note(
      h("b", null,
        t("paid", { class: t(`class.${paid.class}`), income: income(paid.income), payoff: dollars(paid.payoff) })),
      h("p", null, t("bank", { money: dollars(paid.bank) })),
    ),
  card: (item, context) => {
    const text = item.text || item.standing?.text;
    const critics = (item.members ?? []).filter(({ critique }) => critique);
    if (!text && !critics.length) return null;
    return h("li", { class: ["seen-said", context.isMe(item.seat) && "mine"] },
      h("b", { class: "seen-who" }, filled(t("proposal"), { name: context.name(item.seat) })), item.edition === null
      // A card under critiques was shown before.
      ? h("details", null, h("summary", null, t("debate.whole")), paragraphs(text))
      : paragraphs(text),
      critics.map(({ seat, critique }) =>
        h("details", { open: context.isMe(item.seat) },
          h("summary", null, seat ? filled(t("critique"), { name: context.name(seat) }) : t("critique.some")),
          critique.issues?.length || critique.suggestions?.length
            ? h("ul", null, [...(critique.issues ?? []), ...(critique.suggestions ?? [])].map((one) =>
              h("li", null, one)
            ))
            : paragraphs(critique.reasoning))
      ));
  },
  judge: ({ judged, decision }, context) =>
    judged
    && note(h("b", null, t("judged")),
      decision?.winner && h("p", null, filled(t("debate.leads"), { name: context.name(decision.winner) })),
      paragraphs(judged.evaluation?.synthesis ?? "")),
};

function justiceVote({ initiator, confirmed, ballot }, context) {
  if (!ballot && confirmed !== false) return null;
  const own = ballot?.votes?.find(({ seat }) => context.isMe(seat));
  return note(initiator && h("b", null, filled(t("vote.by"), { name: context.name(initiator) })), h("p", null, !ballot
    ? t("vote.unconfirmed")
    : ballot.agreed
    ? t("vote.agreed", { principle: principle(ballot.agreed, ballot.amount) })
    : t("vote.not")), own?.principle && h("p", null, t("vote.own", { what: principle(own.principle, own.amount) })));
}

function debateVote({ votes, decision }, context) {
  if (!decision) return null;
  const own = votes.find(({ seat, choice }) => choice && context.isMe(seat));
  return note(
    h("b", null,
      decision.winner ? filled(t("decision.winner"), { name: context.name(decision.winner) }) : t("decision.none")),
    own && h("p", null, filled(t("vote.own"), { what: context.name(own.choice) })),
  );
}

/** Draws an item as a list item, or null if there is nothing to see. */
export function drawItem(item, context) {
  try {
    return DRAWN[item.type]?.(item, context) || null;
  } catch {
    // An item of another version: show the rest.
    return null;
  }
}
