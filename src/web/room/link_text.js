// Finds a room link in a text as people get it: in a sentence, in brackets, folded by a mail program, or with parameters
// appended. Imports nothing, since it also runs in front of the guest's page (www/join/policy.js).

export const VERSION = "2";
/** Version, room, secret, host, connection service. */
const LINK = /(^|[^\w.-])(\d{1,2})\.([\w-]{22})\.([\w-]{22})\.([\w-]{43})\.(?:([to])|b\.([\w-]*[A-Za-z0-9-]))(?![A-Za-z0-9]|\.\w)/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** A line break as mail programs put it in: "=" in front, marks of a quote behind. */
const FOLD = /=?[ \t]*[\r\n\u2028\u2029]+[\s>|]*/g;
/** Page and query in front of a link; parameters appended to it. */
const PAGE = /(https?:\/\/[^\s"'<>?#]+)?(?:\?([^\s#]*))?#?$/;
const BEHIND = /^\/?(?:[?#]|&(?:amp;)?|%3f|%26)(.*)$/is;
const LONGEST = 20_000;

/** The address of a broker, or null. A user and password in it go to everyone with the link. */
export function brokerAddress(text) {
  try {
    const url = new URL(text);
    return ["ws:", "wss:"].includes(url.protocol) && !url.hash ? url.href : null;
  } catch {
    return null;
  }
}
/** Reads an address in base64url. Bytes that no address has mean that other words were taken for its end. */
function addressIn(text) {
  try {
    const address = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return /^[\x21-\x7e]+$/.test(address) ? brokerAddress(address) : null;
  } catch {
    return null;
  }
}

const decoded = (text) =>
  text.replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });

/** Reads parameters up to the end of the address; closing punctuation of a sentence is not part of it. */
function readParams(text = "") {
  const found = /^[^\s"'<>“”«»。，、；！？）】》」]*/u.exec(text)[0].replace(/[.,;:!?)\]}*]+$/, "");
  return [...new URLSearchParams(found.replaceAll("&amp;", "&"))].filter(([name]) => name);
}

/**
 * Returns `{ version, room, secret, host, kind, address, page, params }`, or null. `address`: of the broker; `page` is the web address in front of
 * the link, if there is one; `params` are the pairs of its query and of what was appended to the link.
 */
export function findLink(given) {
  const text = String(given).slice(0, LONGEST).trim();
  for (const form of [text, decoded(text)]) {
    const clean = form.replace(INVISIBLE, "");
    for (const one of [clean.replace(FOLD, ""), clean, clean.replace(/\s+/g, "")]) {
      const found = LINK.exec(one);
      const address = found?.[7] ? addressIn(found[7]) : undefined;
      if (!found || address === null) continue;
      const [whole, edge, version, room, secret, host, kind = "b"] = found;
      const before = one.slice(0, found.index + edge.length);
      // Decoded, the address may stand in the query of another one that leads to it.
      const [, page, query] = PAGE.exec(before.slice(form === text ? 0 : Math.max(0, before.lastIndexOf("http"))));
      const behind = BEHIND.exec(one.slice(found.index + whole.length));
      return { version, room, secret, host, kind, address, page: page ?? null, params: [...readParams(query), ...readParams(behind?.[1])] };
    }
  }
  return null;
}
