// Builds DOM nodes. Text is inserted as text nodes only: no code of the page parses HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "class" && Array.isArray(value)) {
      node.setAttribute("class", value.filter(Boolean).join(" "));
    } else if (name === "value" || name === "checked" || name === "selected" || name === "indeterminate") {
      node[name] = value;
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child instanceof Node) node.append(child);
    else if (child !== null && child !== undefined && child !== false) node.append(String(child));
  }
}

/** Creates an HTML element: `h("p", { class: "x", on: { click } }, "text", [more, nodes])`. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** Whether a key belongs to an input method; Safari ends the composition before it reports the key that ended it. */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** Creates an SVG element, for icons. */
function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Replaces the children of `node`. */
export function put(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** Unique ids for labels and fields. */
let last = 0;
export const uid = (prefix = "f") => `${prefix}-${++last}`;

export const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  step: "M5 5v14l9-7zM16 5h3v14h-3z",
  stop: "M6 6h12v12H6z",
  up: "M12 6l7 8H5z",
  down: "M12 18l7-8H5z",
  check: "M9.6 17.6L4 12l1.8-1.8 3.8 3.8 8.6-8.6L20 7.2z",
  cross: "M6.4 4.9L12 10.5l5.6-5.6 1.5 1.5L13.5 12l5.6 5.6-1.5 1.5L12 13.5l-5.6 5.6-1.5-1.5L10.5 12 4.9 6.4z",
  lock: "M7 10V8a5 5 0 0110 0v2h1.5v10h-13V10zm2 0h6V8a3 3 0 00-6 0z",
  people:
    "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zm7.5 0a2.8 2.8 0 100-5.6 2.8 2.8 0 000 5.6zM2 19c0-3.6 3.1-6 7-6s7 2.4 7 6v1H2zm15.6 1H22v-1c0-2.8-2.1-4.8-5-5.200a8 8 0 01.6 6.200z",
  warn: "M12 3l10 18H2zm-1.1 6v6h2.200V9zm0 7.500v2.200h2.200v-2.200z",
};

/** A decorative icon; the control around it carries the name. */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICONS[name] }));
}

export function button(label, onClick,
  /** @type {{ kind?: "primary" | "quiet" | "danger" | "", icon?: string, testid?: string, [attribute: string]: unknown }} */ {
    kind,
    icon: image,
    testid,
    ...attributes
  } = {}) {
  return h(
    "button",
    { type: "button", class: ["button", kind && `button-${kind}`], "data-testid": testid, ...attributes,
      on: { click: onClick } },
    image && icon(image),
    h("span", null, label),
  );
}
