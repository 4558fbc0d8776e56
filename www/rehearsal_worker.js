// Takes a configuration, says `{ forecast }` or `{ error }`.
import init, { forecast } from "./pkg/quorate.js";

const ready = init();
addEventListener("message", async ({ data }) => {
  try {
    await ready;
    postMessage({ forecast: forecast(data) });
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
});
