// Room links, and the codes that find them (docs/rooms.md).
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { findLink, VERSION } from "./link_text.js";
import { open, seal } from "./seal.js";

export { brokerAddress } from "./link_text.js";

/** Letters that are hard to confuse and form no words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const CODE = 8;
/** Milliseconds for a connected broker to send the message of a code. */
const ANSWER = 1_000;

export function toBase64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
/** The bytes, or null if the text is not base64url or has another length. */
export function fromBase64url(text, length = null) {
  if (typeof text !== "string" || !/^[\w-]*$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return length === null || bytes.length === length ? bytes : null;
  } catch {
    return null;
  }
}

const meetingPart = ({ kind, address }) => (kind === "tabs" ? "t" : kind === "own" ? "o" : `b.${toBase64url(utf8ToBytes(address))}`);
const MEETINGS = { t: () => ({ kind: "tabs" }), o: () => ({ kind: "own" }), b: (address) => ({ kind: "broker", address }) };

/** The random parts of a new room: `{ room, secret }`. */
export const newRoom = () => ({ room: toBase64url(randomBytes(16)), secret: randomBytes(16) });

/**
 * Writes `{ room, secret, host, meeting }` as the text after the `#`. `room` is text; `secret` (16) and `host` (the
 * host's public key, 32) are bytes; `meeting` is `{ kind: "tabs" }`, `{ kind: "own" }` (the broker of the page's
 * server) or `{ kind: "broker", address }`.
 */
export const makeLink = ({ room, secret, host, meeting }) => [VERSION, room, toBase64url(secret), toBase64url(host), meetingPart(meeting)].join(".");

/** Reads the link in a text (an address, or a text around one) into its parts; null if there is none. */
export function readLink(text) {
  const found = findLink(text);
  if (found?.version !== VERSION) return null;
  const link = { room: found.room, secret: fromBase64url(found.secret, 16), host: fromBase64url(found.host, 32), meeting: MEETINGS[found.kind](found.address) };
  return fromBase64url(found.room, 16) && link.secret && link.host ? link : null;
}

/** Milliseconds that a published code is valid for, and after which it is published again: brokers may drop it. */
const VALID = 86_400_000;
const RENEWED = 60_000;
/** Most links under one code that a device checks. */
const CHECKED = 5;

/** Slow on purpose: a code of eight letters is short. */
const derived = (bytes, salt, dkLen) => scryptAsync(bytes, utf8ToBytes(salt), { N: 2 ** 15, r: 8, p: 1, dkLen });

/**
 * The code of a room: eight letters that follow from its link, so another link with the same code is found by trying
 * billions of them only. Takes a good part of a second on purpose.
 */
export async function codeOf(link) {
  let rest = BigInt(`0x${bytesToHex(await derived(utf8ToBytes(makeLink(link)), "quorate code 2 of link", 16))}`);
  let code = "";
  for (const base = BigInt(LETTERS.length); code.length < CODE; rest /= base) code += LETTERS[Number(rest % base)];
  return code;
}
/** Normalizes a code, typed with any separators and on any keyboard (full-width letters); null if it is not one. */
export function readCode(text) {
  const code = String(text).normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
  return code.length === CODE && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}

/** The topic and key under which the link of a code is published. Takes a good part of a second on purpose. */
export async function codePlace(code) {
  const bytes = await derived(utf8ToBytes(code), "quorate code 2", 48);
  return { topic: `quorate/code/${bytesToHex(bytes.subarray(32))}`, key: bytes.slice(0, 32) };
}

/**
 * Publishes the link under its code, as a retained message, until `withdraw()`. `again()` publishes it anew.
 * `onRefused`: called if the connection service does not take it.
 */
export async function offerCode(transport, link, { onRefused = () => {} } = {}) {
  const code = await codeOf(link);
  const { topic, key } = await codePlace(code);
  const again = () => transport.publish(topic, seal(key, topic, { link: makeLink(link), until: Date.now() + VALID }), { retain: true, onRefused });
  again();
  /** @type {any} */
  const timer = setInterval(again, RENEWED);
  timer.unref?.(); // Node.js: does not keep a program alive.
  return { code, again, withdraw() {
    clearInterval(timer);
    transport.publish(topic, new Uint8Array(), { retain: true });
  } };
}

/**
 * Looks a code up with several transports. Resolves to its link, or to null: a second after every transport has
 * connected or failed, at the latest after `seconds`. Other links, which anyone who knows the code can publish under it,
 * are ignored.
 */
export async function findCode(transports, code, { seconds = 8 } = {}) {
  const { topic, key } = await codePlace(code);
  const all = [transports].flat();
  return new Promise((resolve) => {
    const finish = (link) => {
      clearTimeout(timer);
      clearTimeout(silent);
      for (const stop of stops) stop?.();
      resolve(link);
    };
    const timer = setTimeout(() => finish(null), seconds * 1000);
    let silent;
    const seen = new Set();
    const checks = [];
    const check = async (link) => {
      if (await codeOf(link) === code) finish(link);
    };
    const take = (bytes) => {
      const { link: text, until } = open(key, topic, bytes) ?? {};
      const link = until > Date.now() ? readLink(text) : null;
      // Each is checked once, since that is slow, and not more than a few.
      if (!link || seen.has(text) || seen.size >= CHECKED) return;
      seen.add(text);
      checks.push(check(link));
    };
    const stops = [];
    const pending = new Set(all);
    for (const transport of all) {
      stops.push(transport.subscribe(topic, take), transport.onState?.(({ state }) => {
        if (state === "connecting" || !pending.delete(transport) || pending.size) return;
        // A broker sends what it retains at once.
        silent = setTimeout(() => Promise.all(checks).then(() => finish(null)), ANSWER);
      }));
    }
  });
}
