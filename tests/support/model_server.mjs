// A small server that speaks the OpenAI chat format as real ones do, and fails as real ones do. For tests only.
//
//   const server = await startModelServer({ answer: (messages, body) => "text", chunk: { characters: 5, bytes: 7 } });
//   fetch(`${server.url}/chat/completions`, ...)   // server.url ends in /v1
//   server.requests                                // [{ path, headers, body, fault }], in order of arrival
//   await server.close();
//
// A fault is chosen by `fault(request)` (a name or nothing), by the path (`${server.origin}/fault/401/v1` as base URL)
// or by the model's name (`fault:401`). Names: see `faults` below; those that end in `-once` fail the first time that
// this path and model ask and then answer.
import { createServer } from "node:http";

/** Headers that a page may send; like some providers, the server refuses a preflight that names others. */
const ALLOWED_HEADERS = ["authorization", "content-type"];

/** What each fault answers, or a function that takes over. */
const faults = {
  400: () => error(400, { message: "Invalid value: 'temperature'.", type: "invalid_request_error", code: null }),
  401: () => error(401, { message: "Incorrect API key provided: sk-wrong-0123456789abcdef.", type: "invalid_request_error", code: "invalid_api_key" }),
  403: () => error(403, { message: "Your account may not use this model.", type: "permission_error", code: null }),
  404: (body) => error(404, { message: `The model \`${body?.model}\` does not exist`, type: "invalid_request_error", code: "model_not_found" }),
  429: () => error(429, { message: "Rate limit reached. Please try again in 1s.", type: "requests", code: "rate_limit_exceeded" }, { "retry-after": "1" }),
  quota: () => error(429, { message: "You exceeded your current quota, please check your plan and billing details.", type: "insufficient_quota", code: "insufficient_quota" }),
  500: () => error(500, { message: "The server had an error.", type: "server_error", code: null }),
  503: () => error(503, { message: "Loading model", type: "unavailable_error", code: 503 }),
  html: () => ({ status: 200, type: "text/html", text: "<!doctype html><title>Sign in</title><p>Please sign in." }),
  "invalid-json": () => ({ status: 200, type: "text/event-stream", text: 'data: {"choices":[{]}\n\n' }),
  "empty-choices": () => ({ status: 200, type: "text/event-stream", text: 'data: {"choices":[]}\n\ndata: [DONE]\n\n' }),
  redirect: () => ({ status: 307, type: "text/plain", text: "", headers: { location: "/elsewhere/v1/chat/completions" } }),
};

/** Faults that are ways to answer: `cut` in the middle, `hang` without a byte, `stall` in the middle, `refusal`, `error`
 * within the stream, `length` without a text, `json` in one piece, `no-cors`. */
const ways = ["cut", "hang", "stall", "refusal", "error", "length", "json", "no-cors"];

function error(status, body, headers) {
  return { status, type: "application/json", text: JSON.stringify({ error: body }), headers };
}

/**
 * @param {object} [options]
 * @param {(messages: {role: string, content: string}[], body: object) => string | Promise<string>} [options.answer]
 * @param {(request: {path: string, headers: object, body: object}) => string | undefined} [options.fault]
 * @param {number | {characters?: number, bytes?: number, delay?: number}} [options.chunk] characters per event, bytes
 *   per write (default: whole events), milliseconds between writes
 * @param {boolean} [options.cors] whether pages of other origins may call; default true
 * @param {string} [options.key] the only key that is accepted; default any or none
 * @param {number} [options.port] default any free one
 */
