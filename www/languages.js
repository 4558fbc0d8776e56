// The languages of the pages: a line here, and a file each in i18n/ and join/words/.

/** The language's own name, its names in configurations, and its tag if that differs from the code. */
const LIST = {
  en: { name: "English", named: ["English"] },
  es: { name: "Español", named: ["Spanish"] },
  zh: { name: "中文", named: ["Mandarin", "Chinese"], tag: "zh-Hans" },
};
const each = (of) => Object.fromEntries(Object.entries(LIST).map(([code, one]) => [code, of(one)]));

export const LANGUAGES = each(({ name }) => name);
/** Names of the languages as configurations write them. */
export const CONFIG_LANGUAGES = each(({ named }) => named[0]);

/** The code of a language for any name that configurations and browsers use; null if unknown. */
export function languageCode(name) {
  const text = String(name ?? "").toLowerCase();
  const is = ([code, { named }]) => text.split("-")[0] === code || named.some((one) => one.toLowerCase() === text);
  return Object.entries(LIST).find(is)?.[0] ?? null;
}

/** The value for `lang`. */
export const languageTag = (code) => LIST[code]?.tag ?? code;
