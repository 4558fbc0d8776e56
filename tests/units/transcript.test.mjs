// What a participant reads of a run, from the items of the seat's view.
import assert from "node:assert/strict";
import test from "node:test";
import { imported } from "../support/page_code.mjs";

/** An element of which only the text is known. */
class Node {
  children = [];
  setAttribute() {}
  append(...children) {
    this.children.push(...children);
  }
  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }
}
Object.assign(globalThis, { Node, document: { createElement: () => new Node() } });

const { drawItem } = await imported("join/old-items.js");
const read = (item) => drawItem(item, { isMe: (seat) => seat === "Ann", name: (seat) => [seat], unit: "" })?.textContent ?? "";

test("the distribution has the number that it has in the record", () => {
  for (const n of [1, 2, 3, 4]) assert.match(read({ type: "drawn", drawn: { distribution: n } }), new RegExp(`distribution ${n}\\.`));
  assert.doesNotMatch(read({ type: "drawn", drawn: { distribution: null } }), /\d/);
});
