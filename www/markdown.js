// A subset of Markdown as DOM nodes: paragraphs, headings, lists, tables, bold, italic, code. No HTML, links or images,
// so that a participant's text can neither fetch nor run anything.
import { h, table } from "./dom.js";

const INLINE = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*|__[^_\n]+__)|(\*[^*\s][^*\n]*\*)/g;

function inline(text) {
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) nodes.push(text.slice(from, match.index));
    const [whole, code, bold] = match;
    if (code) nodes.push(h("code", null, whole.slice(1, -1)));
    else if (bold) nodes.push(h("strong", null, whole.slice(2, -2)));
    else nodes.push(h("em", null, whole.slice(1, -1)));
    from = match.index + whole.length;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

const lines = (rows) => rows.flatMap((row, index) => (index ? [h("br"), ...inline(row)] : inline(row)));
const cells = (row) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
const isRow = (row) => /^\s*\|.*\|\s*$/.test(row);
const isRule = (row) => /^\s*\|[\s:|-]+\|\s*$/.test(row);
/** Nested quotations are shown as one: their depth is up to the text. */
const QUOTE = /^\s*>[>\s]*/;
const BULLET = /^\s*[-*•]\s+/;
const NUMBER = /^\s*(\d{1,3})[.)]\s+/;

function tableOf(rows) {
  const [head, ...body] = rows.filter((row) => !isRule(row)).map(cells);
  return table(head.join(", "), head.map(inline), body.map((row) => row.map(inline)), null);
}

/** The text as nodes in a `div.prose`. */
export function markdown(text) {
  const rows = String(text ?? "").replace(/\r\n?/g, "\n").split("\n");
  const out = h("div", { class: "prose" });
  let at = 0;
  const take = (test) => {
    const taken = [];
    while (at < rows.length && test(rows[at])) taken.push(rows[at++]);
    return taken;
  };
  while (at < rows.length) {
    const row = rows[at];
    if (!row.trim()) at += 1;
    else if (/^\s*```/.test(row)) {
      at += 1;
      const code = take((line) => !/^\s*```/.test(line));
      at += 1;
      out.append(h("pre", null, h("code", null, code.join("\n"))));
    } else if (/^#{1,6}\s/.test(row)) {
      out.append(h("p", { class: "prose-heading" }, inline(row.replace(/^#+\s*/, ""))));
      at += 1;
    } else if (/^\s*([-*_])\s*(\1\s*){2,}$/.test(row)) {
      out.append(h("hr"));
      at += 1;
    } else if (QUOTE.test(row)) {
      const quoted = take((line) => QUOTE.test(line)).map((line) => line.replace(QUOTE, ""));
      out.append(h("blockquote", null, [...markdown(quoted.join("\n")).childNodes]));
    } else if (isRow(row)) out.append(tableOf(take(isRow)));
    else if (BULLET.test(row)) {
      out.append(
        h("ul", null, take((line) => BULLET.test(line)).map((line) => h("li", null, inline(line.replace(BULLET, ""))))),
      );
    } else if (NUMBER.test(row)) {
      const items = take((line) => NUMBER.test(line));
      out.append(
        h("ol", { start: NUMBER.exec(items[0])[1] }, items.map((line) =>
          h("li", null, inline(line.replace(NUMBER, "")))
        )),
      );
    } else {
      const first = rows[at++];
      const rest = take((line) =>
        line.trim() && !isRow(line) && !QUOTE.test(line) && !BULLET.test(line) && !NUMBER.test(line)
        && !/^\s*```|^#{1,6}\s/.test(line)
      );
      out.append(h("p", null, lines([first, ...rest])));
    }
  }
  return out;
}
