// The packed package holds what it should; it loads and runs in Node.js, with the same record as everywhere.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { LANGUAGES } from "../../www/languages.js";
import { installPackage, root, version } from "../support/package.mjs";
import { RUN, expected, same } from "../support/same.mjs";

let installed;
before(() => {
  installed = installPackage();
  const files = { "run.js": RUN, "same.js": `export default ${JSON.stringify(same)}` };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(installed.folder, name), content);
});
after(() => installed?.remove());

/** Runs a module in the folder where the package is installed; what it prints as JSON. */
function node(program, ...args) {
  const flags = ["--input-type=module", "--eval", program, ...args];
  return JSON.parse(execFileSync(process.execPath, flags, { cwd: installed.folder, encoding: "utf8" }));
}

test("holds these files and no others", () => {
  const { files } = installed;
  assert.deepEqual(
    files.filter((file) => !file.startsWith("snippets/") && file !== "README.md"),
    ["LICENSE", "LICENSES.txt", "capsule_page.css", "capsule_page.js", "cli.js", "config.d.ts", "engine.js", "engine_bg.wasm", "folder.js", "guest.d.ts", "guest.js", "inline.js", "intake.js", "node.d.ts", "node.js", "package.json", "quorate.d.ts", "quorate.js", "quorate.schema.json", "room.d.ts", "room.js", "study.d.ts", "study.js", "wasm.d.ts"],
  );
  const snippets = files.filter((file) => file.startsWith("snippets/")).map((file) => file.split("/").slice(2).join("/"));
  assert.deepEqual(snippets, ["src/web/clock.js", "src/web/locks.js", "src/web/question.js", "src/web/signing.js", "src/web/timer.js", "src/web/zip.js"]);
});

test("has the crate's version and needs no other package", () => {
  const manifest = JSON.parse(readFileSync(join(installed.folder, "node_modules/quorate/package.json"), "utf8"));
  assert.equal(manifest.name, "quorate");
  assert.equal(manifest.version, version);
  assert.equal(manifest.dependencies, undefined);
});

test("loads in Node.js, from disk or from given bytes, and runs", () => {
  const program = `
    import { readFileSync } from "node:fs";
    import init, * as quorate from "quorate";
    import { run } from "./run.js";
    import same from "./same.js";
    const bytes = process.argv[1] && { module_or_path: readFileSync(new URL(import.meta.resolve("quorate/wasm"))) };
    await Promise.all([init(bytes), init(bytes)]);
    await init();
    console.log(JSON.stringify(await run(same, quorate)));`;
  for (const bytes of [[], ["bytes"]]) assert.deepEqual(node(program, ...bytes), expected);
});

test("the sample of the README runs as it stands, without key or server", () => {
  const [sample] = /(?<=```js\n)import init, \{ Session.*?(?=```)/s.exec(readFileSync(join(root, "README.md"), "utf8"));
  const told = node(`
    const print = console.log;
    console.log = () => {};
    ${sample.replace("import init, { Session, parse, justice } from", "const { default: init, Session, parse, justice } = await import(").replace(/"quorate";/, '"quorate");')}
    print(JSON.stringify([result.rounds ?? typeof result.consensus_reached, (await session.verify()).verified, text.split("\\n").length > 100]));
  `);
  assert.deepEqual(told.slice(1), [true, true]);
});

test("gives the same names in Node.js as elsewhere, and folders", () => {
  const program = `
    import * as there from "quorate";
    import * as here from "./node_modules/quorate/quorate.js";
    console.log(JSON.stringify([here, there].map((module) => Object.keys(module).sort())));`;
  const names = [
    "LabError", "Library", "Memory", "Session", "TableStream", "Viewer", "advanceDiscussion", "catalogue", "check", "continueDiscussion",
    "costsOf", "debate",
    "default", "forecast", "getDiscussion", "justice", "listModels", "outcomeText", "parse", "pauseDiscussion", "presets", "priced", "prices",
    "prompts", "protocols", "resetDiscussion", "resumeDiscussion", "spec", "study", "testConnection", "version",
  ];
  assert.deepEqual(node(program), [names, [...names, "folder"].sort()]);
});

