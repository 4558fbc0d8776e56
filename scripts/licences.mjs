// Writes pkg/LICENSES.txt: the crates that are in the module, with their licences as they ship them.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// Not offline: crates that only tests need are listed too, and a clone that was never tested has not got them yet.
const { packages, resolve } = JSON.parse(execFileSync("cargo", ["metadata", "--format-version", "1", "--locked", "--filter-platform", "wasm32-unknown-unknown"], { cwd: root, maxBuffer: 2 ** 28, encoding: "utf8" }));
const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
const inside = new Set();
/** What ends up in the module: no tools of tests, no programs of the build, and no macros. */
function gather(id) {
  if (inside.has(id)) return;
  inside.add(id);
  for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) gather(pkg);
}
gather(resolve.root);
const isMacro = ({ targets }) => targets.some(({ kind }) => kind.includes("proc-macro"));
const crates = packages.filter((one) => inside.has(one.id) && one.id !== resolve.root && !isMacro(one)).sort((a, b) => a.name.localeCompare(b.name));

/** Texts are long and mostly the same: each stands once, with those whose it is. */
const texts = new Map();
for (const { name, version, license, authors, manifest_path: path } of crates) {
  const files = readdirSync(dirname(path)).filter((file) => /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(file)).sort();
  // Of two to choose from the plain one.
  const wanted = files.filter((file) => /mit/i.test(file));
  const text = (wanted.length ? wanted : files).map((file) => readFileSync(join(dirname(path), file), "utf8").trim()).join("\n\n") || `${license}\n${authors.join("\n")}`;
  texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
}
const rule = "-".repeat(80);
const parts = [...texts].map(([text, whose]) => `${rule}\n${whose.join("\n")}\n\n${text}\n`);
writeFileSync(join(root, "pkg/LICENSES.txt"), `What the module holds of others' work.\n\n${parts.join("\n")}`);
