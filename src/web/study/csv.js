// CSV by RFC 4180, as the tables are written.

/** The rows of a text, each a list of cells. */
export function rowsOf(text) {
  const rows = [];
  let row = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === "" && !row.length && !quoted && !plain) break;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const cell = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

/** The text of rows. */
export const csvOf = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
