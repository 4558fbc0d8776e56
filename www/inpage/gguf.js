// A GGUF file, run by llama.cpp compiled to WebAssembly (wllama). A model is an address, or `file:NAME` for a file of this
// computer; both are kept in the browser's private file system, so that they are fetched once.
import { Wllama } from "@wllama/wllama";
import { file } from "../files.js";

const quiet = { debug() {}, log() {}, warn() {}, error: (...all) => console.error(...all) };
function make() {
  const wllama = new Wllama({ default: file("wllama.wasm") }, { suppressNativeLog: true, logger: quiet,
    allowOffline: true });
  // Else it runs code from a public server where the browser has no promise integration; a worker has no policy to stop that.
  wllama.setCompat(null);
  return wllama;
}
/** Room for question and answer, in tokens. */
const CONTEXT = 8192;

let engine = null;
let loaded = null;

const isFile = (model) => model.startsWith("file:");
const cache = () => make().cacheManager;

/** What is kept here. */
export async function models() {
  const entries = await cache().list();
  return entries.map(({ name, size, metadata }) => ({ id: metadata?.originalURL ?? name, size, isHere: true }));
}

/** Takes the file in where one is handed over, else fetches the address unless it is kept already; then makes it ready. */
export async function load(model, { file, progress, signal }) {
  if (loaded === model) return;
  await engine?.exit();
  engine = make();
  loaded = null;
  if (file) {
    await engine.cacheManager.write(fileName(model), counted(file, progress), { etag: "", originalSize: file.size,
      originalURL: model });
  }
  const settings = { n_ctx: CONTEXT, n_parallel: 1, jinja: true };
  if (isFile(model)) {
    const blob = await engine.cacheManager.open(fileName(model));
    if (!blob) throw new Error(`${model.slice(5)} is not kept in this browser any more: choose the file again`);
    await engine.loadModel([blob], settings);
  } else {
    await engine.loadModelFromUrl(model, { ...settings, signal, progressCallback: ({ loaded: done, total }) =>
      progress(total ? done / total : 0) });
  }
  loaded = model;
}

/** A question in OpenAI's form; pieces as they come, the whole at the end. */
export async function ask(model, { messages, maxTokens, temperature, topP, seed, stop, schema },
  { piece, progress, signal }) {
  // A configuration may come from anybody: nothing is fetched because it says so.
  if (loaded !== model && !(await models()).some(({ id }) => id === model)) {
    throw new Error(`${model} is not in this browser yet: get it under "Models and keys", then resume`);
  }
  await load(model, { file: null, progress, signal });
  const reply = { text: "", reasoning: "", model };
  const chunks = await engine.createChatCompletion({
    messages,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    abortSignal: signal,
    cache_prompt: true,
    ...(temperature === null ? {} : { temperature }),
    ...(topP ? { top_p: topP } : {}),
    ...(seed ? { seed } : {}),
    ...(stop?.length ? { stop } : {}),
    ...(schema
      ? { response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: true } } }
      : {}),
  });
  for await (const chunk of chunks) {
    const [choice] = chunk.choices ?? [];
    if (chunk.usage) reply.usage = { input: chunk.usage.prompt_tokens, output: chunk.usage.completion_tokens };
    if (choice?.finish_reason) reply.finish = choice.finish_reason;
    reply.reasoning += choice?.delta?.reasoning_content ?? "";
    const text = choice?.delta?.content;
    if (!text) continue;
    reply.text += text;
    piece(text);
  }
  return reply;
}

export async function forget(model) {
  if (loaded === model) {
    await engine.exit();
    loaded = null;
    engine = null;
  }
  const entries = await cache().list();
  await Promise.all(
    entries.filter(({ name, metadata }) => (metadata?.originalURL ?? name) === model).map(({ name }) =>
      cache().delete(name)
    ),
  );
}

const fileName = (model) => `file_${model.slice(5).replace(/[^\w.-]/g, "_")}`;

/** The file as a stream that says how far it is. */
function counted(file, progress) {
  let done = 0;
  return file.stream().pipeThrough(new TransformStream({
    transform(chunk, controller) {
      done += chunk.byteLength;
      progress(done / file.size);
      controller.enqueue(chunk);
    },
  }));
}
