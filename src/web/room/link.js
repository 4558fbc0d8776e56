// Room links, and the codes that find them (docs/rooms.md).
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { open, seal } from "./seal.js";

const VERSION = "2";
/** Letters that are hard to confuse and form no words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const CODE = 8;

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

/** The address of a broker, or null. A user and password in it go to everyone with the link. */
export function brokerAddress(text) {
  try {
    const url = new URL(text);
    return ["ws:", "wss:"].includes(url.protocol) && !url.hash ? url.href : null;
  } catch {
    return null;
  }
}

const meetingPart = ({ kind, address }) => (kind === "tabs" ? "t" : kind === "own" ? "o" : `b.${toBase64url(utf8ToBytes(address))}`);
function meetingOf(kind, address) {
  if (kind === "t" && !address) return { kind: "tabs" };
  if (kind === "o" && !address) return { kind: "own" };
  const bytes = kind === "b" ? fromBase64url(address) : null;
  const found = bytes && brokerAddress(new TextDecoder().decode(bytes));
  return found ? { kind: "broker", address: found } : null;
}

/** The random parts of a new room: `{ room, secret }`. */
export const newRoom = () => ({ room: toBase64url(randomBytes(16)), secret: randomBytes(16) });

/**
 * Writes `{ room, secret, host, meeting }` as the text after the `#`. `room` is text; `secret` (16) and `host` (the
 * host's public key, 32) are bytes; `meeting` is `{ kind: "tabs" }`, `{ kind: "own" }` (the broker of the page's
 * server) or `{ kind: "broker", address }`.
 */
export const makeLink = ({ room, secret, host, meeting }) => [VERSION, room, toBase64url(secret), toBase64url(host), meetingPart(meeting)].join(".");

/** Reads a link (an address, or the text after its `#`) into its parts; null if it is not one. */
export function readLink(text) {
  const [version, room, secret, host, kind, address, more] = String(text).trim().replace(/^[^#]*#/, "").split(".");
  const link = { room, secret: fromBase64url(secret, 16), host: fromBase64url(host, 32), meeting: meetingOf(kind, address) };
  const isWhole = version === VERSION && more === undefined && fromBase64url(room, 16) && link.secret && link.host && link.meeting;
  return isWhole ? link : null;
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
/** Normalizes a typed code; null if it is not one. */
export function readCode(text) {
  const code = String(text).toUpperCase().replace(/[\s-]/g, "");
  return code.length === CODE && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}

/** The topic and key under which the link of a code is published. Takes a good part of a second on purpose. */
export async function codePlace(code) {
  const bytes = await derived(utf8ToBytes(code), "quorate code 2", 48);
  return { topic: `quorate/code/${bytesToHex(bytes.subarray(32))}`, key: bytes.slice(0, 32) };
}
/**
 * Publishes the link under its code, as a retained message, until `withdraw()`. `again()` publishes it anew.
 * `onRefused`: called if the meeting point does not take it.
 */
export async function offerCode(transport, link, { onRefused = () => {} } = {}) {
  const code = await codeOf(link);
  const { topic, key } = await codePlace(code);
  const again = () => transport.publish(topic, seal(key, topic, { link: makeLink(link), until: Date.now() + VALID }), { retain: true, onRefused });
  again();
  const timer = setInterval(again, RENEWED);
  timer.unref?.();
  return { code, again, withdraw() {
    clearInterval(timer);
    transport.publish(topic, new Uint8Array(), { retain: true });
  } };
}
/**
 * Looks a code up with several transports. Resolves to its link, or to null after `seconds`. Other links, which anyone
 * who knows the code can publish under it, are ignored.
 */
export async function findCode(transports, code, { seconds = 8 } = {}) {
  const { topic, key } = await codePlace(code);
  return new Promise((resolve) => {
    const finish = (link) => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      resolve(link);
    };
    const timer = setTimeout(() => finish(null), seconds * 1000);
    const seen = new Set();
    const take = async (bytes) => {
      const { link: text, until } = open(key, topic, bytes) ?? {};
      const link = until > Date.now() ? readLink(text) : null;
      // Each is checked once, since that is slow, and not more than a few.
      if (!link || seen.has(text) || seen.size >= CHECKED) return;
      seen.add(text);
      if (await codeOf(link) === code) finish(link);
    };
    const stops = [transports].flat().map((transport) => transport.subscribe(topic, take));
  });
}
