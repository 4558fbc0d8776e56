// What the page uses of the YAML library, loaded when a configuration is shown as text.
export { LineCounter, parse, parseDocument, stringify } from "yaml";
