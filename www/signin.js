// OpenRouter's sign-in: a key without pasting one. OAuth with PKCE (S256): the verifier stays in this tab's session
// storage; policy.js has already removed the returned code from the address.
import { setKey } from "./keys.js";

const ORIGIN = "https://openrouter.ai";
const VERIFIER = "quorate.signin";
/** Milliseconds for the exchange. */
const PATIENCE = 20_000;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** Returns whether sign-in is possible: it needs an address to return to, and WebCrypto. */
export const canSignIn = () => /^https?:$/.test(location.protocol) && Boolean(globalThis.crypto?.subtle);

/** Leaves for the sign-in; the page returns to #/models. */
export async function signIn() {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(64)));
  const challenge = base64url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
  );
  sessionStorage.setItem(VERIFIER, verifier);
  const query = new URLSearchParams({ callback_url: location.origin + location.pathname, code_challenge: challenge,
    code_challenge_method: "S256" });
  location.assign(`${ORIGIN}/auth?${query}`);
}

/** The parameters that this load of the page returned with, once: `{ code, error, verifier }`, or null. */
function takeBack() {
  const back = globalThis.quorateBegin?.signin ?? null;
  if (globalThis.quorateBegin) globalThis.quorateBegin.signin = null;
  const verifier = sessionStorage.getItem(VERIFIER);
  sessionStorage.removeItem(VERIFIER);
  if (!back && !verifier) return null;
  return { code: back?.code ?? null, error: back?.error ?? null, verifier };
}

/**
 * Completes a sign-in: fetches the key into memory. Resolves with null (none was started), `done`, `cancelled`,
 * `strange` (not started in this tab), `refused`, `unreachable` or `odd` (no key in the answer).
 */
export async function finish() {
  let back = null;
  try {
    back = takeBack();
  } catch {
    // Without session storage none was started here.
  }
  if (!back) return null;
  if (!back.code) return "cancelled";
  if (!back.verifier) return "strange";
  let answer;
  try {
    answer = await fetch(`${ORIGIN}/api/v1/auth/keys`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      credentials: "omit",
      referrerPolicy: "no-referrer",
      redirect: "error",
      cache: "no-store",
      body: JSON.stringify({ code: back.code, code_verifier: back.verifier, code_challenge_method: "S256" }),
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    return "unreachable";
  }
  if (!answer.ok) return answer.status >= 500 ? "unreachable" : "refused";
  const body = await answer.json().catch(() => null);
  if (typeof body?.key !== "string" || !body.key) return "odd";
  setKey(ORIGIN, body.key);
  return "done";
}
