// The session cases in Node.js, in memory. The page tests run all of them in Chromium, tests/browsers in the others.
import { before, test } from "node:test";
import { inMemory, runCase } from "../session/run.mjs";
import { entry } from "../support/package.mjs";

const lab = await import(entry);
before(() => lab.default());

for (const name of Object.keys(inMemory)) test(name, () => runCase(name, lab));
