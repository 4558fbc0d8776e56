// The question to a person at this page, with controls that suit it. They write into the answer field, which is
// what will be sent: the person can always say it in own words instead.
import { h, put, button, uid } from "./dom.js";
import { t, translate, load, language, number } from "./i18n.js";
import { avatar, seatOf, principleName, reasonText } from "./people.js";
import { draftKeeper } from "./draft.js";
import { markdown } from "./markdown.js";
import { PRINCIPLES } from "./justice.js";
import { sortable } from "./sortable.js";
import { critiqueForm, judgeForm, voteForm } from "./debate/answer.js";

const CERTAINTY = ["very_sure", "sure", "no_opinion", "unsure", "very_unsure"];
/** Kinds whose answers are longer texts. */
const LONG = new Set(["proposal", "critique", "revision", "refinement", "judgement"]);
/** Kinds to be answered by yes or no. */
const YES_NO = new Set(["vote_initiation", "vote_confirmation", "prepare", "commit", "poll"]);
const RANKINGS = new Set(["initial_ranking", "post_explanation_ranking", "final_ranking", "results_ranking"]);

/** The panel for one open ask. */
export async function question({ lab, ask, engine, onSent }) {
  const record = lab.session.asked(ask.id);
  const code = record.language ?? language();
  const [draft] = await Promise.all([engine.Library.draft(lab.session.id, ask.id).catch(() => null), load(code)]);
  const say = (key, values) => translate(code, key, values);
  const person = lab.view.people.get(ask.seat);
  const id = uid("answer");
  const proposers = [...lab.view.people.values()].filter((one) => one.versions?.length).map((one) => one.name);
  const count = h("p", { class: "quiet count", id: `${id}-count` });
  const read = h("p", { class: "said", role: "status" });
  const field = h("textarea", { id, rows: LONG.has(record.kind) ? "9" : record.kind === "statement" ? "7" : "4", "data-testid": "human-answer", "aria-describedby": `${id}-count`, lang: code });
  const keep = draftKeeper(engine.Library, lab.session.id, ask.id, field, draft ?? "");
  const changed = () => {
    put(count, t("characters", { n: [...field.value].length }));
    put(read, ...readAs(field.value, record, engine, code, proposers));
    keep();
  };
  const write = (text) => {
    field.value = text;
    changed();
  };
  field.addEventListener("input", changed);
  const send = button(t("human.send"), () => submit(), { kind: "primary", testid: "human-send" });
  const submit = () => {
    if (!field.value.trim()) {
      put(read, t("human.empty"));
      return field.focus();
    }
    send.disabled = true;
    if (lab.session.answer(ask.id, field.value)) {
      onSent();
      field.value = "";
      keep();
    } else {
      send.disabled = false;
      put(read, t("human.late"));
    }
  };
  // In a discussion the conversation above is the question, and whoever has nothing to say lets the turn go by.
  const isTurn = record.kind === "turn";
  const pass = isTurn && button(t("human.pass"), () => {
    field.value = "pass";
    submit();
  }, { testid: "human-pass" });
  const heading = h("h2", { tabindex: "-1", id: `${id}-title` }, t("human.title", { name: ask.seat }));
  const node = h("section", { class: ["human", seatOf(person)], "aria-labelledby": `${id}-title`, "data-testid": "human", "data-ask": ask.id, "data-kind": ask.kind },
    h("header", { class: "human-head" }, avatar(person), h("div", null, heading, h("p", { class: "quiet" }, t(`kind_of_ask.${ask.kind}`), ask.attempt > 1 && ` · ${t("attempt", { n: ask.attempt })}`))),
    !isTurn && h("div", { class: "human-prompt", lang: code, tabindex: "0", role: "region", "aria-label": t("human.prompt") }, markdown(record.request.messages.at(-1)?.content ?? "")),
    h("details", { class: "human-more" }, h("summary", null, t("human.context")), h("div", { lang: code }, markdown(record.request.system), isTurn && markdown(record.request.messages.at(-1)?.content ?? ""))),
    controls(record, write, say, { proposers, shown: lab.view.items.get(record.item)?.order?.length }),
    h("div", { class: "stack" }, h("label", { for: id }, t(hasControls(record.kind) ? "human.answer.composed" : record.kind === "turn" ? "chat.message" : "human.answer")), field, h("div", { class: "human-foot" }, count, read, pass, send)));
  if (draft) write(draft);
  else changed();
  return { node, focus: () => heading.focus() };
}

const hasControls = (kind) => RANKINGS.has(kind) || YES_NO.has(kind) || ["application", "constraint_retry", "ballot_principle", "ballot_amount", "explanation", "vote", "critique", "judgement"].includes(kind);

function controls(record, write, say, { proposers, shown }) {
  if (record.kind === "vote") return voteForm(proposers, write, say);
  if (record.kind === "critique") return critiqueForm(write, say);
  if (record.kind === "judgement") return shown ? judgeForm(shown, write, say) : null;
  if (RANKINGS.has(record.kind)) return ranking(write, say);
  if (YES_NO.has(record.kind)) return agreement(write);
  if (record.kind === "ballot_principle") return choice(write, say, { amount: false });
  if (record.kind === "application") return choice(write, say, { amount: true });
  if (record.kind === "constraint_retry" || record.kind === "ballot_amount") return amountOnly(write);
  if (record.kind === "explanation") return h("p", { class: "row" }, button(t("human.understood"), () => write(say("human.understood.text"))));
  return null;
}

