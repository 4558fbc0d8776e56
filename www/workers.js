// Addresses of this page's own scripts as workers take them: the page's policy wants them to come from here.
const policy = globalThis.trustedTypes?.createPolicy("quorate-worker", { createScriptURL: (url) => url });

/** The address of a script beside this one. */
export function workerUrl(path) {
  const url = new URL(path, import.meta.url).href;
  return policy ? policy.createScriptURL(url) : url;
}
