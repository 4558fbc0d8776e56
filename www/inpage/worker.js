// Runs models away from the page. It receives only the request: no key and no other part of a record. The page's own
// policy stays strict; this worker may fetch the weights. Messages in: { id, do, runner, ... }; out: { id, piece }, {
// id, progress }, then { id, done } or { id, error }.
const RUNNERS = { gguf: () => import("./gguf.js"), webllm: () => import("./webllm.js") };
const stops = new Map();
/** Engines do one thing at a time. */
let last = Promise.resolve();

const WORK = {
  models: ({ runner }) => runner.models(),
  load: ({ runner, model, file, id, signal }) =>
    runner.load(model, { file, signal, progress: (share) => postMessage({ id, progress: share }) }),
  ask: ({ runner, model, request, id, signal }) =>
    runner.ask(model, request, { signal, piece: (text) => postMessage({ id, piece: text }), progress: (share) =>
      postMessage({ id, progress: share }) }),
  forget: ({ runner, model }) => runner.forget(model),
};

async function work(data, signal) {
  if (signal.aborted) throw new Error("stopped");
  const runner = await RUNNERS[data.runner]();
  return WORK[data.do]({ ...data, runner, signal });
}

addEventListener("message", ({ data }) => {
  const { id } = data;
  if (data.do === "stop") return stops.get(id)?.abort();
  const stop = new AbortController();
  stops.set(id, stop);
  last = last.then(() => work(data, stop.signal)).then(
    (done) => postMessage({ id, done }),
    (error) => postMessage({ id, error: String(error?.message ?? error) }),
  ).finally(() => stops.delete(id));
});
