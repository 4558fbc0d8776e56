// Search in a transcript: matches are marked and shown one by one, also in folded sections. Ignores case and accents.
import { h, put, button, uid, isComposing } from "./dom.js";
import { t } from "./i18n.js";
import { placesIn } from "./text.js";

/** Ranges that match `wanted` below `node`, also across elements. */
function rangesIn(node, wanted) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  let whole = "";
  while (walker.nextNode()) {
    const text = /** @type {Text} */ (walker.currentNode);
    texts.push({ text, from: whole.length });
    whole += text.data;
  }
  const end = (offset, isEnd) => {
    const { text, from } = texts.findLast((one) => one.from < offset || (!isEnd && one.from === offset)) ?? texts[0];
    return /** @type {const} */ ([text, offset - from]);
  };
  return placesIn(whole, wanted).map(([from, to]) => {
    const range = document.createRange();
    range.setStart(...end(from, false));
    range.setEnd(...end(to, true));
    return range;
  });
}

/** Marks matches without changing the document, if the browser supports it. */
function mark(ranges, now) {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return;
  const marks = { found: ranges, "found-now": now ? [now] : [] };
  for (const [name, all] of Object.entries(marks)) {
    if (all.length) CSS.highlights.set(name, new Highlight(...all));
    else CSS.highlights.delete(name);
  }
}

/**
 * The search field. `reveal(turn)` unfolds the section of a match.
 * @param {{ within: HTMLElement, reveal: (turn: Element) => void }} options
 */
export function search({ within, reveal }) {
  const id = uid("find");
  let ranges = [];
  let at = -1;
  const count = h("output", { for: id, class: "quiet", "data-testid": "found" });
  const field = h("input", { id, type: "search", placeholder: t("find"), autocomplete: "off", "data-testid": "find",
    on: {
      input: () => searchFor(true),
      keydown: (event) => {
        if (isComposing(event)) return;
        if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
        else if (event.key === "Escape" && field.value) field.value = "";
        else return;
        event.preventDefault();
        if (event.key === "Escape") searchFor(false);
      },
    } });
  const move = (label, by, testid) =>
    button(t(label), () => step(by), { kind: "quiet", icon: by < 0 ? "up" : "down",
      class: "button button-quiet button-icon", "aria-label": t(label), testid });
  const moves = h("span", { class: "row tight", hidden: true }, move("find.before", -1, "find-before"),
    move("find.next", 1, "find-next"));

  function searchFor(isNew) {
    const wanted = field.value.trim();
    ranges = wanted ? [...within.querySelectorAll(".turn")].flatMap((turn) => rangesIn(turn, wanted)) : [];
    if (isNew) at = -1;
    at = Math.min(at, ranges.length - 1);
    moves.hidden = !ranges.length;
    showCount();
  }
  function showCount() {
    mark(ranges, ranges[at]);
    const wanted = field.value.trim();
    put(count, !wanted
      ? ""
      : !ranges.length
      ? t("find.none")
      : at < 0
      ? t("find.count", { n: ranges.length })
      : t("find.at", { at: at + 1, of: ranges.length }));
  }
  function step(by) {
    if (!ranges.length) return;
    at = (at + by + ranges.length + (at < 0 && by < 0 ? 1 : 0)) % ranges.length;
    const turn = ranges[at].startContainer.parentElement.closest(".turn");
    reveal(turn);
    turn.querySelectorAll(".clip").forEach((clipped) => clipped.classList.remove("clip"));
    for (let outer = ranges[at].startContainer.parentElement.closest("details"); outer;
      outer = outer.parentElement.closest("details")) outer.open = true;
    const { top, bottom } = ranges[at].getBoundingClientRect();
    if (top < 160 || bottom > innerHeight - 80) scrollBy({ top: top - innerHeight / 3, behavior: "instant" });
    showCount();
  }

  return {
    node: h("div", { class: "find", role: "search" }, h("label", { for: id, class: "sr-only" }, t("find")), field,
      moves, count),
    focus: () => {
      field.focus();
      field.select();
    },
    /** Called after each drawing. */
    refresh: () => field.value && searchFor(false),
    leave: () => mark([], null),
  };
}
