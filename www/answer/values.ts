// The answers in a form while it is filled in, and their values.
import type { FormChoice, FormField, FormValues } from "../../src/web/quorate.d.ts";
import { number } from "../i18n.js";
import { isBlank } from "./blank.js";

/** What is filled in, a value per field: a text as it is typed, a ranking so far, or the same of inner fields. */
export type Answers = unknown[];
/** The kinds of a field. */
export type Of<Input extends FormField["input"]> = Extract<FormField, { input: Input }>;

/** An option, and the answer that it stands for. */
export type Option = FormChoice & { answer: string | boolean | null };

/** The options of a choice. */
export function optionsOf(field: Of<"choice" | "certainty" | "yes_no">): Option[] {
  if (field.input === "yes_no") {
    return [field.yes, field.no].map((side) => ({ ...side, answer: field.isFlag ? side === field.yes : side.value }));
  }
  const options = field.options.map((option) => ({ ...option, answer: option.value }));
  return field.input === "choice" && field.none
    ? [...options, { value: "null", name: field.none, answer: null }]
    : options;
}

/** The value of a field; undefined while it is not filled in. */
function valueOf(field: FormField, answer: any): unknown {
  switch (field.input) {
    case "order":
      return answer?.length === field.options.length ? answer : undefined;
    case "text":
      // A text that shows nothing goes to the engine, which says so.
      return answer || undefined;
    case "texts":
      return isBlank(answer ?? "") ? undefined : linesOf(answer);
    case "group":
      return valuesOf(field.fields, answer);
    case "each": {
      const all = field.options.map(({ value }, at) => ({ [field.of]: value, ...valuesOf(field.fields, answer[at]) }));
      return all.some((one) => Object.keys(one).length > 1) ? all : undefined;
    }
    default:
      return answer;
  }
}

const linesOf = (text: string) =>
  text.split("\n").map((line) => line.replace(/^\s*[-•*]\s*/, "").trim()).filter((line) => !isBlank(line));

/** The answer that has a value, which may be undefined. */
function answerOf(field: FormField, value: any): unknown {
  switch (field.input) {
    case "order":
      return (value ?? []).filter((one: string) => field.options.some((option) => option.value === one));
    case "text":
      return value ?? "";
    case "texts":
      return (value ?? []).join("\n");
    case "group":
      return answersOf(field.fields, value ?? {});
    case "each":
      return field.options.map((option) =>
        answersOf(field.fields, (value ?? []).find((one: FormValues) => one[field.of] === option.value) ?? {})
      );
    case "choice":
    case "certainty":
    case "yes_no":
      return optionsOf(field).some((option) => option.answer === value) ? value : undefined;
    default:
      return value;
  }
}

/** Returns whether a field is asked with the other answers. */
export function isAsked({ when }: FormField, fields: FormField[], answers: Answers) {
  if (!when) return true;
  const at = fields.findIndex((one) => one.name === when.field && !one.when);
  return at >= 0 && when.values.includes(String(valueOf(fields[at]!, answers[at])));
}
/** The fields that are asked, and their answers: any. */
const asked = (fields: FormField[], answers: Answers) =>
  fields.map((field, at) => ({ field, answer: answers[at] as any })).filter(({ field }) =>
    isAsked(field, fields, answers)
  );

const placesOf = (field: FormField) => (field.input === "order" ? field.places : []);

/** The values of all fields that are asked and filled in. */
export function valuesOf(fields: FormField[], answers: Answers): FormValues {
  const values: FormValues = {};
  for (const { field, answer } of asked(fields, answers)) {
    const value = valueOf(field, answer);
    const places = placesOf(field);
    if (value === undefined) continue;
    if (places.length) places.forEach((place, at) => (values[place] = (value as string[])[at]));
    else values[field.name] = value;
  }
  return values;
}

/** The answers that have these values. */
export const answersOf = (fields: FormField[], values: FormValues): Answers =>
  fields.map((field) => {
    const places = placesOf(field);
    return answerOf(field, places.length ? places.map((place) => values[place]).filter(Boolean) : values[field.name]);
  });

/** The name of the first field with a number that cannot be read yet, or may be two. */
export function unclearField(fields: FormField[], answers: Answers): string | undefined {
  return asked(fields, answers).find(({ field, answer }) => {
    if (field.input === "group") return unclearField(field.fields, answer) !== undefined;
    if (field.input === "each") return answer.some((one: Answers) => unclearField(field.fields, one) !== undefined);
    return (field.input === "amount" || field.input === "scale") && typeof answer === "string";
  })?.field.name;
}

/** The answers in words. */
export const inWords = (fields: FormField[], answers: Answers) =>
  asked(fields, answers).flatMap(({ field, answer }) => {
    const value = valueOf(field, answer);
    return value === undefined ? [] : formatValue(field, value) || [];
  });

function formatValue(field: FormField, value: any): string {
  switch (field.input) {
    case "order":
      return value.map((one: string, at: number) =>
        `${at + 1}. ${field.options.find((option) => option.value === one)?.name}`
      ).join(" ");
    case "amount":
      return formatAmount(field.unit, value);
    case "choice":
    case "certainty":
    case "yes_no":
      return optionsOf(field).find((option) => option.answer === value)!.name;
    default:
      return typeof value === "number" ? number(value, { maximumFractionDigits: 20 }) : String(value);
  }
}

/** Formats a whole number with its unit; empty for other values. */
export const formatAmount = (unit: string, value: unknown) =>
  !Number.isInteger(value)
    ? ""
    : unit === "$"
    ? `$${(value as number).toLocaleString("en-US")}`
    : `${number(value)} ${unit}`;
