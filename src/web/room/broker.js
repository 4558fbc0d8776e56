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
 * `{ topic, bytes }`, which the broker publishes when this end vanishes. States: `connecting`, `open`, `lost`
 * (retries), `refused` (with the broker's `reason`; retries slowly), `mixed`, `closed`.
 * @param {string} address
 * @param {{ user?: string, password?: string, will?: { topic: string, bytes: Uint8Array }, WebSocket?: any }} options
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
  let watchers = new Set();
  let connection = { state: "connecting" };
  let socket = null;
  let send = null;
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

  function connect() {
    stop();
    const own = socket = new WebSocket(url.href, ["mqtt"]);
    own.binaryType = "arraybuffer";
    const decode = packets();
    const write = (type, packet) => own.readyState === 1 && own.send(context.encode_pkt(type, packet));
    let sinceReceived = elapsed();
    let isAccepted = false;
    /** Topics and message ids already sent over this connection. */
    const sent = new Set();
    const catchUp = (most) => {
      const topics = [...listeners.keys()].filter((topic) => !sent.has(topic));
      if (topics.length) write("subscribe", { pkt_id: freeId(), qos: 1, topics });
      for (const topic of topics) sent.add(topic);
      for (const [id, one] of waiting) {
        if (sent.size >= most) return;
        if (sent.has(id)) continue;
        sent.add(id);
        publish(write, id, one);
      }
    };
    const giveUp = (state, reason) => {
      if (socket !== own) return;
      socket = send = null;
      stop();
      detach(own);
      setState({ state, ...(reason && { reason }) });
      tries = isAccepted ? 1 : tries + 1;
      // Spread out, so that thirty devices that lost the same broker do not return in the same moment.
      const pause = Math.min(PAUSE, 0.25 * 2 ** tries) * (state === "refused" ? 4 : 1) * (0.5 + Math.random() / 2);
      timers = [setTimeout(connect, pause * 1000)];
    };
    timers = [setInterval(() => {
      const silent = sinceReceived() / 1000;
      if (silent > (isAccepted ? PING + PATIENCE : PATIENCE)) giveUp("lost");
      else if (isAccepted && silent > PING) write("pingreq");
    }, 1000)];
    own.onopen = () => {
      write("connect", { client_id, keep_alive: 2 * PING, flags: 2, username, password: secret, ...(will && { will: { topic: will.topic, payload: will.bytes, qos: 1 } }) });
      // Allowed before CONNACK (MQTT 3.1.1, 3.1.4); saves a round trip if the broker accepts.
      catchUp(EARLY);
    };
    own.onclose = own.onerror = () => giveUp("lost");
    const handlers = {
      connack({ reason }) {
        if (Number(reason)) return giveUp("refused", String(reason.reason ?? reason));
        isAccepted = true;
        tries = 0;
        send = write;
        catchUp(Infinity);
        setState({ state: "open" });
      },
      publish({ topic, payload, qos, pkt_id }) {
        const bytes = new Uint8Array(payload);
        for (const on of [...(listeners.get(topic) ?? [])]) on(bytes);
        if (qos) write("puback", { pkt_id });
      },
      puback: ({ pkt_id }) => waiting.delete(pkt_id),
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
    /** `fleeting`: at-most-once delivery to current subscribers. */
    publish(topic, bytes, { retain = false, fleeting = false } = {}) {
      if (connection.state === "closed") return;
      if (fleeting) return void send?.("publish", { topic, payload: bytes, qos: 0 });
      if (waiting.size >= WAITING) waiting.delete(waiting.keys().next().value);
      const id = freeId();
      const one = { topic, bytes, retain };
      waiting.set(id, one);
      if (send) publish(send, id, one);
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
      socket = send = null;
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
      socket = send = null;
      setState({ state: "closed" });
      watchers = new Set();
    },
  };
}
