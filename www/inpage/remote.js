// The page's side of the worker that runs models: one worker, started for the first model.
import { file } from "../files.js";
import { workerUrl } from "../workers.js";

let worker = null;
let count = 0;
const waiting = new Map();

function begin() {
  worker = new Worker(workerUrl(file("inpage/worker.js")), { type: "module" });
  worker.addEventListener("message", ({ data }) => waiting.get(data.id)?.(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    for (const [id, hear] of [...waiting]) {
      hear({ id, error: event.message || "the worker for models could not be started" });
    }
    worker = null;
  });
}

/** Calls the worker; `onPiece` and `onProgress` are called until it is done. */
export function call(what,
  /** @type {{ signal?: AbortSignal, onPiece?: (piece: any) => void, onProgress?: (share: number) => void }} */ {
    signal,
    onPiece,
    onProgress,
  } = {}) {
  if (!worker) begin();
  const id = ++count;
  const stop = () => worker?.postMessage({ id, do: "stop" });
  return new Promise((resolve, reject) => {
    waiting.set(id, (data) => {
      if ("piece" in data) return onPiece?.(data.piece);
      if ("progress" in data) return onProgress?.(data.progress);
      waiting.delete(id);
      signal?.removeEventListener("abort", stop);
      if ("error" in data) reject(new Error(data.error));
      else resolve(data.done);
    });
    signal?.addEventListener("abort", stop);
    worker.postMessage({ id, ...what });
  });
}

/** Yields the pieces of an answer and returns the whole. */
export async function* stream(what, { signal }) {
  const pieces = [];
  let wake = () => {};
  let over = null;
  call(what, { signal, onPiece: (text) => {
    pieces.push(text);
    wake();
  } }).then((whole) => (over = { whole }), (error) => (over = { error })).finally(() => wake());
  while (!over || pieces.length) {
    if (pieces.length) yield pieces.shift();
    else await new Promise((resolve) => (wake = () => resolve(null)));
  }
  if (over.error) throw over.error;
  yield over.whole;
}
