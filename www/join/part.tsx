// A part of the page that is not needed at first, and comes in a file of its own.
import { h } from "preact";
import type { ComponentType } from "preact";

/** `came` is called once the part is there. A part that failed to load is fetched again when it is wanted. */
export function part<Props extends object>(fetch: () => Promise<ComponentType<Props>>, came: () => void) {
  let found: ComponentType<Props> | null = null;
  let isLoading = false;
  const load = () => {
    if (found || isLoading) return;
    isLoading = true;
    fetch().then((component) => {
      found = component;
      came();
    }, () => {
      isLoading = false;
    });
  };
  return { load, with(props: Props) {
    load();
    return found ? h(found, props) : null;
  } };
}
