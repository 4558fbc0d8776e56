// A guest in a room: keeps a key pair and unsent answers on the device, resends answers until they are acknowledged,
// and holds the state that the host sends (docs/rooms.md). `quorate/guest` is guest_api.js, which checks arguments.
import { broker } from "./broker.js";
import { elapsed } from "./elapsed.js";
import { fromBase64url, readLink, toBase64url } from "./link.js";
import { findLink } from "./link_text.js";
import { guestKeys, guestTopic, hostTopic, openAtGuest, sealToHost } from "./seal.js";
import { tabs } from "./tabs.js";

export { broker } from "./broker.js";
export { findCode, makeLink, readCode, readLink } from "./link.js";
export { tabs } from "./tabs.js";

/**
 * Milliseconds: between two heartbeats, until a silent host counts as away, between two attempts to send the same
 * message.
 */
const HERE = 10_000;
const SILENT = 25_000;
const AGAIN = 3_000;
/** Milliseconds after which the stored state of an unused room is deleted. */
const FORGET = 30 * 86_400_000;
const PREFIX = "quorate.guest.";

/** The state of a room on this device, as JSON in a storage like `localStorage`; in memory if that is not available. */
function openStored(room, storage) {
  const key = PREFIX + room;
  let kept = null;
  const read = () => {
    try {
      const found = JSON.parse(storage.getItem(key) ?? "null");
      if (found && typeof found === "object") kept = found;
    } catch {
      // Not available, or not valid JSON: use what is in memory.
    }
    return kept;
  };
  const write = (next) => {
    kept = next;
    try {
      storage.setItem(key, JSON.stringify(next));
    } catch {
      // Not available: memory only.
    }
  };
  try {
    for (const other of Object.keys(storage).filter((one) => one.startsWith(PREFIX) && one !== key)) {
      if (!(Date.now() - JSON.parse(storage.getItem(other)).at < FORGET)) storage.removeItem(other);
    }
  } catch {
    // Not available.
  }
  return { read, write };
}

function defaultStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/**
 * The transport for the connection service that a link names. `page`: the address of the page that the link leads to.
 * @param {any} meeting
 * @param {{ page?: string, user?: string, password?: string, will?: { topic: string, bytes: Uint8Array }, WebSocket?: any }} options
 */
export function meet(meeting, { page = globalThis.location?.href, ...options } = {}) {
  if (meeting.kind === "tabs") return tabs();
  if (meeting.kind === "broker") return broker(meeting.address, options);
  const url = new URL("room", page);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return broker(url.href, options);
}

/** Applies changes to a view; list members are matched by key. */
export function merged(view, changes) {
  if (!changes || changes.whole || !view) return changes ?? view;
  const next = { ...view, ...changes };
  for (const [list, name] of [["people", "name"], ["asks", "id"], ["items", "key"], ["sections", "key"]]) {
    const all = new Map((view[list] ?? []).map((one) => [one[name], one]));
    for (const one of changes[list] ?? []) all.set(one[name], one);
    next[list] = [...all.values()];
  }
  next.sections.sort((a, b) => a.place - b.place);
  return next;
}

const wholeNumber = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : 0);
/** Limits parameters to what the host accepts: 20, names of 60 and values of 200 characters. */
export const limitParams = (pairs) => Object.fromEntries([...pairs].slice(0, 20).map(([name, value]) => [name.slice(0, 60), String(value).slice(0, 200)]));

/**
 * Joins a room by its link (or its parts). See ../guest.d.ts.
 * @param {any} given
 * @param {{ transport?: any, storage?: any, onState?: (state: any) => void, language?: string, params?: Record<string, string>, WebSocket?: any, times?: { here?: number, silent?: number, again?: number } }} options
 */
