// Runners of models inside this page. A seat names one by kind `custom`, `program` (the runner) and `model`. Each is
// offered only if the browser supports it, and loaded only when chosen.
import * as builtin from "./builtin.js";
import { call, stream } from "./remote.js";

const inWorker = (runner, trouble) => ({
  runner,
  trouble,
  models: () => call({ do: "models", runner }),
  load: (model, progress, { file, signal } = /** @type {{ file?: File, signal?: AbortSignal }} */ ({})) =>
    call({ do: "load", runner, model, file }, { signal, onProgress: progress }),
  forget: (model) => call({ do: "forget", runner, model }),
  async *answer({ model, system, messages, maxTokens, temperature, topP, stop, schema, signal }) {
    const turns = [...(system ? [{ role: "system", content: system }] : []), ...messages];
    for (const stops of stop?.length ? [stop, []] : [[]]) {
      /** @type {any} */
      let whole;
      const request = { messages: turns, maxTokens, temperature, topP, stop: stops, schema };
      for await (const part of stream({ do: "ask", runner, model, request }, { signal })) {
        if (typeof part === "string") yield part;
        else whole = part;
      }
      // A stop text within a thought leaves no answer: once more without it. The engine cuts the text afterwards.
      if (!stops.length || !endsInThought(whole)) return void (yield whole);
    }
  },
});

const endsInThought = ({ text, reasoning, finish }) =>
  finish !== "length"
  && (text.trim() ? /^\s*(<think>|\[THINK\])(?!.*(<\/think>|\[\/THINK\]))/s.test(text) : Boolean(reasoning));

/** llama.cpp here needs WebAssembly with 64-bit memory and a private file system. */
async function noGguf() {
  try {
    new WebAssembly.Memory(/** @type {any} */ ({ initial: 1n, maximum: 1n, address: "i64" }));
  } catch {
    return "inpage.gguf.memory64";
  }
  return navigator.storage?.getDirectory ? null : "inpage.gguf.files";
}

async function noWebgpu() {
  if (!navigator.gpu) return "inpage.webllm.absent";
  return (await navigator.gpu.requestAdapter().catch(() => null)) ? null : "inpage.webllm.adapter";
}

export const RUNNERS = [builtin, inWorker("gguf", noGguf), inWorker("webllm", noWebgpu)];

/** Answers a seat of kind `custom` that names a runner; null if it names none. */
export function answer(ask) {
  const [name, ...rest] = (ask.model ?? "").split("/");
  const runner = RUNNERS.find((one) => one.runner === name);
  if (!runner) throw new Error(`nothing in this page answers for "${ask.model ?? ask.seat}"`);
  return runner.answer({ ...shown(ask), model: rest.join("/") });
}

/** The members of an ask that a model needs. */
const shown = ({ language, system, messages, maxTokens, temperature, topP, stop, schema, signal }) => ({ language,
  system, messages, maxTokens, temperature, topP, stop, schema, signal });
