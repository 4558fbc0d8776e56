// Packs dist/ as it would be published and installs it, without any network, into a folder of its own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The crate's version, from Cargo.toml. */
export const version = /^version = "(.+)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];

/** Returns `{ folder, files, remove }`: an npm project that has the package installed, and the names of the packed files. */
export function installPackage() {
  const folder = mkdtempSync(join(tmpdir(), "quorate-package-"));
  const npm = (...args) => execFileSync("npm", [...args, "--loglevel=error"], { cwd: folder, encoding: "utf8" });
  const [{ filename, files }] = JSON.parse(npm("pack", join(root, "dist"), "--json"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm("install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", `./${filename}`);
  return {
    folder,
    files: files.map(({ path }) => path).sort(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
