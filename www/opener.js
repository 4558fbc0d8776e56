// A page that opened this one, or embeds it in a frame, may send a debate: { type: "quorate.open", v: 1, config }. That
// page gets the result if the user starts the debate unchanged. Nothing is sent before, and only to the origin that the
// browser reported with the message, never to "*".

/** The latest debate received: { kind, origin, config, shown }. */
let guest = null;
/** Whether a confirmation is open. */
let asking = false;
/** Windows by kind and origin at the time of their message. */
const known = new Map();

const kindOf = (
  source,
) => (source === window.opener ? "opener" : source === window.parent && window.parent !== window ? "embed" : null);

/** Limits of a received configuration: values, seats, characters of a text. Larger ones would block the page. */
const MOST = 20_000;
const SEATS = 100;
const LONGEST = 2_000_000;
/** Milliseconds in which a repeated message counts as sent before our answer arrived. */
const AGAIN = 1000;

/** Returns whether a configuration is within the limits. */
function isWithinLimits(config) {
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
 * Listens for such messages. `opened(origin)` is called for each and resolves to whether it is accepted: the user's own
 * work is replaced only with their consent.
 */
export function listen(opened) {
  let last = { text: "", at: -Infinity };
  addEventListener("message", async ({ source, origin, data }) => {
    const kind = source && kindOf(source);
    if (!kind || !/^https?:\/\//.test(origin) || data?.type !== "quorate.open" || data.v !== 1) return;
    const { config } = data;
    if (config === null || typeof config !== "object" || Array.isArray(config)) return;
    known.set(`${kind} ${origin}`, source);
    const isFit = isWithinLimits(config);
    const text = isFit ? JSON.stringify([kind, origin, config]) : kind + origin;
    // Repeated messages are answered once, even if the page was busy,
    if (text === last.text && performance.now() < last.at + AGAIN) return;
    last = { text, at: performance.now() };
    source.postMessage({ type: "quorate.opened", v: 1 }, { targetOrigin: origin });
    // and the same debate is accepted once.
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
      // It may be sent again.
      last.at = -Infinity;
      source.postMessage({ type: "quorate.refused", v: 1,
        message: "the person at the screen goes on with what is there" }, { targetOrigin: origin });
    }
  });
}

/** The configuration received, once. */
export function guestConfig() {
  if (!guest || guest.shown) return null;
  guest.shown = true;
  return structuredClone(guest.config);
}

/** The origin that gets the result of the debate in set-up, or null. */
export const guestOrigin = () => guest?.origin ?? null;

/** The rule that returns the result, as configurations write it; once. */
export function takeReturnRule() {
  const rule = guest && { do: guest.kind, origin: guest.origin };
  guest = null;
  return rule;
}

/** Posts a message to the window that wrote from this origin; false if it is closed. */
export function postTo({ kind, origin }, message) {
  const window = known.get(`${kind} ${origin}`);
  if (!window || window.closed) return false;
  window.postMessage(message, origin);
  return true;
}
