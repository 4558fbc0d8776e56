// The package under test, and the checks of cases that run in Node.js and in browsers alike.

export let Session, Library, Memory, LabError, caseName;

/** Sets the package's module for the case of this name. */
export function use(module, name) {
  ({ Session, Library, Memory, LabError } = module);
  caseName = name.replaceAll(/\W+/g, "-");
}

export const NOW = 1_700_000_000_000;

export function ok(value, message) {
  if (!value) throw new Error(message ?? "assertion failed");
}

/** JSON with sorted keys. */
function written(value) {
  const sorted = (key, value) =>
    value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
  return JSON.stringify(value, sorted);
}

export function equal(actual, expected, message = "") {
  const [a, b] = [written(actual), written(expected)];
  if (a === b) return;
  let at = 0;
  while (a?.[at] === b?.[at]) at += 1;
  const part = (text) => text?.slice(Math.max(0, at - 60), at + 300);
  throw new Error(`${message} at ${at}: got ${part(a)}, expected ${part(b)}`);
}

/** Resolves to the `LabError` with which a promise rejects. */
export async function rejected(promise, code) {
  const error = await Promise.resolve(promise).then(
    () => null,
    (error) => error,
  );
  ok(error !== null, `is not rejected with ${code}`);
  ok(error instanceof LabError && error.code === code, `rejected with ${error?.code}: ${error?.message}, expected ${code}`);
  return error;
}

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function until(is, what = "the condition") {
  for (let tries = 0; tries < 2000; tries += 1) {
    if (await is()) return;
    await wait(2);
  }
  throw new Error(`timed out waiting for ${what}`);
}
