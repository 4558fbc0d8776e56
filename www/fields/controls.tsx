// Controls of the form: each shows the value at its path in the configuration, and writes it there. Empty values are
// removed, so that the engine's default (the placeholder) applies.
import { Component } from "preact";
import type { ComponentProps, ComponentType, JSX } from "preact";
import { useState } from "preact/hooks";
import { NumberField, type TypedNumber } from "../answer/number-field.tsx";
import { readNumber } from "../answer/number.js";
import { parts, protocolOf, read, write } from "../fields.js";
import { has, language, languageCode, t } from "../i18n.js";
import { CLASSES, PRINCIPLES } from "../justice.js";
import { provider, PROVIDERS } from "../models/providers.js";
import type { Setting } from "../pkg/quorate.d.ts";

/** Being edited, so it may be anything. */
export type Config = { [key: string]: any };

/** A form that edits a configuration. */
export interface Form {
  config: Config;
  engine: typeof import("../engine.js");
  /** To be called after each change of the configuration. */
  changed: () => void;
  /** The messages on what is wrong at a path. */
  faultsAt: (path: string) => string[];
}

/** A setting, and how it is shown (presentation.js). */
export interface FieldSpec extends Setting {
  path: string;
  type: string;
  /** The default value. */
  otherwise: any;
  min: number | undefined;
  max: number | undefined;
  options: string[] | undefined;
  placeholder: string | undefined;
  /** Stays in the configuration if it equals the default. */
  keep: boolean | undefined;
  rows?: number;
  big?: boolean;
  escaped?: boolean;
  list?: string;
  ends?: [string, string];
  /** The key of the placeholder of a number without default. */
  unset?: string;
}

export interface ControlProps {
  field: FieldSpec;
  path: string;
  form: Form;
  attributes: { id: string; "aria-describedby": string; "aria-invalid"?: boolean | undefined };
}
export type Control = ComponentType<ControlProps>;

/** Returns a function that sets the value at a path. */
export const setter = (path: string, { config, changed }: Form) => (value: unknown) => {
  write(config, path, value === "" || value === null ? undefined : value);
  changed();
};

/** A field for a number in the page's language. */
export const NumberHere = (props: Omit<ComponentProps<typeof NumberField>, "language">) => (
  <NumberField language={language()} {...props} />
);
export const agentsOf = (config: Config): any[] => (Array.isArray(config.agents) ? config.agents : []);
const namesOf = (config: Config): string[] => agentsOf(config).map((agent) => agent?.name).filter(Boolean);

/** A choice between participants; `none` is the key of the name of no choice. */
export const MemberSelect = (
  { config, value, none, onPick, attributes }: { config: Config; value: string; none: string;
    onPick: (name: string) => void; attributes: ControlProps["attributes"] },
) => (
  <select {...attributes} value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
    <option value="">{t(none)}</option>
    {[...new Set([...namesOf(config), ...value ? [value] : []])].map((name) => (
      <option key={name} value={name}>{name}</option>
    ))}
  </select>
);

interface TypedTextProps {
  value: unknown;
  write: (value: any) => string;
  read: (text: string) => unknown;
  onValue: (value: unknown) => void;
  attributes: JSX.TextareaHTMLAttributes<HTMLTextAreaElement> & { "data-testid"?: string };
}
interface TypedTextState {
  text: string;
  /** What the text stands for, as JSON. */
  stamp: string | undefined;
}

/** A text that stands for a value. It stays as it was typed until the value is another one. */
export class TypedText extends Component<TypedTextProps, TypedTextState> {
  override state: TypedTextState = { text: this.props.write(this.props.value),
    stamp: JSON.stringify(this.props.value) };

  static override getDerivedStateFromProps({ value, write }: TypedTextProps, { stamp }: TypedTextState) {
    const given = JSON.stringify(value);
    return given === stamp ? null : { text: write(value), stamp: given };
  }

  #take = ({ currentTarget: { value: text } }: { currentTarget: HTMLTextAreaElement }) => {
    const value = this.props.read(text);
    this.setState({ text, stamp: JSON.stringify(value) });
    this.props.onValue(value);
  };

  override render() {
    return <textarea {...this.props.attributes} value={this.state.text} onInput={this.#take} />;
  }
}

export const linesOf = (text: string) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** Escapes by which a line of text can contain invisible characters. */
const escaped = (text: unknown) =>
  String(text).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
const unescaped = (text: string) =>
  text.replace(/\\([nt\\])/g, (_, mark: "n" | "t" | "\\") => ({ n: "\n", t: "\t", "\\": "\\" })[mark]);

function Text({ field, path, form, attributes }: ControlProps) {
  const set = setter(path, form);
  return (
    <input type={field.type === "url" ? "url" : "text"} value={read(form.config, path) ?? ""} list={field.list}
      placeholder={field.placeholder} spellcheck={field.list ? false : undefined} required={field.required}
      {...attributes} onInput={({ currentTarget }) => set(currentTarget.value)} />
  );
}

