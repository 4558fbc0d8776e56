// Guests for tests: a connection service inside one program, devices that answer by themselves, and values for any form.
import { guestKeys, guestTopic, hostTopic, openAtGuest, sealToHost, VERSION } from "../../src/web/room/seal.js";
import { readLink } from "../../src/web/room/link.js";

/** A connection service inside this program. `spoil(topic)` says how often a message arrives. */
export function bus({ spoil = () => 1 } = {}) {
  const heard = new Map();
  const seen = [];
  const transport = () => ({
    publish(topic, bytes) {
      seen.push(bytes);
      for (let times = spoil(topic); times > 0; times -= 1) {
        setTimeout(() => [...(heard.get(topic) ?? [])].forEach((on) => on(bytes)), times);
      }
    },
    subscribe(topic, on) {
      if (!heard.has(topic)) heard.set(topic, new Set());
      heard.get(topic).add(on);
      return () => heard.get(topic).delete(on);
    },
    onState: (on) => on({ state: "open" }),
    close() {},
  });
  return { transport, seen };
}

/** Values for the fields of a form. */
export function filled(fields) {
  const values = {};
  for (const field of fields) {
    if (field.when && !field.when.values.includes(String(values[field.when.field]))) continue;
    const options = (field.options ?? []).map(({ value }) => value);
    const by = {
      choice: () => options[0],
      certainty: () => options[0],
      amount: () => field.least,
      yes_no: () => (field.isFlag ? false : field.no.value),
      scale: () => field.least,
      text: () => "I have thought about it, and this is what I have to say.",
      texts: () => [],
      order: () => (field.places.length ? undefined : options),
      each: () => options.map((value) => ({ ...filled(field.fields), [field.of]: value })),
      group: () => filled(field.fields),
    };
    if (field.input === "order") field.places.forEach((place, index) => (values[place] = options[index]));
    const value = by[field.input]();
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

/** A device that joins and answers whatever it is asked, until `leave()`. `answers`: own values by ask; `null`: no answer. */
export function guest(address, post, { secret, params = {}, again = 300, answers = {} } = {}) {
  const link = readLink(address);
  const keys = guestKeys(secret);
  const device = { keys, state: null, number: 0, got: [], unsent: new Map() };
  let n = 0;
  const asked = new Set();
  const connection = Date.now();
  let count = 0;
  let host = 0;
  const say = (message) => post.publish(hostTopic(link), sealToHost(keys, link, { v: VERSION, ...message, from: [connection, count += 1], to: host }));
  const hello = () => say({ type: "hello", language: "en", since: device.number, params });
  device.say = say;
  device.answer = (ask, values) => {
    const message = { type: "answer", n: n += 1, ask, values };
    device.unsent.set(n, message);
    say(message);
  };
  const stop = post.subscribe(guestTopic(link, keys.public), (bytes) => {
    const message = openAtGuest(keys, link, bytes);
    if (!message) return;
    device.got.push(message);
    const isNew = message.from[0] !== host;
    host = message.from[0];
    if (isNew && message.type !== "state") return hello();
    if (["kept", "late", "refused"].includes(message.type)) device.unsent.delete(message.n);
    if (message.type === "here" && message.number !== device.number) hello();
    if (message.type !== "state" || message.number <= device.number) return;
    if (message.since && message.since !== device.number) return hello();
    device.number = message.number;
    device.state = message;
    for (const { ask, form } of message.questions) {
      if (asked.has(ask)) continue;
      asked.add(ask);
      if (answers[ask] !== null) device.answer(ask, answers[ask] ?? filled(form.fields));
    }
  });
  const timer = setInterval(() => {
    if (!device.number) hello();
    device.unsent.forEach(say);
  }, again);
  hello();
  device.leave = () => {
    clearInterval(timer);
    stop();
  };
  return device;
}
