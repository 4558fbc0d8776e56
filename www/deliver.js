// After a debate: stores its knowledge and receipt, and delivers its result. Deliveries wait in an outbox; each is made
// once and retried for a day.
import { Library, Memory, download, entriesOf } from "./engine.js";
import { postTo } from "./opener.js";
import { t } from "./i18n.js";
import { keyAt } from "./keys.js";
import { originOf, withKey } from "./origins.js";
import { outcomeOf } from "./outcome.js";

const CHANNEL = "quorate";
/** Milliseconds that an address has to answer. */
const PATIENCE = 15_000;

/** The message for every kind of delivery. */
async function message(id) {
  const [entries, receipt] = await Promise.all([entriesOf(id), Memory.receipt(id)]);
  const result = entries.findLast(({ what }) => what.type === "ended")?.what.result ?? null;
  return { type: "debate.result", v: 1, debate_id: id, result, receipt };
}

async function post(url, body) {
  const answer = await fetch(withKey(url, keyAt(originOf(url))), { method: "POST",
    headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), credentials: "omit",
    referrerPolicy: "no-referrer", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(`${new URL(url).host}: ${answer.status}`);
}

function toWindow(target, body) {
  if (!postTo(target, body)) throw new Error(`${target.origin}: closed`);
}

function toTabs(target, body) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(body);
  channel.close();
}

function notify(target, { debate_id, result }) {
  if (globalThis.Notification?.permission !== "granted") throw new Error("Notification: not allowed");
  new Notification(result.question, { body: outcomeOf({ protocol: "debate", outcome: result }), tag: debate_id });
}

const save = (target, body) =>
  download({ name: `debate-${body.debate_id.slice(0, 12)}.json`, type: "application/json",
    text: JSON.stringify(body, null, 2) });

const WAYS = { opener: toWindow, embed: toWindow, broadcast: toTabs, webhook: ({ url }, body) => post(url, body),
  download: save, notify };

async function bring({ id, debate_id, target }) {
  const way = WAYS[target.kind];
  if (!way || !(await Memory.take(id))) return;
  try {
    await way(target, await message(debate_id));
    await Memory.done(id);
  } catch (error) {
    await Memory.failed(id, error.message);
  }
}

let timer = 0;
/** Makes the deliveries that are due and schedules the rest. */
export async function deliver() {
  clearTimeout(timer);
  const now = Date.now();
  for (const row of await Memory.outbox()) if (row.next_at <= now) await bring(row);
  const next = Math.min(
    ...(await Memory.outbox()).filter(({ target }) => target.kind in WAYS).map(({ next_at }) => next_at),
  );
  if (Number.isFinite(next)) timer = setTimeout(() => deliver().catch(() => {}), Math.max(next - Date.now(), 1000));
}

/** Delivers the result of a debate now. */
export async function send(id, target) {
  await Memory.queue(id, target);
  await deliver();
}

/** Stores what a finished debate leaves behind; existing items are kept. */
export async function settle(session) {
  const report = await Memory.remember(session);
  if (report) await deliver();
  return report;
}

/** Does the same for debates that ended while no page was open, and makes outstanding deliveries. */
export async function catchUp() {
  // Skips loading the code if there never was a debate.
  if (!(await Library.list()).some(({ protocol }) => protocol === "debate")) return;
  await Memory.rememberAll();
  await deliver();
}

export const canShare = () => typeof navigator.share === "function";
/** Shares a result through the device's share dialog; must be called from a click. */
export async function share(id) {
  const { result } = await message(id);
  await navigator.share({ title: result.question, text: result.final_answer ?? "" });
}
