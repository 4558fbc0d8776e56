// The texts of the page: one JSON file per language with the same keys; and numbers and times as that language writes
// them.
import { file } from "./files.js";
import { languageCode, languageTag } from "./languages.js";

export { CONFIG_LANGUAGES, languageCode, LANGUAGES } from "./languages.js";
const STORE = "quorate.language";
const tables = new Map();
const loading = new Map();
let current = "en";

/** Loads a table once. */
export async function load(code) {
  if (tables.has(code)) return;
  if (!loading.has(code)) loading.set(code, fetchTable(code).finally(() => loading.delete(code)));
  tables.set(code, await loading.get(code));
}

async function fetchTable(code) {
  const answer = await fetch(file(`i18n/${code}.json`));
  if (!answer.ok) throw new Error(`i18n/${code}.json: ${answer.status}`);
  return answer.json();
}

/** The stored language, or the browser's. */
export function preferred() {
  let kept = null;
  try {
    kept = localStorage.getItem(STORE);
  } catch {
    // Storage is not available: use the browser's language.
  }
  return [kept, ...(navigator.languages ?? [])].map(languageCode).find(Boolean) ?? "en";
}

// Starts loading the texts early, since the page waits for them.
load(preferred()).catch(() => {});

export const language = () => current;

/** Switches the page to a language. */
export async function use(code) {
  await load(code);
  current = code;
  document.documentElement.lang = languageTag(code);
  try {
    localStorage.setItem(STORE, code);
  } catch {
    // Storage is not available: it applies to this visit only.
  }
}

/** The text of `key` with `{name}` replaced. A number `n` picks `key.one` or `key.other` if those exist. */
export function t(key, values = {}) {
  return translate(current, key, values);
}

/** The same in another language, which must have been loaded: participants have their own. */
export function translate(code, key, values = {}) {
  const table = tables.get(code) ?? tables.get(current) ?? {};
  let text = table[key];
  if (text === undefined && values.n !== undefined) {
    text = table[`${key}.${new Intl.PluralRules(code).select(values.n)}`] ?? table[`${key}.other`];
  }
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    values[name] === undefined
      ? whole
      : typeof values[name] === "number"
      ? number(values[name])
      : String(values[name]));
}

/** Returns whether there is a text for `key`. */
export const has = (key) => tables.get(current)?.[key] !== undefined;

/** Cached, since formatters are expensive to make. */
const formatters = new Map();
function formatter(code, options) {
  const key = code + JSON.stringify(options ?? null);
  if (!formatters.has(key)) formatters.set(key, new Intl.NumberFormat(code, options));
  return formatters.get(key);
}

export const number = (value, options) => formatter(current, options).format(value);
/** Payoffs: dollars and cents. */
export const dollars = (
  value,
) => (typeof value === "number"
  ? `$${formatter("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)}`
  : "–");
/** Incomes: whole dollars, written with commas in all three languages of the experiment. */
export const income = (
  value,
) => (typeof value === "number" ? `$${formatter("en-US", { maximumFractionDigits: 0 }).format(value)}` : "–");
export const moment = (at) =>
  new Intl.DateTimeFormat(current, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
export const clock = (at) => new Intl.DateTimeFormat(current, { timeStyle: "medium" }).format(new Date(at));
export const list = (items) => new Intl.ListFormat(current, { type: "conjunction" }).format(items);

/** A duration: `2 min 5 s`, `0.4 s`. */
export function span(milliseconds) {
  if (milliseconds === null || milliseconds === undefined || !Number.isFinite(milliseconds)) return "–";
  const seconds = milliseconds / 1000;
  if (seconds < 10) return t("time.s", { s: number(seconds, { maximumFractionDigits: 1 }) });
  const whole = Math.round(seconds);
  if (whole < 60) return t("time.s", { s: whole });
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return t("time.min", { m: minutes, s: whole % 60 });
  return t("time.h", { h: Math.floor(minutes / 60), m: minutes % 60 });
}
