// OpenRouter's sign-in: a key without pasting one. OAuth with PKCE (S256): the verifier stays in this tab's session storage,
// the code that comes back was taken out of the address by policy.js before anything else ran.
import { setKey } from "./keys.js";

const ORIGIN = "https://openrouter.ai";
const VERIFIER = "quorate.signin";
/** Milliseconds that the exchange may take. */
const PATIENCE = 20_000;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** Whether this page can: it needs an address to come back to, and a browser that makes digests. */
export const canSignIn = () => /^https?:$/.test(location.protocol) && Boolean(globalThis.crypto?.subtle);

/** Leaves for the sign-in; the page comes back to #/models. */
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

/** What came back with this load of the page, once: `{ code, error, verifier }`; null for nothing. */
function takeBack() {
  const back = globalThis.quorateBegin?.signin ?? null;
  if (globalThis.quorateBegin) globalThis.quorateBegin.signin = null;
  const verifier = sessionStorage.getItem(VERIFIER);
  sessionStorage.removeItem(VERIFIER);
  if (!back && !verifier) return null;
  return { code: back?.code ?? null, error: back?.error ?? null, verifier };
}

/**
 * Ends a sign-in that was begun: fetches the key into memory. Resolves with how it ended: null (none was begun), `done`,
 * `cancelled`, `strange` (not begun in this tab), `refused`, `unreachable` or `odd` (no key in the answer).
 */
export async function finish() {
  let back = null;
  try {
    back = takeBack();
  } catch {
    // Without session storage nothing was begun here.
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
  const told = await answer.json().catch(() => null);
  if (typeof told?.key !== "string" || !told.key) return "odd";
  setKey(ORIGIN, told.key);
  return "done";
}
