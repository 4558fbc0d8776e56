// The time to read statements aloud: runs that are read along delay their next calls by it.
import { wordsIn } from "./text.js";

/** Milliseconds to read so many words aloud; at least three seconds, so that it can be seen. */
export const readingTime = (words, perMinute) => Math.max(3000, (words / perMinute) * 60_000 + 800);

/** The public text of an event. */
const PUBLIC_TEXT = {
  spoke: (event) => event.text,
  said: (event) => event.content,
  proposed: (event) => event.text,
  criticised: (event) => [...event.issues ?? [], ...event.suggestions ?? []].join("\n"),
};

/** Milliseconds for the public texts in these entries of a record. */
export function timeFor(entries, perMinute, code) {
  const texts = entries.map(({ what }) => what.type === "event" && PUBLIC_TEXT[what.event.type]?.(what.event)).filter(
    Boolean,
  );
  return texts.reduce((sum, text) => sum + readingTime(wordsIn(text, code), perMinute), 0);
}
