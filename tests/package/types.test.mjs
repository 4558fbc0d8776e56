// tests/types.ts, and in Node.js tests/types_node.ts, compiles against the packed package as strict TypeScript sees it, and its @ts-expect-error lines do fail.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { installPackage, root } from "../support/package.mjs";

const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
const tsc = join(dirname(typescript), "bin/tsc");

let installed;
before(() => (installed = installPackage()));
after(() => installed?.remove());

test("every declaration says what it is", () => {
  const { folder, files } = installed;
  const bare = [];
  let count = 0;
  for (const file of files.filter((one) => one.endsWith(".d.ts"))) {
    const lines = readFileSync(join(folder, "node_modules/quorate", file), "utf8").split("\n");
    lines.forEach((line, at) => {
      if (!/^export (?!default \w+;)/.test(line)) return;
      count += 1;
      // Of several ways to call one function the first says it.
      const [name] = /^export (default )?\w+ \w+/.exec(line) ?? [line];
      if (!/\*\/$/.test(lines[at - 1] ?? "") && !lines[at - 1]?.startsWith(name)) bare.push(`${file}:${at + 1} ${line}`);
    });
  }
  assert.deepEqual(bare, []);
  assert.ok(count > 200, `${count} declarations`);
});

for (const [module, moduleResolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
  test(`types as ${moduleResolution} resolves them`, () => {
    const { folder } = installed;
    const files = module === "nodenext" ? ["types.ts", "types_node.ts"] : ["types.ts"];
    for (const file of files) copyFileSync(join(root, "tests", file), join(folder, file));
    const compilerOptions = {
      module,
      moduleResolution,
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable", "esnext.disposable"],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    assert.equal(stdout + stderr, "");
    assert.equal(status, 0);
  });
}
