// One first use in a fresh process, told as JSON: node first.mjs experiment|debate. Not a benchmark file: fresh.bench.mjs
// starts it again and again.
import { experiment, nineRounds } from "./measure.mjs";

const before = performance.now();
const quorate = await import("../../dist/node.js");
await quorate.default();
const ready = performance.now();
await { experiment, debate: nineRounds }[process.argv[2]](quorate);
console.log(JSON.stringify({ ready: ready - before, first: performance.now() - ready }));
