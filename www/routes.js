// Addresses of views: `#/NAME/PART…`. Any text is handled, also a mistyped or truncated one.

/** Views with the least and most number of parts. */
const PARTS = new Map([
  ["", [0, 0]],
  ["presets", [0, 0]],
  ["for", [1, 1]],
  ["teach", [0, 0]],
  ["network", [0, 0]],
  ["setup", [0, 1]],
  ["run", [1, 1]],
  ["results", [1, 1]],
  ["replay", [1, 1]],
  ["present", [1, 1]],
  ["library", [0, 1]],
  ["memory", [0, 1]],
  ["models", [0, 0]],
  ["study", [0, 1]],
  ["room", [1, 1]],
  ["project", [1, 1]],
]);

/**
 * The view of an address with its parts decoded; null if there is none.
 * @param {string} hash
 * @returns {{ name: string, args: string[] } | null}
 */
export function route(hash) {
  if (!hash.startsWith("#/")) return { name: "", args: [] };
  const [name, ...rest] = hash.slice(2).replace(/\/$/, "").split("/");
  const [least, most] = PARTS.get(name) ?? [0, -1];
  if (rest.length < least || rest.length > most || rest.includes("")) return null;
  try {
    return { name, args: rest.map(decodeURIComponent) };
  } catch {
    return null;
  }
}
