// The elements that views are made of. Texts become text nodes: no code of the page parses HTML.
import { render } from "preact";
import type { ComponentChild, ComponentChildren, JSX, Ref, VNode } from "preact";
import { ICONS } from "./dom.js";

/** Draws a component: `show` draws it again, with other properties; `leave` takes it away. Its element stays the same. */
export function drawing(component: VNode) {
  const place = document.createElement("div");
  const show = (next: VNode | null) => render(next, place);
  show(component);
  return { node: place.firstChild as HTMLElement, show, leave: () => show(null) };
}

/** Draws a component once, for code that builds its nodes by hand. */
export const drawn = (component: VNode) => drawing(component).node;

/** A name or a code: in its own direction, and not to be translated by the browser. */
export const Verbatim = ({ children }: { children: ComponentChildren }) => (
  <bdi dir="auto" translate={false}>{children}</bdi>
);

/** A decorative icon; the control around it carries the name. */
export const Icon = ({ name }: { name: keyof typeof ICONS }) => (
  <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);

/** A text with something in place of each `{name}`. */
export const Filled = ({ text, with: parts }: { text: string; with: { [name: string]: ComponentChildren } }) => (
  <>{text.split(/\{(\w+)\}/).map((part, at) => at % 2 ? parts[part] : part)}</>
);

/** Puts in a node that is made by hand. */
export function Made({ node, as: Tag = "div" }: { node: Node; as?: "div" | "span" }) {
  const put = (place: HTMLElement | null) => {
    if (place && place.firstChild !== node) place.replaceChildren(node);
  };
  return <Tag ref={put} />;
}

type ButtonProps = Omit<JSX.HTMLAttributes<HTMLButtonElement>, "icon"> & {
  kind?: "primary" | "quiet" | "danger";
  icon?: keyof typeof ICONS;
  /** Classes besides those of the kind. */
  more?: string;
  disabled?: boolean;
  "data-testid"?: string;
  /** Gets the element. */
  place?: Ref<HTMLButtonElement>;
};

export const Button = ({ kind, icon, more, place, children, ...attributes }: ButtonProps) => (
  <button ref={place ?? null} type="button" class={["button", kind && `button-${kind}`, more].filter(Boolean).join(" ")}
    {...attributes}>
    {icon && <Icon name={icon} />}
    <span>{children}</span>
  </button>
);

/** A number and what it counts. */
const WITH_UNIT = /^[^\p{L}\d]?[\d.,\u00a0\u202f]+\s?\p{L}+$/u;

/** A table that scrolls sideways if it is too wide. The first cell of a row is its heading. */
export function Table(
  { label, head, rows, name, column, row }: {
    label: string;
    head: ComponentChild[];
    rows: ComponentChild[][];
    /** Its class. */
    name?: string;
    /** What stands out. */
    column?: number | undefined;
    row?: number | undefined;
  },
) {
  const isWords = head.map((_, x) =>
    rows.some(({ [x]: cell }) => typeof cell === "string" && /\p{L}{2}/u.test(cell) && !WITH_UNIT.test(cell))
  );
  const look = (x: number, y: number) =>
    [x === column && "chosen", y === row && "drawn", isWords[x] && "words"].filter(Boolean).join(" ");
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table class={name}>
        <caption class="sr-only">{label}</caption>
        <thead>
          <tr>
            {head.map((one, x) => one === "" ? <td /> : <th scope="col" class={look(x, -1)}>{one}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest], y) => (
            <tr>
              <th scope="row" class={look(0, y)}>{first}</th>
              {rest.map((one, x) => <td class={look(x + 1, y)}>{one}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
