// Receives a configuration or a study; posts `{ made }`, the forecast, or `{ error }`.
import init, { forecast, study } from "./pkg/quorate.js";
import { file } from "./files.js";

const ready = init({ module_or_path: file("pkg/engine_bg.wasm") });
addEventListener("message", async ({ data }) => {
  try {
    await ready;
    postMessage({ made: data.study ? study.forecast(data.study) : forecast(data.config) });
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
});
