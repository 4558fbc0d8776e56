// How long ago something was, on a device whose clock may be wrong or set meanwhile. Not here: what time it is.

/**
 * Milliseconds since now: the date counts while a device sleeps, `performance.now()` goes on where somebody sets the date
 * back. Where it is set on, it is too much, which makes things said once too often.
 */
export function elapsed() {
  const date = Date.now();
  const even = performance.now();
  return () => Math.max(Date.now() - date, performance.now() - even);
}
