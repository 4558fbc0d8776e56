// A change of model, in words: who goes on with which one, and why.
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";

/** A sentence of it; `before` is the model that was asked till then. */
export const fellBackText = ({ seat, model, before, because }) =>
  t(`fellback.${because}`, { name: seat, model, before: before || t("fellback.before") });

/** A line in a transcript. */
export const fellBack = (item) =>
  h("li", { class: "notice", "data-testid": "fellback" }, h("p", null, icon("warn"), " ", fellBackText(item)));
