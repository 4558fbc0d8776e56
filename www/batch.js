// Runs stored sessions to their end, two at a time, while other views are shown.
import { acquire, release } from "./engine.js";

export const AT_ONCE = 2;
const waiting = [];
const watchers = new Set();
let busy = 0;
let counts = { of: 0, ended: 0, stuck: [], isCapped: false };
/** The limit for all sessions of the batch together: `{ cost }` or `{ calls }`; null: none. */
let cap = null;
/** What each session has used up. */
const used = new Map();

/**
 * The number of sessions in the batch, how many have ended, those that stopped early, and whether their limit is reached;
 * null while idle.
 */
export const progress = () => (busy ? counts : null);
/** Whether the last batch reached its limit, and how far it came. */
export const capped = () => (counts.isCapped ? counts : null);
/** Calls `watcher` after each session; returns a function that stops it. */
export function watch(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Runs sessions `{ id, title }`, up to a limit for all; those already in the queue are not added twice. */
export function runAll(sessions, /** @type {{ cost?: number, calls?: number } | null} */ limit = null) {
  if (!busy) {
    counts = { of: 0, ended: 0, stuck: [], isCapped: false };
    used.clear();
  }
  counts.isCapped = false;
  cap = limit;
  const added = sessions.filter(({ id }) => !waiting.some((one) => one.id === id));
  waiting.push(...added);
  counts.of += added.length;
  while (busy < AT_ONCE && waiting.length) next();
}

async function next() {
  busy += 1;
  const one = waiting.shift();
  if (await runToEnd(one.id).catch(() => false)) counts.ended += 1;
  else if (!counts.isCapped) counts.stuck.push(one);
  busy -= 1;
  for (const watcher of [...watchers]) watcher(counts);
  if (waiting.length) next();
}

/** Notes what a session has used up; at the limit for all, nothing more is begun. */
function count({ session }) {
  if (!cap) return;
  used.set(session.id, cap.cost === undefined ? session.usage.calls : session.costs().run.cost);
  const sum = [...used.values()].reduce((all, one) => all + one, 0);
  if (sum < (cap.cost ?? cap.calls)) return;
  counts.isCapped = true;
  waiting.length = 0;
}

/** Runs a session. Resolves to whether it has ended. */
async function runToEnd(id) {
  const lab = await acquire(id);
  try {
    lab.session.setPace(0);
    lab.go();
    while (lab.running && lab.session.status.state === "running") {
      await new Promise((done) => setTimeout(done, 100));
      count(lab);
      if (counts.isCapped && lab.session.status.state === "running") lab.session.pause();
    }
    count(lab);
    return lab.session.status.state === "ended";
  } finally {
    release(lab);
  }
}
