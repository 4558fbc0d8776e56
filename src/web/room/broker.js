// A transport over any MQTT 3.1.1 broker by WebSocket. Reconnects, resubscribes, and resends what the broker has not
// acknowledged. A message may arrive twice and in any order.
import codec from "u8-mqtt-packet/esm/codec_bind.js";
import client from "u8-mqtt-packet/esm/codec_v4_client.js";
import { elapsed } from "./elapsed.js";

const context = codec(4, client);
/** Seconds: until a ping, until a silent connection counts as lost, between two attempts at most. */
const PING = 15;
const PATIENCE = 8;
const PAUSE = 10;
/** Most messages queued for a connection; the oldest are dropped. */
const WAITING = 2000;
/** Most packets sent behind CONNECT before its answer: aedes queues no more than 42. */
const EARLY = 20;
/**
 * A broker refuses a message by closing the connection (MQTT 3.1.1 has no other way). A message with which so many
 * connections ended is suspected and sent alone, the others first; after as many more it is given up.
 */
const SUSPECTED = 2;
/** Milliseconds that a suspected message is waited for, and until the like of a refused one is tried again. */
const ALONE = 5000;
const REFUSED = 60_000;
/** Bytes from which on a refused message counts as too large, for any topic. */
const LARGE = 65_536;

/** Returns whether an https page would connect without encryption, which browsers allow to the own machine only. */
export const isMixed = (address, page = globalThis.location) => {
  const { protocol, hostname } = new URL(address);
  return page?.protocol === "https:" && protocol === "ws:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
};

/**
 * Splits incoming bytes into packets; brokers send them in pieces. (The codec's own stream, in 0.4.1, holds back a
 * short packet that follows a longer one in pieces.)
 */
function packets() {
  let rest = new Uint8Array();
  return (piece) => {
    const bytes = new Uint8Array(rest.length + piece.length);
    bytes.set(rest);
    bytes.set(piece, rest.length);
    const found = [];
    let at = 0;
    for (;;) {
      let length = 0;
      let head = at + 1;
      for (let shift = 0; ; shift += 7, head += 1) {
        if (shift > 21) throw new RangeError("not an MQTT packet");
        length |= (bytes[head] & 127) << shift;
        if (!(bytes[head] & 128)) break;
      }
      const end = head + 1 + length;
      if (head >= bytes.length || end > bytes.length) break;
      const packet = context.decode_pkt(bytes[at], length ? bytes.subarray(head + 1, end) : null);
      if (packet) found.push(packet);
      at = end;
    }
    rest = bytes.slice(at);
    return found;
  };
}

