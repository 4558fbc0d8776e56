// A guest in a room: keeps a key pair and unsent answers on the device, resends answers until they are acknowledged,
// and holds the state that the host sends (docs/rooms.md). `quorate/guest` is guest_api.js, which checks arguments.
import { broker } from "./broker.js";
import { elapsed } from "./elapsed.js";
import { fromBase64url, readLink, toBase64url } from "./link.js";
import { findLink } from "./link_text.js";
import { fingerprint, guestKeys, guestTopic, hostTopic, lengthOf, openAtGuest, sealToHost, VERSION } from "./seal.js";
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
/** Milliseconds until a connection service that did not take hello is tried again. */
const REFUSED = 60_000;
/** Milliseconds after which the stored state of an unused room is deleted. */
const FORGET = 30 * 86_400_000;
const PREFIX = "quorate.guest.";
/** How many numbers behind the highest one a message of the host may still arrive. */
const WINDOW = 1000;
/** Bytes of an answer for which another interval passes before it is sent again, since slow lines take long for it. */
const SLOW = 16_384;
/** The least length that answers are padded for. */
const ANSWER = 1024;

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
 * @param {{ page?: string, user?: string, password?: string, will?: { topic: string, bytes: Uint8Array } | (() => { topic: string, bytes: Uint8Array }), WebSocket?: any }} options
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

/** The longest of several values, as JSON. */
const longest = (values) => values.reduce((first, one) => (JSON.stringify(one).length > JSON.stringify(first).length ? one : first), "");
const VALUES = {
  choice: ({ options, none }) => longest([...options.map(({ value }) => value), ...(none ? [null] : [])]),
  certainty: ({ options }) => longest(options.map(({ value }) => value)),
  order: ({ options }) => options.map(({ value }) => value),
  amount: ({ most }) => most,
  yes_no: ({ yes, no, isFlag }) => (isFlag ? false : longest([yes.value, no.value])),
  scale: () => -Number.MAX_VALUE,
  each: ({ of, options, fields }, given) => options.map(({ value }, at) => ({ [of]: value, ...widest(fields, Object(given)[at]) })),
  group: ({ fields }, given) => widest(fields, given),
};
/**
 * The values of an answer with the longest ones in place of those that were chosen: padded for these, all answers to a
 * question are of one size, but for texts.
 */
