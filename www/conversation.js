// The transcript as a conversation. Draws a view (see view.js), later only what changed in it.
import { h, put, icon } from "./dom.js";
import { t, has, dollars, income } from "./i18n.js";
import { avatar, seatOf, nameOf, principleName, orderOf } from "./participants.tsx";
import { markdown } from "./markdown.tsx";
import { CHAT } from "./chat.js";
import { pendingAsk, unreadNote, waiting } from "./ask-state.tsx";
import { detailsButton, drawBlocks, leaveBlocks } from "./block-item.tsx";
import { fellBack } from "./fallback-notice.js";
import { foldableSections } from "./transcript-sections.js";
import { asksOf } from "./inspector.tsx";
import { badge, distributions, examples, principles } from "./explain.js";
import { isSecret } from "./view.js";
import { spoken, unmarked } from "./text.js";

/**
 * A conversation that is updated by `update(view, streams)`. `onInspect(item, view)` is called when details of an item
 * are requested.
 */
export function conversation({ onInspect }) {
  const body = h("div", { class: "conversation", "data-testid": "conversation" });
  const drawn = new Map();
  const parts = foldableSections({ node: body });
  let view = null;
  let heads = [null, null];

  const context = contextOf(() => view, (item) => onInspect(view.items.get(item.key), view));

  function update(next, streams = new Map()) {
    const isFirst = next !== view;
    if (isFirst) {
      view = next;
      leaveItems();
      parts.clear();
      heads = [null, null];
      body.replaceChildren();
    }
    let after = null;
    for (const part of view.sections) {
      if (part.phase && !heads[part.phase - 1]) {
        heads[part.phase - 1] = h("header", { class: "phase-head" }, h("h2", null, t(`phase${part.phase}`)),
          h("p", { class: "quiet" }, t(`phase${part.phase}.text`)));
        if (after) after.after(heads[part.phase - 1]);
        else body.prepend(heads[part.phase - 1]);
      }
      if (part.phase && (!after || part.phase === 2 && after.dataset.phase === "1")) after = heads[part.phase - 1];
      const place = parts.take(part, after, part.phase ? 3 : 2);
      after = place.node;
      for (const [at, key] of part.items.entries()) {
        const item = view.items.get(key);
        const known = drawn.get(key);
        if (known?.version === item.version) {
          if (!item.done) stream(known.node, streams);
          continue;
        }
        const fresh = drawItem(item, context, known?.node);
        if (known && known.node !== fresh) {
          const focused = known.node.contains(document.activeElement)
            && document.activeElement.classList.contains("details");
          known.node.replaceWith(fresh);
          if (focused) fresh.querySelector(".details")?.focus();
        } else if (!known) {
          fresh.classList.add("arriving");
          // Inserted before the next item that is already drawn.
          const later = part.items.slice(at + 1).find((one) => drawn.has(one));
          place.list.insertBefore(fresh, later ? drawn.get(later).node : null);
        }
        drawn.set(key, { node: fresh, version: item.version });
        stream(fresh, streams);
      }
    }
    parts.settle(view, isFirst);
  }

  function leaveItems() {
    for (const { node } of drawn.values()) leaveBlocks(node);
    drawn.clear();
  }

  return { node: h("div", null, parts.tools, body), update, settle: () => parts.settle(view, false),
    shortcuts: parts.shortcuts, open: parts.open, leave() {
    leaveItems();
    parts.leave();
  } };
}

/** What drawing an item needs from its view; `inspect(item)` shows its questions and answers. */
export const contextOf = (view, inspect = null) => ({
  person: (name) => view().people.get(name) ?? { name, index: 0, kind: "scripted" },
  ask: (id) => view().asks.get(id),
  secret: (id) => isSecret(view(), view().asks.get(id)),
  inspect,
  details: (item, what) => inspect && asksOf(item).length > 0 && detailsButton(what, () => inspect(item)),
});

/** Draws an item of a conversation; one of blocks again into the same `place`. */
export function drawItem(item, context, place = undefined) {
  const node = item.blocks
    ? drawBlocks(item, context, place)
    : (DRAW[item.type] ?? CHAT[item.type] ?? DRAW.other)(item, context);
  node.classList.add("turn", `turn-${item.type}`);
  node.dataset.key = item.key;
  return node;
}

