// The notice that a seat has switched to another model, and why.
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";

/** The sentence; `before` is the previous model. */
export const fellBackText = ({ seat, model, before, because }) =>
  t(`fellback.${because}`, { name: seat, model, before: before || t("fellback.before") });

/** The line in a transcript. */
export const fellBack = (item) =>
  h("li", { class: "notice", "data-testid": "fellback" }, h("p", null, icon("warn"), " ", fellBackText(item)));
