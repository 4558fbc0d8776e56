// The clock of sessions and rooms, in milliseconds since 1970. It never goes back.

/**
 * Returns a clock. Waits are lengths on it, so they pass as long as time does: if the date is set back, it goes on from
 * where it was, in step with `performance.now()`, until the date catches up. Dates count while a device sleeps.
 * `now`: a program's own clock; then only its steps forward count. Called with a time, the clock goes on from there if it
 * is behind: from the last entry of a record.
 */
export function steadyClock(now) {
  const own = () => {
    try {
      return now();
    } catch {
      return NaN;
    }
  };
  const isOwn = typeof now === "function" && Number.isFinite(own());
  const read = isOwn ? own : () => performance.now();
  const date = isOwn ? () => 0 : () => Date.now();
  let last = read();
  let time = isOwn ? last : date();
  return (least = 0) => {
    const next = read();
    if (next > last) time += next - last;
    if (Number.isFinite(next)) last = next;
    time = Math.max(time, date(), least);
    return Math.floor(time);
  };
}
