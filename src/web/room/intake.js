// What programs hand in is looked at here, for all modules of the package: functions take values of the kinds that they say,
// and throw or reject with `LabError` and nothing else. Knows nothing of what the functions do.

/** The one error class: `code` is stable, `message` is for people, `detail` is data. */
export class LabError extends Error {
  constructor(code, message, detail = null) {
    super(String(message));
    this.name = "LabError";
    this.code = code;
    this.detail = detail;
    this.retryable = ["locked", "storage", "quota"].includes(code);
  }
}

/** What was thrown, in words. */
export function said(error) {
  let text = "";
  try {
    text = String(error?.message ?? error);
  } catch {
    // It cannot be told.
  }
  return text.trim() ? text : "no reason was given";
}

/** Whether it is the package's own, or broke the engine itself. */
function isOurs(error) {
  try {
    return error instanceof LabError || error instanceof WebAssembly.RuntimeError;
  } catch {
    // A proxy that was revoked is nobody's.
    return false;
  }
}

/** The same as the package's error; what broke the engine itself stays what it is. */
export const told = (name, error) => (isOurs(error) ? error : new LabError("input", `${name}: ${said(error)}`));

const WORDS = { string: "a text", number: "a finite number from 0 up", boolean: "true or false", function: "a function", object: "an object" };
/** Of what kind a value is, where another was wanted. */
const kindOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : Number.isNaN(value) ? "NaN" : typeof value);

/** What is taken, as scripts/signatures.mjs writes it: `"ask:string given request_id:string?"`. */
const parsed = (takes) => takes.split(" ").filter(Boolean).map((one) => /^(\w+)(?::(\w+)(\?)?)?$/.exec(one));

function look(name, takes, valueAt) {
  takes.forEach(([, argument, kind, isOptional], at) => {
    const value = kind && valueAt(argument, at);
    if (!kind || (isOptional && (value === undefined || value === null))) return;
    const isBelow = kind === "number" && value < 0;
    if (kindOf(value) !== kind || value === Infinity || isBelow) throw new LabError("input", `${name}: ${argument} has to be ${WORDS[kind]}, not ${isBelow ? value : kindOf(value)}`);
  });
}

/** What says how something runs, which is plain data. */
const PLAIN = ["config", "plan"];

/** The first value in plain data that JSON has not, as it would count as not given: where it stands, what it is, and what has to be there; or null. */
function noData(value, path, seen = new Set()) {
  if (typeof value === "number") return Number.isFinite(value) ? null : `${path} is ${value}, and has to be a finite number`;
  if (["function", "symbol", "bigint"].includes(typeof value)) return `${path} is a ${typeof value}, and has to be data`;
  if (value === null || typeof value !== "object" || seen.has(value)) return null;
  seen.add(value);
  for (const [key, one] of Object.entries(value)) {
    const found = noData(one, `${path}.${key}`, seen);
    if (found) return found;
  }
  return null;
}

function lookAtData(name, argument, value) {
  let found = null;
  try {
    found = typeof value === "object" ? noData(value, argument) : null;
  } catch {
    // What cannot be read, or goes too deep, is no plain data, which is told by who reads it.
  }
  if (found) throw new LabError("input", `${name}: ${found}`);
}

/** Throws where the fields of an object are of other kinds. */
export const lookInto = (name, takes, object) => look(name, parsed(takes), (field) => object[field]);

/** A function that looks at what it is given; `first(object)`: what has to hold before. `async`, first of what it takes: it gives a promise. */
export function guarded(name, takes, call, first = (_) => {}) {
  const isAsync = /^async\b/.test(takes);
  const wanted = parsed(takes.replace(/^async\b/, ""));
  return function (...given) {
    try {
      first(this);
      look(name, wanted, (_, at) => given[at]);
      wanted.forEach(([, argument], at) => PLAIN.includes(argument) && lookAtData(name, argument, given[at]));
      wanted.forEach(([, , , isOptional], at) => isOptional && given[at] === null && (given[at] = undefined));
      const came = call.apply(this, given);
      return isAsync ? Promise.resolve(came).catch((error) => Promise.reject(told(name, error))) : came;
    } catch (error) {
      if (isAsync) return Promise.reject(told(name, error));
      throw told(name, error);
    }
  };
}

/** The same for methods of an object: what each takes, by its name. */
export function guardMethods(title, object, takes, first) {
  for (const [name, wanted] of Object.entries(takes)) object[name] = guarded(`${title}.${name}`, wanted, object[name], first);
  return object;
}
