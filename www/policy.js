// Before anything else runs: the code of a sign-in goes out of the address, and the page may call no hosts but those in
// use. The policy in index.html is the outer bound; this one lies within it and cannot be widened without a reload.
(() => {
  const known = ["https://api.openai.com", "https://api.anthropic.com", "https://generativelanguage.googleapis.com", "https://openrouter.ai", "https://api.mistral.ai",
    "https://api.groq.com", "https://api.deepseek.com", "https://api.x.ai", "https://api.together.xyz", "http://localhost:*", "http://127.0.0.1:*"];
  const query = new URLSearchParams(location.search);
  const signin = query.has("code") || query.has("error") ? { code: query.get("code"), error: query.get("error") } : null;
  if (signin) history.replaceState(null, "", `${location.pathname}#/models`);
  let used = null;
  try {
    used = JSON.parse(localStorage.getItem("quorate.origins"));
  } catch {
    // Without storage nothing was chosen.
  }
  const isOrigin = (one) => /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(one);
  const allowed = Array.isArray(used) && used.length ? used.filter(isOrigin) : known;
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = `connect-src 'self' ${allowed.join(" ")}`;
  document.head.append(meta);
  globalThis.quorateBegin = { allowed, signin };
})();
