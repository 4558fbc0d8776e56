// Takes which sessions and a format, says `{ made }`, the file with its content as a blob, or `{ error }`.
import init, { Library } from "./pkg/quorate.js";
import { file } from "./files.js";

const ready = init({ module_or_path: file("pkg/engine_bg.wasm") });
addEventListener("message", async ({ data: [which, format] }) => {
  try {
    await ready;
    const { name, type, text, bytes } = await Library.export(which, format);
    postMessage({ made: { name, type, blob: new Blob([/** @type {BlobPart} */ (bytes ?? text)], { type }) } });
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
});
