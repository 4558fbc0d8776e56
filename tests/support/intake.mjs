// Values of every type for the package's functions, and what may come of them: a value, or `LabError` with a sentence.

const big = "1万5千 ".repeat(20_000);
const endless = {};
endless.self = endless;
/** Values by what they are; each is made anew, since some can be used once. */
export const VALUES = {
  undefined: () => undefined, null: () => null, true: () => true, zero: () => 0, negative: () => -1, fraction: () => 1.5, number: () => 15_000, nan: () => NaN,
  infinite: () => Infinity, huge: () => 1e308, unsafe: () => 2 ** 53, bigint: () => 10n ** 30n, symbol: () => Symbol("s"), "a text": () => "text", "a lone surrogate": () => "a\ud800b",
  "no text": () => "", "a long text": () => big, nul: () => "\0", "a list": () => [1, [2], "three"], "no list": () => [], "a list of nothing": () => [null, undefined, NaN], "no fields": () => ({}),
  fields: () => ({ a: 1, id: {}, role: "seat:Ana", seat: 7 }), "no prototype": () => Object.create(null), map: () => new Map([["a", 1]]), set: () => new Set([1]), "a function": () => () => 7,
  "a function that throws": () => () => {
    throw new TypeError("mine");
  },
  "a class": () => class Thing {}, date: () => new Date(0), "no date": () => new Date(NaN), promise: () => Promise.resolve("late"), "a promise that fails": () => {
    const fails = Promise.reject(new TypeError("mine"));
    fails.catch(() => {});
    return fails;
  },
  bytes: () => new Uint8Array([1, 2, 3]), buffer: () => new ArrayBuffer(8), error: () => new RangeError("mine"), regex: () => /a/g, boxed: () => new String("text"), endless: () => endless,
  "a getter that throws": () => ({
    get id() {
      throw new TypeError("mine");
    },
    get protocol() {
      throw new TypeError("mine");
    },
  }),
  proxy: () => new Proxy({}, {}), "a proxy that throws": () => new Proxy({}, { get() {
    throw new TypeError("mine");
  }, ownKeys() {
    throw new TypeError("mine");
  }, has() {
    throw new TypeError("mine");
  } }),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "toJSON that throws": () => ({ toJSON() {
    throw new TypeError("mine");
  } }),
  "a deep list": () => JSON.parse("[".repeat(5_000) + "]".repeat(5_000)),
};
/** Every place of up to three arguments with every value, the others as they should be or with nothing. */
export function* given() {
  yield ["nothing", () => []];
  for (const [kind, make] of Object.entries(VALUES)) {
    yield [`(${kind})`, () => [make()]];
    yield [`("text", ${kind})`, () => ["text", make()]];
    yield [`({}, ${kind})`, () => [{}, make()]];
    yield [`("text", "en", ${kind})`, () => ["text", "en", make()]];
    yield [`(${kind}, ${kind}, ${kind}, ${kind})`, () => [make(), make(), make(), make()]];
  }
}

/** `{ call, tries, wrong }`: `call(where, run)` notes in `wrong` what came of it otherwise. */
export function intake(LabError) {
  const wrong = [];
  let tries = 0;
  const judge = (where, error) => {
    const fine = error instanceof LabError && typeof error.code === "string" && /\S \S/.test(error.message);
    if (!fine) wrong.push(`${where}: ${error?.name} ${error?.message}`);
  };
  async function call(where, run) {
    tries += 1;
    try {
      const came = run();
      if (!(came instanceof Promise)) return came;
      let timer;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, 20)));
      // What waits, waits: that is no fault.
      return await Promise.race([came.catch((error) => judge(where, error)), late]).finally(() => clearTimeout(timer));
    } catch (error) {
      judge(where, error);
      return undefined;
    }
  }
  return { call, wrong, tries: () => tries };
}