export function join(given, { transport, storage = defaultStorage(), onState = () => {}, language = globalThis.navigator?.language ?? "en", params, WebSocket, times = {} } = {}) {
  const link = typeof given === "string" ? readLink(given) : given;
  if (!link) throw new TypeError("not a link to a room");
  const text = typeof given === "string" ? findLink(given) : null;
  const page = text?.page ?? globalThis.location?.href;
  const inLink = [...(text?.page ? [] : new URL(page ?? "http://localhost").searchParams), ...(text?.params ?? [])];
  const { here = HERE, silent = SILENT, again = AGAIN } = times;
  const stored = openStored(link.room, storage);
  const found = stored.read();
  const secret = fromBase64url(found?.secret, 32);
  const own = guestKeys(secret ?? undefined);
  const save = (change) => {
    const known = stored.read();
    stored.write({ n: 0, unsent: [], ...known, ...change, secret: toBase64url(own.secret), at: Date.now() });
  };
  save(secret ? {} : { n: 0, unsent: [] });

  const state = {
    connection: "connecting", reason: null, host: "unknown", stage: null, room: null, you: null, lobby: null, table: null, number: 0,
    view: null, questions: [], end: null, answers: {}, reminded: null, trouble: null,
  };
  for (const one of stored.read().unsent) state.answers[one.ask] = { n: one.n, state: "sending", values: one.values };
  const waiting = new Map();
  /** The host's time when it was last received. */
  let hostClock = { at: Date.now(), since: elapsed() };
  let sinceReceived = null;
  let sinceJoined = elapsed();
  let sinceHello = () => Infinity;
  let isAnswered = false;
  let isClosed = false;
  /** Whether hello was sent while still connecting. */
  let isHelloQueued = false;
  /** Exceptions of the program's callback are logged. */
  const notify = () => {
    try {
      onState(state);
    } catch (error) {
      console.error(error);
    }
  };
  const post = transport ?? meet(link.meeting, { page, WebSocket, will: { topic: hostTopic(link), bytes: sealToHost(own, link, { v: 1, type: "bye" }) } });
  const send = (message, options) => post.publish(hostTopic(link), sealToHost(own, link, { v: 1, ...message }), options);
  /** A device that waits for another one to be closed goes on asking. */
  const isOver = () => isClosed || (state.trouble !== null && state.trouble.kind !== "in_use");
  const sendHello = () => {
    sinceHello = elapsed();
    isAnswered = false;
    send({ type: "hello", language, since: state.number, params: params ?? limitParams(inLink) });
  };
  /** At most once a second, since an update may be on its way; otherwise the request is repeated later. */
  const requestState = () => {
    if (sinceHello() > 1000) sendHello();
    else isAnswered = false;
  };
  const sendUnsent = () => {
    for (const { n, ask, values } of stored.read().unsent) send({ type: "answer", n, ask, values });
  };

  const settle = (n, outcome) => {
    const known = stored.read();
    const one = known.unsent.find((other) => other.n === n);
    if (!one) return;
    save({ unsent: known.unsent.filter((other) => other.n !== n) });
    state.answers[one.ask] = { n, ...outcome, values: one.values };
    waiting.get(n)?.done(state.answers[one.ask]);
    waiting.delete(n);
    notify();
  };
  const handlers = {
    state(message) {
      const number = wholeNumber(message.number);
      const since = wholeNumber(message.since);
      if (state.number && number <= state.number) return;
      if (since && since !== state.number) return requestState();
      isAnswered = true;
      if (state.trouble?.kind === "in_use") state.trouble = null;
      for (const name of ["stage", "room", "you", "lobby", "table", "end"]) state[name] = message[name] ?? null;
      state.questions = Array.isArray(message.questions) ? message.questions : [];
      state.view = since ? merged(state.view, message.view) : message.view ?? null;
      state.number = number;
      if (!state.questions.some((one) => one.ask === state.reminded)) state.reminded = null;
    },
    kept: ({ n }) => settle(n, { state: "kept" }),
    late: ({ n }) => settle(n, { state: "late" }),
    refused: ({ n, message, field }) => settle(n, { state: "refused", message: String(message ?? ""), field: field ?? null }),
    here: ({ number }) => number !== state.number && requestState(),
    remind: (message) => (state.reminded = message.ask ?? null),
    full: () => (state.trouble = { kind: "full" }),
    in_use: () => (state.trouble = { kind: "in_use" }),
    moved: () => (state.trouble = { kind: "moved" }),
    ended: () => (state.trouble = { kind: "ended" }),
    cut: ({ why }) => (state.trouble = { kind: "cut", why: String(why ?? "") }),
  };
  const stop = post.subscribe(guestTopic(link, own.public), (bytes) => {
    const message = openAtGuest(own, link, bytes);
    if (isClosed || message?.v !== 1 || !Object.hasOwn(handlers, message.type)) return;
    sinceReceived = elapsed();
    state.host = "here";
    if (Number.isFinite(message.at)) hostClock = { at: message.at, since: elapsed() };
    handlers[message.type](message);
    notify();
  });
  post.onState(({ state: connection, reason = null }) => {
    if (isClosed) return;
    const isBack = connection === "open" && state.connection !== "open";
    Object.assign(state, { connection, reason });
    if (isBack && !isOver()) {
      sinceJoined = elapsed();
      if (!isHelloQueued) sendHello();
      isHelloQueued = false;
      sendUnsent();
    }
    notify();
  });

  // This package's transports queue it until they are connected.
  if (!transport && state.connection === "connecting") {
    isHelloQueued = true;
    sendHello();
  }

  const heartbeat = setInterval(() => state.connection === "open" && !isOver() && send({ type: "here" }, { fleeting: true }), here);
  const repeat = setInterval(() => {
    const isAway = sinceReceived ? sinceReceived() > silent : sinceJoined() > Math.min(silent, 8_000);
    if (isAway && state.host !== "away" && !isOver()) {
      state.host = "away";
      notify();
    }
    if (state.connection !== "open" || isOver()) return;
    if (!isAnswered && sinceHello() > again) sendHello();
    // Also while the host counts as away: it may be back already.
    sendUnsent();
  }, again);
  const onPageHide = () => !isClosed && state.connection === "open" && send({ type: "bye" }, { fleeting: true });
  const onPageShow = ({ persisted }) => persisted && !isOver() && sendHello();
  globalThis.addEventListener?.("pagehide", onPageHide);
  globalThis.addEventListener?.("pageshow", onPageShow);

  return {
    link,
    get state() {
      return state;
    },
    /** The time by the host's clock. */
    now: () => hostClock.at + hostClock.since(),
    answer(askId, values) {
      const before = state.answers[askId];
      if (before?.state === "sending" && waiting.has(before.n)) return waiting.get(before.n).settled;
      // Read again: another tab of this device may have counted further.
      const n = wholeNumber(stored.read()?.n) + 1;
      const message = { v: 1, type: "answer", n, ask: askId, values };
      const bytes = sealToHost(own, link, message);
      save({ n, unsent: [...stored.read().unsent.filter((one) => one.ask !== askId), { n, ask: askId, values }] });
      state.answers[askId] = { n, state: "sending", values };
      let done;
      const settled = new Promise((resolve) => (done = resolve));
      waiting.set(n, { settled, done });
      if (state.connection === "open" && !isOver()) post.publish(hostTopic(link), bytes);
      notify();
      return settled;
    },
    back: () => send({ type: "back" }),
    leave: () => send({ type: "leave" }),
    /** Deletes everything this device stores about the room. */
    forget() {
      try {
        storage?.removeItem(PREFIX + link.room);
      } catch {
        // Storage is not available.
      }
    },
    close() {
      if (isClosed) return;
      onPageHide();
      isClosed = true;
      clearInterval(heartbeat);
      clearInterval(repeat);
      globalThis.removeEventListener?.("pagehide", onPageHide);
      globalThis.removeEventListener?.("pageshow", onPageShow);
      stop();
      if (!transport) post.close();
    },
  };
}
