// The tables of many runs, made run by run: rows go to a spool, so memory does not grow with the runs. A spool holds text,
// `{ add(text or blob), blob() }`; `spool(name)` makes one.
import { LabError, TableStream } from "quorate";

/** A spool for pages, where the browser moves large blobs to the disk. */
export function blobSpool() {
  const parts = [];
  return { add: (part) => void parts.push(new Blob([part])), blob: () => new Blob(parts) };
}

/** The tables of runs `[{ id, read() }]` as blobs by name, and the texts of the files that go with them. Throws `LabError` code `import`. */
export async function tablesOf(runs, spool, { prompts = false } = {}) {
  const stream = new TableStream({ prompts });
  try {
    const pieces = new Map(Object.keys(stream.headers()).map((table) => [table, []]));
    const rows = new Map([...pieces.keys()].map((table) => [table, spool(`${table}.rows`)]));
    for (const { id, read } of runs) {
      for (const { table, columns, rows: text } of added(stream, id, await read())) {
        const blob = new Blob([text]);
        pieces.get(table).push({ columns, size: blob.size });
        await rows.get(table).add(blob);
      }
    }
    const tables = {};
    for (const [name, { header, columns }] of Object.entries(stream.headers())) {
      const [table, made] = [spool(`${name}.csv`), await rows.get(name).blob()];
      await table.add(header);
      let at = 0;
      for (const piece of pieces.get(name)) {
        const blob = made.slice(at, (at += piece.size));
        // Later runs may have added columns.
        await table.add(piece.columns === columns ? blob : stream.filled(name, piece.columns, await blob.text()));
      }
      tables[name] = await table.blob();
    }
    return { tables, beside: Object.fromEntries(stream.filesBeside().map(({ name, text }) => [name, text])) };
  } finally {
    stream.free();
  }
}

function added(stream, id, text) {
  try {
    return stream.add(text);
  } catch (error) {
    throw error instanceof LabError ? new LabError(error.code, `${id}: ${error.message}`, error.detail) : error;
  }
}
