// quorate plan: what a study consists of, before anything is run.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { study, version } from "quorate";
import { parsed, planOf, showWarnings, textIfAny } from "./study-file.js";
import { Trouble } from "./trouble.js";

const range = ({ low, high }, digits = 0) => `${low.toFixed(digits)} to ${high.toFixed(digits)}`;

export default async function plan([path], { register, out = ".", ...answering }) {
  const { file, plan: { id, cells, runs } } = await planOf(path, answering);
  showWarnings(file);
  const forecast = study.forecast(file);
  console.log(`${file.title ?? file.id}: ${runs.length} runs`);
  for (const { name } of cells) console.log(`  ${name}: ${runs.filter(({ cell }) => cell === name).length}`);
  console.log(`calls: ${range(forecast.calls)}`);
  if (forecast.cost?.most) console.log(`cost: ${range(forecast.cost, 2)} ${forecast.currency}, at most ${forecast.cost.most.toFixed(2)}`);
  else if (forecast.unknown.length) console.log(`cost: unknown, no price for ${forecast.unknown.join(", ")}`);
  console.log(`registration: ${id}`);
  if (!register) return 0;
  const target = join(out, "registration.json");
  const begun = await textIfAny(join(out, "study.json"));
  if (begun !== null && parsed(join(out, "study.json"), begun).registration !== id) throw new Trouble(`${out} holds runs of a study with other settings; take another folder`);
  await mkdir(out, { recursive: true });
  const text = `${JSON.stringify({ id, engine: version(), date: new Date().toISOString(), study: file }, null, 2)}\n`;
  await writeFile(target, text, { flag: "wx" }).catch((error) => {
    throw new Trouble(error.code === "EEXIST" ? `${target} exists already; a registration is not replaced` : `cannot write ${target}: ${error.message}`);
  });
  console.log(`wrote ${target}`);
  return 0;
}
