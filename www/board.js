// A debate as a board: the question, then by round a card for each proposal with its critiques and changes, how alike
// the proposals are, the votes, the judge's table, and the verdict. Draws a view (see view.js), later only what changed
// in it.
import { h, put, icon } from "./dom.js";
import { material } from "./debate/material.js";
import { t, list, languageCode } from "./i18n.js";
import { avatar, seatOf, nameOf, reasonText } from "./participants.tsx";
import { fellBack } from "./fallback-notice.js";
import { markdown } from "./markdown.tsx";
import { changes } from "./debate/diff.js";
import { critique, waiting } from "./debate/critique.js";
import { checkLine, checksOf, convergenceChart } from "./debate/convergence.js";
import { judgement, share } from "./debate/judge.js";
import { eventLine } from "./debate/event-line.js";
import { roleOf } from "./debate/role.js";
import { countedBallot, openBallot, stretch } from "./debate/votes.js";
import { verdict } from "./debate/verdict.js";
import { contextOf, stream } from "./conversation.js";
import { foldableSections } from "./transcript-sections.js";

/**
 * A board that is updated by `update(view, streams)`. `onInspect(item, view)` is called when details of an item are
 * requested.
 */
export function board({ onInspect }) {
  const body = h("div", { class: "conversation board", "data-testid": "board" });
  const parts = foldableSections({ node: body, items: "lanes" });
  let view = null;
  let drawn = new Map();
  let head = null;
  let chart = null;
  let charted = 0;
  let ended = null;
  /** Cards that show the whole text instead of the changes, and details opened or closed by hand. */
  const whole = new Set();
  const opened = new Map();

  const context = {
    ...contextOf(() => view, (item) => onInspect(view.items.get(item.key), view)),
    get view() {
      return view;
    },
    /** A `<details>` that keeps its state when its card is redrawn. */
    fold: (key, open, summary, ...content) =>
      h("details", { open: opened.get(key) ?? open }, h("summary", { on: { click: (event) =>
        opened.set(key, !event.currentTarget.parentNode.open) } }, summary), ...content),
    isWhole: (key) => whole.has(key),
    toggle(key) {
      if (!whole.delete(key)) whole.add(key);
      const known = drawn.get(key);
      known.version = -1;
      update(view);
      drawn.get(key).node.querySelector(".swap")?.focus();
    },
  };

  function update(next, streams = new Map()) {
    const isFirst = next !== view;
    if (isFirst) {
      view = next;
      drawn = new Map();
      parts.clear();
      head = ended = null;
      chart?.leave();
      chart = null;
      charted = 0;
      body.replaceChildren();
    }
    if (!head && view.head) body.prepend(head = header(context));
    let after = head;
    for (const part of view.sections) {
      const place = parts.take(part, after, 2);
      after = place.node;
      part.items.forEach((key, at) => {
        const item = view.items.get(key);
        const known = drawn.get(key);
        let shown = known?.node;
        if (known?.version !== item.version) {
          shown = drawItem(item, context);
          stretch(shown);
          const focused = known?.node.contains(document.activeElement)
            && [...known.node.querySelectorAll("button, summary")].indexOf(document.activeElement);
          if (known) known.node.replaceWith(shown);
          else shown.classList.add("arriving");
          if (Number.isInteger(focused)) {
            (shown.querySelectorAll("button, summary")[focused] ?? shown.querySelector(".details"))?.focus();
          }
          drawn.set(key, { node: shown, version: item.version });
        }
        if (place.list.children[at] !== shown) place.list.insertBefore(shown, place.list.children[at] ?? null);
        if (!item.done) stream(shown, streams);
      });
    }
    drawChart();
    if (view.result && !ended) {
      body.append(
        ended = h("section", { class: "part verdict", "aria-labelledby": "verdict-title" },
          h("h2", { id: "verdict-title" }, t("debate.verdict")), verdict(view)),
      );
    }
    parts.settle(view, isFirst);
  }

  /** Draws one chart, in the newest check; a single check needs none. */
  function drawChart() {
    const checks = checksOf(view);
    const latest = checks.at(-1);
    if (checks.length < 2) return;
    const home = drawn.get(`check/${latest.round}`)?.node.querySelector(".chart-place");
    if (!home || (charted === checks.length && chart?.node.parentNode === home)) return;
    charted = checks.length;
    chart ??= convergenceChart(view);
    home.append(chart.node);
    chart.draw();
  }

  return {
    node: h("div", null, parts.tools, body),
    update,
    settle: () => parts.settle(view, false),
    shortcuts: parts.shortcuts,
    open: parts.open,
    leave() {
      chart?.leave();
      parts.leave();
    },
  };
}

