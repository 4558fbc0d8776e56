// Reads numbers as people type them, by the language of the question and of the device. Pure.

/** Words and signs for powers of ten. */
const UNITS = { 百: 1e2, 千: 1e3, 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8, k: 1e3, mil: 1e3, thousand: 1e3, million: 1e6,
  millón: 1e6, millones: 1e6 };
const UNIT = Object.keys(UNITS).join("|");

/** The decimal sign of a language. */
function decimalSign(code) {
  try {
    return new Intl.NumberFormat(code).formatToParts(1.5).find(({ type }) => type === "decimal").value;
  } catch {
    return "."; // An unknown code.
  }
}

/** Digits of other scripts as 0 to 9: each script has its ten in a row. */
const digit = (character) => {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(character.codePointAt(0) - value - 1))) value += 1;
  return String(value);
};

/** The text with plain digits and signs, without currencies and a per cent sign. */
const tidied = (text) =>
  text.normalize("NFKC").toLowerCase().replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/(?![0-9])\p{Nd}/gu,
    digit).replace(/[−‒–—]/g, "-").replace(/٫/g, ".").replace(/[٬’`´]/g, "'").replace(/、/g, ",").trim()
    .replace(/^([+-]?)\s*\p{Sc}\s*|\s*(?:\p{Sc}|%|美?元)$/gu, "$1");

const areThousands = ([first, ...rest]) =>
  /^[1-9]\d{0,2}$/.test(first) && rest.every((part) => part.length === 3)
  // As in India.
  || (/^[1-9]\d?$/.test(first) && rest.length > 1 && rest.at(-1).length === 3
    && rest.slice(0, -1).every((part) => part.length === 2));

/** The possible values of digits with points, commas, blanks or apostrophes; the likelier first. */
function readDigits(text, decimals, isWhole) {
  if (/^\d+(\.\d+)?e[+-]?\d{1,2}$/.test(text)) return [Number(text)];
  if (!/^(?=.*\d)[\d., ' ]+$/.test(text.replace(/\s/g, " "))) return [];
  const signs = [...text.replace(/\s/g, "'").replace(/[^.,']/g, "")];
  const parts = text.split(/[.,'\s]/);
  const whole = (some) => Number(some.join(""));
  const fraction = () => Number(`${parts.slice(0, -1).join("") || "0"}.${parts.at(-1) || "0"}`);
  const sign = signs.at(-1);
  const kinds = new Set(signs);
  if (kinds.size === 0) return [whole(parts)];
  if (kinds.size === 2 && sign !== "'" && signs.filter((one) => one === sign).length === 1) {
    return areThousands(parts.slice(0, -1)) ? [fraction()] : [];
  }
  if (kinds.size > 1) return [];
  if (signs.length > 1 || sign === "'") return areThousands(parts) ? [whole(parts)] : [];
  // One point or comma: it separates thousands or decimals.
  const isDecimal = decimals.includes(sign);
  const isOdd = sign === "," && !isDecimal && parts[1].length > 2 && Number(parts[0]) > 0;
  if (!areThousands(parts)) return isOdd ? [] : [fraction()];
  if (isWhole || !isDecimal) return [whole(parts)];
  return decimals[0] === sign ? [fraction(), whole(parts)] : [whole(parts), fraction()];
}

/** Chinese numbers of several parts: `1万5千`, `1万5000`. */
function readParts(text) {
  const parts = [...text.matchAll(/(\d+)([百千万萬亿億])|(\d+)$/g)];
  if (parts.length < 2 || parts.map(([whole]) => whole).join("") !== text) return [];
  const units = parts.map(([, , unit]) => UNITS[unit] ?? 1);
  const fits = parts.every(([, counted, , rest], at) =>
    at === 0 || (units[at] < units[at - 1] && (rest ? 10 ** rest.length : Number(counted) * units[at]) <= units[at - 1]
      && (!rest || 10 ** rest.length === units[at - 1]))
  );
  return fits ? [parts.reduce((sum, [, counted, , rest], at) => sum + Number(rest ?? counted) * units[at], 0)] : [];
}

/**
 * The possible values of a typed number, the likelier first; none if it cannot be read. `languages`: that of the
 * question, then that of the device.
 */
export function readNumber(text, languages, isWhole = false) {
  const [, minus, rest] = /^([+-]?)\s*(.*)$/s.exec(tidied(text));
  const [, digits, unit] = new RegExp(`^(.*?)\\s*(${UNIT})$`).exec(rest) ?? [null, rest, ""];
  const decimals = languages.map(decimalSign);
  let values = readDigits(digits, decimals, isWhole && !unit).map((value) =>
    unit ? Number((value * UNITS[unit]).toPrecision(15)) : value
  );
  if (!values.length) values = readParts(rest.replace(/\s/g, ""));
  return values.map((value) => (minus === "-" && value ? -value : value));
}
