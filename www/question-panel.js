// The question to a person at this page, from its form: material, fields, and the buttons that send the answer, which
// are always in sight.
import { h, put, uid } from "./dom.js";
import { t } from "./i18n.js";
import { avatar, seatOf } from "./participants.tsx";
import { draftKeeper } from "./draft.js";
import { keepInSight } from "./answer/sticky-buttons.js";
import { materials } from "./answer/material.js";
import { answerForm } from "./answer/submit.js";

/** The panel for one open ask. */
export async function question({ lab, ask, engine, onSent }) {
  const { form } = ask;
  const stored = await engine.Library.draft(lab.session.id, ask.id).catch(() => null);
  const person = lab.view.people.get(ask.seat);
  const id = uid("ask");
  const kept = { value: "" };
  const keep = draftKeeper(engine.Library, lab.session.id, ask.id, kept, stored ?? "");
  const isText = form.fields.length === 1 && form.fields[0].name === "text";
  const submit = (values) => {
    try {
      if (lab.session.answer(ask.id, values)) {
        kept.value = "";
        keep();
        return onSent();
      }
      put(notice, t("human.late"));
    } catch (error) {
      if (error.code !== "form") throw error;
      put(notice, h("span", { class: "bad", lang: form.language }, error.message));
      fields.goTo(error.detail?.field);
    }
  };
  const { fields, notice, showAnswer, foot: sends } = answerForm(form, {
    changed() {
      node.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
      const values = fields.read();
      kept.value = isText ? values.text ?? "" : Object.keys(values).length ? JSON.stringify(values) : "";
      keep();
    },
    describe: (what) => t("human.shown", { what }),
    submit,
    testid: (name) => `human-${name}`,
  });
  const foot = keepInSight(h("div", { class: "human-foot", lang: form.language }, sends));
  // The heading says everything about a turn in a discussion.
  const asks = ask.kind !== "turn";
  const heading = h("h2", { tabindex: "-1", id: `${id}-title` }, t("human.title", { name: ask.seat }));
  const node = h("section", { class: ["human", seatOf(person)], role: "group",
    "aria-labelledby": `${id}-title${asks ? ` ${id}-question` : ""}`, "data-testid": "human", "data-ask": ask.id,
    "data-kind": ask.kind }, h("header", { class: "human-head" }, avatar(person), heading),
    h("div", { lang: form.language }, asks && h("p", { class: "human-question", id: `${id}-question` }, form.question),
      materials(form), fields.node), foot);
  node.querySelector("textarea, .amount input")?.setAttribute("aria-describedby",
    `${id}-${asks ? "question" : "title"}`);
  /** A wrong number is reported when its field is left; a pressed button reports its own problems. */
  fields.node.addEventListener("focusout", ({ target, relatedTarget }) => {
    const name = target.closest(".ask-field:has(.amount)")?.dataset.field;
    const values = fields.read();
    const isAsking = target.closest(".number-field")?.querySelector("button");
    if (values[name] === undefined || isAsking || foot.contains(relatedTarget)) return;
    try {
      lab.session.previewAnswer(ask.id, values);
    } catch (error) {
      if (error.detail?.field !== name) return;
      put(notice, h("span", { class: "bad", lang: form.language }, error.message));
      target.setAttribute("aria-invalid", "true");
    }
  });
  if (stored) {
    try {
      fields.write(isText ? { text: stored } : JSON.parse(stored));
    } catch {
      // A draft of another form: start empty.
    }
  }
  showAnswer();
  return { node, focus: () => {
    // Focuses a single text field; otherwise the heading, so that the question is read first.
    const typed = form.fields.length === 1 ? node.querySelector("textarea, .amount input") : null;
    (typed ?? heading).focus({ preventScroll: true });
    const bar = document.querySelector(".run-bar")?.clientHeight ?? 0;
    window.scrollBy({ top: node.getBoundingClientRect().top - bar - 4, behavior: "instant" });
  } };
}
