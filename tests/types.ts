// What the package's types promise, as code: compiled by tests/package/types.test.mjs, never run.
import init, { initSync, version } from "quorate";
import type { InitOutput } from "quorate";

const exports: InitOutput = await init();
const fromBytes: InitOutput = initSync({ module: new Uint8Array() });
const text: string = version();

// @ts-expect-error: a version is no number
const number: number = version();
// @ts-expect-error: it takes no argument
version(1);

export { exports, fromBytes, number, text };
