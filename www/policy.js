// Runs first: removes the code of a sign-in from the address, and limits the page to the hosts in use. The policy in
// index.html is the outer limit; this one is narrower and cannot be widened without a reload.
(() => {
  // A script that is blocked, or fails, before the page is there: what to do about it is in the page already.
  addEventListener("error", () => document.documentElement.classList.add("stuck"), true);
  const known = ["https://api.openai.com", "https://api.anthropic.com", "https://generativelanguage.googleapis.com",
    "https://openrouter.ai", "https://api.mistral.ai", "https://api.groq.com", "https://api.deepseek.com",
    "https://api.x.ai", "https://api.together.xyz", "https://api.cerebras.ai", "https://api.cohere.ai",
    "https://api.fireworks.ai", "https://api.perplexity.ai", "https://api.moonshot.ai",
    "https://dashscope-intl.aliyuncs.com", "https://api.z.ai", "https://api.deepinfra.com",
    "https://router.huggingface.co", "https://api.minimax.io", "http://localhost:*", "http://127.0.0.1:*"];
  const query = new URLSearchParams(location.search);
  const signin = query.has("code") || query.has("error")
    ? { code: query.get("code"), error: query.get("error") }
    : null;
  if (signin) history.replaceState(null, "", `${location.pathname}#/models`);
  const kept = (name) => {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      // Storage is not available.
      return null;
    }
  };
  const used = kept("quorate.origins");
  // The key of a sign-in is fetched from there.
  const more = signin?.code ? ["https://openrouter.ai"] : [];
  const isOrigin = (one) => /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(one);
  const allowed = Array.isArray(used) && used.length ? [...new Set([...used.filter(isOrigin), ...more])] : known;
  // Brokers of rooms.
  const named = kept("quorate.brokers");
  const brokers = (Array.isArray(named) ? named : []).filter((one) =>
    /^(wss:\/\/[a-z0-9.-]+|ws:\/\/(localhost|127\.0\.0\.1))(:\d+)?$/.test(one)
  );
  const bound =
    /** @type {HTMLMetaElement} */ (document.querySelector("meta[http-equiv=Content-Security-Policy]")).content;
  /**
   * Adds a policy: the outer one with these addresses. All directives are repeated, since prefetches are allowed by the
   * widest one.
   */
  const narrow = (origins) => {
    const meta = document.createElement("meta");
    meta.httpEquiv = "Content-Security-Policy";
    meta.content = bound.replace(/connect-src [^;]*/, `connect-src ${["'self'", ...origins, ...brokers].join(" ")}`);
    document.head.append(meta);
  };
  narrow(allowed);
  // Peer connections, which few policies cover; the page makes none. An empty frame or window would bring them back, so
  // it makes none of those either: Trusted Types keep markup out, and these are the other ways.
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "XSLTProcessor", "open"]) delete globalThis[name];
  delete Document.prototype.open;
  for (const [name, place] of /** @type {const} */ ([["createElement", 0], ["createElementNS", 1]])) {
    const create = /** @type {any} */ (Document.prototype[name]);
    Document.prototype[name] = function(...given) {
      given[place] = String(given[place]);
      if (/^(.*:)?(iframe|frame|object|embed|fencedframe|portal)$/i.test(given[place])) given[place] = "span";
      return create.apply(this, given);
    };
  }
  globalThis.quorateBegin = { allowed, brokers, signin, narrow };
})();
