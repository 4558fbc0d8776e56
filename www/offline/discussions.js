// The two HTTP paths of the seed documents for programs of this origin: GET and POST api/discussions/ID, beside the
// page. A service worker has no sessions: it forwards each request to an open page of Quorate and returns its answer.
/** The worker's global; the page's types know windows only. */
const worker = /** @type {any} */ (self);
const PATH = new URL("api/discussions/", worker.registration.scope);
/** Milliseconds for an open page to respond. */
const PATIENCE = 1000;

/** Returns whether a request is for this API. Links and forms of other sites (navigations) are not. */
export const isForApi = ({ url, mode }) => mode !== "navigate" && url.startsWith(PATH.href);

export const answer = (request) => handle(request).catch((error) => reply(500, String(error?.message ?? error)));

async function handle(request) {
  const id = decodeURIComponent(new URL(request.url).pathname.slice(PATH.pathname.length));
  if (!id || id.includes("/")) return reply(404, "there is no such path");
  if (request.method !== "GET" && request.method !== "POST") return reply(405, "GET or POST");
  const body = request.method === "POST" ? await request.text() : null;
  let last = null;
  for (const page of await worker.clients.matchAll({ type: "window" })) {
    last = (await relay(page, { method: request.method, id, body })) ?? last;
    // Another tab may have the session.
    if (last && last.status !== 423) break;
  }
  if (!last) return reply(503, "no page of Quorate is open in this browser");
  return new Response(JSON.stringify(last.body), { status: last.status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" } });
}

/** The page's answer; null if it is not a page of Quorate. */
function relay(page, request) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const silence = setTimeout(() => resolve(null), PATIENCE);
    port1.onmessage = ({ data }) => {
      clearTimeout(silence);
      if (data.status) resolve(data);
    };
    page.postMessage({ type: "quorate/discussion", ...request }, [port2]);
  });
}

const reply = (status, message) =>
  new Response(JSON.stringify({ status: "error", message }), { status,
    headers: { "Content-Type": "application/json" } });
