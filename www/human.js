// The question to a person at this page, drawn from its form: what it is decided on, what is to be filled in, and the
// buttons that send it, which are always in sight.
import { h, put, button, uid } from "./dom.js";
import { t } from "./i18n.js";
import { avatar, seatOf } from "./people.js";
import { draftKeeper } from "./draft.js";
import { staysInSight } from "./answer/foot.js";
import { materials } from "./answer/material.js";
import { fieldsOf } from "./answer/fields.js";

/** For so long nothing is sent: a second tap meant for the question before is not an answer to this one. */
const SETTLES = 350;

/** The panel for one open ask. */
export async function question({ lab, ask, engine, onSent }) {
  const { form } = ask;
  const stored = await engine.Library.draft(lab.session.id, ask.id).catch(() => null);
  const person = lab.view.people.get(ask.seat);
  const id = uid("ask");
  const said = h("p", { class: "said", role: "status" });
  const kept = { value: "" };
  const keep = draftKeeper(engine.Library, lab.session.id, ask.id, kept, stored ?? "");
  const isText = form.fields.length === 1 && form.fields[0].name === "text";
  const sending = form.fields.find((field) => field.sends);
  const fields = fieldsOf(form.fields.filter((field) => field !== sending), () => {
    const values = fields.read();
    kept.value = isText ? values.text ?? "" : Object.keys(values).length ? JSON.stringify(values) : "";
    keep();
    shows();
  });
  /** What counts for money is shown back while it is filled in. */
  const shows = () =>
    put(said, form.decides && fields.told().length ? t("human.shown", { what: fields.told().join(" · ") }) : null);
  const submit = (values) => {
    try {
      if (lab.session.answer(ask.id, values)) {
        kept.value = "";
        keep();
        return onSent();
      }
      put(said, t("human.late"));
    } catch (error) {
      if (error.code !== "form") throw error;
      put(said, h("span", { class: "bad", lang: form.language }, error.message));
      fields.goTo(error.detail?.field);
    }
  };
  const options = sending && (sending.options ? [...sending.options].reverse() : [sending.yes, sending.no]);
  const buttons = options
    ? [h("p", { class: "sends-label", id: `${id}-sends` }, sending.label),
      h("div", { class: ["sends", options.length === 2 && "sends-two"], role: "group",
        "aria-labelledby": `${id}-sends` },
        options.map((option) =>
          button(option.name, () =>
            submit({ ...fields.read(), [sending.name]: sending.isFlag ? option === sending.yes : option.value }), {
            kind: "primary",
            testid: `human-${option.value}`,
          })
        ))]
    : [
      h("div", { class: "sends" }, form.skip && button(form.skip, () => submit({}), { testid: "human-pass" }),
        button(form.send, () => submit(fields.read()), { kind: "primary", testid: "human-send" })),
    ];
  const foot = staysInSight(h("div", { class: "human-foot", lang: form.language }, said, buttons));
  const heading = h("h2", { tabindex: "-1", id: `${id}-title` }, t("human.title", { name: ask.seat }));
  const node = h("section", { class: ["human", seatOf(person)], "aria-labelledby": `${id}-title ${id}-question`,
    "data-testid": "human", "data-ask": ask.id, "data-kind": ask.kind },
    h("header", { class: "human-head" }, avatar(person), heading),
    h("div", { lang: form.language }, h("p", { class: "human-question", id: `${id}-question` }, form.question),
      materials(form), fields.node), foot);
  node.querySelector("textarea, .amount input")?.setAttribute("aria-describedby", `${id}-question`);
  if (stored) {
    try {
      fields.write(isText ? { text: stored } : JSON.parse(stored));
    } catch {
      // A draft of another kind: nothing was filled in.
    }
  }
  shows();
  const all = foot.querySelectorAll("button");
  for (const one of all) one.disabled = true;
  setTimeout(() => {
    for (const one of all) one.disabled = false;
  }, SETTLES);
  return { node, focus: () => {
    // Where there is but one thing to type, typing can begin; else the question is read from its head.
    const typed = form.fields.length === 1 ? node.querySelector("textarea, .amount input") : null;
    (typed ?? heading).focus({ preventScroll: true });
    const bar = document.querySelector(".run-bar")?.clientHeight ?? 0;
    window.scrollBy({ top: node.getBoundingClientRect().top - bar - 4, behavior: "instant" });
  } };
}
