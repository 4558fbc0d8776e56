// The material of round 0: items with number and origin, and the sources that had none.
import { h } from "../dom.js";
import { t, has, number } from "../i18n.js";
import { reasonText } from "../participants.tsx";

const from = (
  source,
) => (has(`debate.context.from.${source.kind}`) ? t(`debate.context.from.${source.kind}`) : source.kind);

function piece(one, source) {
  const about = [from(source), one.origin && one.origin !== one.title ? one.origin : null,
    typeof one.confidence === "number"
      ? t("memory.sure", { share: number(one.confidence, { style: "percent" }) })
      : null];
  return h("li", null,
    h("details", null,
      h("summary", null, one.evidence && h("span", { class: "tag" }, `EVID-${one.evidence}`), " ",
        one.title || t("untitled"), h("span", { class: "quiet" }, ` · ${about.filter(Boolean).join(" · ")}`)),
      h("p", { class: "item-text" }, one.text)),
    one.tainted?.length ? h("p", { class: "taint" }, t("debate.context.tainted")) : null);
}

const without = (source) =>
  h("li", { class: "quiet" }, from(source), " · ", source.note
    ? (source.message ? h("span", { lang: "en" }, source.message) : reasonText(source.note))
    : t("debate.context.nothing"));

/** The notice; `sources` as in the record. */
export function material(sources) {
  const given = sources.filter(({ items }) => items?.length);
  const empty = sources.filter(({ kind, items }) => kind !== "typed" && !items?.length);
  return h("li", { class: "notice", "data-testid": "material" },
    h("p", null, given.length ? t("debate.context") : t("debate.context.none")), given.length || empty.length
    ? h("ul", { class: "plain handed-out" }, given.map((source) => source.items.map((one) => piece(one, source))),
      empty.map(without))
    : null);
}
