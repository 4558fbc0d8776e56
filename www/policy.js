// The page's security policy forbids scripts from text (trusted types). One exception: the engine's timers run in a worker
// of its own, because a hidden tab slows the page's timers down. Nothing else may be loaded that way.
const SOURCES = new URL("./pkg/", import.meta.url).href;

globalThis.trustedTypes?.createPolicy("default", {
  createScriptURL: (url) => {
    const { href } = new URL(url, location.href);
    return href.startsWith(SOURCES) && href.endsWith("/timer.js") ? href : null;
  },
});