export async function startModelServer(options = {}) {
  const { answer = () => "OK.", fault, cors = true, key, port = 0 } = options;
  const chunk = typeof options.chunk === "number" ? { characters: options.chunk } : (options.chunk ?? {});
  const requests = [];
  const preflights = [];
  const failedOnce = new Set();

  const server = createServer((request, response) => {
    handle(request, response).catch((reason) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(`model server: ${reason?.stack ?? reason}`);
    });
  });

  async function handle(request, response) {
    const path = new URL(request.url, "http://localhost").pathname;
    const allow = (on) => {
      if (!on) return;
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-expose-headers", "retry-after");
    };
    if (request.method === "OPTIONS") return preflight(request, response, path, allow);
    const text = await readAll(request);
    const body = parsed(text);
    const record = { method: request.method, path, headers: request.headers, body, text, at: Date.now() };
    if (path.endsWith("/models")) {
      allow(cors);
      return send(response, { status: 200, type: "application/json", text: '{"object":"list","data":[{"id":"test","object":"model"}]}' });
    }
    const name = wanted(record);
    requests.push(Object.assign(record, { fault: name ?? null }));
    allow(cors && name !== "no-cors");
    if (request.method !== "POST" || !path.endsWith("/chat/completions")) {
      return send(response, error(404, { message: "Not found", type: "not_found", code: null }));
    }
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) return send(response, faults[401]());
    if (name !== undefined && faults[name]) return send(response, faults[name](body));
    if (name !== undefined && !ways.includes(name)) throw new Error(`no such fault: ${name}`);
    if (name === "hang") return;
    await reply(response, body, stopped(await answer(body?.messages ?? [], body), body?.stop), name);
  }

  function wanted(record) {
    const by =
      fault?.(record) ?? record.path.match(/^\/fault\/([^/]+)/)?.[1] ?? String(record.body?.model ?? "").match(/^fault:(.+)$/)?.[1];
    if (!by?.endsWith("-once")) return by;
    const once = `${record.path} ${record.body?.model} ${by}`;
    if (failedOnce.has(once)) return undefined;
    failedOnce.add(once);
    return by.slice(0, -"-once".length);
  }

  function preflight(request, response, path, allow) {
    const asked = (request.headers["access-control-request-headers"] ?? "").split(",").map((name) => name.trim().toLowerCase());
    const refused = asked.filter((name) => name !== "" && !ALLOWED_HEADERS.includes(name));
    preflights.push({ path, asked, refused, origin: request.headers.origin });
    allow(cors && !path.startsWith("/fault/no-cors/"));
    response.setHeader("access-control-allow-headers", ALLOWED_HEADERS.join(", "));
    response.setHeader("access-control-allow-methods", "POST, GET, OPTIONS");
    response.setHeader("access-control-allow-private-network", "true");
    response.writeHead(refused.length > 0 ? 403 : 204);
    response.end();
  }

  async function reply(response, body, text, way) {
    const base = { id: "chatcmpl-test", model: body?.model ?? "test" };
    const usage = {
      prompt_tokens: Math.ceil(JSON.stringify(body?.messages ?? []).length / 4),
      completion_tokens: Math.ceil(text.length / 4),
    };
    usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
    if (way === "json" || body?.stream !== true) {
      const whole = { ...base, object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }], usage };
      return send(response, { status: 200, type: "application/json", text: JSON.stringify(whole) });
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const event = (value) => `data: ${typeof value === "string" ? value : JSON.stringify({ ...base, object: "chat.completion.chunk", ...value })}\n\n`;
    const delta = (delta, finish_reason = null) => event({ choices: [{ index: 0, delta, finish_reason }] });
    const half = Math.ceil(text.length / 2);
    const events = [": a comment\n\n", delta({ role: "assistant", content: "" })];
    if (way === "refusal") events.push(delta({ refusal: "I cannot help with that." }), delta({}, "stop"));
    else if (way === "length") events.push(delta({ reasoning_content: "Let me think." }), delta({}, "length"));
    else for (const piece of pieces(way ? text.slice(0, half) : text, chunk.characters ?? 12)) events.push(delta({ content: piece }));
    if (way === "cut" || way === "stall") events.push('data: {"choices":[{"index":0,"del');
    else if (way === "error") events.push(event({ error: { message: "Upstream went away", code: 502 }, choices: [] }));
    else {
      if (!way) events.push(delta({}, "stop"));
      if (body?.stream_options?.include_usage) events.push(event({ choices: [], usage }));
      events.push(event("[DONE]"));
    }
    for (const part of split(events, chunk.bytes)) {
      if (response.destroyed) return;
      response.write(part);
      await new Promise((resolve) => setTimeout(resolve, chunk.delay ?? 0));
    }
    if (way === "stall") return;
    if (way === "cut") response.destroy();
    else response.end();
  }

  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    preflights,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function send(response, { status, type, text, headers = {} }) {
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(text);
}

/** The text up to the first stop sequence. */
function stopped(text, stop) {
  const ends = (stop ?? []).map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return ends.length > 0 ? text.slice(0, Math.min(...ends)) : text;
}

function* pieces(text, characters) {
  const all = Array.from(text);
  for (let at = 0; at < all.length; at += characters) yield all.slice(at, at + characters).join("");
}

/** Whole events, or all their bytes in parts of a size, wherever that falls. */
function* split(events, bytes) {
  if (!bytes) return yield* events;
  const all = Buffer.from(events.join(""));
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}
