// How good a passphrase is. Pure.

/** Characters of a passphrase: with fewer it is refused; with fewer than `GOOD` it is called weak. */
export const LEAST = 8;
export const GOOD = 10;
/** Fewest different characters. */
const DIFFERENT = 5;
/** What is tried first, without digits and signs at its ends: the most frequent passwords of published lists. */
const COMMON = new Set(
  ("password passwords passwort passphrase passcode contraseña contrasena micontraseña clave miclave secreto "
    + "secret topsecret letmein welcome bienvenido bienvenida iloveyou teamo tequiero woaini mima admin administrator "
    + "administrador login changeme default guest master dragon monkey shadow sunshine princess princesa football futbol "
    + "baseball basketball superman batman starwars pokemon whatever trustnoone trustno computer internet michael michelle "
    + "jennifer jordan liverpool barcelona realmadrid chelsea america mexico samsung google facebook windows freedom "
    + "hello helloworld holamundo summer winter spring autumn verano invierno school teacher student escuela profesor "
    + "quorate apikey keys qwerty qwertz azerty asdf zxcv abc abcd").split(" "),
);
/** Rows in which keys and letters follow each other. */
const ROWS = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjklñ",
  "yxcvbnm", "zxcvbnm", "1qaz2wsx3edc4rfv5tgb", "1q2w3e4r5t6y7u8i9o0p", "qazwsxedcrfvtgb"];
const DISGUISES = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", $: "s", "@": "a", "!": "i" };

/** Returns whether a passphrase is among what is tried first: few characters, a row of keys, a frequent password. */
export function isGuessable(passphrase) {
  const text = passphrase.normalize("NFKC").toLowerCase().replace(/[\s\p{C}\u2800\u3164\u115f\u1160]/gu, "");
  const [, unit = text] = /^(.+?)\1+$/u.exec(text) ?? [];
  if ([...unit].length < LEAST || new Set(unit).size < DIFFERENT || /^\d{1,15}$/.test(unit)) return true;
  const bare = unit.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const plain = [...bare].map((one) => DISGUISES[one] ?? one).join("");
  const disguised = [...unit].map((one) => DISGUISES[one] ?? one).join("");
  if ([bare, plain, disguised, plain.replace(/i$/, "")].some((one) => COMMON.has(one))) return true;
  // Pieces of rows, one after the other, with nothing of one's own between them.
  let rest = bare || unit;
  while (rest) {
    const piece = ROWS.flatMap((row) => [row, [...row].reverse().join("")]).map((row) => {
      let length = 0;
      while (length < rest.length && row.includes(rest.slice(0, length + 1))) length += 1;
      return length;
    }).reduce((most, length) => Math.max(most, length), 0);
    if (piece < 3) return false;
    rest = rest.slice(piece);
  }
  return true;
}