function LongText({ field, path, form, attributes }: ControlProps) {
  const set = setter(path, form);
  return (
    <textarea rows={field.rows ?? 2} class={field.big ? "big" : undefined} value={read(form.config, path) ?? ""}
      required={field.required} {...attributes} onInput={({ currentTarget }) => set(currentTarget.value)} />
  );
}

function Lines({ field, path, form, attributes }: ControlProps) {
  const [out, into] = field.escaped ? [escaped, unescaped] : [String, (line: string) => line.trim()];
  return (
    <TypedText value={read(form.config, path)} onValue={setter(path, form)}
      write={(value = []) => (Array.isArray(value) ? value.map(out).join("\n") : String(value))} read={(text) => {
      const lines = text.split("\n").filter((line) => line.trim()).map(into);
      return lines.length ? lines : undefined;
    }}
      attributes={{ rows: field.rows ?? 3, spellcheck: field.escaped ? false : undefined,
        placeholder: field.otherwise?.map(out).join("\n"), ...attributes }} />
  );
}

const Figure = ({ field, path, form, attributes }: ControlProps) => (
  <NumberHere value={read(form.config, path)} onValue={setter(path, form)} isWhole={field.kind.type === "whole"}
    placeholder={field.otherwise ?? t(field.unset ?? "field.nolimit")} attributes={attributes} />
);

function Range({ field, path, form, attributes }: ControlProps) {
  const value = read(form.config, path) ?? field.otherwise;
  const set = setter(path, form);
  const take = (typed: number) => set(typed === field.otherwise ? undefined : typed);
  const end = (name: string) => <span class="quiet">{t(`field.${path}.${name}`)}</span>;
  return (
    <div class="scale">
      {end(field.ends![0])}
      <input type="range" min={field.min} max={field.max} step={1} value={value} {...attributes}
        onInput={({ currentTarget }) => take(Number(currentTarget.value))} />
      {end(field.ends![1])}
      <output for={attributes.id}>{String(value)}</output>
    </div>
  );
}

function Flag({ field, path, form, attributes }: ControlProps) {
  const set = setter(path, form);
  return (
    <input type="checkbox" checked={Boolean(read(form.config, path) ?? field.otherwise)} {...attributes}
      onChange={({ currentTarget: { checked } }) => set(checked === field.otherwise ? undefined : checked)} />
  );
}

/** The name of a provider; with its id if the name is not unique. */
function providerName(id: string) {
  const name: string = provider(id)?.name ?? id;
  return PROVIDERS.filter((one) => one.name === name).length > 1 ? `${name} (${id})` : name;
}

/** Removes settings of a participant that have no meaning, or another, for its new kind. */
function changeKind(config: Config, path: string, kind: string) {
  const agent = read(config, parts(path).slice(0, -1).join("."));
  if (protocolOf(config) === "discussion") {
    // A person has the role of a user.
    if (kind === "human") agent.role = "user";
    else if (agent.role === "user") delete agent.role;
  }
  if (kind !== "recorded") delete agent.plays;
  if (kind === "custom" || agent.program !== undefined) delete agent.model;
  if (kind !== "custom") delete agent.program;
  else agent.program ??= "gguf";
}

export function Choice({ field, path, form, attributes }: ControlProps) {
  const { config } = form;
  const value = String(read(config, path) ?? field.otherwise ?? "");
  const code = languageCode(value);
  const isLanguage = field.path === "language";
  const all = field.options!;
  const current = isLanguage && code ? all.find((option) => languageCode(option) === code) ?? value : value;
  const key = field.path.split(".").at(-1);
  const nameOf = (option: string) => {
    const word = `option.${key}.${option || "same"}`;
    return has(word) ? t(word) : providerName(option);
  };
  const take = (picked: string) => {
    const isDefault = picked === field.otherwise && !isLanguage && !field.keep;
    write(config, path, isDefault || !picked ? undefined : picked);
    if (field.path === "kind") changeKind(config, path, picked);
    form.changed();
  };
  return (
    <select {...attributes} value={current} onChange={({ currentTarget }) => take(currentTarget.value)}>
      {(all.includes(current) ? all : [...all, current]).map((option) => (
        <option key={option} value={option}>{nameOf(option)}</option>
      ))}
    </select>
  );
}

/** One of the participants, or none. */
const Member = ({ path, form, attributes }: ControlProps) => (
  <MemberSelect config={form.config} value={read(form.config, path) ?? ""} none="field.byname"
    onPick={setter(path, form)} attributes={attributes} />
);

/** A range; an end that is not typed is the default one. */
function Pair({ field, path, form, attributes }: ControlProps) {
  const given = read(form.config, path);
  const [typed, type] = useState<TypedNumber[]>(() => [given?.[0], given?.[1]]);
  const take = (at: number, value: TypedNumber) => {
    const both = typed.map((one, place) => (place === at ? value : one));
    type(both);
    setter(path, form)(
      both.every((one) => one === undefined) ? undefined : both.map((one, place) => one ?? field.otherwise[place]),
    );
  };
  const end = (at: number) => (
    <NumberHere value={typed[at]} onValue={(value) => take(at, value)} placeholder={field.otherwise[at]}
      attributes={{ "aria-label": t(at ? "field.to" : "field.from"), ...(at ? {} : attributes) }} />
  );
  return (
    <div class="row tight">
      {end(0)}
      <span aria-hidden="true">–</span>
      {end(1)}
    </div>
  );
}

