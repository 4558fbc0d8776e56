// Items that have no blocks yet, as a participant sees them: statements, own results and outcomes of votes.
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
  vote: justiceVote,
  drawn: ({ drawn }) =>
    note(h("p", null, drawn.distribution == null ? t("drawn.none") : t("drawn.agreed", { n: drawn.distribution }))),
  paid: ({ paid }) =>
    paid
    && note(
      h("b", null,
        t("paid", { class: t(`class.${paid.class}`), income: income(paid.income), payoff: dollars(paid.payoff) })),
      h("p", null, t("bank", { money: dollars(paid.bank) })),
    ),
  message: (item, context) =>
    item.done
    && (item.text
      ? quote(context, item.guest?.name ?? item.seat, item.text)
      : note(h("p", null, context.name(item.seat), " ", t("passed")))),
  completed: () => note(h("p", null, t("completed"))),
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

/** Draws an item as a list item, or null if there is nothing to see. */
export function drawItem(item, context) {
  try {
    return DRAWN[item.type]?.(item, context) || null;
  } catch {
    // An item of another version: show the rest.
    return null;
  }
}
