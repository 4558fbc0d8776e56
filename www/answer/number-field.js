// The one field for numbers. A number field of the browser drops the comma, takes a point for a decimal sign in every
// language and changes with the wheel; so this is a text. What was understood is shown beside it, and two possible
// readings are asked about.
import { h, put } from "../dom.js";
import { t } from "../i18n.js";
import { isBlank } from "./blank.js";
import { readNumber } from "./number.js";

/** A number as the language writes it, without separators of thousands. */
const written = (value, language) =>
  new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20 }).format(value);

/**
 * A field for a number: `{ input, node, read, write, isUnclear }`. `read()` returns the number, undefined while empty,
 * or the text if it is no number or may be two. `isWhole`: only whole numbers fit. `changed()` is called after each
 * change, `format(value)` words what was understood; other attributes are those of the input.
 */
export function numberField(
  /** @type {{ language: string, value?: unknown, isWhole?: boolean, changed?: () => void, format?: (value: number) => string, placeholder?: unknown, [attribute: string]: unknown }} */ {
    language,
    value: given,
    isWhole = false,
    changed = () => {},
    format,
    placeholder,
    ...attributes
  },
) {
  const languages = [language, globalThis.navigator?.language ?? language];
  const shown = format ?? ((value) => new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(value));
  const input = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false",
    placeholder: typeof placeholder === "number" ? written(placeholder, language) : placeholder, ...attributes,
    on: { input: () => {
      picked = null;
      show();
      changed();
    } } });
  const output = h("span", { class: "number-read", role: "status" });
  const node = h("span", { class: "number-field" }, input, output);
  /** One of two readings, as chosen or as stored. */
  let picked = null;
  const values = () => (picked === null ? readNumber(input.value, languages, isWhole) : [picked]);
  const isEmpty = () => isBlank(input.value);
  function show() {
    const found = isEmpty() ? [] : values();
    if (found.length < 2) {
      const text = found.length ? shown(found[0]) : "";
      return put(output, text && text !== input.value.trim() ? `= ${text}` : null);
    }
    put(output, t("number.which"), " ",
      found.map((value) =>
        h("button", { type: "button", class: "button number-pick", "data-value": value, on: { click: () => {
          picked = value;
          show();
          changed();
          input.focus({ preventScroll: true });
        } } }, shown(value))
      ));
  }
  const write = (value) => {
    picked = typeof value === "number" ? value : null;
    input.value = picked === null ? String(value ?? "") : written(value, language);
    show();
  };
  write(given);
  return { input, node, write, isUnclear: () => !isEmpty() && values().length !== 1, read: () => {
    const found = values();
    return isEmpty() ? undefined : found.length === 1 ? found[0] : input.value;
  } };
}
