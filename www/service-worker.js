// The page's service worker. It caches a version of the page completely or not at all, so that the second visit loads
// nothing and the lab works offline. A newer version is cached beside it; open pages keep theirs, whose files have
// other names, and are notified (update.js). It also answers requests for discussions.
import { answer, isForApi } from "./offline/discussions.js";

const worker = /** @type {any} */ (self);
/** Prepended by the build: `files` are named by their content, `pages` come with their digests. */
const { version, files, pages } = worker.quorateSite;
const KEPT = `quorate-${version}`;
const SCOPE = worker.registration.scope;
const address = (name) => new URL(name, SCOPE).href;
/** The folder of files named by their content. */
const LASTING = address("a/");

worker.addEventListener("install", (event) => event.waitUntil(cacheVersion().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(tidy().then(() => worker.clients.claim())));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (isForApi(request)) event.respondWith(answer(request));
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate") {
    const { origin, pathname } = new URL(request.url);
    const page = Object.keys(pages).find((name) => address(name) === origin + pathname);
    if (page !== undefined) {
      event.respondWith(
        caches.open(KEPT).then((cache) => cache.match(address(page))).then((kept) => kept ?? fetch(request)),
      );
    }
  } else if (request.url.startsWith(LASTING)) event.respondWith(lasting(request));
});

async function cacheVersion() {
  const cache = await caches.open(KEPT);
  try {
    await Promise.all([
      ...Object.entries(pages).map(async ([name, digest]) => {
        const response = await loaded(address(name), { cache: "reload" });
        // The host may be between two versions.
        if ((await digestOf(response.clone())) !== digest) throw new Error(`${name} is of another version`);
        await cache.put(address(name), response);
      }),
      ...files.map(async (name) =>
        cache.put(address(name), (await caches.match(address(name))) ?? (await loaded(address(name))))
      ),
    ]);
  } catch (error) {
    await caches.delete(KEPT);
    throw error;
  }
}

async function loaded(url, options = {}) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
}

async function digestOf(response) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps the previous version for pages that are still open. */
async function tidy() {
  const all = (await caches.keys()).filter((name) => name.startsWith("quorate-"));
  const before = all.filter((name) => name !== KEPT).at(-1);
  await Promise.all(all.filter((name) => name !== KEPT && name !== before).map((name) => caches.delete(name)));
}

/** From any version, since the name identifies the content. Files not cached in advance are cached now. */
async function lasting(request) {
  const kept = await caches.match(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const copy = response.clone();
    caches.open(KEPT).then((cache) => cache.put(request.url, copy)).catch(() => {});
  }
  return response;
}
