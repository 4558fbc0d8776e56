// Bundles what the package has in one file with its libraries: the guest's side of rooms (pkg/guest.js).
import { build } from "esbuild";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const absWorkingDir = resolve(dirname(fileURLToPath(import.meta.url)), "..");
await build({ absWorkingDir, entryPoints: ["src/web/room/guest_api.js"], outfile: "pkg/guest.js", bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", legalComments: "none", logLevel: "warning" });
