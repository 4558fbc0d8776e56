// The material of a question: tables, statements, texts, terms and their meanings.
import { h, verbatim } from "../dom.js";

/** All material of a form, in order. */
export const materials = (form) =>
  form.material.map((one) => {
    if (one.isFolded) return h("details", { class: "ask-material" }, h("summary", null, one.title), shown(one));
    return h("section", { class: "ask-material" },
      one.material === "table" || !one.title ? null : h("h3", null, one.title), shown(one, one.title));
  });

const SHOWN = {
  table: ({ columns, rows, notes }, title) => [
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, h("table", {
      class: ["amounts", rows.some((row) => row.some((text, at) => at > 0 && !/^[\d.,]+$/.test(text))) && "in-words"],
    }, title && h("caption", null, title),
      h("thead", null, h("tr", null, columns.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", null,
        rows.map(([name, ...cells]) =>
          h("tr", null, h("th", { scope: "row" }, name), cells.map((text) => h("td", null, text)))
        )))),
    notes.map((text) => h("p", { class: "quiet" }, text)),
  ],
  statements: ({ said }) =>
    said.map(({ who, text }) => h("blockquote", null, h("b", null, verbatim(who)), paragraphs(text))),
  text: ({ text }) => text.map(paragraphs),
  terms: ({ terms }) =>
    h("dl", { class: "ask-terms" }, terms.map(({ name, text }) =>
      h("div", null, h("dt", null, name), h("dd", null, text))
    )),
};

const shown = (one, title) => SHOWN[one.material](one, title);
const paragraphs = (text) =>
  text.split(/\n+/).filter((line) => line.trim()).map((line) => {
    const quoted = line.replace(/^> ?/, "");
    return quoted === line ? h("p", null, line) : h("blockquote", null, h("p", null, quoted));
  });
