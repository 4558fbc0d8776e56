#!/usr/bin/env node
// The command line: reads arguments, hands them to a command, and ends with its exit code.
import { parseArgs } from "node:util";
import init, { LabError, version } from "quorate";
import { ANSWERING } from "./answering.js";
import { Trouble } from "./trouble.js";

const USAGE = `Usage:
  quorate plan STUDY [--register] [--out DIR]     cells, runs, forecast and registration id of a study
  quorate run STUDY --out DIR [--shard I/N] [--at-once 16] [--keys FILE] [--amend WHY]
                                                  runs what is left of a study
  quorate tables DIR [--prompts]                  tables of all runs, in DIR/tables
  quorate bundle DIR... --out X.zip [--with-records] [--accept]
                                                  one archive of everything, for others
  quorate capsule DIR --out X.html                one page that shows and verifies the runs, without a network
  quorate verify X.zip|DIR                        whether an archive or folder is what its study and records give

Of plan and run:
  --scripted                                      simulated participants in place of models
  --model NAME                                    this model in place of models and simulated participants

  quorate --version                               the version, which a bundle names in engine.json

STUDY is a YAML or JSON file. Running again goes on where it stopped. Keys of providers come from their usual
variables (OPENAI_API_KEY and so on) or from a JSON file of keys by address.`;

const COMMANDS = {
  plan: { load: () => import("./plan.js"), options: { register: { type: "boolean" }, out: { type: "string" }, ...ANSWERING } },
  run: {
    load: () => import("./run.js"),
    options: { out: { type: "string" }, shard: { type: "string" }, "at-once": { type: "string" }, keys: { type: "string" }, amend: { type: "string" }, ...ANSWERING },
  },
  tables: { load: () => import("./tables.js"), options: { prompts: { type: "boolean" } } },
  bundle: { most: Infinity, load: () => import("./bundle.js"), options: { out: { type: "string" }, "with-records": { type: "boolean" }, accept: { type: "boolean" } } },
  capsule: { load: () => import("./capsule.js"), options: { out: { type: "string" } } },
  verify: { load: () => import("./verify.js"), options: {} },
};

async function main([name, ...rest]) {
  if (name === "--version") {
    await init();
    console.log(version());
    return 0;
  }
  if (!name || name === "--help" || name === "-h") {
    console.log(USAGE);
    return name ? 0 : 2;
  }
  const command = COMMANDS[name];
  if (!command) throw new Trouble(`there is no command "${name}"\n\n${USAGE}`);
  const parsed = (() => {
    try {
      return parseArgs({ args: rest, options: command.options, allowPositionals: true });
    } catch (error) {
      throw new Trouble(`${error.message}\n\n${USAGE}`);
    }
  })();
  const [extra] = parsed.positionals.slice(command.most ?? 1);
  if (extra) throw new Trouble(`${extra} is one argument too many\n\n${USAGE}`);
  await init();
  return (await command.load()).default(parsed.positionals, parsed.values);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A file that cannot be read or written is for people, too.
  const isForPeople = error instanceof Trouble || error instanceof LabError || "syscall" in error;
  console.error(isForPeople ? error.message : error);
  process.exitCode = error instanceof Trouble ? error.code : isForPeople ? 2 : 1;
}