/** Draws an item of a board. */
export function drawItem(item, context) {
  const node = (DRAW[item.type] ?? DRAW.other)(item, context);
  node.classList.add("turn", `turn-${item.type}`);
  node.dataset.key = item.key;
  return node;
}

function header({ view }) {
  return h("div", { class: "question-head" }, h("p", { class: "eyebrow" }, t("debate.question")),
    h("p", { class: "question", "data-testid": "question" }, view.question),
    h("ul", { class: "roster plain", "aria-label": t("people") },
      [...view.people.values()].map((person) =>
        h("li", null, avatar(person, "small"),
          h("div", null, h("p", { class: "who" }, nameOf(person)), h("p", { class: "quiet" }, roleOf(person))))
      )));
}

const openAsk = (ids, context) =>
  ids.map(context.ask).findLast((ask) => ask && !["answered", "unanswered"].includes(ask.state));
const failureNotes = (item) =>
  (item.failures ?? []).map(({ seat, kind, reason }) =>
    h("p", { class: "note", "data-testid": "failure" }, icon("warn"), " ",
      t("debate.failed", { name: seat, what: t(`kind_of_ask.${kind}`) }), " ", reasonText(reason))
  );
const unreadNote = (ids, context) => {
  const missed = ids.map(context.ask).filter((ask) => ask?.reading && ask.reading.value === null);
  return missed.length
    ? h("p", { class: "note" }, icon("warn"), " ", t("unread", { n: missed.length }), " ",
      reasonText(missed.at(-1).reading.reason))
    : null;
};

const DRAW = {
  fellback: fellBack,
  context(item) {
    return material(item.sources);
  },
  card(item, context) {
    const person = context.person(item.seat);
    const open = openAsk(item.asks, context);
    const isCritique = item.step === "critique";
    const label = t(isCritique ? "debate.critique.of" : "debate.card.of", { name: person.name });
    return h("li", { class: ["proposal", seatOf(person), !item.done && "open"], "data-testid": "card" },
      h("article", { "aria-label": label },
        h("header", { class: "proposal-head" }, avatar(person, "small"),
          h("div", null, h("h3", null, isCritique ? label : nameOf(person)),
            h("p", { class: "quiet" }, standing(item), " ", open && waiting(open))),
          h("div", { class: "proposal-side" },
            item.challenged && h("span", { class: "tag tag-open" }, t("debate.challenged")),
            context.details(item, label))), failureNotes(item), unreadNote(item.asks, context),
        isCritique && item.standing
          && context.fold(`${item.key}/standing`, false, t("debate.standing", { n: item.standing.version }),
            h("div", { class: "prose" }, markdown(item.standing.text))),
        item.members.length ? critiques(item, context, isCritique) : null, text(item, context, open),
        item.patterns?.length
          ? h("p", { class: "patterns" }, h("span", { class: "quiet" }, t("debate.patterns")), " ",
            item.patterns.map((pattern) => h("span", { class: "tag" }, t(`debate.pattern.${pattern}`))))
          : null));
  },
  check(item, context) {
    return h("li", { class: "check", "data-testid": "check" }, h("h3", null, t("debate.check")),
      checkLine(item.check, context.view, true),
      item.novelty && h("p", { class: "quiet" }, t("debate.novelty", { value: share(item.novelty.min) })),
      h("div", { class: "chart-place" }));
  },
  laid(item, context) {
    return h("li", { class: "notice", "data-testid": "laid" }, h("h3", null, t("debate.result.proposals")),
      item.proposals.map((one) =>
        h("details", null,
          h("summary", null, avatar(context.person(one.seat), "tiny"), " ", one.seat,
            h("span", { class: "quiet" }, ` · ${t("debate.version", { n: one.version })}`)),
          h("div", { class: "prose" }, markdown(one.text)))
      ));
  },
  challenge(item, context) {
    const { challenge } = item;
    return h("li", { class: "notice challenge", "data-testid": "challenge" },
      h("p", null, icon("warn"), " ", h("strong", null, t(`debate.challenge.${challenge.kind}`)), " ",
        h("span", { class: "quiet" },
          challenge.blocks && isOne(challenge.round, context) && t("debate.challenge.blocks"))),
      h("ul", { class: "answers" },
        challenge.targets.map((name) =>
          h("li", null, avatar(context.person(name), "tiny"), h("span", null, name), lacksOf(challenge, name))
        )), challenge.gaps.length
      ? h("ul", null,
        challenge.gaps.map((gap) =>
          h("li", null, `“${gap.claim}”`, h("span", { class: "quiet" }, ` · ${list(gap.seats)}`))
        ))
      : null);
  },
  vote(item, context) {
    const { people } = context.view;
    return h("li", { class: "vote", "data-testid": "vote" }, h("h3", null, t("debate.votes")), failureNotes(item),
      item.decision
        ? h("div", { "data-testid": "ballot" }, countedBallot(context.view, item))
        : openBallot(item.members, people), h("p", { class: "under" }, context.details(item, t("debate.votes"))));
  },
  judge(item, context) {
    const open = openAsk(item.asks, context);
    const name = item.seat ?? context.view.judge ?? "";
    return h("li", { class: "vote", "data-testid": "judge" },
      h("h3", { class: "who" }, avatar(context.person(name), "small"), t("debate.judge.by", { name }),
        open && waiting(open)), failureNotes(item), unreadNote(item.asks, context),
      judgement({ ...item, seat: name }, context.view.people),
      open && !open.structured && h("p", { class: "streaming clip", "data-stream": open.id, "aria-hidden": "true" }),
      h("p", { class: "under" }, context.details(item, t("debate.kind.judge"))));
  },
  failed(item) {
    return h("li", { class: "notice" }, failureNotes({ failures: [item] }));
  },
  moment(item, context) {
    const open = openAsk(item.asks, context);
    const label = item.kind ? t(`kind_of_ask.${item.kind}`) : "";
    return h("li", { class: "notice", "data-testid": "moment" },
      h("p", null, item.event ? eventLine(item.event) : label, " ", open && waiting(open)), failureNotes(item),
      item.asks.length ? h("p", { class: "under" }, context.details(item, label)) : null);
  },
  early(item) {
    return h("li", { class: "notice", "data-testid": "early" },
      h("p", null, t(`debate.early.${item.reason}`, { n: item.round })));
  },
  other(item) {
    return h("li", { class: "line quiet" }, item.type);
  },
};

