// How long it takes to read aloud what was said: runs that are read along hold their next calls for so long.
import { wordsIn } from "./text.js";

/** Milliseconds to read so many words aloud; nothing is gone before it has been seen. */
export const readingTime = (words, perMinute) => Math.max(3000, (words / perMinute) * 60_000 + 800);

/** What everybody hears of an event. */
const SAID = {
  spoke: (event) => event.text,
  said: (event) => event.content,
  proposed: (event) => event.text,
  criticised: (event) => [...event.issues ?? [], ...event.suggestions ?? []].join("\n"),
};

/** Milliseconds for what is said in those entries of a record. */
export function timeFor(entries, perMinute, code) {
  const said = entries.map(({ what }) => what.type === "event" && SAID[what.event.type]?.(what.event)).filter(Boolean);
  return said.reduce((sum, text) => sum + readingTime(wordsIn(text, code), perMinute), 0);
}
