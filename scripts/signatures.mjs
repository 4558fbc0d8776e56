// Prints what the functions and methods of the engine take, from the declarations that wasm-bindgen writes of it, as a
// module's export: by it the package checks arguments (src/web/quorate.js) before the engine sees them.
//
//   "Session.answer": "ask:string given request_id:string?"     // "async " before it: it gives a promise
import { readFileSync } from "node:fs";

const signatures = {};
let owner = "";
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  owner = /^export class (\w+)/.exec(line)?.[1] ?? (/^}/.test(line) ? "" : owner);
  const [, name, given, gives] = /^(?:export function |(?: {4}(?:static )?))(\w+)\((.*)\)(?:: (.+))?;$/.exec(line) ?? [];
  if (!name || (line.startsWith(" ") && !owner)) continue;
  const takes = given.split(", ").filter(Boolean).map((one) => {
    const [, argument, optional, type] = /^(\w+)(\?)?: (.+)$/.exec(one);
    const [kind, ...rest] = type.split(" | ");
    if (!["string", "number"].includes(kind)) return argument;
    return `${argument}:${kind}${optional || rest.length ? "?" : ""}`;
  });
  signatures[owner ? `${owner}.${name}` : name] = [...(gives?.startsWith("Promise") ? ["async"] : []), ...takes].join(" ");
}
if (!signatures["Session.answer"]?.startsWith("ask:string")) throw new Error("the declarations are written in another way than they were");
process.stdout.write(`\nexport const signatures = ${JSON.stringify(signatures)};\n`);
