// The licences of what is built in, as texts: of crates in the module, and of npm packages in bundles.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const rule = `\n${"-".repeat(80)}\n\n`;

/** The licence in a folder; of two to choose from, MIT. */
function licenceIn(folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(file)).sort();
  const mit = files.filter((file) => /mit/i.test(file));
  return (mit.length ? mit : files).map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
}

/** Of all crates that end up in the module: no build scripts, macros or tools of tests. */
export function crateLicences() {
  const cargo = (...args) => execFileSync("cargo", args, { cwd: root, maxBuffer: 2 ** 28, encoding: "utf8" });
  const target = "wasm32-unknown-unknown";
  const used = cargo("tree", "--locked", "--target", target, "--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe", "--format", "{p}");
  const names = new Set(used.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages } = JSON.parse(cargo("metadata", "--format-version", "1", "--locked", "--filter-platform", target));
  const crates = packages.filter(({ name, version, source }) => source && names.has(`${name} v${version}`));
  /** Many are word for word the same: each text stands once. */
  const texts = new Map();
  for (const { name, version, license, authors, manifest_path: path } of crates) {
    const text = licenceIn(dirname(path)) || `${license}\n${authors.join("\n")}`;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...texts].map(([text, owners]) => `${owners.join("\n")}\n\n${text}\n${rule}`).join("");
}

/** Of all npm packages in the results of esbuild. */
export function npmLicences(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const names = new Set(inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean));
  return [...names].sort().map((name) => {
    const folder = join(root, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text = licenceIn(folder);
    if (!text) throw new Error(`${name} ${version} (${license}) comes without its licence`);
    return `${name} ${version} (${license})\n\n${text}\n${rule}`;
  }).join("");
}
