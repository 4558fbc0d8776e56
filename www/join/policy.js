// Before anything else runs: this page may reach the meeting point that its link names and nothing else. The policy in
// join.html is the outer bound. Without a link somebody types a code, and the bound holds until it has led to one.
(() => {
  const [version, , , , kind, address] = location.hash.slice(1).split(".");
  if (version !== "1") return;
  const own = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
  const named = () => {
    try {
      const { protocol, host } = new URL(atob(address.replaceAll("-", "+").replaceAll("_", "/")));
      return /^wss?:$/.test(protocol) && /^[a-z0-9.-]+(:\d+)?$/.test(host) ? `${protocol}//${host}` : "'none'";
    } catch {
      return "'none'";
    }
  };
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = `connect-src ${kind === "o" ? own : kind === "b" ? named() : "'none'"}`;
  document.head.append(meta);
})();
