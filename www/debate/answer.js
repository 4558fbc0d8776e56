// Controls for what a person is asked in a debate: a critique, a vote, a judgement. They write the text that will be sent.
import { h, put, button, uid } from "../dom.js";
import { t } from "../i18n.js";
import { sortable } from "../sortable.js";

/** A vote for one of the proposals, by the name of who made it. */
export function voteForm(proposers, write, say) {
  const name = uid("vote");
  const state = { choice: null, confidence: "" };
  const compose = () => state.choice !== null && write([`${say("human.vote.choice")}: ${state.choice || say("human.vote.abstain")}`, state.confidence && `${say("human.vote.sure")}: ${state.confidence}`].filter(Boolean).join("\n"));
  const option = (value, label) => h("label", { class: "radio" }, h("input", { type: "radio", name, value, on: { change: () => {
    state.choice = value;
    compose();
  } } }), h("span", null, label));
  return h("fieldset", { class: "compose" }, h("legend", null, t("human.vote.whose")), h("div", { class: "radios" }, proposers.map((one) => option(one, one)), option("", t("human.vote.abstain"))),
    h("label", { class: "stack" }, t("human.vote.confidence"), h("input", { type: "number", min: "0", max: "1", step: "0.1", "data-testid": "human-confidence", on: { input: (event) => {
      state.confidence = event.target.value;
      compose();
    } } })));
}

const GRAVE = [[2, "cosmetic"], [5, "moderate"], [8, "significant"], [10, "critical"]];
const lines = (text) => text.split("\n").map((line) => line.replace(/^\s*[-•*]\s*/, "").trim()).filter(Boolean);

/** What is wrong, what would help, and how bad it is. Nothing is said of what was not touched. */
export function critiqueForm(write, say) {
  const state = { issues: [], suggestions: [], severity: null };
  const block = (name) => (state[name].length ? `${say(`human.critique.${name}.word`)}:\n${state[name].map((line) => `- ${line}`).join("\n")}` : "");
  // A point that reads like a label would be taken for one.
  const isPlain = () => ![...state.issues, ...state.suggestions].some((line) => /[:：=]/.test(line));
  const compose = () => write(!isPlain() ? JSON.stringify({ issues: state.issues, suggestions: state.suggestions, ...(state.severity !== null && { severity: state.severity }) }, null, 1) : [block("issues"), block("suggestions"), state.severity !== null && `${say("human.critique.severity.word")}: ${state.severity}`].filter(Boolean).join("\n"));
  const text = (name) => h("label", { class: "stack" }, t(`human.critique.${name}`), h("textarea", { rows: 3, "data-testid": `human-${name}`, on: { input: (event) => {
    state[name] = lines(event.target.value);
    compose();
  } } }));
  const says = h("output", null, "–");
  const severity = h("input", { type: "range", min: 0, max: 10, step: 1, value: 0, "data-testid": "human-severity", on: { input: () => {
    state.severity = Number(severity.value);
    says.textContent = `${severity.value} · ${t(`debate.severity.${GRAVE.find(([most]) => state.severity <= most)[1]}`)}`;
    severity.setAttribute("aria-valuetext", says.textContent);
    compose();
  } } });
  return h("fieldset", { class: "compose" }, h("legend", null, t("human.critique.form")), text("issues"), text("suggestions"),
    h("label", { class: "stack" }, t("human.critique.severity"), h("span", { class: "scale" }, severity, says)));
}

