// Settings as rows of a form: a label, a control, help and a place for faults.
import { useMemo } from "preact/hooks";
import { type agentFieldsFor, counts, kindOf, parts, protocolOf, read, usualAt, wordsOf } from "../fields.js";
import { has, number, t } from "../i18n.js";
import { type Config, type Control, CONTROLS, type Form, type FieldSpec } from "./controls.tsx";
import { LISTS } from "./lists.tsx";
import { Materials } from "./materials.tsx";
import { MODEL } from "./model.tsx";
import { idOf } from "./places.ts";
import { IN_PAGE, LOOK } from "./presentation.js";

/** A setting of the form: of a participant by its path there. */
type Setting = ReturnType<typeof agentFieldsFor>[number];

const CONTROL: { [type: string]: Control } = { ...CONTROLS, ...LISTS, ...MODEL, materials: Materials };
/** Types whose control has several inputs under one legend. */
const GROUPED = ["pair", "classes", "principles", "ratings", "materials", "sources", "after", "schedule"];

/** Rows of fields; those with `more` are folded. */
export function Fields(
  { fields, form, prefix = "", label = "group.more" }: { fields: Setting[]; form: Form; prefix?: string;
    label?: string },
) {
  const { config } = form;
  const agent = read(config, prefix);
  const isFolded = ({ path, more }: Setting) => lookAt(prefix + path)?.more?.(agent) ?? more;
  // A field stays in its place while it is typed in.
  const folded = useMemo(() => fields.filter(isFolded).map(({ path }) => path), [agent, agent?.kind, agent?.provider]);
  // Of a participant only the settings in effect are shown, which its kind decides.
  const offered = fields.filter(({ path }) => !prefix || counts(config, prefix + path));
  const more = offered.filter(({ path }) => folded.includes(path));
  const rows = (some: Setting[]) => (
    <div class="fields">
      {some.map((field) => <FieldRow key={field.path} setting={field} form={form} prefix={prefix} />)}
    </div>
  );
  return (
    <>
      {rows(offered.filter((field) => !more.includes(field)))}
      {more.length > 0 && (
        <details class="more" data-more={prefix + more[0]!.path}>
          <summary>{t(label)}</summary>
          {rows(more)}
        </details>
      )}
    </>
  );
}

function FieldRow({ setting, form, prefix }: { setting: Setting; form: Form; prefix: string }) {
  const { config } = form;
  const path = prefix + setting.path;
  const field = specOf(setting, path, config);
  const isKind = prefix !== "" && setting.path === "kind";
  const kind = prefix ? kindOf(read(config, prefix)) : null;
  if (isKind) field.otherwise = kind;
  const faults = form.faultsAt(path);
  const id = idOf(path);
  // The help on the chosen kind is more specific than that on all kinds.
  const text = isKind && kind !== "model" && has(`agent.${kind}`)
    ? `agent.${kind}`
    : wordFor(`${field.name}.help`, config);
  const help = has(text)
    && <p class="help" id={`${id}-help`}>{[t(text), boundsOf(field)].filter(Boolean).join(" ")}</p>;
  const title = t(field.name) + (field.unit ? ` (${t(`unit.${field.unit}`)})` : "");
  const isNeeded = prefix !== "" && (setting.when || (isKind && kind === "human"));
  const isGroup = GROUPED.includes(field.type);
  const Row = isGroup ? "fieldset" : "div";
  const Control = CONTROL[field.type]!;
  return (
    <Row class={["field", `field-${field.type}`, field.wide && "field-wide", isNeeded && "needed"].filter(Boolean)
      .join(" ")} data-path={path} hidden={!prefix && !counts(config, path) && !faults.length}>
      {isGroup ? <legend>{title}</legend> : <label for={id}>{title}</label>}
      {isGroup && help}
      <Control field={field} path={path} form={form}
        attributes={{ id, "aria-describedby": [help && `${id}-help`, `${id}-fault`].filter(Boolean).join(" "),
          "aria-invalid": faults.length > 0 || undefined }} />
      {!isGroup && help}
      <Faults messages={faults} id={`${id}-fault`} />
    </Row>
  );
}

export const Faults = ({ messages, id }: { messages: string[]; id?: string }) => (
  <p class="fault" id={id}>{messages.map((message) => <span>{message}</span>)}</p>
);

/** The range of a number. */
const boundsOf = ({ type, min, max }: FieldSpec) =>
  type === "number" && max !== undefined ? t("field.bounds", { min: number(min), max: number(max) }) : "";

/** The i18n key of a text; a protocol may have its own. */
export const wordFor = (key: string, config: Config) =>
  has(`${key}.${protocolOf(config)}`) ? `${key}.${protocolOf(config)}` : key;

const ENDLESS = 4294967295;
const TYPES: { [kind: string]: string } = { flag: "flag", whole: "number", number: "number", one_of: "choice",
  lines: "lines", pair: "pair", address: "url" };

/** How a setting is shown: by its kind and by presentation.js. */
function specOf(setting: any, path: string, config: Config): FieldSpec & { name: string; wide?: boolean } {
  const { kind, usual } = setting;
  const look: any = { ...lookAt(path) };
  if (path.endsWith(".model") && kindOf(read(config, path.slice(0, -6))) === "custom") Object.assign(look, IN_PAGE);
  const otherwise = usualAt(config, path);
  return {
    ...setting,
    ...look,
    type: look.type ?? TYPES[kind.type] ?? "text",
    otherwise,
    min: kind.min ?? undefined,
    max: kind.max === null || kind.max === ENDLESS ? undefined : kind.max,
    options: look.options ?? (kind.words && (usual || look.keep ? kind.words : ["", ...kind.words])),
    placeholder: look.placeholder ?? (typeof otherwise === "string" ? otherwise : undefined),
    name: look.name ?? wordsOf(setting),
    keep: look.keep && !usual?.is,
  };
}
const lookAt = (path: string): any =>
  (LOOK as { [path: string]: unknown })[parts(path).filter((part) => !/^\d+$/.test(part)).join(".")];
