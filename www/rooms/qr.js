// A QR code as SVG, for links to rooms: on the host's page and on the projector. Dark on light in both themes, which
// cameras want.
import { encode } from "uqr";
import { svg } from "../dom.js";

/** `label`: what it leads to, for those who do not see it. */
export function qr(text, label) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const dark = data.flatMap((row, y) => row.map((is, x) => (is ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": label,
    "shape-rendering": "crispEdges" }, svg("path", { d: `M0 0h${size}v${size}h-${size}z`, fill: "#fff" }),
    svg("path", { d: dark, fill: "#000" }));
}
