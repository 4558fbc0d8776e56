// What debates have stored in this browser: ratings, knowledge, receipts. #/memory/PART
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { ratings } from "./memory/ratings.js";
import { knowledge } from "./memory/knowledge.js";
import { receipts } from "./memory/receipts.js";

const PARTS = { ratings, knowledge, receipts };

export async function view({ args: [wanted], engine, announce }) {
  const name = Object.hasOwn(PARTS, wanted ?? "") ? wanted : "ratings";
  const content = await PARTS[name]({ engine, announce });
  const node = h("div", { class: "page left-behind" },
    h("div", { class: "page-head" },
      h("div", null, h("h1", null, t("memory.title")), h("p", { class: "lead" }, t("memory.lead")))),
    h("nav", { class: "parts", "aria-label": t("memory.title") },
      Object.keys(PARTS).map((part) =>
        h("a", { href: `#/memory/${part}`, "aria-current": part === name ? "page" : null,
          "data-testid": `memory-${part}` }, t(`memory.${part}`))
      )), content);
  return { node, title: t("memory.title") };
}
