// The results of a discussion: contributions by participant, the subject, and a link to the transcript.
import { h, table } from "../dom.js";
import { t, number } from "../i18n.js";
import { avatar, kindTag } from "../participants.tsx";
import { roleTag } from "../chat.js";

/** The parts between the heading and the draws. */
export function parts({ view }) {
  const messages = [...view.items.values()].filter((item) => item.type === "message" && item.done && item.text);
  const rounds = [...new Set(messages.map((item) => item.round))].sort((a, b) => a - b);
  const names = [...new Set([...view.people.keys(), ...messages.map((item) => item.seat)])];
  const count = (keep) => messages.filter(keep).length;
  const total = (keep) => h("strong", null, number(count(keep)));
  const characters = (name) =>
    messages.filter((item) => item.seat === name).reduce((sum, item) => sum + [...item.text].length, 0);
  const roles = ["manager", "leader", "specialist", "user"].filter((role) => count((item) => item.role === role));
  return {
    nodes: [
      view.topic || view.rules.length
        ? h("section", null, h("h2", null, t("chat.topic")), view.topic && h("p", { class: "lead" }, view.topic),
          view.rules.length > 0 && h("ul", null, view.rules.map((rule) => h("li", null, rule))))
        : null,
      h("section", { "data-testid": "contributions" }, h("h2", null, t("results.contributions")),
        table(t("results.contributions"), [t("participant"), t("results.total"), t("seat.role"),
          ...rounds.map((n) => t("round", { n })), t("results.characters")], names.map((name) => {
            const person = view.people.get(name)
              ?? { role: "user", ...messages.find((item) => item.seat === name).guest };
            return [h("span", { class: "who" }, avatar(person, "small"), name, kindTag(person.kind)),
              total((item) => item.seat === name), roleTag(person.role),
              ...rounds.map((round) => number(count((item) => item.seat === name && item.round === round))),
              number(characters(name))];
          }))),
      h("section", null, h("h2", null, t("results.roles")),
        table(t("results.roles"), [t("seat.role"), t("results.total"), ...rounds.map((n) => t("round", { n }))],
          roles.map((
            role,
          ) => [t(`seat.${role}`), total((item) => item.role === role),
            ...rounds.map((round) => number(count((item) => item.role === role && item.round === round)))]
          ))),
    ],
  };
}
