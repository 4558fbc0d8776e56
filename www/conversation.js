// The transcript as a conversation. Draws a view (see view.js), later only what changed in it.
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { drawBlocks, leaveBlocks } from "./block-item.tsx";
import { foldableSections } from "./transcript-sections.js";
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
  let question = null;

  const context = contextOf(() => view, (item) => onInspect(view.items.get(item.key), view));

  function update(next, streams = new Map()) {
    const isFirst = next !== view;
    if (isFirst) {
      view = next;
      leaveItems();
      parts.clear();
      heads = [null, null];
      question = null;
      body.replaceChildren();
    }
    if (!question && view.question) {
      body.prepend(question = h("p", { class: "question", "data-testid": "question" }, view.question));
    }
    let after = question;
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
        if (!known) {
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
  // Only people speak without a seat.
  person: (name) => view().people.get(name) ?? { name, kind: "human" },
  ask: (id) => view().asks.get(id),
  inspect,
});

/** Draws an item of a conversation into its `place`. */
export function drawItem(item, context, place = undefined) {
  const node = drawBlocks(item, context, place);
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
