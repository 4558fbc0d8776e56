// The languages of the pages: a line each, and a file beside each of its sisters in i18n/ and join/words/.

/** What each calls itself, how configurations name it, and its tag where that says more than its code. */
const LIST = {
  en: { name: "English", named: ["English"] },
  es: { name: "Español", named: ["Spanish"] },
  zh: { name: "中文", named: ["Mandarin", "Chinese"], tag: "zh-Hans" },
};
const each = (of) => Object.fromEntries(Object.entries(LIST).map(([code, one]) => [code, of(one)]));

export const LANGUAGES = each(({ name }) => name);
/** Names of the languages as configurations write them. */
export const CONFIG_LANGUAGES = each(({ named }) => named[0]);

/** The code of a language for any way in which configurations and browsers name it; null for none. */
export function languageCode(name) {
  const text = String(name ?? "").toLowerCase();
  const is = ([code, { named }]) => text.split("-")[0] === code || named.some((one) => one.toLowerCase() === text);
  return Object.entries(LIST).find(is)?.[0] ?? null;
}

/** What stands in `lang`. */
export const languageTag = (code) => LIST[code]?.tag ?? code;
