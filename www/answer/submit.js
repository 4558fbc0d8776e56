// What is filled in of a question, and the buttons that send it: the choice that decides, where there is one.
import { button, h, put, uid } from "../dom.js";
import { fieldsOf } from "./fields.js";

/** For so long nothing is sent: a second tap meant for the question before is not an answer to this one. */
const SETTLES = 350;

/**
 * `{ fields, foot, said, close() }`. `changed()` after each change, `told(what)` words what the answer is so far, where it
 * is shown back; `submit(values)` sends; `testid(button)` names a button. `isFirst`: no tap can have been meant for another.
 */
export function sendable(form, { changed, told, submit, testid, decides = form.decides, isFirst = false }) {
  const id = uid("sends");
  const said = h("p", { class: "said", role: "status" });
  const sending = form.fields.find((field) => field.sends);
  const fields = fieldsOf(form.fields.filter((field) => field !== sending), () => {
    changed();
    shows();
  });
  /** What counts for money is shown back while it is filled in. */
  const shows = () => put(said, decides && fields.told().length ? told(fields.told().join(" · ")) : null);
  const options = sending && (sending.options ? [...sending.options].reverse() : [sending.yes, sending.no]);
  const value = (option) => (sending.isFlag ? option === sending.yes : option.value);
  const buttons = options
    ? options.map((option) =>
      button(option.name, () => submit({ ...fields.read(), [sending.name]: value(option) }), { kind: "primary",
        testid: testid(option.value) })
    )
    : [form.skip && button(form.skip, () => submit({}), { testid: testid("skip") }),
      button(form.send, () => submit(fields.read()), { kind: "primary", testid: testid("send") })].filter(Boolean);
  const foot = options
    ? [h("p", { class: "sends-label", id }, sending.label),
      h("div", { class: ["sends", options.length === 2 && "sends-two"], role: "group", "aria-labelledby": id },
        buttons)]
    : [h("div", { class: "sends" }, buttons)];
  for (const one of buttons) one.disabled = !isFirst;
  const settling = setTimeout(() => {
    for (const one of buttons) one.disabled = false;
  }, SETTLES);
  return { fields, said, shows, foot: [said, foot], close: () => clearTimeout(settling) };
}
