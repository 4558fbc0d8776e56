// Models compiled for the graphics card (WebLLM on WebGPU). Weights come from where the library's list says and are kept by it.
import { MLCEngine, deleteModelAllInfoInCache, hasModelInCache, prebuiltAppConfig } from "@mlc-ai/web-llm";

let engine = null;
let loaded = null;
const LARGEST = 4000;

/** Those for conversation that fit an ordinary card, the smallest first; `size` in bytes of graphics memory. */
export async function models() {
  const fit = prebuiltAppConfig.model_list.filter(({ model_id: id, model_type: type, vram_required_MB: room }) =>
    (type ?? 0) === 0 && room <= LARGEST && /-q4f16/.test(id) && !/-1k$/.test(id)
  );
  const told = fit.map(async ({ model_id: id, vram_required_MB: room }) => ({ id, size: room * 1e6,
    isHere: await hasModelInCache(id).catch(() => false) })
  );
  return (await Promise.all(told)).sort((a, b) => a.size - b.size);
}

export async function load(model, { progress }) {
  if (loaded === model) return;
  loaded = null;
  engine ??= new MLCEngine();
  engine.setInitProgressCallback(({ progress: share }) => progress(share));
  await engine.reload(model);
  loaded = model;
}

export async function ask(model, { messages, maxTokens, temperature, topP, seed, stop, schema },
  { piece, progress, signal }) {
  // A configuration may come from anybody: nothing is fetched because it says so.
  if (loaded !== model && !(await hasModelInCache(model))) {
    throw new Error(`${model} is not in this browser yet: get it under "Models and keys", then resume`);
  }
  await load(model, { progress });
  const halt = () => engine.interruptGenerate();
  signal.addEventListener("abort", halt);
  try {
    const reply = { text: "", model };
    const chunks = await engine.chat.completions.create({
      messages,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: maxTokens,
      ...(temperature === null ? {} : { temperature }),
      ...(topP ? { top_p: topP } : {}),
      ...(seed ? { seed } : {}),
      ...(stop?.length ? { stop } : {}),
      ...(schema ? { response_format: { type: "json_object", schema: JSON.stringify(schema) } } : {}),
    });
    for await (const chunk of chunks) {
      const [choice] = chunk.choices;
      if (chunk.usage) reply.usage = { input: chunk.usage.prompt_tokens, output: chunk.usage.completion_tokens };
      if (choice?.finish_reason) reply.finish = choice.finish_reason;
      const text = choice?.delta?.content;
      if (!text) continue;
      reply.text += text;
      piece(text);
    }
    return reply;
  } finally {
    signal.removeEventListener("abort", halt);
  }
}

export async function forget(model) {
  if (loaded === model) {
    await engine.unload();
    loaded = null;
  }
  await deleteModelAllInfoInCache(model);
}