export function widest(fields, given) {
  const values = { ...Object(given) };
  for (const field of fields) {
    const { name, input, places = [], options = [] } = field;
    if (input === "order" && places.length) for (const place of places) values[place] = longest(options.map(({ value }) => value));
    else if (Object.hasOwn(VALUES, input)) values[name] = VALUES[input](field, values[name]);
  }
  return values;
}
/** The field with the longest text of an answer. */
const longestField = (values) => Object.entries(values).reduce(([first, size], [name, value]) => {
  const length = JSON.stringify(value)?.length ?? 0;
  return length > size ? [name, length] : [first, size];
}, [null, 0])[0];

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
  const isReturning = Boolean(secret);
  const own = guestKeys(secret ?? undefined);
  const save = (change) => {
    const known = stored.read();
    stored.write({ n: 0, unsent: [], ...known, ...change, secret: toBase64url(own.secret), at: Date.now() });
  };
  save(secret ? {} : { n: 0, unsent: [] });

  const state = {
    connection: "connecting", reason: null, host: "unknown", stage: null, room: null, you: null, lobby: null, table: null, number: 0,
    view: null, questions: [], end: null, notices: [], answers: {}, reminded: null, trouble: null,
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
  /** Whether the connection service did not take the last hello. */
  let isRefused = false;
  /** What this guest wants of the host (`back`, `leave`), until the host sends another state. */
  let wish = null;
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
  /** The id of the connection, which grows, and how many messages were sent over it. */
  let connection = 0;
  let count = 0;
  let isUsed = false;
  const beginConnection = () => {
    connection = Math.max(wholeNumber(stored.read()?.connection) + 1, Date.now() * 16 + Math.floor(Math.random() * 16));
    count = 0;
    isUsed = false;
    save({ connection });
  };
  beginConnection();
  /** The session of the host, the messages of it that were received, and earlier sessions. */
  let host = { session: wholeNumber(stored.read()?.host), highest: 0, seen: new Set() };
  const past = new Set();
  /** Whether a message of the host is meant for this connection and new. */
  const isNew = ({ from, to }) => {
    if (!Array.isArray(from) || !from.every(Number.isSafeInteger) || !Array.isArray(to) || !to.includes(connection)) return false;
    const [session, number] = from;
    if (session !== host.session) {
      if (past.has(session)) return false;
      past.add(host.session);
      host = { session, highest: 0, seen: new Set() };
      save({ host: session });
    }
    if (host.seen.has(number) || number <= host.highest - WINDOW) return false;
    host.seen.add(number);
    host.highest = Math.max(host.highest, number);
    if (host.seen.size > 2 * WINDOW) for (const one of host.seen) if (one <= host.highest - WINDOW) host.seen.delete(one);
    return true;
  };
  const sealed = (message, least) => sealToHost(own, link, { v: VERSION, ...message, from: [connection, count += 1], to: host.session }, least);
  /** Published by the broker when the connection is lost; its number is 0, and it is taken once. */
  const will = () => ({ topic: hostTopic(link), bytes: sealToHost(own, link, { v: VERSION, type: "bye", from: [connection, 0], to: 0 }) });
  const post = transport ?? meet(link.meeting, { page, WebSocket, will });
  const send = (message, options) => post.publish(hostTopic(link), sealed(message), options);
  const isOver = () => isClosed || ["ended", "moved"].includes(state.trouble?.kind);
  /** The connection service does not take what this device sends. */
  const onRefused = (reason) => {
    isRefused = true;
    Object.assign(state, { connection: "refused", reason });
    notify();
  };
  const sendHello = () => {
    sinceHello = elapsed();
    isAnswered = false;
    isUsed = true;
    send({ type: "hello", language, since: state.number, params: params ?? limitParams(inLink) }, { onRefused });
  };
  /** At most once a second, since an update may be on its way; otherwise the request is repeated later. */
  const requestState = () => {
    if (sinceHello() > 1000) sendHello();
    else isAnswered = false;
  };
  /** When answers were sent, and the milliseconds until they are sent again. */
  const repeats = new Map();
  const sealAnswer = ({ n, ask, values }) => {
    const message = { v: VERSION, type: "answer", n, ask, values };
    const form = state.questions.find((one) => one.ask === ask)?.form;
    const least = lengthOf({ ...message, values: widest(form?.fields ?? [], values), from: [connection, count], to: host.session });
    return sealed({ type: "answer", n, ask, values }, Math.max(ANSWER, least));
  };
  /** Sends an answer; one that cannot be sent is refused here. */
  const sendAnswer = (one) => {
    let bytes;
    try {
      bytes = sealAnswer(one);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return settle(one.n, { state: "refused", message: "", reason: "long", field: longestField(one.values) });
    }
    repeats.set(one.n, { since: elapsed(), pause: again * Math.ceil(bytes.length / SLOW) });
    post.publish(hostTopic(link), bytes, { onRefused: () => settle(one.n, { state: "refused", message: "", reason: "meeting", field: null }) });
  };
  const sendUnsent = () => {
    for (const one of stored.read().unsent) {
      const last = repeats.get(one.n);
      // Half an interval early rather than a whole one late.
      if (!last || last.since() >= last.pause - again / 2) sendAnswer(one);
    }
  };
  const sendAll = () => {
    repeats.clear();
    sendUnsent();
  };

  const settle = (n, outcome) => {
    repeats.delete(n);
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
      wish = null;
      const wasOut = state.trouble !== null;
      state.trouble = null;
      for (const name of ["stage", "room", "you", "lobby", "table", "end"]) state[name] = message[name] ?? null;
      for (const name of ["questions", "notices"]) state[name] = Array.isArray(message[name]) ? message[name] : [];
      state.view = since ? merged(state.view, message.view) : message.view ?? null;
      state.number = number;
      if (!state.questions.some((one) => one.ask === state.reminded)) state.reminded = null;
      if (wasOut) sendAll();
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
    const { session } = host;
    if (isClosed || message?.v !== VERSION || !isNew(message) || !Object.hasOwn(handlers, message.type)) return;
    sinceReceived = elapsed();
    state.host = "here";
    if (isRefused) Object.assign(state, { connection: "open", reason: null });
    isRefused = false;
    if (Number.isFinite(message.at)) hostClock = { at: message.at, since: elapsed() };
    if (host.session === session || message.type !== "here") handlers[message.type](message);
    // A host that was loaded anew takes nothing that does not name its session.
    if (host.session !== session && !isOver()) {
      if (message.type !== "state") sendHello();
      if (!state.trouble) sendAll();
      if (wish) send({ type: wish });
    }
    notify();
  });
  post.onState(({ state: next, reason = null }) => {
    if (isClosed) return;
    const isBack = next === "open" && state.connection !== "open";
    // Before the transport asks for the will of the next connection.
    if (next !== "open" && next !== "connecting" && isUsed && !isHelloQueued) beginConnection();
    Object.assign(state, { connection: next, reason });
    if (isBack && !isOver()) {
      sinceJoined = elapsed();
      if (!isHelloQueued) sendHello();
      isHelloQueued = false;
      if (!state.trouble) sendAll();
    }
    notify();
  });

  // This package's transports queue it until they are connected.
  if (!transport && state.connection === "connecting") {
    isHelloQueued = true;
    sendHello();
  }

  const heartbeat = setInterval(() => state.connection === "open" && !isOver() && !state.trouble && send({ type: "here" }, { fleeting: true }), here);
  const repeat = setInterval(() => {
    const isAway = sinceReceived ? sinceReceived() > silent : sinceJoined() > Math.min(silent, 8_000);
    if (isAway && state.host !== "away" && !isOver()) {
      state.host = "away";
      // The host may have forgotten this connection.
      beginConnection();
      isAnswered = false;
      notify();
    }
    if (isRefused && !isOver() && sinceHello() > REFUSED) sendHello();
    if (state.connection !== "open" || isOver()) return;
    // It may be let in later: soon, once it is closed on another device.
    if (state.trouble) return void (sinceHello() > (state.trouble.kind === "in_use" ? again : silent) && sendHello());
    if (!isAnswered && sinceHello() > again) sendHello();
    // Also while the host counts as away: it may be back already.
    sendUnsent();
  }, again);
  const onPageHide = () => !isClosed && state.connection === "open" && send({ type: "bye" }, { fleeting: true });
  const onPageShow = ({ persisted }) => {
    if (!persisted || isOver()) return;
    beginConnection();
    sendHello();
  };
  globalThis.addEventListener?.("pagehide", onPageHide);
  globalThis.addEventListener?.("pageshow", onPageShow);

  return {
    link,
    /** Two words of the host's key, to compare with those that the host shows. */
    fingerprint: fingerprint(link.host),
    /** Whether this device was in the room before, so the page may have been left by somebody else. */
    isReturning,
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
      save({ n, unsent: [...stored.read().unsent.filter((one) => one.ask !== askId), { n, ask: askId, values }] });
      state.answers[askId] = { n, state: "sending", values };
      let done;
      const settled = new Promise((resolve) => (done = resolve));
      waiting.set(n, { settled, done });
      if (state.connection === "open" && !isOver() && !state.trouble) sendAnswer({ n, ask: askId, values });
      notify();
      return settled;
    },
    here: () => send({ type: "awake" }),
    back: () => send({ type: wish = "back" }),
    leave: () => send({ type: wish = "leave" }),
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