/** Points, words and an order for proposals that are known by their numbers, an answer drawn from them, and a verdict. */
export function judgeForm(count, write, say) {
  const all = Array.from({ length: count }, (_, at) => at);
  const state = { scores: all.map(() => null), comments: all.map(() => ""), order: null, synthesis: "", conclusive: null, confidence: null };
  const label = (at) => say("human.judge.proposal", { n: String(at + 1) });
  const shown = (at) => t("human.judge.proposal", { n: String(at + 1) });
  const scored = () => state.scores.some((score) => score !== null);
  /** Best first; those without points come last. */
  const byPoints = () => [...all].sort((a, b) => (state.scores[b] ?? -1) - (state.scores[a] ?? -1) || a - b);
  const missing = h("p", { class: "quiet", role: "status" });
  const ranking = sortable({ order: all, name: shown, onChange: (order) => {
    state.order = order;
    follow.hidden = false;
    compose();
  } });
  const follow = button(t("human.judge.follow"), () => {
    state.order = null;
    compose();
    follow.hidden = true;
  }, { kind: "quiet", testid: "judge-follow" });
  follow.hidden = true;

  function compose() {
    if (!state.order) ranking.set(byPoints());
    const without = all.filter((at) => state.scores[at] === null);
    put(missing, scored() && without.length ? t("human.judge.without", { list: without.map(shown).join(", ") }) : null);
    const given = all.filter((at) => state.scores[at] !== null);
    // Who has no points and was put nowhere has no place.
    const order = state.order ?? (given.length ? byPoints().filter((at) => given.includes(at)) : null);
    // Words about a proposal and answers of several lines have no place in lines.
    if (state.comments.some(Boolean) || state.synthesis.includes("\n")) {
      return write(JSON.stringify({
        scores: given.map((at) => ({ proposal: label(at), score: state.scores[at], ...(state.comments[at] && { comment: state.comments[at] }) })),
        ...(order && { ranking: order.map(label) }),
        ...(state.synthesis && { synthesis: state.synthesis }),
        ...(state.conclusive !== null && { conclusive: state.conclusive }),
        ...(state.confidence !== null && { confidence: state.confidence / 100 }),
      }, null, 1));
    }
    write([...given.map((at) => `${label(at)}: ${state.scores[at]}`),
      order && `${say("human.judge.ranking.word")}: ${order.map(label).join(" > ")}`,
      state.conclusive !== null && `${say("human.judge.conclusive.word")}: ${say(state.conclusive ? "human.judge.yes" : "human.judge.no")}`,
      state.confidence !== null && `${say("human.vote.sure")}: ${state.confidence}%`,
      state.synthesis && `${say("human.judge.synthesis.word")}: ${state.synthesis}`].filter(Boolean).join("\n"));
  }

  /** A figure within bounds, or none: what is out of them is marked and not taken. */
  const figure = (attributes, set) => h("input", { type: "number", inputmode: "decimal", min: 0, ...attributes, on: { input: ({ target }) => {
    const isFit = target.validity.valid;
    if (isFit) target.removeAttribute("aria-invalid");
    else target.setAttribute("aria-invalid", "true");
    set(isFit && target.value !== "" ? Number(target.value) : null);
    compose();
  } } });
  const name = uid("conclusive");
  const verdict = (value, text) => h("label", { class: "radio" }, h("input", { type: "radio", name, value, "data-testid": `judge-${value}`, on: { change: () => {
    state.conclusive = value;
    compose();
  } } }), h("span", null, t(text)));
  return h("div", { class: "judge-form", "data-testid": "judge-form" },
    h("fieldset", { class: "compose" }, h("legend", null, t("human.judge.points")), h("p", { class: "quiet" }, t("human.judge.blind")),
      all.map((at) => h("div", { class: "judge-row" }, h("b", null, shown(at)),
        figure({ max: 10, step: "any", "aria-label": t("human.judge.points.of", { n: at + 1 }), "data-testid": "judge-score", placeholder: "0–10" }, (value) => (state.scores[at] = value)),
        h("input", { type: "text", "aria-label": t("human.judge.comment.of", { n: at + 1 }), placeholder: t("human.judge.comment"), "data-testid": "judge-comment", on: { input: (event) => {
          state.comments[at] = event.target.value.trim();
          compose();
        } } }))), missing),
    h("fieldset", { class: "compose" }, h("legend", null, t("human.judge.ranking")), h("p", { class: "quiet" }, t("human.judge.ranking.help")), ranking.nodes, h("p", { class: "row" }, follow)),
    h("label", { class: "stack" }, t("human.judge.synthesis"), h("textarea", { rows: 4, "data-testid": "judge-synthesis", on: { input: (event) => {
      state.synthesis = event.target.value.trim();
      compose();
    } } })),
    h("fieldset", { class: "compose" }, h("legend", null, t("human.judge.conclusive")), h("div", { class: "radios" }, verdict(true, "human.judge.settled"), verdict(false, "human.judge.open"))),
    h("label", { class: "stack" }, t("human.judge.confidence"), figure({ max: 100, step: "any", "data-testid": "judge-confidence" }, (value) => (state.confidence = value))));
}
