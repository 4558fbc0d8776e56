// One open question as a form: material, fields, the time left, and the buttons that send it. A draft stays on the
// device.
import { keepInSight } from "../answer/sticky-buttons.js";
import { materials } from "../answer/material.js";
import { answerForm } from "../answer/submit.js";
import { h, put, uid } from "../dom.js";
import { clock, languageCode, languageTag, t } from "./words.js";

/** The draft of a room's last question. */
export function drafts(room) {
  const key = `quorate.draft.${room}`;
  const attempt = (act) => {
    try {
      return act();
    } catch {
      return null; // Storage may be closed to the page; then a reload begins anew.
    }
  };
  return {
    read: (ask) =>
      attempt(() => {
        const kept = JSON.parse(localStorage.getItem(key));
        return kept?.ask === ask ? kept.values : null;
      }),
    write: (ask, values) => attempt(() => localStorage.setItem(key, JSON.stringify({ ask, values }))),
    remove: () => attempt(() => localStorage.removeItem(key)),
  };
}

/**
 * The panel: `{ node, refuse(message, field), tick(), close() }`. `send(values)` is called to send; `now()` returns the
 * host's time; `isFirst`: there was no earlier question, so no tap can have been meant for it.
 */
export function panel(/** @type {import("../../src/web/guest.d.ts").Question} */ { ask, form, deadline, decides },
  { draft, send, now, isFirst }) {
  const id = uid("ask");
  const left = h("p", { class: "join-left", role: "timer", "aria-live": "off" });
  const { fields, notice, showAnswer, foot: sends, close } = answerForm(form, {
    changed: () => draft.write(ask, fields.read()),
    describe: (what) => t("shown", { what }),
    submit: send,
    testid: (name) => (name === "send" || name === "skip" ? name : `send-${name}`),
    decides: decides ?? form.decides,
    isFirst,
  });
  const foot = keepInSight(h("div", { class: "human-foot" }, sends));
  const lang = languageTag(languageCode(form.language));
  const heading = h("h2", { tabindex: "-1", id: `${id}-title` }, ask.startsWith("room/") ? form.question : t("turn"));
  const node = h("section", { class: "human join-question", "aria-labelledby": `${id}-title`, "data-testid": "question",
    "data-ask": ask }, h("header", { class: "human-head", lang: ask.startsWith("room/") ? lang : null }, heading, left),
    h("div", { lang },
      !ask.startsWith("room/") && h("p", { class: "human-question", id: `${id}-question` }, form.question),
      materials(form), fields.node, foot));
  const kept = draft.read(ask);
  if (kept) fields.write(kept);
  showAnswer();
  return {
    node,
    focus: () => heading.focus({ preventScroll: true }),
    refuse(message, field) {
      put(notice, h("span", { class: "bad", lang }, message));
      fields.goTo(field);
    },
    tick() {
      const rest = deadline == null ? null : deadline - now();
      left.hidden = rest === null;
      if (rest !== null) {
        left.textContent = rest > 0 ? t("left", { time: clock(rest) }) : t("left.none");
        left.classList.toggle("short", rest < 15_000);
      }
    },
    close,
  };
}
