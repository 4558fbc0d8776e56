// Receives sessions, a format and options; posts `{ made }`, the file with its content as a blob, or `{ error }`.
import init, { Library } from "./pkg/quorate.js";
import { file } from "./files.js";

const ready = init({ module_or_path: file("pkg/engine_bg.wasm") });
addEventListener("message", async ({ data: [which, format, options] }) => {
  try {
    await ready;
    const { name, type, text = "", blob } = await Library.export(which, format, options);
    postMessage({ made: { name, type, blob: blob ?? new Blob([text], { type }) } });
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
});
