// The broker of the page's server (path /room), for people on the same network: MQTT over WebSocket, by aedes. Carries
// only messages of rooms, which are encrypted end to end.
import { Aedes } from "aedes";
import { WebSocketServer, createWebSocketStream } from "ws";

/** Most bytes of a packet: a host's longest view, and its topic. */
const LONGEST = 1_000_000;
/** Most codes open at once. */
const CODES = 200;
const TOPIC = /^quorate\/(code\/[0-9a-f]{32}|[\w-]{22}\/(host|guest\/[0-9a-f]{16}))$/;

/** Attaches a broker to an HTTP server. Resolves to `{ close }`. */
export async function attachBroker(server, path = "/room") {
  const codes = new Set();
  const aedes = await Aedes.createBroker({
    concurrency: 1000,
    authorizePublish(client, packet, done) {
      const isCode = packet.topic.startsWith("quorate/code/");
      if (!TOPIC.test(packet.topic) || Boolean(packet.retain) !== isCode) return done(new Error("not the topic of a room"));
      if (isCode && (packet.payload.length > 2000 || (codes.size >= CODES && !codes.has(packet.topic)))) return done(new Error("too many or too long codes"));
      if (isCode) packet.payload.length ? codes.add(packet.topic) : codes.delete(packet.topic);
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
  return {
    close: () =>
      new Promise((done) => {
        isOpen = false;
        for (const socket of sockets.clients) socket.terminate();
        aedes.close(() => done());
      }),
  };
}
