// Messages of a discussion in a conversation.
import { h, icon } from "./dom.js";
import { t, has } from "./i18n.js";
import { avatar, seatOf, nameOf } from "./participants.tsx";
import { markdown } from "./markdown.tsx";
import { pendingAsk, waiting } from "./ask-state.tsx";

export const roleTag = (role) => (role ? h("span", { class: ["tag", `role-${role}`] }, t(`seat.${role}`)) : null);

/** Notes on how a message was made. */
function notes({ metadata, seat }) {
  const parts = [];
  if (metadata.answered_as) parts.push(t("chat.answered_as", { name: seat, other: metadata.answered_as }));
  else if (metadata.raw) parts.push(t("chat.cut"));
  return parts.map((one) => h("p", { class: "note" }, icon("warn"), one));
}

export const CHAT = {
  message(item, context) {
    const person = item.guest ?? context.person(item.seat);
    const open = item.done ? null : pendingAsk(item, context);
    // A person who is expected to answer has the question below.
    if (!item.done && (!open || item.isPerson)) return h("li", { hidden: true });
    if (item.done && !item.text) {
      return h("li", { class: "line quiet", "data-testid": "silence" }, avatar(person, "tiny"),
        h("span", null, t(item.metadata.passed ? "chat.passed" : "chat.empty", { name: item.seat })),
        item.asks.length > 0 && context.details(item, item.seat));
    }
    return h("li", { class: ["say", "chat", item.isPerson && "own", seatOf(person), !item.done && "open"],
      "data-testid": item.done ? "message" : null, "data-seat": item.seat }, avatar(person),
      h("article", { "aria-label": t("chat.by", { name: person.name }) },
        h("p", { class: "who" }, nameOf(person), roleTag(item.role), open && waiting(open),
          item.done && item.metadata.out_of_turn && h("span", { class: "tag" }, t("chat.out_of_turn"))), item.done
        ? h("div", { class: "bubble" }, markdown(item.text))
        : ["sent", "retrying"].includes(open.state)
        ? h("div", { class: "bubble streaming" }, h("p", { class: "pre", "data-stream": open.id }))
        : null, item.done && notes(item),
        item.asks.length > 0 && h("p", { class: "under" }, context.details(item, person.name))));
  },
  noted(item) {
    const key = `chat.note.${item.code}`;
    return h("li", { class: "notice", "data-testid": "noted" },
      h("p", null, icon("warn"), " ", has(key) ? t(key, { about: item.about }) : item.about));
  },
  completed(item) {
    return h("li", { class: "notice notice-end" }, h("p", null, icon("check"), " ", t(`chat.completed.${item.by}`)));
  },
};
