// Writes zip archives (APPNOTE 6.3.3, deflated). The browser compresses: the middle of its gzip stream (RFC 1952) is
// the deflated text, the end its CRC-32.

const encoder = new TextEncoder();

/** The parts of a gzip stream: deflated bytes and CRC-32. */
async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  const gzip = new Uint8Array(await new Response(stream).arrayBuffer());
  const trailer = new DataView(gzip.buffer, gzip.length - 8);
  return { data: gzip.subarray(10, gzip.length - 8), crc: trailer.getUint32(0, true) };
}

/** Encodes `[value, bytes]` pairs, least significant byte first. */
function record(...numbers) {
  const bytes = new Uint8Array(numbers.reduce((sum, [, size]) => sum + size, 0));
  let at = 0;
  for (const [value, size] of numbers) for (let byte = 0; byte < size; byte += 1) bytes[at++] = (value >>> (8 * byte)) & 255;
  return bytes;
}

/** A zip archive of files `{ name, text }`. Dates are fixed, so the same files give the same bytes. */
export async function zipped(files) {
  const parts = [];
  const listed = [];
  let at = 0;
  for (const { name, text } of files) {
    const [title, bytes] = [encoder.encode(name), encoder.encode(text)];
    const { data, crc } = await deflated(bytes);
    // Version 2.0, names in UTF-8, deflated, 1 January 1980.
    const common = [[20, 2], [0x800, 2], [8, 2], [0, 2], [0x21, 2], [crc, 4], [data.length, 4], [bytes.length, 4], [title.length, 2], [0, 2]];
    const head = record([0x04034b50, 4], ...common);
    listed.push(record([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), title);
    parts.push(head, title, data);
    at += head.length + title.length + data.length;
  }
  const size = listed.reduce((sum, part) => sum + part.length, 0);
  const end = record([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2]);
  return new Uint8Array(await new Blob([...parts, ...listed, end]).arrayBuffer());
}
