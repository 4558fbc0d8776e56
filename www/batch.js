// Runs stored sessions to their end, two at a time, while other views are shown.
import { acquire, release } from "./engine.js";

const AT_ONCE = 2;
const waiting = [];
const watchers = new Set();
let busy = 0;
let counts = { of: 0, ended: 0, stuck: [] };

/** The number of sessions in the batch, how many have ended, and those that stopped early; null while idle. */
export const progress = () => (busy ? counts : null);
/** Calls `watcher` after each session; returns a function that stops it. */
export function watch(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Runs sessions `{ id, title }`; those already in the queue are not added twice. */
export function runAll(sessions) {
  if (!busy) counts = { of: 0, ended: 0, stuck: [] };
  const added = sessions.filter(({ id }) => !waiting.some((one) => one.id === id));
  waiting.push(...added);
  counts.of += added.length;
  while (busy < AT_ONCE && waiting.length) next();
}

async function next() {
  busy += 1;
  const one = waiting.shift();
  if (await runToEnd(one.id).catch(() => false)) counts.ended += 1;
  else counts.stuck.push(one);
  busy -= 1;
  for (const watcher of [...watchers]) watcher(counts);
  if (waiting.length) next();
}

/** Runs a session. Resolves to whether it has ended. */
async function runToEnd(id) {
  const lab = await acquire(id);
  try {
    lab.session.setPace(0);
    lab.go();
    while (lab.running && lab.session.status.state === "running") await new Promise((done) => setTimeout(done, 100));
    return lab.session.status.state === "ended";
  } finally {
    release(lab);
  }
}