/** Numbers under names. */
const Numbers = (
  { names, nameOf = String, valueOf, placeholder, onValue, attributes }: { names: string[];
    nameOf?: (name: string) => string; valueOf: (name: string) => unknown; placeholder: unknown;
    onValue: (name: string, value: TypedNumber) => void; attributes: ControlProps["attributes"] },
) => (
  <div class="classes">
    {names.map((name, at) => (
      <label key={name}>
        <span>{nameOf(name)}</span>
        <NumberHere value={valueOf(name)} onValue={(value) => onValue(name, value)} placeholder={placeholder}
          attributes={at ? {} : attributes} />
      </label>
    ))}
  </div>
);

const withoutEmpty = (object: { [key: string]: unknown }) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

function Classes({ path, form, attributes }: ControlProps) {
  const given = read(form.config, path);
  const take = (name: string, value: TypedNumber) => {
    const next = withoutEmpty(
      Object.fromEntries(CLASSES.map((one: string) => [one, one === name ? value : given?.[one]])),
    );
    setter(path, form)(Object.keys(next).length ? next : undefined);
  };
  return (
    <Numbers names={CLASSES} nameOf={(name) => t(`class.${name}`)} valueOf={(name) => given?.[name]} placeholder={0.2}
      onValue={take} attributes={attributes} />
  );
}

/** A number for each participant. Names may contain dots, so the whole object is set at once. */
function Ratings({ path, form, attributes }: ControlProps) {
  const given = read(form.config, path) ?? {};
  const [others] = useState(() => Object.keys(given));
  const names = [...new Set([...namesOf(form.config), ...others])];
  const isObject = (name: string) => typeof given[name] === "object";
  const take = (name: string, value: TypedNumber) => {
    // A rating may have more members: uncertainty and number of debates.
    const next = withoutEmpty({ ...given,
      [name]: isObject(name) ? withoutEmpty({ ...given[name], elo: value }) : value });
    setter(path, form)(Object.keys(next).length ? next : undefined);
  };
  return (
    <Numbers names={names} valueOf={(name) => (isObject(name) ? given[name]?.elo : given[name])} placeholder="–"
      onValue={take} attributes={attributes} />
  );
}

/** The participant who manipulates, or none. */
function Seat({ path, form, attributes }: ControlProps) {
  const { config } = form;
  const take = (name: string) => {
    if (!name) write(config, "manipulator", undefined);
    else {config.manipulator = { ...config.manipulator,
        target_strategy: config.manipulator?.target_strategy || "least_popular_after_round1" };}
    setter(path, form)(name);
  };
  return (
    <MemberSelect config={config} value={read(config, path) ?? ""} none="field.nobody" onPick={take}
      attributes={attributes} />
  );
}

function Principles({ path, form, attributes }: ControlProps) {
  const [chosen, choose] = useState<string[]>(() => PRINCIPLES.map((_, at) => read(form.config, path)?.[at] ?? ""));
  const take = (at: number, id: string) => {
    const next = chosen.map((one, place) => (place === at ? id : one));
    const given = next.filter(Boolean);
    choose(next);
    setter(path, form)(given.length ? given : undefined);
  };
  return (
    <div class="quad">
      {chosen.map((value, at) => (
        <select key={at} aria-label={t("field.place", { n: at + 1 })} {...(at ? {} : attributes)} value={value}
          onChange={({ currentTarget }) => take(at, currentTarget.value)}>
          <option value="">–</option>
          {PRINCIPLES.map((id) => <option key={id} value={id}>{t(`principle.${id}.short`)}</option>)}
        </select>
      ))}
    </div>
  );
}

/** A number for each origin. Origins contain dots, so the whole object is set at once. */
const Origins = ({ path, form, attributes }: ControlProps) => (
  <TypedText value={read(form.config, path)} onValue={setter(path, form)} write={(value = {}) =>
    Object.entries(value).map(([origin, count]) => `${origin} ${count}`).join("\n")} read={(text) => {
    const pairs = linesOf(text).map((line): [string, unknown] => {
      const [origin, count = "1"] = line.split(/\s+/) as [string, string?];
      const values = readNumber(count, [language()], true);
      return [origin, values.length === 1 ? values[0] : count];
    });
    return pairs.length ? Object.fromEntries(pairs) : undefined;
  }} attributes={{ rows: 2, placeholder: "https://openrouter.ai 4", spellcheck: false, ...attributes }} />
);

export const CONTROLS: { [type: string]: Control } = { text: Text, url: Text, long: LongText, lines: Lines,
  number: Figure, range: Range, flag: Flag, choice: Choice, member: Member, pair: Pair, classes: Classes,
  ratings: Ratings, seat: Seat, principles: Principles, origins: Origins };