/** The state of a card's proposal. */
function standing(item) {
  if (item.step === "critique") return "";
  if (item.edition) return t("debate.version", { n: item.edition });
  if (item.standing && (item.done || item.over)) return t("debate.unchanged", { n: item.standing.version });
  return item.standing
    ? t("debate.version.from", { n: item.standing.version })
    : item.done
    ? t("debate.noproposal")
    : "";
}

/** The text of a card: the changes or the whole, or what has been streamed so far. */
function text(item, context, open) {
  if (open) {
    return ["sent", "retrying"].includes(open.state)
      ? h("p", { class: "streaming prose pre", "data-stream": open.id })
      : null;
  }
  if (!item.edition) return null;
  if (!item.before) return h("div", { class: "prose", "data-testid": "proposal" }, markdown(item.text));
  const person = context.person(item.seat);
  const marked = context.isWhole(item.key)
    ? null
    : changes(item.before.text, item.text, languageCode(person.language) ?? "en");
  const swap = h("button", { type: "button", class: "button button-quiet swap", "aria-pressed": String(!marked),
    "data-testid": "swap", on: { click: () => context.toggle(item.key) } }, t("debate.whole"));
  return [h("div", { class: "prose", "data-testid": "proposal" }, marked ?? markdown(item.text)),
    h("p", { class: "under" }, swap)];
}

function critiques(item, context, isOpen) {
  const count = item.members.filter((one) => one.critique).length;
  const all = h("ul", { class: "critiques plain" },
    item.members.map((one) => critique(one, context, openAsk(one.asks, context))));
  if (isOpen) return all;
  return context.fold(`${item.key}/critiques`, !item.edition, t("debate.critiques.n", { n: count }), all);
}

/** Returns whether the proposals of a round would have ended the debate. */
const isOne = (round, context) =>
  checksOf(context.view).some((check) => check.round === round && check.status === "converged");

const lacksOf = (challenge, name) => {
  const lacks = challenge.lacks.find(([seat]) => seat === name)?.[1] ?? [];
  return lacks.length
    ? h("span", { class: "quiet" },
      ` ${t("debate.lacks", { list: list(lacks.map((lack) => t(`debate.lack.${lack}`))) })}`)
    : null;
};
