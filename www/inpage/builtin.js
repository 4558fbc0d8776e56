// The model that the browser itself has (Prompt API). It lives in windows only, knows no seed and no token counts, and
// downloads when it is first wanted.

export const runner = "builtin";

const api = () => globalThis.LanguageModel;
/** The languages that browsers vouch for; of others nothing is said. */
const VOUCHED = ["en", "es"];
const tongue = (
  language,
) => (VOUCHED.includes(language)
  ? { expectedInputs: [{ type: "text", languages: [language] }],
    expectedOutputs: [{ type: "text", languages: [language] }] }
  : {});

/** Why it cannot be used here, as a key of the page's words; null where it can. */
export async function trouble() {
  if (!api()) return "inpage.builtin.absent";
  const state = await api().availability(tongue("en")).catch(() => "unavailable");
  return state === "unavailable" ? "inpage.builtin.unavailable" : null;
}

/** The one model there is. `isHere` where nothing is left to download. */
export async function models() {
  const state = await api().availability(tongue("en")).catch(() => "unavailable");
  return [{ id: "default", isHere: state === "available" }];
}

/** Downloads it; `progress(share)` from 0 to 1. Has to follow from something that the person at the screen did. */
export async function load(model, progress) {
  const session = await api().create({ ...tongue("en"),
    monitor: (monitor) =>
      monitor.addEventListener("downloadprogress", (event) =>
        progress(event.total > 1 ? event.loaded / event.total : event.loaded)) });
  session.destroy?.();
}

/** Answers in pieces, then tells the whole. */
export async function* answer({ language, system, messages, schema, signal }) {
  const before = messages.slice(0, -1);
  const session = await api().create({ signal, ...tongue(language),
    initialPrompts: [...(system ? [{ role: "system", content: system }] : []), ...before] });
  try {
    let text = "";
    const stream = session.promptStreaming(messages.at(-1)?.content ?? "", { signal,
      ...(schema ? { responseConstraint: schema } : {}) });
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += next.value;
      yield next.value;
    }
    yield { text, model: "builtin" };
  } finally {
    session.destroy?.();
  }
}