/** Writes the streamed text of unfinished items. */
export function stream(node, streams) {
  for (const target of node.querySelectorAll("[data-stream]")) {
    const text = unmarked(spoken(streams.get(target.dataset.stream)));
    if (text !== undefined && target.textContent !== text) target.textContent = text;
  }
}

const text = (item, context) => item.asks.map(context.ask).findLast((ask) => ask?.reply)?.reply.text ?? "";

/** A `<details>` whose content is made when it is opened. */
function folded(summary, make) {
  const place = h("div");
  return h("details", { class: "explained", on: { toggle: () => place.firstChild || put(place, make()) } },
    h("summary", null, summary), place);
}

/** A row of one participant in phase 1. */
function row(item, context, main, aside) {
  const person = context.person(item.seat);
  const open = pendingAsk(item, context);
  return h("li", { class: ["row-turn", !item.done && "open"] }, avatar(person, "small"),
    h("div", { class: "row-body" }, h("p", { class: "who" }, nameOf(person), open && waiting(open)), main,
      unreadNote(item, context),
      open && !open.structured && h("p", { class: "streaming clip", "data-stream": open.id, "aria-hidden": "true" })),
    h("div", { class: "row-side" }, aside, context.details(item, person.name)));
}

const DRAW = {
  fellback: fellBack,
  ranking(item, context) {
    const given = item.done ? orderOf(item.ranking, (id, at) => badge(id, null, at === 0)) : null;
    const sure = item.ranking?.certainty
      ? h("span", { class: "quiet" }, t(`certainty.${item.ranking.certainty}`))
      : null;
    return row(item, context, given, sure);
  },
  explanation(item, context) {
    const said = text(item, context);
    return row(item, context, [said ? h("div", { class: "clip" }, markdown(said)) : null,
      folded(t("explain.shown"), () => [principles(), distributions(item.shown), examples(item.shown)])], null);
  },
  application(item, context) {
    const { applied } = item;
    if (!applied) return row(item, context, null, null);
    return row(item, context, [
      h("p", { class: "chain" }, badge(applied.principle, applied.amount), applied.principle
        && h("span", { class: "quiet" },
          t("applied.class", { class: applied.class ? t(`class.${applied.class}`) : "–",
            income: income(applied.income) })),
        applied.principle === null && h("span", { class: "missing" }, t("applied.none")),
        applied.constraint_met === false && h("span", { class: "missing" }, t("applied.unmet"))),
      folded(t("explain.round"), () => distributions(applied, applied.distribution, applied.class)),
    ], h("span", { class: "money" }, dollars(applied.payoff)));
  },
  statement(item, context) {
    const person = context.person(item.seat);
    const open = pendingAsk(item, context);
    const thinking = open?.kind === "internal_reasoning";
    const reasoning = item.reasoning
      ? h("details", { class: "reasoning" }, h("summary", null, icon("lock"), " ", t("reasoning")),
        markdown(item.reasoning))
      : null;
    const body = item.done
      ? item.text
        ? h("div", { class: "bubble" }, markdown(item.text))
        : h("p", { class: "missing" }, t("statement.skipped"))
      : open && !thinking && ["sent", "retrying"].includes(open.state)
      ? h("div", { class: "bubble streaming" }, h("p", { class: "pre", "data-stream": open.id }))
      : null;
    return h("li", { class: ["say", seatOf(person), !item.done && "open"],
      "data-testid": item.done ? "statement" : null }, avatar(person),
      h("article", { "aria-label": t("statement.by", { name: person.name }) },
        h("p", { class: "who" }, nameOf(person), open && waiting(open),
          item.done && item.favored && h("span", { class: "favors" }, t("favors"), " ", badge(item.favored))),
        reasoning,
        thinking && h("p", { class: "streaming private pre", "data-stream": open.id, "aria-hidden": "true" }), body,
        item.validation === "best_effort" && h("p", { class: "note" }, icon("warn"), t("statement.best_effort")),
        h("p", { class: "under" },
          item.done && h("span", { class: "quiet" }, t("characters", { n: item.characters ?? 0 })),
          context.details(item, person.name))));
  },
  order(item, context) {
    return h("li", { class: "line" }, h("span", { class: "quiet" }, t("order")),
      h("ol", { class: "faces" },
        item.seats.map((name) => h("li", null, avatar(context.person(name), "tiny"), h("span", null, name)))));
  },
  notice(item) {
    return h("li", { class: ["notice", `notice-${item.notice}`] }, h("p", { class: "pre" }, item.text));
  },
  trimmed(item) {
    return h("li", { class: "line quiet" }, t("trimmed", { n: item.dropped }));
  },
  target(item, context) {
    return h("li", { class: "notice" }, h("p", null, icon("lock"), " ", item.target
      ? t("target", { name: item.seat, principle: principleName(item.target) })
      : t("target.none", { name: item.seat })));
  },
  initiation(item, context) {
    return h("li", { class: "line votes" }, h("span", null, t("initiation")),
      h("ul", { class: "answers" }, item.members.map((one) => answer(one, item, context))),
      context.details(item, t("initiation")));
  },
  vote(item, context) {
    const confirmed = item.members.filter((one) => one.asks.length || one.done);
    const voters = item.balloting ? item.members : [];
    return h("li", { class: "vote", "data-testid": "vote" },
      h("h4", null, item.initiator ? t("vote.by", { name: item.initiator }) : t("vote")), confirmed.length
      ? h("div", { class: "vote-part" },
        h("p", null, t("confirmation"),
          item.confirmed === false && h("strong", { class: "verdict" }, " ", t("confirmation.no")),
          item.confirmed && h("strong", { class: "verdict" }, " ", t("confirmation.yes"))),
        h("ul", { class: "answers" }, confirmed.map((one) => answer(one, item, context))))
      : null, voters.length && !item.ballot
      ? h("div", { class: "vote-part", "data-testid": "ballot-open" },
        h("p", null, icon("lock"), " ", t("ballot.secret")),
        h("ul", { class: "answers" },
          voters.map((one) =>
            h("li", { class: one.voting === "cast" && "cast" }, avatar(context.person(one.seat), "tiny"),
              h("span", null, one.seat), " ",
              one.voting && h("b", null, one.voting === "cast" ? t("ballot.cast") : t("ballot.waits")))
          )))
      : null, item.ballot && ballot(item.ballot, context),
      h("p", { class: "under" }, context.details(item, t("vote"))));
  },
  drawn(item) {
    const { drawn } = item;
    return h("li", { class: "notice" },
      h("p", null, drawn.distribution ? t("drawn.agreed", { n: drawn.distribution }) : t("drawn.none"), " ",
        drawn.no_consensus && has(`no_consensus.${drawn.no_consensus}`) ? t(`no_consensus.${drawn.no_consensus}`) : ""),
      distributions(drawn, drawn.distribution));
  },
  paid(item, context) {
    const { paid } = item;
    return row(item, context,
      h("p", { class: "chain" },
        h("span", { class: "quiet" },
          t("applied.class", { class: t(`class.${paid.class}`), income: income(paid.income) }))),
      h("span", { class: "money" }, dollars(paid.payoff)));
  },
  other(item) {
    return h("li", { class: "line quiet" }, item.type);
  },
};

