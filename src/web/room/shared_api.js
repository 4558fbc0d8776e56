// The API that `quorate/room` and `quorate/guest` share, with checked arguments.
import * as mqtt from "./broker.js";
import { guarded, guardMethods, LabError, checkFields } from "./intake.js";
import * as links from "./link.js";
import { callSafely } from "./custom_transport.js";
import * as channel from "./tabs.js";

/** Most bytes of an MQTT topic. */
const LONGEST = 65_535;

/** Checks a topic: a broker disconnects a client that publishes to an invalid one, and would do so at each retry. */
function topicOf(name, topic) {
  const bytes = new TextEncoder().encode(topic);
  if (!topic || bytes.length > LONGEST || /[#+\0]|\p{Cs}/u.test(topic)) throw new LabError("input", `${name}: topic must be a non-empty string of at most ${LONGEST} bytes without #, + and NUL`);
  return topic;
}
function bytesOf(name, bytes) {
  if (!(bytes instanceof Uint8Array)) throw new LabError("input", `${name}: bytes must be a Uint8Array`);
  return bytes;
}

/** A transport of this package for programs: exceptions of their callbacks are logged. */
export function guardTransport({ publish, subscribe, onState, ...rest }) {
  const transport = {
    ...rest,
    publish: (topic, bytes, options) => publish(topicOf("publish", topic), bytesOf("publish", bytes), options),
    subscribe: (topic, on) => subscribe(topicOf("subscribe", topic), (bytes) => void callSafely(() => on(bytes))),
    onState: (on) => onState((now) => void callSafely(() => on(now))),
  };
  const parameters = { publish: "topic:string bytes:object options:object?", subscribe: "topic:string on:function", onState: "on:function", close: "", breakOff: "options:object?" };
  return guardMethods("Transport", transport, Object.fromEntries(Object.entries(parameters).filter(([name]) => name in transport)));
}

/** Checks the connection options of a broker. */
export function checkOptions(options) {
  checkFields("broker", "user:string? password:string? will:object? WebSocket:function?", options);
  const { will, WebSocket } = options;
  if (will) {
    checkFields("the will of broker", "topic:string", will);
    topicOf("the will of broker", will.topic);
    bytesOf("the will of broker", will.bytes);
  }
  if (WebSocket) checkFields("the WebSocket of broker", "send:function close:function", Object(WebSocket.prototype));
}

function connected(address, options = {}) {
  checkOptions(options);
  if (!links.brokerAddress(address)) throw new LabError("input", `broker: not the address of a broker: ${JSON.stringify(address)}; it must begin with ws: or wss: and have no #`);
  return guardTransport(mqtt.broker(address, options));
}

export const broker = guarded("broker", "address:string options:object?", connected);
export const makeLink = guarded("makeLink", "link:object", links.makeLink);
export const readLink = guarded("readLink", "text", links.readLink);
export const tabs = guarded("tabs", "", () => guardTransport(channel.tabs()));
