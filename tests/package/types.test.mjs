// tests/types.ts compiles against the packed package as strict TypeScript sees it, and its @ts-expect-error lines do fail.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { installPackage, root } from "../support/package.mjs";

const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
const tsc = join(dirname(typescript), "bin/tsc");

for (const [module, moduleResolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
  test(`types as ${moduleResolution} resolves them`, (t) => {
    const { folder, remove } = installPackage();
    t.after(remove);
    copyFileSync(join(root, "tests/types.ts"), join(folder, "types.ts"));
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
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    assert.equal(stdout + stderr, "");
    assert.equal(status, 0);
  });
}
