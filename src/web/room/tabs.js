// A transport between the tabs of one browser, for trying out and for tests. All rooms share a channel and filter by
// topic. The tab that published a retained message keeps it.

export function tabs() {
  const channel = new BroadcastChannel("quorate rooms");
  const listeners = new Map();
  const retained = new Map();
  const deliver = (topic, bytes) => [...(listeners.get(topic) ?? [])].forEach((on) => on(bytes));
  channel.onmessage = ({ data }) => {
    if (typeof data?.wanted === "string") {
      if (retained.has(data.wanted)) channel.postMessage({ topic: data.wanted, bytes: retained.get(data.wanted) });
    } else if (typeof data?.topic === "string" && data.bytes instanceof Uint8Array) deliver(data.topic, data.bytes);
  };
  let isOpen = true;
  return {
    publish(topic, bytes, { retain = false } = {}) {
      if (!isOpen) return;
      if (retain && bytes.length) retained.set(topic, bytes);
      else if (retain) retained.delete(topic);
      if (bytes.length || !retain) channel.postMessage({ topic, bytes });
    },
    subscribe(topic, on) {
      if (!listeners.has(topic)) listeners.set(topic, new Set());
      listeners.get(topic).add(on);
      if (isOpen) channel.postMessage({ wanted: topic });
      return () => listeners.get(topic)?.delete(on);
    },
    onState: (on) => on({ state: isOpen ? "open" : "closed" }),
    close() {
      isOpen = false;
      channel.close();
    },
  };
}
