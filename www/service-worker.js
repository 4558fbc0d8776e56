// The page's service worker. It caches a version of the page completely or not at all, so that the second visit loads
// nothing and the lab works offline. A newer version is cached beside it; open pages keep theirs, whose files have
// other names, and are notified (update.js). It also answers requests for discussions.
import { answer, isForApi } from "./offline/discussions.js";

const worker = /** @type {any} */ (self);
/** Prepended by the build: names with digests of `pages`, of `files`, and of those that are loaded on demand. */
const { version, files, onDemand, pages } = worker.quorateSite;
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
      // The host may be between two versions.
      ...Object.entries(pages).map(async ([name, digest]) =>
        cache.put(address(name), await loaded(address(name), digest, ["reload"]))
      ),
      ...Object.entries(files).map(async ([name, digest]) =>
        cache.put(address(name), (await kept(address(name), digest)) ?? (await loaded(address(name), digest)))
      ),
    ]);
  } catch (error) {
    await caches.delete(KEPT);
    throw error;
  }
}

/**
 * Loads a file and checks it by its content: a host may answer with another page where it lacks a file, and a browser
 * keep that under the file's name. The second attempt goes past the browser's cache.
 */
async function loaded(url, digest, attempts = /** @type {RequestCache[]} */ (["default", "reload"])) {
  let reason = "";
  for (const cache of attempts) {
    const response = await fetch(url, { cache });
    if (!response.ok) reason = String(response.status);
    else if (await isWhole(response.clone(), digest)) return response;
    else reason = "other content than it should have";
  }
  throw new Error(`${url}: ${reason}`);
}

/** The file in the cache of any version, unless it is another one under that name, which is removed. */
async function kept(url, digest) {
  const response = await caches.match(url);
  if (!response || !digest || (await isWhole(response.clone(), digest))) return response;
  await Promise.all((await caches.keys()).map((name) => caches.open(name).then((cache) => cache.delete(url))));
  return undefined;
}

async function isWhole(response, digest) {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return Array.from(found, (byte) => byte.toString(16).padStart(2, "0")).join("").startsWith(digest);
}

/** Keeps the previous version for pages that are still open. */
async function tidy() {
  const all = (await caches.keys()).filter((name) => name.startsWith("quorate-"));
  const before = all.filter((name) => name !== KEPT).at(-1);
  await Promise.all(all.filter((name) => name !== KEPT && name !== before).map((name) => caches.delete(name)));
}

/** From any version, since the name identifies the content. Files not cached in advance are cached now. */
async function lasting({ url }) {
  const own = await caches.open(KEPT);
  const name = url.slice(SCOPE.length);
  const digest = files[name] ?? onDemand[name];
  // What this version has in its cache was checked when it came.
  const known = (await own.match(url)) ?? (await kept(url, digest));
  if (known) return known;
  // A file of another version, which only its own worker could check.
  if (!digest) return fetch(url);
  const response = await loaded(url, digest);
  own.put(url, response.clone()).catch(() => {});
  return response;
}
