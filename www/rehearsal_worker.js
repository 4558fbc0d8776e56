// Takes a configuration, says `{ made }`, the forecast, or `{ error }`.
import init, { forecast } from "./pkg/quorate.js";
import { file } from "./files.js";

const ready = init({ module_or_path: file("pkg/engine_bg.wasm") });
addEventListener("message", async ({ data }) => {
  try {
    await ready;
    postMessage({ made: forecast(data) });
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
});
