// End-to-end encryption between a guest and the host: X25519, HKDF-SHA-256, XChaCha20-Poly1305, with sizes padded to
// steps (docs/rooms.md). Needs no secure context. Replays are not detected here.
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { montgomery } from "@noble/curves/abstract/montgomery.js";
import { pow } from "@noble/curves/abstract/modular.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const VERSION = 1;
const KEY = 32;
const NONCE = 24;
const HEAD = 1 + KEY + NONCE;
const STEP = 65536;
/** Bytes of a message after padding, at most: of a guest, and of the host (a whole view). */
export const MOST = { toHost: STEP, toGuest: 15 * STEP };

const PRIME = 2n ** 255n - 19n;
/** The library's own curve without its tables and other curves: a third of the guest's module. */
export const x25519 = montgomery({
  P: PRIME,
  type: "x25519",
  adjustScalarBytes(bytes) {
    bytes[0] &= 248;
    bytes[31] = (bytes[31] & 127) | 64;
    return bytes;
  },
  powPminus2: (x) => pow(x, PRIME - 2n, PRIME),
});
/** A key pair, new or of a stored secret key: `{ secret, public }`, 32 bytes each. */
const keys = (secret = randomBytes(KEY)) => ({ secret, public: x25519.getPublicKey(secret) });
export const hostKeys = (secret) => keys(secret);
export const guestKeys = (secret) => keys(secret);

/** A guest's id in a room: 16 hex digits of the hash of its public key. */
export const guestId = (publicKey) => bytesToHex(sha256(publicKey)).slice(0, 16);
/** The topic on which guests publish to the host. */
export const hostTopic = (link) => `quorate/${link.room}/host`;
/** The topic on which the host publishes to one guest. */
export const guestTopic = (link, publicKey) => `quorate/${link.room}/guest/${guestId(publicKey)}`;

/** The JSON of an object with its length before it, padded with zeros to one of few sizes. */
function padded(message, most) {
  const text = utf8ToBytes(JSON.stringify(message));
  const length = text.length + 4;
  let size = 256;
  while (size < length && size < STEP) size *= 2;
  if (size < length) size = Math.ceil(length / STEP) * STEP;
  if (size > most) throw new RangeError(`a message of ${text.length} bytes is longer than ${most - 4}`);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, text.length);
  bytes.set(text, 4);
  return bytes;
}

/** Replaces half a surrogate pair, as a cut text may end with. */
const wellFormed = (_, value) => (typeof value === "string" ? value.toWellFormed?.() ?? value : value);

function unpadded(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (length > bytes.length - 4) return null;
  const message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(4, 4 + length)), wellFormed);
  return message && typeof message === "object" && !Array.isArray(message) ? message : null;
}

/** Encrypts a message with a key, bound to a topic; for messages without a sender (a link behind a code). */
export function seal(key, topic, message) {
  const nonce = randomBytes(NONCE);
  return concatBytes(Uint8Array.of(VERSION), nonce, xchacha20poly1305(key, nonce, utf8ToBytes(topic)).encrypt(padded(message, STEP)));
}
export function open(key, topic, bytes) {
  if (!(bytes?.length > 1 + NONCE) || bytes[0] !== VERSION) return null;
  try {
    return unpadded(xchacha20poly1305(key, bytes.subarray(1, 1 + NONCE), utf8ToBytes(topic)).decrypt(bytes.subarray(1 + NONCE)));
  } catch {
    return null;
  }
}

/** Shared keys for both directions, by own key pair: deriving them takes a millisecond. */
const MADE = new WeakMap();
function sharedKeys(own, other, link, keep = true) {
  const id = `${bytesToHex(link.secret)} ${bytesToHex(other)}`;
  let made = MADE.get(own);
  if (!made) MADE.set(own, made = new Map());
  let keys = made.get(id);
  if (!keys) {
    const shared = x25519.getSharedSecret(own.secret, other);
    const key = (way) => hkdf(sha256, shared, link.secret, utf8ToBytes(`quorate room 1 ${way}`), KEY);
    keys = { toHost: key("to host"), toGuest: key("to guest") };
    if (keep) made.set(id, keys);
  }
  return { ...keys, keep: () => made.set(id, keys) };
}

/** The guest's key is authenticated too: more than one public key leads to the same shared one. */
const cipher = (key, guest, nonce, topic) => xchacha20poly1305(key, nonce, concatBytes(guest, utf8ToBytes(topic)));
function sealed(key, guest, topic, message, most) {
  const nonce = randomBytes(NONCE);
  return concatBytes(Uint8Array.of(VERSION), guest, nonce, cipher(key, guest, nonce, topic).encrypt(padded(message, most)));
}
const opened = (key, topic, bytes) => unpadded(cipher(key, bytes.subarray(1, 1 + KEY), bytes.subarray(1 + KEY, HEAD), topic).decrypt(bytes.subarray(HEAD)));
const isEnvelope = (bytes, most) => bytes?.length > HEAD && bytes.length <= HEAD + most + 16 && bytes[0] === VERSION;

/** Encrypts a guest's message for `hostTopic(link)`. Throws a RangeError if it is too long. */
export function sealToHost(own, link, message) {
  return sealed(sharedKeys(own, link.host, link).toHost, own.public, hostTopic(link), message, MOST.toHost);
}
/** Decrypts a guest's message: `{ id, guest (its public key), message }`, or null if it is not of this room. */
export function openAtHost(own, link, bytes) {
  if (!isEnvelope(bytes, MOST.toHost)) return null;
  try {
    const guest = bytes.slice(1, 1 + KEY);
    // Cached only after a successful decryption: junk can be sent under any number of keys.
    const shared = sharedKeys(own, guest, link, false);
    const message = opened(shared.toHost, hostTopic(link), bytes);
    if (!message) return null;
    shared.keep();
    return { id: guestId(guest), guest, message };
  } catch {
    return null;
  }
}
/** Encrypts the host's message for `guestTopic(link, guest)`. */
export function sealToGuest(own, link, guest, message) {
  return sealed(sharedKeys(own, guest, link).toGuest, guest, guestTopic(link, guest), message, MOST.toGuest);
}
/** Decrypts the host's message to this guest; null if it is not one. */
export function openAtGuest(own, link, bytes) {
  if (!isEnvelope(bytes, MOST.toGuest)) return null;
  try {
    return opened(sharedKeys(own, link.host, link).toGuest, guestTopic(link, own.public), bytes);
  } catch {
    return null;
  }
}
