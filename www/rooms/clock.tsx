// Times that go on while they are shown.
import { useEffect, useState } from "preact/hooks";

/** Milliseconds as minutes and seconds: `3:05`. */
export function minutes(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Time left until `until`, or gone since `since`, by the clock `now`. */
export function Clock({ until, since, now }: { until?: number | null; since?: number | null; now: () => number }) {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="clock" role="timer" aria-live="off">
      {until ? minutes(until - now()) : since ? minutes(now() - since) : "–"}
    </span>
  );
}
