// How participants and principles look wherever they appear: a colour, a shape and an initial, never colour alone.
import { h } from "./dom.js";
import { t, has, income } from "./i18n.js";
import { PRINCIPLES } from "./justice.js";

const initials = (name) => {
  const words = name.trim().split(/[\s_-]+/).filter(Boolean);
  if (!words.length) return "?";
  const first = [...words[0]][0];
  const last = words.length > 1 ? [...words.at(-1)][0] : "";
  return (first + last).toUpperCase();
};

/** The class that gives a participant colour and shape: by the place at the table; without a table, by the name. */
export const seatOf = (person) =>
  `seat-${
    (person?.index ?? [...String(person?.name ?? "")].reduce((sum, letter) =>
      (sum * 31 + letter.codePointAt(0)) % 9973, 7)) % 8
  }`;

/** The sign of a participant. */
export function avatar(person, size = "") {
  return h("span", { class: ["avatar", seatOf(person), size], "aria-hidden": "true" },
    h("span", null, initials(person?.name ?? "?")));
}

/** The name with its kind where that is not plain. */
export function nameOf(person) {
  return h("span", { class: "name" }, person.name, kindTag(person.kind));
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

/** An order of principles, best first; `shown(id, place)` draws each. */
export function orderOf(ranking, shown = (id, _) => principle(id)) {
  if (!ranking) return h("span", { class: "missing" }, t("ranking.missing"));
  return h("ol", { class: "order", "aria-label": t("ranking.label") },
    ranking.order.map((id, at) => h("li", null, shown(id, at))));
}

/** Why an answer could not be read. Reasons are codes; one that the page does not know is shown as it is. */
export const reasonText = (reason) => (has(`reason.${reason}`) ? t(`reason.${reason}`) : String(reason ?? ""));
