// Inputs with labels. What is typed stays in the input; each change is reported.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { NumberField, type TypedNumber } from "./answer/number-field.tsx";
import { uid } from "./dom.js";
import { language } from "./i18n.js";

/** An id of its own for a component; those of `useId` are unique in one tree only. */
export const useUid = (prefix?: string) => useState(() => uid(prefix))[0];

interface Labelled {
  id: string;
  "aria-describedby": string | undefined;
}

/** A label, a control and a help text; `children` gets the attributes that connect the control with both. */
export function Field(
  { label, help, children }: { label: ComponentChildren; help?: ComponentChildren;
    children: (attributes: Labelled) => ComponentChildren },
) {
  const id = useUid();
  const helpId = help ? `${id}-help` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": helpId })}
      {help && <p class="help" id={helpId}>{help}</p>}
    </div>
  );
}

/** A choice of options; `name` words an option. */
export function Select({ value, options, name, onPick, ...attributes }: {
  value: string;
  options: readonly string[];
  name: (option: string) => ComponentChildren;
  onPick: (option: string) => void;
  "data-testid"?: string | undefined;
} & Omit<JSX.HTMLAttributes<HTMLSelectElement>, "name">) {
  return (
    <select value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)} {...attributes}>
      {options.map((option) => <option key={option} value={option}>{name(option)}</option>)}
    </select>
  );
}

export const Tickbox = ({ label, isOn, onTick, ...attributes }: {
  label: ComponentChildren;
  isOn: boolean;
  onTick: (isOn: boolean) => void;
  "data-testid"?: string;
} & JSX.HTMLAttributes<HTMLInputElement>) => (
  <label class="tickbox">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onTick(currentTarget.checked)}
      {...attributes} />
    <span>{label}</span>
  </label>
);

/** A field for a number in the page's language; `value` is what it begins with. */
export function NumberInput({ value, isWhole, placeholder, onChange, ...attributes }: {
  value?: unknown;
  isWhole?: boolean;
  placeholder?: number | string;
  onChange: (value: TypedNumber) => void;
} & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, "value" | "placeholder" | "onChange"> & {
  "data-testid"?: string;
}) {
  const [typed, setTyped] = useState(value);
  const take = (next: TypedNumber) => {
    setTyped(next);
    onChange(next);
  };
  return (
    <NumberField language={language()} value={typed} isWhole={isWhole} placeholder={placeholder} attributes={attributes}
      onValue={take} />
  );
}
