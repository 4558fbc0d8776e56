// Before anything else runs: the code of a sign-in goes out of the address, and the page may call no hosts but those in
// use. The policy in index.html is the outer bound; this one lies within it and cannot be widened without a reload.
(() => {
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
      // Without storage nothing was chosen.
      return null;
    }
  };
  const used = kept("quorate.origins");
  // The key of a sign-in is fetched where it was made.
  const more = signin?.code ? ["https://openrouter.ai"] : [];
  const isOrigin = (one) => /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(one);
  const allowed = Array.isArray(used) && used.length ? [...new Set([...used.filter(isOrigin), ...more])] : known;
  // Brokers that rooms meet at.
  const named = kept("quorate.brokers");
  const brokers = (Array.isArray(named) ? named : []).filter((one) =>
    /^(wss:\/\/[a-z0-9.-]+|ws:\/\/(localhost|127\.0\.0\.1))(:\d+)?$/.test(one)
  );
  const bound =
    /** @type {HTMLMetaElement} */ (document.querySelector("meta[http-equiv=Content-Security-Policy]")).content;
  /** One policy more: the bound with these addresses. Whole, since what asks for a page ahead is let through by the widest of its directives. */
  const narrow = (origins) => {
    const meta = document.createElement("meta");
    meta.httpEquiv = "Content-Security-Policy";
    meta.content = bound.replace(/connect-src [^;]*/, `connect-src ${["'self'", ...origins, ...brokers].join(" ")}`);
    document.head.append(meta);
  };
  narrow(allowed);
  // Calls from browser to browser, which few policies bind; the page makes none.
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name];
  globalThis.quorateBegin = { allowed, brokers, signin, narrow };
})();
