// The results as the engine words them.
import { render } from "preact";
import type { Block } from "../pkg/quorate.d.ts";
import { Blocks } from "../blocks.tsx";
import { readerOf } from "../block-item.tsx";
import type { Person } from "../participants.tsx";

/** The part between the heading and the draws; `leave` frees it. */
export function resultBlocks({ results, people }: { results: Block[]; people: Map<string, Person> }) {
  const place = document.createElement("section");
  place.dataset.testid = "result-blocks";
  const reader = readerOf((name) => people.get(name) ?? { name });
  render(<Blocks blocks={results} reader={reader} />, place);
  return { nodes: [place], leave: () => render(null, place) };
}
