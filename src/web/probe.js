// Whether anybody is at an address whose answers this page may not read.

/**
 * @returns {Promise<"offline" | "blocked" | "answers" | "silent">} of `origin`, of this machine if `local`; `blocked`: by
 *   the policy of this page
 */
export async function probe(origin, local) {
  if (!local && globalThis.navigator?.onLine === false) return "offline";
  let blocked = false;
  const violated = ({ blockedURI }) => {
    blocked ||= String(blockedURI).startsWith(origin);
  };
  // Bubbles from the document up to the window; a worker gets it itself.
  globalThis.addEventListener?.("securitypolicyviolation", violated);
  try {
    await fetch(origin, {
      mode: "no-cors", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", redirect: "follow",
      signal: AbortSignal.timeout(8000),
    });
    return "answers";
  } catch {
    // The violation is told in a task of its own.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return blocked ? "blocked" : "silent";
  } finally {
    globalThis.removeEventListener?.("securitypolicyviolation", violated);
  }
}
