// Timers for hidden tabs, where a page's timers are throttled to one tick a minute but a worker's are not.
// This file is both the page's module and the worker's script, so that a policy of `worker-src 'self'`
// suffices and no other file is needed.

const NAME = "quorate-timer";
const LONGEST = 2 ** 31 - 1;
const inWorker = typeof WorkerGlobalScope !== "undefined" && globalThis instanceof WorkerGlobalScope;

if (inWorker && globalThis.name === NAME) {
  const timers = new Map();
  globalThis.onmessage = ({ data: [id, milliseconds] }) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    if (milliseconds === null) return;
    const timer = setTimeout(() => {
      timers.delete(id);
      globalThis.postMessage(id);
    }, milliseconds);
    timers.set(id, timer);
  };
}

/** Functions that end running timers, by number. */
const running = new Map();
let last = 0;
let worker;

/** The worker's address for pages with `require-trusted-types-for 'script'`, which allow this policy by its name. */
function trusted(url) {
  const types = globalThis.trustedTypes;
  return types ? types.createPolicy(NAME, { createScriptURL: () => url.href }).createScriptURL("") : url;
}

function ticker() {
  if (worker !== undefined) return worker;
  worker = null;
  // A worker's own timers are not throttled, and Node has no tabs.
  if (inWorker || typeof Worker === "undefined" || typeof document === "undefined") return worker;
  try {
    worker = new Worker(trusted(new URL("./timer.js", import.meta.url)), { type: "module", name: NAME });
    worker.onmessage = ({ data }) => running.get(data)?.();
    // It may fail to start (an old browser, a strict policy): the page's own timers run as well.
    worker.onerror = (event) => {
      event.preventDefault();
      worker = null;
    };
  } catch {
    worker = null;
  }
  return worker;
}

/** Starts a timer of at most 24 days: `[number, promise]`. The promise always resolves. */
export function start(milliseconds) {
  const id = ++last;
  const wait = Math.min(Math.max(milliseconds, 0), LONGEST);
  const done = new Promise((resolve) => {
    const timer = setTimeout(() => running.get(id)?.(), wait);
    running.set(id, () => {
      running.delete(id);
      clearTimeout(timer);
      worker?.postMessage([id, null]);
      resolve();
    });
  });
  // Short waits are not worth a message: hidden pages round timers up to a second or more.
  if (wait >= 50) ticker()?.postMessage([id, wait]);
  return [id, done];
}

/** Cancels a timer; its promise resolves now. */
export function cancel(id) {
  running.get(id)?.();
}

/** Milliseconds of work before yielding: with the page's other work, a task stays below 50. */
const BUSY = 12;
/** Start of the work in the current task; undefined in a new one. */
let since;
const waiting = [];
let channel;

/** Calls back in a new task; unlike timers, messages are not throttled in a hidden tab. */
function next(call) {
  if (typeof setImmediate === "function") return void setImmediate(call);
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()();
  }
  waiting.push(call);
  channel.port2.postMessage(null);
}

/** Returns undefined while the current task is short, else a promise that resolves in a new task. */
export function breathe() {
  if (since === undefined) {
    since = performance.now();
    next(() => {
      since = undefined;
    });
  }
  return performance.now() - since < BUSY ? undefined : new Promise(next);
}
