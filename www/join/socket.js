// Reuses the connection that policy.js has started as the first of the guest's page.

const own = /** @type {{ quorateSocket?: WebSocket | null }} */ (globalThis);

/** Like `new WebSocket(address, protocols)`, but the early connection may be open already. */
export function EarlySocket(address, protocols) {
  const begun = own.quorateSocket;
  own.quorateSocket = null;
  if (begun?.url !== address || begun.readyState > WebSocket.OPEN) return new WebSocket(address, protocols);
  if (begun.readyState === WebSocket.OPEN) queueMicrotask(() => begun.onopen?.(new Event("open")));
  return begun;
}
