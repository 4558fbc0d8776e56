// The fields of a question and the buttons that send the answer; a choice that decides is sent by its own buttons.
import { button, h, put, uid } from "../dom.js";
import { languageCode } from "../languages.js";
import { t } from "../i18n.js";
import { fieldsOf } from "./fields.js";

/** Milliseconds in which nothing is sent: a second tap on the previous question must not answer this one. */
const SETTLES = 350;

/**
 * Returns `{ fields, foot, said, close() }`. `changed()` is called after each change, `describe(answer)` words the answer
 * so far, `submit(values)` sends it, `testid(button)` names a button. `isFirst`: there was no previous question, so no
 * delay is needed.
 */
export function answerForm(form, { changed, describe, submit, testid, decides = form.decides, isFirst = false }) {
  const id = uid("sends");
  const notice = h("p", { class: "said", role: "status" });
  const sending = form.fields.find((field) => field.sends);
  const fields = fieldsOf(form.fields.filter((field) => field !== sending), () => {
    changed();
    showAnswer();
  }, languageCode(form.language) ?? "en");
  /** Sends once every number is settled. */
  const send = (values) => {
    const unclear = fields.unclear();
    if (!unclear) return submit(values);
    const isAsking = fields.node.querySelector(".number-pick");
    put(notice, h("span", { class: "bad" }, t(isAsking ? "number.which" : "number.unclear")));
    fields.goTo(unclear);
  };
  /** A decision that counts for money is repeated while it is being filled in. */
  const showAnswer = () => put(notice, decides && fields.texts().length ? describe(fields.texts().join(" · ")) : null);
  const options = sending && (sending.options ? [...sending.options].reverse() : [sending.yes, sending.no]);
  const value = (option) => (sending.isFlag ? option === sending.yes : option.value);
  const buttons = options
    ? options.map((option) =>
      button(option.name, () => send({ ...fields.read(), [sending.name]: value(option) }), { kind: "primary",
        testid: testid(option.value) })
    )
    : [form.skip && button(form.skip, () => submit({}), { testid: testid("skip") }),
      button(form.send, () => send(fields.read()), { kind: "primary", testid: testid("send") })].filter(Boolean);
  const foot = options
    ? [h("p", { class: "sends-label", id }, sending.label),
      h("div", { class: ["sends", options.length === 2 && "sends-two"], role: "group", "aria-labelledby": id },
        buttons)]
    : [h("div", { class: "sends" }, buttons)];
  for (const one of buttons) one.disabled = !isFirst;
  const settling = setTimeout(() => {
    for (const one of buttons) one.disabled = false;
  }, SETTLES);
  return { fields, notice, showAnswer, foot: [notice, foot], close: () => clearTimeout(settling) };
}
