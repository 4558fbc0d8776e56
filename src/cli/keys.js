// Keys of providers: from the variables that their own programs read, or from a file. They are never written.
import { readFile } from "node:fs/promises";
import { Trouble } from "./trouble.js";

const ADDRESSES = {
  OPENAI_API_KEY: "https://api.openai.com",
  ANTHROPIC_API_KEY: "https://api.anthropic.com",
  GEMINI_API_KEY: "https://generativelanguage.googleapis.com",
  MISTRAL_API_KEY: "https://api.mistral.ai",
  GROQ_API_KEY: "https://api.groq.com",
  DEEPSEEK_API_KEY: "https://api.deepseek.com",
  OPENROUTER_API_KEY: "https://openrouter.ai",
  TOGETHER_API_KEY: "https://api.together.xyz",
  XAI_API_KEY: "https://api.x.ai",
};

/** Keys by address. `path`: a JSON file of them, which comes first. */
export async function keysFrom(path, env) {
  const keys = Object.fromEntries(Object.entries(ADDRESSES).flatMap(([name, address]) => (env[name] ? [[address, env[name]]] : [])));
  if (!path) return keys;
  const given = await readFile(path, "utf8").then(JSON.parse).catch((error) => {
    throw new Trouble(`cannot read the keys in ${path}: ${error.message}`);
  });
  const isKey = ([address, key]) => URL.canParse(address) && typeof key === "string";
  if (typeof given !== "object" || given === null || Array.isArray(given) || !Object.entries(given).every(isKey)) {
    throw new Trouble(`${path} must hold keys by address, such as { "https://api.openai.com": "sk-…" }`);
  }
  return { ...keys, ...given };
}