const randomId = () => `quorate-${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/**
 * Connects to a broker: a transport (docs/rooms.md). `user` and `password` may stand in the address as well. `will` is
 * `{ topic, bytes }`, which the broker publishes when this end vanishes, or a function that returns it at each
 * connection. States: `connecting`, `open`, `lost`
 * (retries), `refused` (with the broker's `reason`; retries slowly), `mixed`, `closed`.
 * @param {string} address
 * @param {{ user?: string, password?: string, will?: { topic: string, bytes: Uint8Array } | (() => { topic: string, bytes: Uint8Array }), WebSocket?: any }} options
 */
export function broker(address, { user, password, will, WebSocket: given } = {}) {
  const WebSocket = given ?? globalThis.WebSocket;
  const url = new URL(address);
  const username = user ?? (decodeURIComponent(url.username) || undefined);
  const secret = password ?? (decodeURIComponent(url.password) || undefined);
  url.username = url.password = "";
  // The same after a break, so that the broker drops the previous connection.
  const client_id = randomId();
  const listeners = new Map();
  const waiting = new Map();
  /** What the broker did not take, by kind: from which size on, until when, and for how long the next time. */
  const refused = new Map();
  let watchers = new Set();
  let connection = { state: "connecting" };
  let socket = null;
  /** Sends a packet, and what is waiting; null while not connected. */
  let send = null;
  let flush = null;
  let number = 0;
  let tries = 0;
  let timers = [];

  const setState = (next) => {
    connection = next;
    for (const on of [...watchers]) on(connection);
  };
  const freeId = () => {
    do number = (number % 65535) + 1; while (waiting.has(number));
    return number;
  };
  const stop = () => {
    timers.forEach(clearInterval);
    timers = [];
  };
  const detach = (old) => {
    old.onopen = old.onmessage = old.onclose = null;
    // Closing a socket before it is open raises an error event.
    old.onerror = () => {};
    old.close();
  };
  const publish = (write, id, one) => {
    write("publish", { pkt_id: id, topic: one.topic, payload: one.bytes, qos: 1, retain: one.retain, dup: one.isSent });
    one.isSent = true;
  };
  const kindOf = ({ topic, bytes, retain }) => (!retain && bytes.length >= LARGE ? "large" : `${retain} ${topic}`);
  const isRefused = (one) => {
    const known = refused.get(kindOf(one));
    return known && one.bytes.length >= known.size && known.since() < known.pause;
  };
  function refuse(one) {
    const kind = kindOf(one);
    const known = refused.get(kind);
    const size = kind === "large" ? Math.min(one.bytes.length, known?.size ?? Infinity) : 1;
    refused.set(kind, { size, since: elapsed(), pause: known ? 2 * known.pause : REFUSED });
    one.onRefused?.(`the broker does not take this message (${one.bytes.length} bytes${one.retain ? ", retained" : ""})`);
  }
  /** Drops the oldest message; a suspected one first. */
  const dropOne = () => waiting.delete(([...waiting].find(([, { losses }]) => losses >= SUSPECTED) ?? [...waiting][0])[0]);

  function connect() {
    stop();
    const own = socket = new WebSocket(url.href, ["mqtt"]);
    own.binaryType = "arraybuffer";
    const decode = packets();
    const write = (type, packet) => own.readyState === 1 && own.send(context.encode_pkt(type, packet));
    let sinceReceived = elapsed();
    let sinceAccepted = null;
    /** Topics and message ids already sent over this connection. */
    const sent = new Set();
    /** The suspected message that is sent alone. */
    let alone = null;
    let sinceAlone = null;
    const sendWaiting = (most = Infinity) => {
      if (waiting.has(alone) && sinceAlone() < ALONE) return;
      alone = null;
      let suspect = null;
      let isQuiet = true;
      for (const [id, one] of waiting) {
        if (sent.size >= most) return;
        if (sent.has(id)) {
          isQuiet = false;
        } else if (one.losses >= SUSPECTED) {
          suspect ??= id;
        } else {
          isQuiet = false;
          sent.add(id);
          publish(write, id, one);
        }
      }
      if (suspect === null || !isQuiet || !sinceAccepted) return;
      [alone, sinceAlone] = [suspect, elapsed()];
      sent.add(suspect);
      publish(write, suspect, waiting.get(suspect));
    };
    const catchUp = (most) => {
      const topics = [...listeners.keys()].filter((topic) => !sent.has(topic));
      if (topics.length) write("subscribe", { pkt_id: freeId(), qos: 1, topics });
      for (const topic of topics) sent.add(topic);
      sendWaiting(most);
    };
    const giveUp = (state, reason, isClosed = false) => {
      if (socket !== own) return;
      socket = send = flush = null;
      stop();
      detach(own);
      // A broken network is silent, or breaks at any time.
      if (isClosed && sinceAccepted) {
        const isAlone = waiting.has(alone) && sinceAlone() < ALONE;
        for (const [id, one] of waiting) {
          if (!sent.has(id) || (isAlone && alone !== id)) continue;
          one.losses += 1;
          if (!isAlone || one.losses < 2 * SUSPECTED) continue;
          waiting.delete(id);
          refuse(one);
        }
      }
      setState({ state, ...(reason && { reason }) });
      // A broker that accepts and closes at once is not asked faster than one that does not answer.
      tries = sinceAccepted?.() > 2000 ? 1 : tries + 1;
      // Spread out, so that thirty devices that lost the same broker do not return in the same moment.
      const pause = Math.min(PAUSE, 0.25 * 2 ** tries) * (state === "refused" ? 4 : 1) * (0.5 + Math.random() / 2);
      timers = [setTimeout(connect, pause * 1000)];
    };
    timers = [setInterval(() => {
      const silent = sinceReceived() / 1000;
      if (silent > (sinceAccepted ? PING + PATIENCE : PATIENCE)) giveUp("lost");
      else if (sinceAccepted && silent > PING) write("pingreq");
      if (alone !== null) sendWaiting();
    }, 1000)];
    own.onopen = () => {
      const left = typeof will === "function" ? will() : will;
      write("connect", { client_id, keep_alive: 2 * PING, flags: 2, username, password: secret, ...(left && { will: { topic: left.topic, payload: left.bytes, qos: 1 } }) });
      // Allowed before CONNACK (MQTT 3.1.1, 3.1.4); saves a round trip if the broker accepts.
      if (tries < 2) catchUp(EARLY);
    };
    own.onclose = own.onerror = () => giveUp("lost", null, true);
    const handlers = {
      connack({ reason }) {
        if (Number(reason)) return giveUp("refused", String(reason.reason ?? reason));
        sinceAccepted = elapsed();
        send = write;
        flush = sendWaiting;
        catchUp();
        setState({ state: "open" });
      },
      publish({ topic, payload, qos, pkt_id }) {
        const bytes = new Uint8Array(payload);
        for (const on of [...(listeners.get(topic) ?? [])]) on(bytes);
        if (qos) write("puback", { pkt_id });
      },
      puback({ pkt_id }) {
        const one = waiting.get(pkt_id);
        waiting.delete(pkt_id);
        if (one?.losses >= SUSPECTED || alone !== null || [...waiting.values()].some(({ losses }) => losses >= SUSPECTED)) sendWaiting();
      },
      suback: ({ answers }) => answers.some((one) => Number(one) > 2) && giveUp("refused", "subscription"),
    };
    own.onmessage = ({ data }) => {
      sinceReceived = elapsed();
      let found;
      try {
        found = decode(new Uint8Array(data));
      } catch {
        return giveUp("lost");
      }
      for (const packet of found) if (socket === own) handlers[packet.type]?.(packet);
    };
  }

  const reconnect = () => !socket && ["connecting", "lost"].includes(connection.state) && connect();
  if (isMixed(url.href)) connection = { state: "mixed" };
  else {
    connect();
    globalThis.addEventListener?.("online", reconnect);
    globalThis.addEventListener?.("pageshow", reconnect);
  }

  return {
    /**
     * `fleeting`: at-most-once delivery to current subscribers. `onRefused(reason)`: called if the broker does not take
     * the message.
     */
    publish(topic, bytes, { retain = false, fleeting = false, onRefused = undefined } = {}) {
      if (connection.state === "closed") return;
      if (fleeting) return void send?.("publish", { topic, payload: bytes, qos: 0 });
      const one = { topic, bytes, retain, onRefused, losses: 0, isSent: false };
      if (isRefused(one)) return void queueMicrotask(() => onRefused?.("the broker did not take a message like this one before"));
      if (waiting.size >= WAITING) dropOne();
      waiting.set(freeId(), one);
      flush?.();
    },
    subscribe(topic, on) {
      const isNew = !listeners.has(topic);
      if (isNew) listeners.set(topic, new Set());
      listeners.get(topic).add(on);
      if (isNew) send?.("subscribe", { pkt_id: freeId(), qos: 1, topics: [topic] });
      return () => {
        listeners.get(topic)?.delete(on);
        if (listeners.get(topic)?.size !== 0) return;
        listeners.delete(topic);
        send?.("unsubscribe", { pkt_id: freeId(), topics: [topic] });
      };
    },
    onState(on) {
      watchers.add(on);
      on(connection);
      return () => watchers.delete(on);
    },
    /** Simulates a broken network; reconnects after `pause` ms (for tests and for pages that were asleep). */
    breakOff({ pause = 0 } = {}) {
      if (connection.state === "closed") return;
      stop();
      if (socket) detach(socket);
      socket = send = flush = null;
      setState({ state: "lost" });
      timers = [setTimeout(connect, pause)];
    },
    /** Disconnects without triggering the will. */
    close() {
      if (connection.state === "closed") return;
      stop();
      globalThis.removeEventListener?.("online", reconnect);
      globalThis.removeEventListener?.("pageshow", reconnect);
      send?.("disconnect");
      if (socket) detach(socket);
      socket = send = flush = null;
      setState({ state: "closed" });
      watchers = new Set();
    },
  };
}
