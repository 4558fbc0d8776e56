// Sections of a transcript that fold to one line per speaker, with buttons to fold all and a search. A section folds
// automatically when it has been read and scrolled away; those folded or unfolded by hand stay.
import { h, put, button } from "./dom.js";
import { t, list, language, number } from "./i18n.js";
import { avatar } from "./participants.tsx";
import { gist } from "./section-summary.js";
import { chosen } from "./block-item.tsx";
import { search } from "./transcript-search.js";

/** Returns whether an item still waits for an answer. */
const isUnderWay = (view, item) =>
  !item.done && !item.over
  && item.asks.some((id) => !["answered", "unanswered", "withdrawn"].includes(view.asks.get(id)?.state));

/** The line of one speaker, or of a common action. */
function line(view, one) {
  const person = one.seat && view.people.get(one.seat);
  const words = one.word && t(one.word, { n: one.count ?? 0 });
  return h("li", { class: "gist-line" },
    one.seat && [avatar(person ?? { name: one.seat, index: 0 }, "tiny"), h("b", null, one.seat)],
    one.says && h("span", { class: "gist-says" }, one.says), words && h("span", { class: "tag" }, words),
    one.tally?.map(([choice, count]) => h("span", { class: "gist-tally" }, chosen(choice), ` × ${number(count)}`)),
    one.from
      && h("span", { class: "gist-change" }, h("span", { class: "gist-word" }, t("gist.changed"), " "),
        chosen(one.from), " → ", chosen(one.to)));
}

/**
 * Keeps the sections of a transcript in `node`, in the order of the view.
 * @param {{ node: HTMLElement, items?: string }} options `items` are further classes of the lists
 */
export function foldableSections({ node, items = "" }) {
  const parts = new Map();
  /** Sections folded (false) or unfolded (true) by hand. */
  const byHand = new Map();
  let all = null;
  const toggleAll = button("", () => openAll(!isAllOpen()), { kind: "quiet", testid: "fold-all" });
  const finder = search({ within: node,
    reveal: (turn) => open(turn.closest(".part").getAttribute("data-part"), true) });
  const tools = h("div", { class: "rounds-tools no-print" }, finder.node, toggleAll);

  const isAllOpen = () => [...parts.values()].every((place) => !place.list.hidden);
  const label = () => {
    const text = t(isAllOpen() ? "rounds.fold" : "rounds.unfold");
    if (toggleAll.textContent !== text) put(toggleAll.lastChild, text);
  };

  function openAll(isOpen) {
    all = isOpen;
    byHand.clear();
    for (const [key] of parts) open(key, all, false);
    label();
  }

  function open(key, isOpen, byUser = true) {
    const place = parts.get(key);
    if (byUser) byHand.set(key, isOpen);
    place.mark.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) place.list.removeAttribute("hidden");
    // The browser's own search finds folded text and unfolds it.
    else place.list.setAttribute("hidden", "until-found");
    place.gist.hidden = isOpen;
    if (byUser) label();
  }

  /** The place of a section, created after `after` (or first) if there is none. */
  function take(part, after, level) {
    let place = parts.get(part.key);
    if (!place) {
      const id = `part-${part.key.replaceAll("/", "-")}`;
      const mark = h("button", { type: "button", class: "fold", id: `${id}-title`, "aria-expanded": "true",
        "aria-controls": `${id}-items`, on: { click: () =>
          open(part.key, mark.getAttribute("aria-expanded") !== "true") } });
      const turns = h("ol", { class: `turns ${items}`, id: `${id}-items`, on: { beforematch: () =>
        open(part.key, true) } });
      const gistList = h("ul", { class: "gist plain", hidden: true });
      place = { mark, list: turns, gist: gistList, heading: "", stamp: "",
        node: h("section", { class: ["part", `part-${part.step}`], id, "data-part": part.key,
          "data-phase": part.phase ?? null, tabindex: "-1", "aria-labelledby": `${id}-title` },
          h(`h${level}`, null, mark), gistList, turns) };
      parts.set(part.key, place);
      if (after) after.after(place.node);
      else node.prepend(place.node);
    }
    const heading = part.title;
    if (place.heading !== heading) {
      put(place.mark, h("span", { class: "fold-mark", "aria-hidden": "true" }), place.heading = heading);
    }
    return place;
  }

  /** Updates summaries and folds sections, after each drawing. `isFirst`: the view is new. */
  function settle(view, isFirst) {
    const last = view.sections.at(-1);
    node.dataset.run = view.run;
    for (const part of view.sections) {
      const place = parts.get(part.key);
      const items = part.items.map((key) => view.items.get(key));
      const stamp = `${language()} ${items.map((item) => item.version)}`;
      if (place.stamp !== stamp) {
        const lines = gist(view, part, language());
        put(place.gist, lines.map((one) => line(view, one)));
        place.mark.disabled = !lines.length;
        place.stamp = stamp;
      }
      if (byHand.has(part.key) || place.mark.disabled) continue;
      if (all !== null) open(part.key, all, false);
      else if (part !== last && !place.list.hidden && !items.some((item) => isUnderWay(view, item))
        && (isFirst || hasLeft(place.node))) open(part.key, false, false);
    }
    tools.hidden = !last;
    label();
    finder.refresh();
  }

  /** Returns whether it is above the visible part and has no focus. */
  const hasLeft = (section) =>
    section.getBoundingClientRect().bottom < 0 && !section.contains(document.activeElement)
    && !document.querySelector("dialog[open]");

  /** Moves by `by` sections from the one at the top. */
  function step(by) {
    const places = [...parts.values()].map((place) => place.mark);
    const focused = places.findIndex((mark) => mark.closest(".part").contains(document.activeElement));
    const top = places.findLastIndex((mark) => mark.getBoundingClientRect().top < innerHeight / 3);
    const next = places[Math.max(0, Math.min(places.length - 1, (focused >= 0 ? focused : top) + by))];
    if (!next) return;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  }

  return {
    tools,
    take,
    settle,
    shortcuts: [
      { key: "/", says: "shortcut.search", go: finder.focus },
      { key: "f", says: "shortcut.fold", go: () => toggleAll.click() },
      { key: "j", says: "shortcut.next", go: () => step(1) },
      { key: "k", says: "shortcut.before", go: () => step(-1) },
    ],
    clear() {
      parts.clear();
      byHand.clear();
      all = null;
    },
    leave: finder.leave,
    /** Unfolds a section. */
    open: (key) => parts.has(key) && open(key, true),
  };
}
