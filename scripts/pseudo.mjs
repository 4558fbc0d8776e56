// Adds a fourth language to a copy of the crate as a developer adds one, by a file beside each of its sisters and a line in
// the list (CONTRIBUTING.md, "Add a language"), and holds tests/pseudo.rs there: every text that is shown comes from the files. The
// language is English in other letters (tests/support/pseudo.mjs); nothing of it gets into what is built.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { table } from "../tests/support/pseudo.mjs";

const CODE = "qps";
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { target_directory: target } = JSON.parse(execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps", "--offline"], { cwd: root, encoding: "utf8" }));
const copy = join(target, "pseudo");
const read = (path) => readFileSync(path, "utf8");

rmSync(copy, { recursive: true, force: true });
mkdirSync(join(copy, "tests"), { recursive: true });
for (const path of ["src", "Cargo.toml", "Cargo.lock", "tests/pseudo.rs", "tests/native/support/filled.rs"]) cpSync(join(root, path), join(copy, path), { recursive: true });

/** What readers look for in answers is no text that is shown: it stays. So do lists, what simulated participants say. */
const isShown = (path) => !path.includes("reading");
for (const name of readdirSync(join(copy, "src"), { recursive: true }).map(String).filter((name) => /(^|[\\/])en\.json$/.test(name))) {
  const path = join(copy, "src", name);
  const words = JSON.parse(read(path));
  // Languages are called by name in the words of each.
  const named = `language.${CODE}`;
  if (words["language.en"]) words[named] = "Pseudo";
  writeFileSync(join(dirname(path), `${CODE}.json`), JSON.stringify(isShown(name) ? table(words) : words, null, 0));
}
const list = join(copy, "src/language/mod.rs");
const text = read(list);
const changed = text.replace(/(languages! \{\$\n[^}]*)\}/, `$1    /// English in other letters.\n    Pseudo: "${CODE}", "pseudo";\n}`);
if (changed === text) throw new Error(`no list of languages in ${list}`);
writeFileSync(list, changed);

const tested = spawnSync("cargo", ["test", "--quiet", "--test", "pseudo", "--target-dir", join(target, "pseudo-built"), ...process.argv.slice(2)],
  { cwd: copy, stdio: "inherit", env: { ...process.env, CARGO_PROFILE_TEST_OPT_LEVEL: "0", CARGO_PROFILE_TEST_DEBUG: "0", CARGO_INCREMENTAL: "0" } });
process.exit(tested.status ?? 1);
