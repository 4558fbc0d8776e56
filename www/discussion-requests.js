// Answers requests for discussions from other programs of this origin, which the service worker
// (offline/discussions.js) forwards. Answers are those of the JS API; errors are `{ status: "error", message, code }`.
import { advanceDiscussion, getDiscussion } from "./pkg/quorate.js";
import { keysFor } from "./keys.js";

const STATUS = { input: 400, unknown: 404, conflict: 409, locked: 423 };

/** Starts answering, if the browser has service workers. */
export function serveDiscussions() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  workers.addEventListener("message", ({ data, ports: [port] }) => {
    if (data?.type !== "quorate/discussion" || !port) return;
    port.postMessage({ taken: true });
    respond(data).then((answer) => port.postMessage(answer));
  });
  workers.startMessages();
}

async function respond({ method, id, body }) {
  try {
    if (method === "GET") return { status: 200, body: await getDiscussion(id) };
    return { status: 200, body: await advanceDiscussion(id, read(body), { keys: keysFor() }) };
  } catch (error) {
    return { status: STATUS[error?.code] ?? 500,
      body: { status: "error", message: String(error?.message ?? error), code: error?.code ?? "other" } };
  }
}

function read(body) {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}
