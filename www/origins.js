// Whom this page may call: the origins in use, kept in localStorage for policy.js, which makes a security policy of them
// when the page loads. A policy can only be tightened while the page is open: another address needs a reload.
const STORE = "quorate.origins";
/** What policy.js let in when the page loaded; `host:*` stands for every port. */
let allowed = globalThis.quorateBegin?.allowed ?? [];

/** An origin as policies write it; null for what is none, or what no policy can name (IPv6 addresses). */
export function originOf(url) {
  try {
    const { origin, protocol } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

const HERE = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;
/** Whether any policy of this page can name it: https, or this machine. */
export const canBeAllowed = (origin) => /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin) || HERE.test(origin);

/** Whether the page may call this origin as it stands. */
export const allows = (origin) =>
  origin === globalThis.location?.origin
  || allowed.some((one) => one === origin || (one.endsWith(":*") && `${origin}:`.startsWith(one.slice(0, -1))));

/** The origins in use, as kept. */
export function inUse() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE));
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Notes origins as in use. False where the browser keeps nothing: then the page stays with the hosts that it knows. */
export function use(origins) {
  const all = [...new Set([...inUse(), ...origins.filter(canBeAllowed)])];
  try {
    if (all.length) localStorage.setItem(STORE, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

/** No longer in use, from the next load on. Without any, the page is as nobody had chosen. */
export function unuse(origins) {
  const rest = inUse().filter((one) => !origins.includes(one));
  try {
    if (rest.length) localStorage.setItem(STORE, JSON.stringify(rest));
    else localStorage.removeItem(STORE);
  } catch {
    // Nothing was kept.
  }
}

/** From now on no other origin is called: those in use, and `more`. */
export function tighten(more = []) {
  const wanted = [...new Set([...inUse(), ...more])].filter((origin) => canBeAllowed(origin) && allows(origin));
  if (allowed.length === wanted.length && allowed.every((one) => wanted.includes(one))) return;
  globalThis.quorateBegin?.narrow(wanted);
  allowed = wanted;
}

/** Addresses that a configuration names besides those of its models: of feeds, and where its result goes. */
function otherAddresses(config) {
  const list = (value) => (Array.isArray(value) ? value : []);
  const all = [...list(config?.sources).filter((one) => one?.kind === "feed"),
    ...list(config?.after).filter((one) => one?.do === "webhook")];
  return all.map(({ url }) => url).filter((url) => typeof url === "string");
}

const originsOf = (urls) => [...new Set(urls.map(originOf).filter(Boolean))];

/** Their origins. */
export const otherOrigins = (config) => originsOf(otherAddresses(config));

/** Stands in an address for the key that is entered for its origin, so that no record holds it. */
const KEY_HERE = "{key}";

/** Origins of those addresses that a key goes into. */
export const keyedOrigins = (config) => originsOf(otherAddresses(config).filter((url) => url.includes(KEY_HERE)));

/** The address as it is called, with the key in it; throws where there is none, or where it would lead elsewhere. */
export function withKey(url, key) {
  if (!url.includes(KEY_HERE)) return url;
  const origin = originOf(url);
  if (!key) throw new Error(`${origin}: no key`);
  const called = url.replaceAll(KEY_HERE, () => key);
  if (originOf(called) !== origin) throw new Error(`${origin}: no address with this key`);
  return called;
}
