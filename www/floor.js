// The floor of a discussion: who speaks, who is next, why it rests, and a field for messages out of turn. A person's
// own turn is asked by question-panel.tsx.
import { isBlank } from "./answer/blank.js";
import { h, put, button, icon, uid } from "./dom.js";
import { t, list } from "./i18n.js";
import { avatar } from "./participants.tsx";
import { draftKeeper } from "./draft.js";
import { confirmDialog } from "./dialog.js";
import { changeTable } from "./seating.tsx";
import { activity } from "./view.js";

/** Name of the draft of a message out of turn. */
const DRAFT = "floor";

/** Three nodes of the run's view: `head`, `next` (whose turn it is) and `node` (the field), refreshed by `update()`. */
export function floor({ lab, engine }) {
  const head = topic(lab.view);
  const line = h("p", { class: "floor-line", "data-testid": "next" });
  const rest = h("div", { class: "floor-rest" });
  const next = h("div", { class: "floor-next" }, line, rest);
  const own = composer(lab, engine);
  let drawn = "";
  function update() {
    const { view, status } = lab;
    own.update();
    const coming = view.next.map((name) => view.order.find((one) => one.name === name));
    const first = coming[0];
    const doing = first && activity(view, first.name);
    const reason = status.state === "halted" && status.halt?.because === "rests" ? status.halt.reason : null;
    const state = reason ?? status.state;
    const key = JSON.stringify([coming.map((one) => one.name), doing, state, lab.running]);
    if (key === drawn) return;
    drawn = key;
    next.hidden = status.state === "ended";
    put(line, first
      && [avatar(view.people.get(first.name), "small"),
        h("span", null, sentence(first, doing, reason ?? (status.state === "running" ? null : status.state))),
        coming.length > 1
        && h("span", { class: "quiet" }, t("floor.then", { names: list(coming.slice(1).map((one) => one.name)) }))]);
    put(rest, reason && restNote(lab, reason, first));
  }
  return { head, next, node: own.node, update };
}

function sentence({ name, person }, doing, still) {
  if (still) return t("floor.next", { name });
  if (person) return t("floor.person", { name });
  return t({ speaking: "floor.speaking", failed: "floor.failed" }[doing] ?? "floor.next", { name });
}

function topic({ topic: text, rules }) {
  if (!text && !rules.length) return null;
  return h("div", { class: "topic", "data-testid": "topic" }, text && h("p", { class: "lead" }, text), rules.length > 0
    && h("details", null, h("summary", null, t("chat.rules", { n: rules.length })),
      h("ul", null, rules.map((rule) => h("li", null, rule)))));
}

/** Why a discussion rests, and how it can go on. */
function restNote(lab, reason, first) {
  const known = ["message", "turn_limit", "no_answer", "no_speakers"].includes(reason) ? reason : "other";
  const values = { name: first?.name ?? "", n: lab.view.turnsPerCall };
  return h("div", { class: "banner", "data-testid": "rests", "data-reason": reason }, icon("people"),
    h("div", null, h("p", { class: "banner-text" }, t(`rests.${known}`, values)),
      h("p", { class: "row" },
        button(t(`rests.${known}.go`, values), () => lab.go(), { kind: known === "message" ? "" : "primary",
          icon: "play", testid: "floor-go" }))));
}

/** The field for messages out of turn, folded while the discussion does not need it. */
function composer(lab, engine) {
  const id = uid("floor");
  const notice = h("p", { class: "said", role: "status" });
  const field = h("textarea", { id, rows: "3", maxlength: "20000", "data-testid": "floor-text" });
  const who = h("select", { "data-testid": "floor-who" });
  const whoLabel = h("label", { class: "inline" }, t("floor.who"), who);
  const saveDraft = draftKeeper(engine.Library, lab.session.id, DRAFT, field);
  field.addEventListener("input", saveDraft);
  const sendMessage = () => {
    if (isBlank(field.value)) {
      put(notice, t("human.empty"));
      return field.focus();
    }
    try {
      lab.session.say(who.value || t("floor.guest"), field.value);
      field.value = "";
      put(notice);
      saveDraft();
      lab.run();
      lab.changed();
    } catch (error) {
      put(notice, h("span", { lang: "en" }, error.message));
    }
  };
  const label = h("label", { for: id }, t("floor.say"));
  const form = h("div", { class: "stack floor-form" }, label, h("p", { class: "quiet" }, t("floor.say.help")), field,
    h("div", { class: "row" }, whoLabel, button(t("human.send"), sendMessage, { testid: "floor-send" }), notice));
  const summary = h("summary", { "data-testid": "floor-open" });
  const fold = h("details", { class: "floor-fold" }, summary, form);
  const table = button(t("table.change"), () => changeTable(lab, engine), { kind: "quiet", icon: "people",
    testid: "table-change" });
  const end = button(t("floor.close"), async () => {
    if (await confirmDialog(t("floor.close"), t("floor.close.text"), t("floor.close"))) lab.session.closeDiscussion();
    lab.run();
  }, { kind: "quiet", testid: "floor-close" });
  const node = h("section", { class: "floor", "aria-label": t("floor.label"), "data-testid": "floor" }, fold,
    h("p", { class: "row end" }, table, end));
  engine.Library.draft(lab.session.id, DRAFT).catch(() => null).then((draft) => {
    if (!draft || field.value) return;
    field.value = draft;
    saveDraft();
    fold.open = true;
  });
  let names = null;
  let waits = null;
  function update() {
    const { view, status } = lab;
    node.hidden = status.state === "ended";
    const people = view.order.filter((one) => one.person).map((one) => one.name);
    if (JSON.stringify(people) !== names) {
      names = JSON.stringify(people);
      put(who, people.map((name) => h("option", { value: name }, name)), h("option", { value: "" }, t("floor.guest")));
      whoLabel.hidden = people.length < 2;
    }
    // Open from the start if the discussion waits for a first message.
    const now = status.state === "halted" && status.halt?.because === "rests" && status.halt.reason === "message";
    if (now !== waits) {
      fold.open = now || (fold.open && Boolean(field.value));
      put(summary, t(now ? "floor.begin" : "floor.speak"));
    }
    waits = now;
    // A person whose turn it is has a field of their own.
    fold.hidden = (status.open ?? []).some((ask) => ask.seatKind === "human" && ask.since !== null)
      && people.length < 2;
  }
  return { node, update };
}
