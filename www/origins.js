// The origins that this page may call. They are kept in localStorage for policy.js, which makes a security policy of
// them when the page loads. An open page can only tighten its policy: another origin needs a reload.
const STORE = "quorate.origins";
/** The origins that policy.js allowed; `host:*` stands for every port. */
let allowed = globalThis.quorateBegin?.allowed ?? [];

/** An origin as policies write it; null if it is invalid, or cannot be named in a policy (IPv6 addresses). */
export function originOf(url) {
  try {
    const { origin, protocol } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

const HERE = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;
/** Returns whether a policy of this page can name it: https, or this machine. */
export const canBeAllowed = (origin) => /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin) || HERE.test(origin);

/** Returns whether the present policy allows this origin. */
export const allows = (origin) =>
  origin === globalThis.location?.origin
  || allowed.some((one) => one === origin || (one.endsWith(":*") && `${origin}:`.startsWith(one.slice(0, -1))));

/** The stored origins. */
export function inUse() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE));
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Stores origins. False if the browser stores nothing; then only the known hosts stay allowed. */
export function use(origins) {
  const all = [...new Set([...inUse(), ...origins.filter(canBeAllowed)])];
  try {
    if (all.length) localStorage.setItem(STORE, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

/** Removes origins, from the next load on. Without any, the defaults apply. */
export function unuse(origins) {
  const rest = inUse().filter((one) => !origins.includes(one));
  try {
    if (rest.length) localStorage.setItem(STORE, JSON.stringify(rest));
    else localStorage.removeItem(STORE);
  } catch {
    // Storage is not available.
  }
}

/** Limits calls to the stored origins and `more` from now on. */
export function tighten(more = []) {
  const wanted = [...new Set([...inUse(), ...more])].filter((origin) => canBeAllowed(origin) && allows(origin));
  if (allowed.length === wanted.length && allowed.every((one) => wanted.includes(one))) return;
  globalThis.quorateBegin?.narrow(wanted);
  allowed = wanted;
}

/** Other addresses in a configuration: feeds, and where its result is sent. */
function otherAddresses(config) {
  const list = (value) => (Array.isArray(value) ? value : []);
  const all = [...list(config?.sources).filter((one) => one?.kind === "feed"),
    ...list(config?.after).filter((one) => one?.do === "webhook")];
  return all.map(({ url }) => url).filter((url) => typeof url === "string");
}

const originsOf = (urls) => [...new Set(urls.map(originOf).filter(Boolean))];

export const otherOrigins = (config) => originsOf(otherAddresses(config));

/** Stands in an address for the key of its origin, so that no record contains it. */
const KEY_HERE = "{key}";

/** Origins of addresses with a key. */
export const keyedOrigins = (config) => originsOf(otherAddresses(config).filter((url) => url.includes(KEY_HERE)));

/** The address with the key filled in; throws if there is none, or if the key would change the origin. */
export function withKey(url, key) {
  if (!url.includes(KEY_HERE)) return url;
  const origin = originOf(url);
  if (!key) throw new Error(`${origin}: no key`);
  const called = url.replaceAll(KEY_HERE, () => key);
  if (originOf(called) !== origin) throw new Error(`${origin}: no address with this key`);
  return called;
}
