// The browser's built-in model (Prompt API). It exists in windows only, has no seed and no token counts, and is
// downloaded on first use.

export const runner = "builtin";

const api = () => globalThis.LanguageModel;
/** Languages that browsers officially support; others are not declared. */
const VOUCHED = ["en", "es"];
const tongue = (
  language,
) => (VOUCHED.includes(language)
  ? { expectedInputs: [{ type: "text", languages: [language] }],
    expectedOutputs: [{ type: "text", languages: [language] }] }
  : {});

/** The i18n key of why it is not available, or null. */
export async function trouble() {
  if (!api()) return "inpage.builtin.absent";
  const state = await api().availability(tongue("en")).catch(() => "unavailable");
  return state === "unavailable" ? "inpage.builtin.unavailable" : null;
}

/** The only model. `isHere`: nothing is left to download. */
export async function models() {
  const state = await api().availability(tongue("en")).catch(() => "unavailable");
  return [{ id: "default", isHere: state === "available" }];
}

/** Downloads it; `progress(share)` gets 0 to 1. Must follow from an action of the user. */
export async function load(model, progress) {
  const session = await api().create({ ...tongue("en"),
    monitor: (monitor) =>
      monitor.addEventListener("downloadprogress", (event) =>
        progress(event.total > 1 ? event.loaded / event.total : event.loaded)) });
  session.destroy?.();
}

/** Yields the answer in pieces, then returns the whole. */
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
