// How participants and principles are shown: by colour, shape and initial, never by colour alone.
import { h, verbatim } from "./dom.js";
import { t, has, income } from "./i18n.js";
import { PRINCIPLES } from "./justice.js";

const initials = (name) => {
  const words = name.trim().split(/[\s_-]+/).filter(Boolean);
  if (!words.length) return "?";
  const first = [...words[0]][0];
  const last = words.length > 1 ? [...words.at(-1)][0] : "";
  return (first + last).toUpperCase();
};

/** The CSS class with a participant's colour and shape: by position, or by name if there is none. */
export const seatOf = (person) =>
  `seat-${
    (person?.index ?? [...String(person?.name ?? "")].reduce((sum, letter) =>
      (sum * 31 + letter.codePointAt(0)) % 9973, 7)) % 8
  }`;

/** A participant's symbol. */
export function avatar(person, size = "") {
  return h("span", { class: ["avatar", seatOf(person), size], "aria-hidden": "true" },
    h("span", null, initials(person?.name ?? "?")));
}

/** The name and kind. */
export function nameOf(person) {
  return h("span", { class: "name" }, verbatim(person.name), kindTag(person.kind));
}

export function kindTag(kind) {
  return h("span", { class: ["tag", `kind-${kind}`] }, t(`kind.${kind}`));
}

export const principleNumber = (id) => PRINCIPLES.indexOf(id) + 1;
export const principleName = (id) => (PRINCIPLES.includes(id) ? t(`principle.${id}`) : t("none"));
export const principleShort = (id) => (PRINCIPLES.includes(id) ? t(`principle.${id}.short`) : t("none"));

/** A principle as number and short name, with the amount if there is one. */
export function principle(id, amount = null) {
  if (!PRINCIPLES.includes(id)) return h("span", { class: "principle none" }, t("missing"));
  return h("span", { class: ["principle", `p${principleNumber(id)}`], title: principleName(id) },
    h("b", { "aria-hidden": "true" }, principleNumber(id)),
    h("span", null, principleShort(id), amount !== null && amount !== undefined ? ` ${income(amount)}` : ""));
}

/** A ranking of principles, best first; `shown(id, place)` draws each. */
export function orderOf(ranking, shown = (id, _) => principle(id)) {
  if (!ranking) return h("span", { class: "missing" }, t("ranking.missing"));
  return h("ol", { class: "order", "aria-label": t("ranking.label") },
    ranking.order.map((id, at) => h("li", null, shown(id, at))));
}

/** Why an answer could not be read. An unknown code is shown as it is. */
export const reasonText = (reason) => (has(`reason.${reason}`) ? t(`reason.${reason}`) : String(reason ?? ""));
