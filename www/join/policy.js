// Runs first: limits this page to the connection service of its link, and starts connecting. The policy in join.html is
// the outer limit; without a link (a code is typed) it holds until the code is resolved.
import { findLink, VERSION } from "../../src/web/room/link_text.js";

(() => {
  // A script that is blocked, or fails, before the page is there: what to do about it is in the page already.
  addEventListener("error", () => document.documentElement.classList.add("stuck"), true);
  const link = findLink(location.hash);
  if (link?.version !== VERSION) return;
  const { kind, address } = link;
  const meetingPoint = () => {
    try {
      const url = kind === "o"
        ? new URL("room", location.href)
        : kind === "b"
        ? new URL(address)
        : null;
      if (kind === "o") url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      if (kind === "b" && !(/^wss?:$/.test(url.protocol) && /^[a-z0-9.-]+(:\d+)?$/.test(url.host))) return null;
      if (url) url.username = url.password = url.hash = "";
      return url;
    } catch {
      return null;
    }
  };
  const there = meetingPoint();
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = `connect-src ${there ? `${there.protocol}//${there.host}` : "'none'"}`;
  document.head.append(meta);
  // Early, while the page is still loading; used by socket.js.
  if (there && !(location.protocol === "https:" && there.protocol === "ws:")) {
    globalThis.quorateSocket = new WebSocket(there.href, ["mqtt"]);
  }
})();
