// One open question as a form: what it is decided on, what is to be filled in, the time that is left, and the buttons that
// send it. A draft stays on the device.
import { fieldsOf } from "../answer/fields.js";
import { staysInSight } from "../answer/foot.js";
import { materials } from "../answer/material.js";
import { button, h, put, uid } from "../dom.js";
import { clock, languageCode, languageTag, t } from "./words.js";

/** For so long nothing is sent: a second tap meant for the question before is not an answer to this one. */
const SETTLES = 350;

/** Drafts of one room; that of the last question only. */
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
 * The panel: `{ node, refuse(message, field), tick(), close() }`. `send(values)` when it is sent; `now()`: the host's time;
 * `isFirst`: none stood on this page before, so that no tap can have been meant for it.
 */
export function panel({ ask, form, deadline, decides }, { draft, send, now, isFirst }) {
  const id = uid("ask");
  const said = h("p", { class: "said", role: "status" });
  const left = h("p", { class: "join-left", role: "timer", "aria-live": "off" });
  const sending = form.fields.find((field) => field.sends);
  const fields = fieldsOf(form.fields.filter((field) => field !== sending), () => {
    draft.write(ask, fields.read());
    shows();
  });
  const shows = () =>
    put(said,
      (decides ?? form.decides) && fields.told().length ? t("shown", { what: fields.told().join(" · ") }) : null);
  const submit = (values) => send(values);
  const options = sending && (sending.options ? [...sending.options].reverse() : [sending.yes, sending.no]);
  const buttons = options
    ? [h("p", { class: "sends-label", id: `${id}-sends` }, sending.label),
      h("div", { class: ["sends", options.length === 2 && "sends-two"], role: "group",
        "aria-labelledby": `${id}-sends` },
        options.map((option) =>
          button(option.name, () =>
            submit({ ...fields.read(), [sending.name]: sending.isFlag ? option === sending.yes : option.value }), {
            kind: "primary",
            testid: `send-${option.value}`,
          })
        ))]
    : [
      h("div", { class: "sends" }, form.skip && button(form.skip, () => submit({}), { testid: "skip" }),
        button(form.send, () => submit(fields.read()), { kind: "primary", testid: "send" })),
    ];
  const foot = staysInSight(h("div", { class: "human-foot" }, said, buttons));
  const lang = languageTag(languageCode(form.language));
  const heading = h("h2", { tabindex: "-1", id: `${id}-title` }, ask.startsWith("room/") ? form.question : t("turn"));
  const node = h("section", { class: "human join-question", "aria-labelledby": `${id}-title`, "data-testid": "question",
    "data-ask": ask }, h("header", { class: "human-head", lang: ask.startsWith("room/") ? lang : null }, heading, left),
    h("div", { lang },
      !ask.startsWith("room/") && h("p", { class: "human-question", id: `${id}-question` }, form.question),
      materials(form), fields.node, foot));
  const kept = draft.read(ask);
  if (kept) fields.write(kept);
  shows();
  const all = [...foot.querySelectorAll("button")];
  for (const one of all) one.disabled = !isFirst;
  const settling = setTimeout(() => {
    for (const one of all) one.disabled = false;
  }, SETTLES);
  return {
    node,
    focus: () => heading.focus({ preventScroll: true }),
    refuse(message, field) {
      put(said, h("span", { class: "bad", lang }, message));
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
    close: () => clearTimeout(settling),
  };
}
