// Keys and signatures of records and receipts, by Web Crypto.

const encoder = new TextEncoder();

/** Signature algorithms: parameters for key generation and for signing. The first that the browser supports is used. */
const SIGNATURES = {
  Ed25519: [{ name: "Ed25519" }, { name: "Ed25519" }],
  ES256: [
    { name: "ECDSA", namedCurve: "P-256" },
    { name: "ECDSA", hash: "SHA-256" },
  ],
};

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const unbase64url = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
/** The members of a public key, in the order of RFC 7638. */
const publicKey = ({ crv, kty, x, y }) => ({ crv, kty, x, ...(y === undefined ? {} : { y }) });

/** Creates a non-extractable key pair, `{ algorithm, private, public }`; null if the browser cannot. */
export async function makeKey() {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return null;
  for (const [algorithm, [making]] of Object.entries(SIGNATURES)) {
    try {
      const pair = await subtle.generateKey(making, false, ["sign", "verify"]);
      return { algorithm, private: pair.privateKey, public: publicKey(await subtle.exportKey("jwk", pair.publicKey)) };
    } catch {
      // Not supported by older browsers: try the next one.
    }
  }
  return null;
}

/** Signs a text: `{ algorithm, public_key, value }`; null without a key or support. */
export async function sign(key, text) {
  if (!key) return null;
  try {
    const signed = await crypto.subtle.sign(SIGNATURES[key.algorithm][1], key.private, encoder.encode(text));
    return { algorithm: key.algorithm, public_key: key.public, value: base64url(signed) };
  } catch {
    return null;
  }
}

/** Returns the thumbprint of a public key (RFC 7638); null if it is invalid. */
export async function thumbprint(key) {
  try {
    return base64url(await crypto.subtle.digest("SHA-256", encoder.encode(JSON.stringify(publicKey(key)))));
  } catch {
    return null;
  }
}

/** Verifies a signature by a public key; null if this browser cannot. */
export async function isSigned(text, algorithm, key, value) {
  const [importing, signing] = (Object.hasOwn(SIGNATURES, algorithm) && SIGNATURES[algorithm]) || [];
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return null;
  if (!importing) return false;
  let bytes, imported;
  try {
    bytes = unbase64url(value);
    const { crv, kty, x, y } = key;
    const fits = algorithm === "Ed25519" ? kty === "OKP" && crv === "Ed25519" : kty === "EC" && crv === "P-256";
    if (!fits || base64url(bytes) !== value) return false;
    imported = await subtle.importKey("jwk", { kty, crv, x, y }, importing, false, ["verify"]);
  } catch (error) {
    return error?.name === "NotSupportedError" ? null : false;
  }
  return subtle.verify(signing, imported, bytes, encoder.encode(text)).catch(() => false);
}
