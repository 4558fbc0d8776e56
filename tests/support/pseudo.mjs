// The pseudo-language: English by a rule that leaves no letter as it was, so that whatever still has plain letters did not
// come from the words. What stands in braces is kept.
const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const OTHER = [..."áƀćđéƒǵĥíĵķĺɱńóṕɋŕśţúṽŵẋýźÁƁĆĐÉƑǴĤÍĴĶĹṀŃÓṔɊŔŚŢÚṼŴẊÝŹ"];

/** A text in the pseudo-language, marked where it begins and ends. */
export function pseudo(text) {
  const letter = (char) => OTHER[PLAIN.indexOf(char)] ?? char;
  return `⟦${text.split(/(\{[a-z0-9_]+\})/i).map((part, at) => at % 2 ? part : [...part].map(letter).join("")).join("")}⟧`;
}

/** A table of words, and tables within it, in the pseudo-language; lists stay as they are. */
export const table = (words) => Object.fromEntries(Object.entries(words).map(([key, value]) =>
  [key, typeof value === "string" ? pseudo(value) : value]));
