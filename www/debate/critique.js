// A critique in the card of its proposal: author, severity, issues and suggestions, or else the critic's words.
import { h, icon } from "../dom.js";
import { t, number } from "../i18n.js";
import { avatar, reasonText } from "../participants.tsx";
import { markdown } from "../markdown.tsx";

const DOING = { critique: "criticising", judgement: "judging" };

/** The activity of a seat that has been asked. */
export function waiting(ask) {
  if (ask.waits) return h("span", { class: "waiting" }, t(`activity.waits.${ask.waits}`));
  const word = { waiting: "queued", retrying: "retrying", failed: "failed", timed_out: "timedout" }[ask.state]
    ?? DOING[ask.kind] ?? "writing";
  return h("span", { class: ["waiting", ask.state === "failed" && "bad"] }, t(`activity.${word}`),
    ["sent", "retrying"].includes(ask.state)
      && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")));
}

/** The severity in a word: cosmetic, moderate, significant or critical, as critics are instructed. */
export const severityWord = (
  value,
) => (value < 3 ? "cosmetic" : value < 6 ? "moderate" : value < 9 ? "significant" : "critical");

const points = (kind, all) => (all.length
  ? h("div", { class: `points points-${kind}` }, h("p", { class: "quiet" }, t(`debate.${kind}`)),
    h("ul", null, all.map((one) => h("li", null, one))))
  : null);

/** `one`: a critic's part of a card; `open`: the open ask, if any. */
export function critique(one, context, open) {
  const person = context.person(one.seat);
  const content = one.critique;
  const hasPoints = content && (content.issues.length || content.suggestions.length);
  const nothing = !open
    && (one.failed
      ? [t("debate.critique.failed"), " ", reasonText(one.failed)]
      : content && !hasPoints && !content.reasoning && t("debate.critique.nothing"));
  return h("li", { class: "critique", "data-testid": "critique" },
    h("p", { class: "who" }, avatar(person, "tiny"), person.name, open && waiting(open),
      content && severity(content.severity)),
    open && !open.structured && h("p", { class: "streaming clip", "data-stream": open.id, "aria-hidden": "true" }),
    nothing && h("p", { class: "note" }, icon("warn"), " ", nothing),
    content && [points("issues", content.issues), points("suggestions", content.suggestions)],
    content && !hasPoints && content.reasoning && h("div", { class: "prose" }, markdown(content.reasoning)));
}

function severity(value) {
  if (value === null) return h("span", { class: "severity quiet" }, t("debate.severity.none"));
  const word = severityWord(value);
  return h("span", { class: `severity severity-${word}` }, t(`debate.severity.${word}`), " ",
    t("debate.severity", { value: number(value, { maximumFractionDigits: 1 }) }));
}
