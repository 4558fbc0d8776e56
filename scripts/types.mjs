// Checks the types of the page's code, strictly in its components (www/tsconfig*.json), by the declarations of the package and of the libraries that
// the page takes along. Needs no build: declarations are put where the built files have their place.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const pkg = join(root, "www/pkg");
mkdirSync(pkg, { recursive: true });
for (const path of ["quorate.d.ts", "config.d.ts", "room/room.d.ts", "study/study.d.ts"]) copyFileSync(join(root, "src/web", path), join(pkg, basename(path)));
for (const project of ["tsconfig.json", "tsconfig.strict.json"]) {
  const { status, error } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "www", project)], { stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exitCode = 1;
}
