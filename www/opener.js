// A page that opened this one, or holds it in a frame, may hand in a debate: { type: "quorate.open", v: 1, config }.
// Whoever did so gets the result, if the person at the screen starts the debate and leaves it so; nobody else does.
// Nothing is sent before, and never to "*": only to the origin that the browser told with the message.

/** What was handed in last: { kind, origin, config, shown }. */
let guest = null;
/** Whether somebody is being asked about one. */
let asking = false;
/** Windows by kind and the origin that they had when they spoke to us. */
const known = new Map();

const kindOf = (
  source,
) => (source === window.opener ? "opener" : source === window.parent && window.parent !== window ? "embed" : null);

/** Of what is handed in at most: values, seats, characters of a text. Whatever is larger would keep the page busy. */
const MOST = 20_000;
const SEATS = 100;
const LONGEST = 2_000_000;
/** Milliseconds: what is said again so soon was said before our word had arrived. */
const AGAIN = 1000;

/** Whether a configuration is of a size that can be worked with. */
function fits(config) {
  let left = MOST;
  const walk = (value, depth) => {
    if ((left -= 1) < 0 || depth > 40) return false;
    if (typeof value === "string") return value.length <= LONGEST;
    if (value === null || typeof value !== "object") return typeof value !== "bigint";
    return Object.values(value).every((one) => walk(one, depth + 1));
  };
  return !(Array.isArray(config.agents) && config.agents.length > SEATS) && walk(config, 0);
}

/**
 * Listens for such messages; `opened(origin)` is called when one has come, and tells (as a promise) whether it is taken:
 * what somebody is at work on is not replaced without their word.
 */
export function listen(opened) {
  let last = { text: "", at: -Infinity };
  addEventListener("message", async ({ source, origin, data }) => {
    const kind = source && kindOf(source);
    if (!kind || !/^https?:\/\//.test(origin) || data?.type !== "quorate.open" || data.v !== 1) return;
    const { config } = data;
    if (config === null || typeof config !== "object" || Array.isArray(config)) return;
    known.set(`${kind} ${origin}`, source);
    const isFit = fits(config);
    const text = isFit ? JSON.stringify([kind, origin, config]) : kind + origin;
    // Who repeats itself until it is heard is answered once, by a page that was busy meanwhile too,
    if (text === last.text && performance.now() < last.at + AGAIN) return;
    last = { text, at: performance.now() };
    source.postMessage({ type: "quorate.opened", v: 1 }, { targetOrigin: origin });
    // and hands in the same debate once.
    if (guest && JSON.stringify([guest.kind, guest.origin, guest.config]) === text) return;
    if (!isFit) {
      return void source.postMessage({ type: "quorate.refused", v: 1,
        message: `too large: at most ${SEATS} seats and ${MOST} values` }, { targetOrigin: origin });
    }
    if (asking) return;
    const before = guest;
    guest = { kind, origin, config, shown: false };
    asking = true;
    if (!(await opened(origin).finally(() => (asking = false)))) {
      guest = before;
      // It may be handed in anew.
      last.at = -Infinity;
      source.postMessage({ type: "quorate.refused", v: 1,
        message: "the person at the screen goes on with what is there" }, { targetOrigin: origin });
    }
  });
}

/** The configuration that was handed in, once. */
export function guestConfig() {
  if (!guest || guest.shown) return null;
  guest.shown = true;
  return structuredClone(guest.config);
}

/** From whom the result of the debate in set-up is awaited; null: nobody. */
export const guestOrigin = () => guest?.origin ?? null;

/** The rule by which the result goes back, as configurations write it; told once. */
export function takeRule() {
  const rule = guest && { do: guest.kind, origin: guest.origin };
  guest = null;
  return rule;
}

/** Hands a message to the window that spoke to us from this origin; false where it is not there any more. */
export function tell({ kind, origin }, message) {
  const window = known.get(`${kind} ${origin}`);
  if (!window || window.closed) return false;
  window.postMessage(message, origin);
  return true;
}