function ranking(write, say) {
  let order = [...PRINCIPLES];
  let certainty = "";
  const compose = () => write([...order.map((id, index) => `${index + 1}. ${say(`principle.${id}`)}`), certainty && `${say("human.certainty")}: ${say(`certainty.${certainty}`)}`].filter(Boolean).join("\n"));
  const list = sortable({ order, name: principleName, onChange: (next) => {
    order = next;
    compose();
  } });
  return h("fieldset", { class: "compose" }, h("legend", null, t("human.rank")), h("p", { class: "quiet" }, t("human.rank.help")), list.nodes,
    certaintyField(CERTAINTY, (value) => {
      certainty = value;
      compose();
    }), h("p", { class: "row" }, button(t("human.takeorder"), compose)));
}

function certaintyField(levels, onChange) {
  return h("label", { class: "stack" }, t("human.certainty"), h("select", { on: { change: (event) => onChange(event.target.value) } },
    h("option", { value: "" }, t("human.choose")), levels.map((level) => h("option", { value: level }, t(`certainty.${level}`)))));
}

function agreement(write) {
  return h("fieldset", { class: "compose" }, h("legend", null, t("human.yesno")), h("div", { class: "row" }, button(t("answer.yes"), () => write("1"), { icon: "check", testid: "human-yes" }), button(t("answer.no"), () => write("0"), { icon: "cross", testid: "human-no" })));
}

function choice(write, say, { amount }) {
  const state = { id: null, amount: "", certainty: "" };
  const name = uid("choice");
  const compose = () => {
    if (!state.id) return;
    const place = PRINCIPLES.indexOf(state.id) + 1;
    if (!amount) return write(String(place));
    const lines = [`${say("human.principle")}: ${place}. ${say(`principle.${state.id}`)}`];
    if (place > 2 && state.amount) lines.push(`${say("human.amount.word")}: $${Number(state.amount).toLocaleString("en-US")}`);
    if (state.certainty) lines.push(`${say("human.certainty")}: ${say(`certainty.${state.certainty}`)}`);
    write(lines.join("\n"));
  };
  const amountLabel = amount ? h("label", { class: "stack", hidden: true }, t("human.amount"), dollarField((value) => {
    state.amount = value;
    compose();
  })) : null;
  return h("fieldset", { class: "compose" }, h("legend", null, t("human.which")),
    h("div", { class: "radios" }, PRINCIPLES.map((id, index) => h("label", { class: "radio" }, h("input", { type: "radio", name, value: id, on: { change: () => {
      state.id = id;
      if (amountLabel) amountLabel.hidden = index < 2;
      compose();
    } } }), h("span", null, h("b", null, `${index + 1}`), " ", principleName(id))))),
    amountLabel,
    amount && certaintyField(CERTAINTY.filter((level) => level !== "no_opinion"), (value) => {
      state.certainty = value;
      compose();
    }));
}

const dollarField = (onInput) => h("input", { type: "number", min: "0", step: "500", inputmode: "numeric", "data-testid": "human-amount", on: { input: (event) => onInput(event.target.value) } });

function amountOnly(write) {
  return h("fieldset", { class: "compose" }, h("legend", null, t("human.amount")), dollarField((value) => write(value ? `$${Number(value).toLocaleString("en-US")}` : "")));
}

function readDebate(text, kind, parse, code, proposers) {
  const { value, reason } = kind === "vote" ? parse.vote(text, code, proposers) : parse.critique(text, code);
  if (value === null || value === undefined) return [t("human.unread"), " ", reasonText(reason)];
  if (kind === "vote") return [t("human.readas", { what: [value.choice ?? t("debate.vote.abstained"), value.confidence !== null && number(value.confidence, { style: "percent" })].filter(Boolean).join(" · ") })];
  if (!value.issues.length && !value.suggestions.length) return [t("human.critique.nothing")];
  return [t("human.readas", { what: t("human.critique.read", { issues: value.issues.length, suggestions: value.suggestions.length }) })];
}

/** What the lab will take the text for, said before it is sent. */
function readAs(text, { kind }, { parse }, code, proposers) {
  if (!text.trim()) return [];
  if (kind === "vote" || kind === "critique") return readDebate(text, kind, parse, code, proposers);
  const reader = RANKINGS.has(kind) ? "ranking" : YES_NO.has(kind) ? "agreement" : { ballot_principle: "principle", application: "choice", constraint_retry: "amount", ballot_amount: "amount" }[kind];
  if (!reader) return [];
  const { value, reason } = parse[reader](text, code);
  if (value === null || value === undefined) return [t("human.unread"), " ", reasonText(reason)];
  const name = (number) => `${number}. ${principleName(PRINCIPLES[number - 1])}`;
  const words = {
    ranking: () => value.order.join(" › ") + (value.certainty ? ` · ${t(`certainty.${value.certainty}`)}` : ""),
    agreement: () => t(value ? "answer.yes" : "answer.no"),
    principle: () => name(value),
    amount: () => `$${value.toLocaleString("en-US")}`,
    choice: () => [name(value.principle), value.amount && `$${value.amount.toLocaleString("en-US")}`, value.certainty && t(`certainty.${value.certainty}`)].filter(Boolean).join(" · "),
  }[reader]();
  return [t("human.readas", { what: words })];
}
