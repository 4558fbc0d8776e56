// Writes zip archives (APPNOTE 6.3.3, deflated). The browser compresses: the middle of its gzip stream (RFC 1952) is
// the deflated text, the end its CRC-32.

const encoder = new TextEncoder();

/** The content of a file, of any size. */
export const blobOf = (parts) => new Blob(parts);
export const textOf = async (blob) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(await blob.arrayBuffer());
export const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());

/** The decimal sign of a locale; throws if there is no such locale. */
export const decimalSign = (locale) => new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === "decimal").value;

/** The parts of a gzip stream: deflated bytes and CRC-32. */
async function deflated(blob) {
  const gzip = await new Response(blob.stream().pipeThrough(new CompressionStream("gzip"))).blob();
  const trailer = new DataView(await gzip.slice(gzip.size - 8).arrayBuffer());
  return { data: gzip.slice(10, gzip.size - 8), crc: trailer.getUint32(0, true) };
}

/** The largest size and number of files that the format without its 64-bit extension has. */
const LARGEST = 0xffffffff;
const MOST_FILES = 0xffff;

/** Encodes `[value, bytes]` pairs, least significant byte first. */
function record(...numbers) {
  const bytes = new Uint8Array(numbers.reduce((sum, [, size]) => sum + size, 0));
  let at = 0;
  for (const [value, size] of numbers) for (let byte = 0; byte < size; byte += 1) bytes[at++] = (value >>> (8 * byte)) & 255;
  return bytes;
}

/**
 * The parts of a zip archive of files `{ name, text }` or `{ name, blob }`. Dates are fixed, so the same files give the same bytes. Throws a
 * `RangeError` for more than the format holds.
 */
export async function* archive(files) {
  const listed = [];
  let [at, count] = [0, 0];
  for await (const { name, text, blob = new Blob([text]) } of files) {
    const title = encoder.encode(name);
    const check = (size) => {
      if (size > LARGEST) throw new RangeError(`${name} makes the archive larger than 4 GB: export fewer runs, or without the texts of the questions`);
    };
    check(blob.size);
    const { data, crc } = await deflated(blob);
    check(at + data.size);
    if (++count > MOST_FILES) throw new RangeError(`an archive has at most ${MOST_FILES} files`);
    // Version 2.0, names in UTF-8, deflated, 1 January 1980.
    const common = [[20, 2], [0x800, 2], [8, 2], [0, 2], [0x21, 2], [crc, 4], [data.size, 4], [blob.size, 4], [title.length, 2], [0, 2]];
    const head = record([0x04034b50, 4], ...common);
    listed.push(record([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), title);
    yield* [head, title, data];
    at += head.length + title.length + data.size;
  }
  const size = listed.reduce((sum, part) => sum + part.length, 0);
  yield* [...listed, record([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [at, 4], [0, 2])];
}

/** The whole archive as a Blob. */
export async function zipped(files) {
  const parts = [];
  for await (const part of archive(files)) parts.push(part);
  return new Blob(parts);
}
