// Formats the page's code (www/, without what is built), or says with --check what is not formatted. The lines that
// somebody broke stay broken; what is too long is broken where a reader would.
import { createFromBuffer } from "@dprint/formatter";
import { getPath } from "@dprint/typescript";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const formatter = createFromBuffer(readFileSync(getPath()));
formatter.setConfig({ lineWidth: 120, indentWidth: 2, useTabs: false, newLineKind: "lf" }, {
  quoteStyle: "preferDouble",
  bracePosition: "sameLine",
  nextControlFlowPosition: "sameLine",
  "arrowFunction.useParentheses": "force",
  "binaryExpression.operatorPosition": "nextLine",
  // Nodes within nodes within nodes: a bracket for each line of them would be most of the text.
  preferHanging: true,
  "arguments.preferHanging": "always",
  "arrayExpression.preferHanging": "always",
  "jsxAttributes.preferHanging": true,
  "jsx.bracketPosition": "sameLine",
  "module.sortImportDeclarations": "maintain",
  "module.sortExportDeclarations": "maintain",
  "importDeclaration.sortNamedImports": "maintain",
  "exportDeclaration.sortNamedExports": "maintain",
});

/** Broken lines may make room for further ones: until nothing changes. */
function formatted(filePath, text) {
  for (let pass = 0; pass < 5; pass += 1) {
    const next = formatter.formatText({ filePath, fileText: text });
    if (next === text) break;
    text = next;
  }
  return text;
}

const check = process.argv.includes("--check");
const files = readdirSync(join(root, "www"), { recursive: true }).map((name) => join(root, "www", String(name)))
  .filter((name) => /\.(js|tsx?)$/.test(name) && !/[\\/]www[\\/]pkg[\\/]/.test(name));
const other = files.filter((file) => {
  const text = readFileSync(file, "utf8");
  const better = formatted(file, text);
  if (better !== text && !check) writeFileSync(file, better);
  return better !== text;
});
if (check && other.length) {
  console.error(`not formatted (node scripts/format.mjs does it): ${other.map((file) => relative(root, file)).join(" ")}`);
  process.exit(1);
}
