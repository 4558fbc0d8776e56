// Spools of tables (src/web/study/tables.js) on the disk.
import { openAsBlob } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A file for the text of a table. */
export const fileSpool = (dir) => (name) => {
  const path = join(dir, name);
  let isBegun = false;
  return {
    async add(part) {
      const bytes = part instanceof Blob ? Buffer.from(await part.arrayBuffer()) : part;
      await (isBegun ? appendFile : writeFile)(path, bytes);
      isBegun = true;
    },
    async blob() {
      if (!isBegun) await writeFile(path, "");
      return openAsBlob(path);
    },
  };
};
