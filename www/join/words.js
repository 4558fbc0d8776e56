// The texts of the guest's page: its own, and the lab's that a participant meets (scripts/site.mjs
// bundles only these). Replaces ../i18n.js for the lab's modules used here.
import en from "./words/en.json";
import lab from "../i18n/en.json";
import { languageCode, languageTag } from "../languages.js";

export { languageCode, LANGUAGES, languageTag } from "../languages.js";
/** @type {Record<string, Record<string, string>>} */
const TABLES = { en: { ...lab, ...en } };
const FILES = { es: () => Promise.all([import("../i18n/es.json"), import("./words/es.json")]),
  zh: () => Promise.all([import("../i18n/zh.json"), import("./words/zh.json")]) };
const STORE = "quorate.language";
let current = "en";

export const language = () => current;
/** Fetches the texts of a language; without them, as where the network is gone, English stays. */
export const fetchWords = async (code) => {
  if (TABLES[code]) return true;
  const [lab, own] = await FILES[code]().catch(() => [null, null]);
  if (own) TABLES[code] = { ...lab.default, ...own.default };
  return own !== null;
};
export const has = (key) => TABLES[current][key] !== undefined;

export function kept() {
  try {
    return languageCode(localStorage.getItem(STORE));
  } catch {
    return null;
  }
}

/** `byHand`: stored on this device. Resolves once the texts are there. */
export async function use(code, byHand = false) {
  if (!(await fetchWords(code))) return;
  current = code;
  document.documentElement.lang = languageTag(code);
  if (!byHand) return;
  try {
    localStorage.setItem(STORE, code);
  } catch {
    // Storage is not available: it applies to this visit only.
  }
}
export const preferred = () => kept() ?? (navigator.languages ?? []).map(languageCode).find(Boolean) ?? "en";

export const number = (value, options = {}) => new Intl.NumberFormat(current, options).format(value);
const inDollars = (value, digits) =>
  `$${new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)}`;
/** Incomes: whole dollars. */
export const income = (value) => inDollars(value, 0);
/** The parts of a list: `element`s and what stands between them. */
export const listParts = (items) => new Intl.ListFormat(current, { type: "conjunction" }).formatToParts(items);

/** @param {Record<string, unknown>} values */
export function t(key, values = {}) {
  const table = TABLES[current];
  const text = table[key] ?? table[`${key}.${new Intl.PluralRules(current).select(Number(values.n) || 0)}`]
    ?? table[`${key}.other`] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (values[name] === undefined
    ? whole
    : typeof values[name] === "number"
    ? number(values[name])
    : String(values[name])));
}

/** `1:05` */
export const clock = (milliseconds) => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