function answer(one, item, context) {
  const open = one.asks.map(context.ask).findLast((ask) => ask && !["answered", "unanswered"].includes(ask.state));
  const said = one.done || one.answer !== undefined ? one.answer : undefined;
  const word = said === true
    ? "yes"
    : said === false
    ? "no"
    : said === null
    ? "unreadable"
    : open
    ? "asked"
    : "answered";
  return h("li", { class: `answer-${word}` }, avatar(context.person(one.seat), "tiny"), h("span", null, one.seat), " ",
    h("b", null, t(`answer.${word}`)));
}

/** A counted ballot: each vote and the result. */
function ballot(counted, context) {
  const kind = counted.disagreement;
  return h("div", { class: "vote-part", "data-testid": "ballot" },
    h("p", { class: ["verdict-line", counted.agreed ? "good" : "bad"] }, icon(counted.agreed ? "check" : "cross"),
      counted.agreed
        ? [t("ballot.agreed"), " ", badge(counted.agreed, counted.amount)]
        : has(`disagreement.${kind}`)
        ? t(`disagreement.${kind}`)
        : t("disagreement.other")),
    h("ul", { class: "ballots" },
      counted.votes.map((vote) =>
        h("li", null, avatar(context.person(vote.seat), "tiny"), h("span", null, vote.seat), vote.status === "valid"
          ? badge(vote.principle, vote.amount)
          : h("span", { class: "missing" }, t(`ballot.${vote.status}`)))
      )));
}
