import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Returns a function that focuses, after the next drawing, the first of these in a place. */
export function useFocus(place: RefObject<HTMLElement>) {
  const wanted = useRef<string[]>([]);
  useLayoutEffect(() => {
    for (const selector of wanted.current.splice(0)) {
      const found = place.current!.querySelector<HTMLElement>(selector);
      if (!found) continue;
      found.focus();
      return;
    }
  });
  return (...selectors: string[]) => void (wanted.current = selectors);
}
