// Checks the types of the page's code (www/jsconfig.json) by the declarations of the package and of the libraries that
// the page takes along. Needs no build: declarations are put where the built files have their place.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const pkg = join(root, "www/pkg");
mkdirSync(pkg, { recursive: true });
for (const path of ["quorate.d.ts", "config.d.ts", "room/room.d.ts"]) copyFileSync(join(root, "src/web", path), join(pkg, basename(path)));
const { status, error } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "www")], { stdio: "inherit" });
if (error) throw error;
process.exit(status ?? 1);
