// Receives YAML; posts `{ made }`, its value, or `{ fault }` with what the library says about it.
import { parse } from "./libraries/yaml.js";

addEventListener("message", ({ data }) => {
  try {
    postMessage({ made: parse(data, { merge: true }) });
  } catch ({ code, message, linePos }) {
    postMessage({ fault: { code, message, linePos } });
  }
});
