// The broker of the page's server (path /room), for people on the same network: MQTT over WebSocket, by aedes. Carries
// only messages of rooms, which are encrypted end to end. Limits each connection, so that one device cannot fill a room,
// stall its host or take the codes of others.
import { Aedes } from "aedes";
import { WebSocketServer, createWebSocketStream } from "ws";
import { LIMITS } from "../src/web/room/limits.js";

/** Most bytes of a packet: a message of a room with its envelope and topic. */
const LONGEST = LIMITS.message + 1_000;
/** Most bytes of a code's message, and most codes of a connection. */
const CODE = 2_000;
const CODES = 4;
/** Messages to hosts that a connection may send at once, and per second; and devices that it may send for. */
const BURST = 300;
const RATE = 30;
const DEVICES = 4;
const TOPIC = /^quorate\/(code\/[0-9a-f]{32}|[\w-]{22}\/(host|guest\/[0-9a-f]{16}))$/;
/** Where an envelope has the key of the device: behind its version. */
const DEVICE = [1, 33];
/** A topic that nobody can subscribe to: what is published there is acknowledged and dropped. */
const NOWHERE = "quorate/nowhere";

/** What a connection has sent. */
class Sent {
  codes = new Set();
  devices = new Set();
  #left = BURST;
  #since = performance.now();

  /** Whether the connection may send another message to a host. */
  takesOne() {
    const now = performance.now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#since) / 1000) * RATE);
    this.#since = now;
    this.#left -= 1;
    if (this.#left >= 0) return true;
    this.#left = 0;
    return false;
  }

  /** Whether an envelope is of one of the first devices of this connection. */
  takesDevice(envelope) {
    const device = envelope.subarray(...DEVICE).toString("hex");
    if (this.devices.size < DEVICES) this.devices.add(device);
    return this.devices.has(device);
  }
}

/** Attaches a broker to an HTTP server. Resolves to `{ close }`. */
export async function attachBroker(server, path = "/room") {
  /** The connection that published each code first. A code ends with its connection. */
  const owners = new Map();
  const sent = new WeakMap();
  const sentBy = (client) => {
    if (!sent.has(client)) sent.set(client, new Sent());
    return sent.get(client);
  };
  const isAllowed = (client, { topic, payload, retain }) => {
    const isCode = topic.startsWith("quorate/code/");
    if (!TOPIC.test(topic) || Boolean(retain) !== isCode) return false;
    const own = sentBy(client);
    if (!isCode) return !topic.endsWith("/host") || (own.takesOne() && own.takesDevice(payload));
    // A will comes when the connection is gone, and nothing would remove what it leaves.
    const owner = owners.get(topic) ?? client;
    if (owner.id !== client.id || client.closed || payload.length > CODE) return false;
    if (!payload.length) {
      own.codes.delete(topic);
      owners.delete(topic);
      return true;
    }
    if (!own.codes.has(topic) && own.codes.size >= CODES) return false;
    own.codes.add(topic);
    owners.set(topic, client);
    return true;
  };
  const aedes = await Aedes.createBroker({
    concurrency: 1000,
    // MQTT 3.1.1 can refuse a message only by closing the connection; it is acknowledged and dropped instead.
    authorizePublish(client, packet, done) {
      if (!client || !isAllowed(client, packet)) Object.assign(packet, { topic: NOWHERE, payload: Buffer.alloc(0), retain: false });
      done(null);
    },
    // Wildcards are refused: a client cannot listen to all rooms.
    authorizeSubscribe: (client, subscription, done) => done(null, TOPIC.test(subscription.topic) ? subscription : null),
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST, handleProtocols: (names) => (names.has("mqtt") ? "mqtt" : false) });
  let isOpen = true;
  const upgrade = (request, socket, head) => {
    if (!isOpen || new URL(request.url, "http://localhost").pathname !== path) return socket.destroy();
    sockets.handleUpgrade(request, socket, head, (websocket) => {
      const stream = createWebSocketStream(websocket);
      // A packet is written in pieces: join them into one frame.
      stream._writev = (pieces, done) => stream._write(Buffer.concat(pieces.map(({ chunk }) => chunk)), "buffer", done);
      stream.on("error", () => websocket.terminate());
      aedes.handle(stream, request);
    });
  };
  server.on("upgrade", upgrade);
  aedes.on("clientError", () => {});
  aedes.on("connectionError", () => {});
  aedes.on("clientDisconnect", (client) => {
    for (const topic of sentBy(client).codes) {
      if (owners.get(topic) !== client) continue;
      owners.delete(topic);
      if (isOpen) aedes.publish({ cmd: "publish", topic, payload: Buffer.alloc(0), qos: 0, retain: true }, () => {});
    }
  });
  return {
    close: () =>
      new Promise((done) => {
        isOpen = false;
        for (const socket of sockets.clients) socket.terminate();
        aedes.close(() => done());
      }),
  };
}
