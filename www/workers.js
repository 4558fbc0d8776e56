// Addresses of this page's own scripts as workers take them: the page's policy wants them to come from here.
const policy = globalThis.trustedTypes?.createPolicy("quorate-worker", { createScriptURL: (url) => url });

/** The address as workers take it. */
export const workerUrl = (url) => (policy ? policy.createScriptURL(url) : url);
