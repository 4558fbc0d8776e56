// Elapsed time on a device whose clock may be wrong or set meanwhile.

/**
 * Starts a clock; the result returns the milliseconds since. The date counts while a device sleeps; `performance.now()`
 * goes on if the date is set back. If the date is set forward the value is too large, which only causes early repeats.
 */
export function elapsed() {
  const date = Date.now();
  const even = performance.now();
  return () => Math.max(Date.now() - date, performance.now() - even);
}
