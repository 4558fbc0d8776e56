// Receives a configuration; posts `{ made }`, the forecast, or `{ error }`.
import init, { forecast, loadPart } from "./pkg/quorate.js";

const ready = init();
addEventListener("message", async ({ data }) => {
  try {
    await ready;
    await Promise.all(["forecasts", data.protocol ?? "justice"].map(loadPart));
    postMessage({ made: forecast(data) });
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
});
