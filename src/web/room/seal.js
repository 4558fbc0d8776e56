// End-to-end encryption between a guest and the host: X25519, HKDF-SHA-256, XChaCha20-Poly1305, with sizes padded to
// steps (docs/rooms.md). Needs no secure context. Repeated messages are recognized by their numbers, not here.
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { montgomery } from "@noble/curves/abstract/montgomery.js";
import { pow } from "@noble/curves/abstract/modular.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { LIMITS } from "./limits.js";

/** Version of the protocol, in envelopes and messages. */
export const VERSION = 2;
const KEY = 32;
const NONCE = 24;
const TAG = 16;
/** Where the parts of an envelope begin: the guest's key, the nonce, the tag, the ciphertext. */
const NONCE_AT = 1 + KEY;
const TAG_AT = NONCE_AT + NONCE;
const HEAD = TAG_AT + TAG;
/** Bytes that an envelope adds to its padded message. */
export const OVERHEAD = HEAD + 16;
/** Shared keys that are kept. */
const KEPT = 2000;

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

const SYLLABLES = ["bdfghjklmnprstvz", "aiou"];
/** Two words by which people compare a host's key: 32 bits of its hash, as proquints, which are the same in every language. */
export function fingerprint(publicKey) {
  const hash = sha256(concatBytes(utf8ToBytes("quorate host 2"), publicKey));
  const [consonants, vowels] = SYLLABLES;
  const word = (bits) => consonants[bits >> 12] + vowels[(bits >> 10) & 3] + consonants[(bits >> 6) & 15] + vowels[(bits >> 4) & 3] + consonants[bits & 15];
  return [0, 2].map((at) => word((hash[at] << 8) | hash[at + 1])).join(" ");
}

/** The number of bytes of an object's JSON, with its length before it. */
export const lengthOf = (message) => utf8ToBytes(JSON.stringify(message)).length + 4;

/**
 * The JSON of an object with its length before it, padded with zeros to one of few sizes. `least`: the length to pad
 * for if the message is shorter.
 */
function padded(message, least = 0) {
  const text = utf8ToBytes(JSON.stringify(message));
  const length = Math.max(text.length + 4, Math.min(least, LIMITS.message));
  let size = LIMITS.smallest;
  while (size < length && size < LIMITS.step) size *= 2;
  if (size < length) size = Math.ceil(length / LIMITS.step) * LIMITS.step;
  if (size > LIMITS.message) throw new RangeError(`a message of ${text.length} bytes is longer than ${LIMITS.message - 4}`);
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
  return concatBytes(Uint8Array.of(VERSION), nonce, xchacha20poly1305(key, nonce, utf8ToBytes(topic)).encrypt(padded(message)));
}
export function open(key, topic, bytes) {
  if (!(bytes?.length > 1 + NONCE) || bytes[0] !== VERSION) return null;
  try {
    return unpadded(xchacha20poly1305(key, bytes.subarray(1, 1 + NONCE), utf8ToBytes(topic)).decrypt(bytes.subarray(1 + NONCE)));
  } catch {
    return null;
  }
}

/** Shared keys for both directions, by own key pair: deriving them takes milliseconds. */
const MADE = new WeakMap();
function sharedKeys(own, other, link, keep = true) {
  const id = `${bytesToHex(link.secret)} ${bytesToHex(other)}`;
  let made = MADE.get(own);
  if (!made) MADE.set(own, made = new Map());
  let keys = made.get(id);
  if (!keys) {
    const shared = x25519.getSharedSecret(own.secret, other);
    const key = (way) => hkdf(sha256, shared, link.secret, utf8ToBytes(`quorate room 2 ${way}`), KEY);
    keys = { toHost: key("to host"), toGuest: key("to guest") };
    if (keep) made.set(id, keys);
  }
  return { ...keys, keep() {
    if (made.size >= KEPT) made.delete(made.keys().next().value);
    made.set(id, keys);
  } };
}

const TAG_KEYS = new WeakMap();
/**
 * The tag of an envelope, which only those who have the link can make. It covers the head and the end of the
 * ciphertext, so it is checked in microseconds; deriving the shared key of a new guest takes a hundred times as long.
 */
function tagOf({ secret }, topic, bytes) {
  let key = TAG_KEYS.get(secret);
  if (!key) TAG_KEYS.set(secret, key = hkdf(sha256, secret, undefined, utf8ToBytes("quorate room 2 tag"), KEY));
  return hmac(sha256, key, concatBytes(utf8ToBytes(topic), bytes.subarray(0, TAG_AT), bytes.subarray(-16))).subarray(0, TAG);
}
const isEnvelope = (bytes) => bytes?.length > OVERHEAD && bytes.length <= OVERHEAD + LIMITS.message && bytes[0] === VERSION;
/** Whether bytes are an envelope for that topic, made by somebody who has the link. */
export function isTagged(link, topic, bytes) {
  if (!isEnvelope(bytes)) return false;
  const tag = tagOf(link, topic, bytes);
  let differs = 0;
  for (let at = 0; at < TAG; at += 1) differs |= tag[at] ^ bytes[TAG_AT + at];
  return differs === 0;
}
/** The public key under which an envelope was sent. */
export const senderOf = (bytes) => bytes.slice(1, NONCE_AT);

/** The guest's key is authenticated too: more than one public key leads to the same shared one. */
const cipher = (key, guest, nonce, topic) => xchacha20poly1305(key, nonce, concatBytes(guest, utf8ToBytes(topic)));
function sealed(key, guest, link, topic, message, least) {
  const nonce = randomBytes(NONCE);
  const bytes = concatBytes(Uint8Array.of(VERSION), guest, nonce, new Uint8Array(TAG), cipher(key, guest, nonce, topic).encrypt(padded(message, least)));
  bytes.set(tagOf(link, topic, bytes), TAG_AT);
  return bytes;
}
const opened = (key, topic, bytes) => unpadded(cipher(key, bytes.subarray(1, NONCE_AT), bytes.subarray(NONCE_AT, TAG_AT), topic).decrypt(bytes.subarray(HEAD)));

/**
 * Encrypts a guest's message for `hostTopic(link)`, padded as one of `least` bytes would be. Throws a RangeError if it
 * is too long.
 */
export function sealToHost(own, link, message, least) {
  return sealed(sharedKeys(own, link.host, link).toHost, own.public, link, hostTopic(link), message, least);
}
/** Decrypts a guest's message: `{ id, guest (its public key), message }`, or null if it is not of this room. */
export function openAtHost(own, link, bytes) {
  if (!isTagged(link, hostTopic(link), bytes)) return null;
  try {
    const guest = senderOf(bytes);
    // Cached only after a successful decryption: whoever has the link can send junk under any number of keys.
    const shared = sharedKeys(own, guest, link, false);
    const message = opened(shared.toHost, hostTopic(link), bytes);
    if (!message) return null;
    shared.keep();
    return { id: guestId(guest), guest, message };
  } catch {
    return null;
  }
}
/** Encrypts the host's message for `guestTopic(link, guest)`, padded as one of `least` bytes would be. */
export function sealToGuest(own, link, guest, message, least) {
  return sealed(sharedKeys(own, guest, link).toGuest, guest, link, guestTopic(link, guest), message, least);
}
/** Decrypts the host's message to this guest; null if it is not one. */
export function openAtGuest(own, link, bytes) {
  if (!isTagged(link, guestTopic(link, own.public), bytes)) return null;
  try {
    return opened(sharedKeys(own, link.host, link).toGuest, guestTopic(link, own.public), bytes);
  } catch {
    return null;
  }
}
