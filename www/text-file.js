// Reads files as text. What is not Unicode is refused with the encoding that it seems to have: a wrong guess would break
// names without a word.
import { t, number } from "./i18n.js";

/** Returns whether bytes above 127 stand in pairs, as in Chinese encodings; accented letters stand alone. */
function arePairs(bytes) {
  let run = 0;
  for (const byte of bytes) {
    if (byte >= 0xa1 && byte < 0xff) run += 1;
    else if (run % 2 || byte > 127) return false;
    else run = 0;
  }
  return run % 2 === 0;
}

/** The byte order of UTF-16, also without a mark: half of its signs and digits is a byte 0, which no other text has. */
function sixteen(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  bytes.subarray(0, 2000).forEach((byte, at) => (zeros[at % 2] += Number(byte === 0)));
  if (!zeros[0] && !zeros[1]) return null;
  return zeros[1] > zeros[0] ? "utf-16le" : "utf-16be";
}

/** The text of bytes; throws an error with a message for people. */
export function decoded(bytes) {
  const encoding = sixteen(bytes) ?? "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(
      t("file.encoding", { encoding: encoding !== "utf-8" ? "UTF-16" : arePairs(bytes) ? "GBK" : "Windows-1252" }),
    );
  }
}

/** The text of a file of at most `most` bytes; throws an error with a message for people. */
export async function textOf(file, most = 400_000_000) {
  if (file.size > most) {
    throw new Error(t("file.large", { size: number(Math.ceil(file.size / 1e6)), most: number(most / 1e6) }));
  }
  return decoded(new Uint8Array(await file.arrayBuffer()));
}