test("says what is wrong with an error of its own class", () => {
  const program = `
    import init, { LabError, Library, Session, check, justice, parse, presets, prompts } from "quorate";
    const told = {};
    const fails = async (name, act) => {
      const error = await Promise.resolve().then(act).then(() => null, (error) => error);
      told[name] = [error instanceof LabError, error?.name, error?.code, error?.retryable, typeof error?.message];
    };
    await init();
    await fails("config", () => Session.create({ agents: 5 }));
    await fails("input", () => parse.principle("1", "xx"));
    await fails("missing_constraint", () => justice.apply({ principle: 3 }, [[5, 4, 3, 2, 1]]));
    await fails("storage", () => Library.list());
    told.parsed = [parse.principle("3", "en"), parse.agreement("sí", "es"), parse.amount("$12,000"), parse.amount("none"),
      parse.ranking("My ranking: 1, 2, 3, 4. Certainty: sure"), parse.choice("I choose principle 1. I am sure.")];
    told.applied = justice.apply({ principle: 1 }, [[5, 4, 3, 2, 1], [9, 5, 4, 3, 2]]);
    told.presets = presets().map(({ config }) => check(config));
    told.prompts = ${JSON.stringify(Object.keys(LANGUAGES))}.map((language) => prompts(language).length);
    console.log(JSON.stringify(told));`;
  const told = node(program);
  for (const code of ["config", "input", "missing_constraint", "storage"]) {
    assert.deepEqual(told[code], [true, "LabError", code, code === "storage", "string"], code);
  }
  for (const reading of told.parsed) assert.equal(typeof (reading.value === null ? reading.reason : reading.how), "string");
  const values = told.parsed.map(({ value }) => value);
  const order = [1, 2, 3, 4];
  assert.deepEqual(values, [3, true, 12_000, null, { order, certainty: "sure" }, { principle: 1, amount: null, certainty: "sure" }]);
  assert.deepEqual(told.applied, { index: 1, constraint_met: true });
  assert.ok(told.presets.length > 2);
  for (const report of told.presets) assert.deepEqual(report, { faults: [], warnings: [] });
  assert.ok(told.prompts[0] > 20 && told.prompts.every((count) => count === told.prompts[0]), told.prompts.join());
});

test("principles and amounts are whole numbers within bounds", () => {
  const applied = node(`
    import init, { justice } from "quorate";
    await init();
    const apply = (principle, amount) => {
      try {
        return justice.apply({ principle, amount }, [[5, 4, 3, 2, 1], [9, 9, 9, 9, 0]]).index;
      } catch ({ code }) {
        return code;
      }
    };
    console.log(JSON.stringify([
      [apply(1, null), apply(2, undefined), apply(3, 1)],
      [0, 5, 257, 1.5, -1, NaN].map((principle) => apply(principle, 1)),
      [null, -1, 1.5, "1", 4e10].map((amount) => apply(3, amount)),
    ]));`);
  assert.deepEqual(applied[0], [0, 1, 0]);
  for (const refused of applied.slice(1).flat()) assert.equal(typeof refused, "string");
});

test("a panic of the engine is an error with its message and place: of the call, of those that are pending, and of all that follow", () => {
  const folder = join(installed.folder, "panics");
  cpSync(join(installed.folder, "node_modules/quorate"), folder, { recursive: true });
  renameSync(join(folder, "engine.js"), join(folder, "engine_itself.js"));
  writeFileSync(join(folder, "engine.js"), `
    export * from "./engine_itself.js";
    export { default } from "./engine_itself.js";
    let handler;
    export const setPanicHandler = (given) => (handler = given);
    export const listModels = () => new Promise(() => {});
    export function version() {
      handler("panicked at src/core/mod.rs:12:34:\\nfirst line\\nsecond line");
      throw new WebAssembly.RuntimeError("unreachable");
    }`);
  const results = node(`
    import init, { LabError, listModels, protocols, version, Session } from "./panics/node.js";
    await init();
    const results = [protocols().length];
    const failed = (error) => results.push([error instanceof LabError, error.code, error.message, error.detail]);
    const pending = listModels({}).catch(failed);
    for (const call of [version, protocols]) try { call(); } catch (error) { failed(error); }
    await pending;
    await Session.create({}).catch(failed);
    console.log(JSON.stringify(results));`);
  const message = "the engine failed at src/core/mod.rs:12:34: first line\nsecond line. Reload the page; stored data is kept";
  const error = [true, "internal", message, { place: "src/core/mod.rs:12:34", message: "first line\nsecond line" }];
  assert.deepEqual(results, [5, error, error, error, error]);
});
