// Argument checks for all modules of the package: functions take values of their declared kinds and throw or reject
// with `LabError` only.

/** The package's error class: `code` is stable, `message` is for people, `detail` is data. */
export class LabError extends Error {
  constructor(code, message, detail = null) {
    super(String(message));
    this.name = "LabError";
    this.code = code;
    this.detail = detail;
    this.retryable = ["locked", "storage", "quota"].includes(code);
  }
}

/** The message of a thrown value. */
export function messageOf(error) {
  let text = "";
  try {
    text = String(error?.message ?? error);
  } catch {
    // It cannot be converted to a text.
  }
  return text.trim() ? text : "no reason was given";
}

/** Whether an error is the package's own or an engine trap. */
function isOwnError(error) {
  try {
    return error instanceof LabError || error instanceof WebAssembly.RuntimeError;
  } catch {
    // A revoked proxy.
    return false;
  }
}

/** Converts a thrown value to a `LabError`; engine traps are passed on unchanged. */
export const toLabError = (name, error) => (isOwnError(error) ? error : new LabError("input", `${name}: ${messageOf(error)}`));

const WORDS = { string: "a string", number: "a finite number from 0 up", boolean: "true or false", function: "a function", object: "an object" };
/** The kind of a value, for messages. */
const kindOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : Number.isNaN(value) ? "NaN" : typeof value);

/** Parses a parameter list, e.g. `"ask:string given request_id:string?"`. */
const parsed = (takes) => takes.split(" ").filter(Boolean).map((one) => /^(\w+)(?::(\w+)(\?)?)?$/.exec(one));

function checkArguments(name, takes, valueAt) {
  takes.forEach(([, argument, kind, isOptional], at) => {
    const value = kind && valueAt(argument, at);
    if (!kind || (isOptional && (value === undefined || value === null))) return;
    const isBelow = kind === "number" && value < 0;
    if (kindOf(value) !== kind || value === Infinity || isBelow) throw new LabError("input", `${name}: ${argument} must be ${WORDS[kind]}, not ${isBelow ? value : kindOf(value)}`);
  });
}

/** Arguments that must be plain data. */
const PLAIN = ["config", "plan"];

/**
 * Describes the first value in plain data that JSON does not have (and would drop): where it is, what it is, what it
 * must be; or null.
 */
function findNonData(value, path, seen = new Set()) {
  if (typeof value === "number") return Number.isFinite(value) ? null : `${path} must be a finite number, not ${value}`;
  if (["function", "symbol", "bigint"].includes(typeof value)) return `${path} must be JSON data, not a ${typeof value}`;
  if (value === null || typeof value !== "object" || seen.has(value)) return null;
  seen.add(value);
  for (const [key, one] of Object.entries(value)) {
    const found = findNonData(one, `${path}.${key}`, seen);
    if (found) return found;
  }
  return null;
}

function checkData(name, argument, value) {
  let found = null;
  try {
    found = typeof value === "object" ? findNonData(value, argument) : null;
  } catch {
    // Getters that throw, or nesting too deep: reported where the value is read.
  }
  if (found) throw new LabError("input", `${name}: ${found}`);
}

/** Throws if fields of an object are of other kinds than declared. */
export const checkFields = (name, takes, object) => checkArguments(name, parsed(takes), (field) => object[field]);

/**
 * Wraps a function with argument checks. `first(object)` runs before them. `async` as the first word of `takes`: it
 * returns a promise.
 */
export function guarded(name, takes, call, first = (_) => {}) {
  const isAsync = /^async\b/.test(takes);
  const declared = parsed(takes.replace(/^async\b/, ""));
  return function (...given) {
    try {
      first(this);
      checkArguments(name, declared, (_, at) => given[at]);
      declared.forEach(([, argument], at) => PLAIN.includes(argument) && checkData(name, argument, given[at]));
      declared.forEach(([, , , isOptional], at) => isOptional && given[at] === null && (given[at] = undefined));
      const result = call.apply(this, given);
      return isAsync ? Promise.resolve(result).catch((error) => Promise.reject(toLabError(name, error))) : result;
    } catch (error) {
      if (isAsync) return Promise.reject(toLabError(name, error));
      throw toLabError(name, error);
    }
  };
}

/** Wraps methods of an object the same way, by name. */
export function guardMethods(title, object, takes, first) {
  for (const [name, wanted] of Object.entries(takes)) object[name] = guarded(`${title}.${name}`, wanted, object[name], first);
  return object;
}
