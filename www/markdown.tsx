// A subset of Markdown: paragraphs, headings, lists, tables, bold, italic, code. No HTML, links or images, so that a
// participant's text can neither fetch nor run anything.
import type { ComponentChild, VNode } from "preact";
import { Table } from "./elements.tsx";

const INLINE = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*|__[^_\n]+__)|(\*[^*\s][^*\n]*\*)/g;

function inline(text: string) {
  const parts: ComponentChild[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    const [whole, code, bold] = match;
    if (code) parts.push(<code>{whole.slice(1, -1)}</code>);
    else if (bold) parts.push(<strong>{whole.slice(2, -2)}</strong>);
    else parts.push(<em>{whole.slice(1, -1)}</em>);
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

const lines = (rows: string[]) => rows.map((row, at) => <>{at > 0 && <br />}{inline(row)}</>);
const items = (rows: string[], mark: RegExp) => rows.map((row) => <li>{inline(row.replace(mark, ""))}</li>);
const cells = (row: string) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
const isRow = (row: string) => /^\s*\|.*\|\s*$/.test(row);
const isRule = (row: string) => /^\s*\|[\s:|-]+\|\s*$/.test(row);
/** Nested quotations are shown as one: their depth is up to the text. */
const QUOTE = /^\s*>[>\s]*/;
const BULLET = /^\s*[-*•]\s+/;
const NUMBER = /^\s*(\d{1,3})[.)]\s+/;

function tableOf(rows: string[]) {
  const [head = [], ...body] = rows.filter((row) => !isRule(row)).map(cells);
  return <Table label={head.join(", ")} head={head.map(inline)} rows={body.map((row) => row.map(inline))} />;
}

function parts(text: string) {
  const rows = text.replace(/\r\n?/g, "\n").split("\n");
  const out: VNode[] = [];
  let at = 0;
  const take = (test: (row: string) => unknown) => {
    const from = at;
    while (at < rows.length && test(rows[at]!)) at += 1;
    return rows.slice(from, at);
  };
  while (at < rows.length) {
    const row = rows[at]!;
    if (!row.trim()) at += 1;
    else if (/^\s*```/.test(row)) {
      at += 1;
      const code = take((line) => !/^\s*```/.test(line));
      at += 1;
      out.push(<pre><code>{code.join("\n")}</code></pre>);
    } else if (/^#{1,6}\s/.test(row)) {
      out.push(<p class="prose-heading">{inline(row.replace(/^#+\s*/, ""))}</p>);
      at += 1;
    } else if (/^\s*([-*_])\s*(\1\s*){2,}$/.test(row)) {
      out.push(<hr />);
      at += 1;
    } else if (QUOTE.test(row)) {
      const quoted = take((line) => QUOTE.test(line)).map((line) => line.replace(QUOTE, ""));
      out.push(<blockquote>{parts(quoted.join("\n"))}</blockquote>);
    } else if (isRow(row)) out.push(tableOf(take(isRow)));
    else if (BULLET.test(row)) out.push(<ul>{items(take((line) => BULLET.test(line)), BULLET)}</ul>);
    else if (NUMBER.test(row)) {
      out.push(<ol start={Number(NUMBER.exec(row)![1])}>{items(take((line) => NUMBER.test(line)), NUMBER)}</ol>);
    } else {
      at += 1;
      const rest = take((line) =>
        line.trim() && !isRow(line) && !QUOTE.test(line) && !BULLET.test(line) && !NUMBER.test(line)
        && !/^\s*```|^#{1,6}\s/.test(line)
      );
      out.push(<p>{lines([row, ...rest])}</p>);
    }
  }
  return out;
}

/** A participant's words. */
export const Prose = ({ text }: { text: string | null | undefined }) => (
  <div class="prose">{parts(String(text ?? ""))}</div>
);
