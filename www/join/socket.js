// The connection that policy.js has begun is the first that the guest's page is given.

const own = /** @type {{ quorateSocket?: WebSocket | null }} */ (globalThis);

/** As `new WebSocket(address, protocols)`; the one that was begun may be open already. */
export function Begun(address, protocols) {
  const begun = own.quorateSocket;
  own.quorateSocket = null;
  if (begun?.url !== address || begun.readyState > WebSocket.OPEN) return new WebSocket(address, protocols);
  if (begun.readyState === WebSocket.OPEN) queueMicrotask(() => begun.onopen?.(new Event("open")));
  return begun;
}
