// A small server that speaks every provider's format as the real ones do, and fails as they do. For tests only.
//
//   const server = await startProviders({ answer: (question) => "text", chunk: 7 });
//   config.agents[0] = { name, provider: "anthropic", model: "m", base_url: server.base("anthropic", "run-1", fault) }
//   server.requests(tag)   // [{ provider, path, headers, body, question, fault }], in order of arrival
//
// `question` is the same whatever the format: `{ system, messages: [[role, text], ...] }`. Addresses are
// `/PROVIDER/TAG/FAULT/...`: a tag keeps runs apart; a fault `NAME~N` strikes the Nth call of its tag, once, a fault
// without a number every call. Names: `faults` below. Where an answer is to match a schema, sent as such or at the end of
// the last turn, `answer` gets that third; `bySchema` makes one. At `unformed` no schema is taken.
import { createServer } from "node:http";

/** The format that each provider speaks, and what it cannot take. */
export const PROVIDERS = {
  openai: { wire: "chat", refuses: ["max_tokens", "random_seed"] },
  openai_responses: { wire: "responses", refuses: ["stop", "seed", "max_tokens", "messages"] },
  anthropic: { wire: "messages", refuses: ["seed", "stop", "stream_options"] },
  gemini: { wire: "generate", refuses: ["model", "stream", "messages"] },
  openrouter: { wire: "chat", refuses: ["random_seed", "reasoning_effort"] },
  mistral: { wire: "chat", refuses: ["stream_options", "seed", "max_completion_tokens"] },
  groq: { wire: "chat", refuses: ["random_seed"] },
  deepseek: { wire: "chat", refuses: ["seed", "random_seed"] },
  xai: { wire: "chat", refuses: ["random_seed"] },
  together: { wire: "chat", refuses: ["random_seed"] },
  azure: { wire: "chat", refuses: ["random_seed"] },
  vertex: { wire: "chat", refuses: ["random_seed"] },
  bedrock: { wire: "chat", refuses: ["random_seed"] },
  ollama: { wire: "ollama", refuses: ["max_tokens", "temperature", "stream_options"] },
  lmstudio: { wire: "chat", refuses: ["random_seed"] },
  llamacpp: { wire: "chat", refuses: ["random_seed"] },
  vllm: { wire: "chat", refuses: ["random_seed"] },
  compatible: { wire: "chat", refuses: [] },
};
const LOCAL = ["ollama", "lmstudio", "llamacpp", "vllm"];

/** Headers that a page may send: the server refuses a preflight that names others, as those with fixed lists do. */
const HEADERS = {
  messages: ["content-type", "x-api-key", "anthropic-version", "anthropic-dangerous-direct-browser-access"],
  generate: ["content-type", "x-goog-api-key"],
};
const USUAL_HEADERS = ["content-type", "authorization"];
const headersOf = (wire, provider) => (provider === "azure" ? ["content-type", "api-key"] : HEADERS[wire] ?? USUAL_HEADERS);

/** Ends of paths. */
const ENDS = {
  chat: "/chat/completions", responses: "/responses", messages: "/messages", generate: ":streamGenerateContent", ollama: "/api/chat",
};

/** Statuses with what is said of them and as what kind. */
const STATUSES = {
  400: ["The request is not understood", "invalid_request_error", "INVALID_ARGUMENT"],
  401: ["Incorrect API key provided: KEY", "authentication_error", "UNAUTHENTICATED"],
  402: ["Payment is required", "billing_error", "FAILED_PRECONDITION"],
  403: ["Your account may not do this", "permission_error", "PERMISSION_DENIED"],
  404: ["The model `MODEL` does not exist", "not_found_error", "NOT_FOUND"],
  408: ["The request took too long", "timeout_error", "DEADLINE_EXCEEDED"],
  413: ["The request is too large", "request_too_large", "INVALID_ARGUMENT"],
  422: ["A field is not as it should be", "invalid_request_error", "INVALID_ARGUMENT"],
  429: ["Too many requests", "rate_limit_error", "RESOURCE_EXHAUSTED"],
  500: ["Something broke", "api_error", "INTERNAL"],
  502: ["Bad gateway", "api_error", "UNAVAILABLE"],
  503: ["The service is not available", "api_error", "UNAVAILABLE"],
  529: ["Overloaded", "overloaded_error", "UNAVAILABLE"],
};

/** An error body as the provider shapes it. */
function errorBody(provider, status, { message, type, code, param } = {}) {
  const [words, kind, name] = STATUSES[status];
  message ??= words;
  switch (PROVIDERS[provider].wire) {
    case "messages":
      return { type: "error", error: { type: type ?? kind, message }, request_id: "req_1" };
    case "generate":
      return { error: { code: status, message, status: name, details: [] } };
    case "ollama":
      return { error: message };
    default:
      if (provider === "mistral") {
        if (status === 422) return { detail: [{ type: "extra_forbidden", loc: ["body", param ?? "x"], msg: message, input: 1 }] };
        return { object: "error", message, type: type ?? kind, param: param ?? null, code: code ?? String(status) };
      }
      if (provider === "openrouter") return { error: { code: status, message, metadata: { provider_name: "x" } } };
      return { error: { message, type: type ?? kind, param: param ?? null, code: code ?? null } };
  }
}

const json = (status, value, headers = {}) => ({ status, headers: { "content-type": "application/json", ...headers }, text: JSON.stringify(value) });

/** What each fault answers instead; those that are not here are ways to answer, see `stream`. */
const faults = {
  ...Object.fromEntries(Object.keys(STATUSES).map((status) => [status, (provider, body) => json(Number(status), told(provider, status, body))])),
  429: (provider) => json(429, errorBody(provider, 429), { "retry-after": "1" }),
  "429-date": (provider) => json(429, errorBody(provider, 429), { "retry-after": new Date(Date.now() + 2000).toUTCString() }),
  "429-later": (provider) => json(429, errorBody(provider, 429), { "retry-after": "4" }),
  "429-ms": (provider) => json(429, errorBody(provider, 429), { "retry-after-ms": "300" }),
  "429-words": (provider) => json(429, errorBody(provider, 429, { message: "Too many requests. Please try again in 0.4s." })),
  "429-quota": (provider) =>
    json(429, errorBody(provider, 429, { message: "You exceeded your current quota, please check your plan and billing details.", type: "insufficient_quota", code: "insufficient_quota" })),
  html: () => ({ status: 200, headers: { "content-type": "text/html" }, text: "<!doctype html><title>Sign in</title>" }),
  "html-502": () => ({ status: 502, headers: { "content-type": "text/html" }, text: "<html><body>Bad Gateway</body></html>" }),
  redirect: () => ({ status: 307, headers: { location: "/elsewhere" }, text: "" }),
};

function told(provider, status, body) {
  const error = errorBody(provider, Number(status));
  return JSON.parse(JSON.stringify(error).replace("KEY", "sk-canary-12345678").replace("MODEL", body?.model ?? "m"));
}

/** Ways to answer: `json` in one piece, `type` with the wrong content type, `utf8` with bytes that are none, `cut` in the
 * middle, `hang` without a byte, `broken` JSON, `empty` without a choice, `refusal`, `error` within the answer, `length`
 * without a word, `hot` where a temperature is refused, `no-cors`. */
export const FAULTS = [...Object.keys(faults), "json", "type", "utf8", "cut", "hang", "broken", "empty", "refusal", "error", "length", "hot"];

/** @param {{ answer?: (question: object, tag: string, schema?: object) => string, chunk?: number }} [options] `chunk`: bytes per write */
export async function startProviders({ answer = () => "OK.", chunk = 0 } = {}) {
  const seen = new Map();
  const problems = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((reason) => {
      problems.push(String(reason?.stack ?? reason));
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(String(reason));
    });
  });

  async function handle(request, response) {
    const url = new URL(request.url, "http://localhost");
    const [, provider, tag, fault] = url.pathname.split("/");
    const { wire, refuses } = PROVIDERS[provider] ?? {};
    if (!wire) return send(response, { status: 404, headers: {}, text: "nothing here" });
    const allowed = headersOf(wire, provider);
    const cors = fault !== "no-cors";
    if (cors) {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-expose-headers", "retry-after, retry-after-ms");
    }
    if (request.method === "OPTIONS") {
      const asked = (request.headers["access-control-request-headers"] ?? "").split(",").map((name) => name.trim()).filter(Boolean);
      response.setHeader("access-control-allow-headers", allowed.join(", "));
      return send(response, { status: asked.every((name) => allowed.includes(name)) ? 204 : 403, headers: {}, text: "" });
    }
    const text = await readAll(request);
    const key = keyOf(wire, request.headers, provider);
    if (request.method === "GET") {
      if (key === "wrong-key-0000") return send(response, faults[401](provider, {}));
      if (url.pathname.endsWith("/key")) return send(response, json(200, { data: { label: "x" } }));
      return send(response, json(200, list(provider, url)));
    }
    const body = JSON.parse(text);
    const calls = seen.get(tag) ?? seen.set(tag, []).get(tag);
    const [name, at] = fault.split("~");
    const call = { provider, path: url.pathname + url.search, headers: request.headers, body };
    calls.push(call);
    const strikes = name !== "none" && (at === undefined || Number(at) === calls.length);
    check(wire, refuses, url, request.headers, body, key, provider);
    call.question = question(wire, body);
    const way = strikes ? name : null;
    call.fault = way;
    if (key === "wrong-key-0000") return send(response, faults[401](provider, body));
    if (body.model === "no-such-model" || url.pathname.includes("no-such-model")) return send(response, faults[404](provider, body));
    if (way !== null && faults[way]) return send(response, faults[way](provider, body));
    if (way === "hang") return;
    if (way === "hot" && temperature(wire, body) !== undefined) {
      const message = "Unsupported value: 'temperature' does not support this value with this model.";
      return send(response, json(400, errorBody(provider, 400, { message, param: "temperature", code: "unsupported_value" })));
    }
    const schema = schemaOf(wire, body);
    if (schema && loose(schema)) problems.push(`${provider}: ${loose(schema)}`);
    if (way === "unformed" && schema) {
      return send(response, json(400, errorBody(provider, 400, { message: "This model does not support structured outputs (json_schema)." })));
    }
    const line = schema ? undefined : lineInWords(call.question);
    call.schema = schema ?? line ?? schemaInWords(call.question);
    const said = String(await answer(call.question, tag, call.schema));
    await reply(response, wire, body, line ? asLine(said, line.label) : said, way);
  }

  function check(wire, refuses, url, headers, body, key, provider) {
    const complain = (what) => problems.push(`${provider}: ${what}`);
    if (!url.pathname.endsWith(ENDS[wire])) complain(`called at ${url.pathname}`);
    if (!LOCAL.includes(provider) && !key) complain("no key");
    const known = [...headersOf(wire, provider), "host", "connection", "accept", "accept-language", "accept-encoding", "user-agent", "content-length", "origin", "referer", "cache-control", "pragma"];
    for (const header of Object.keys(headers)) if (!known.includes(header) && !header.startsWith("sec-")) complain(`header ${header}`);
    for (const field of refuses) if (field in body) complain(`field ${field}`);
    if (wire === "messages" && !(body.max_tokens > 0)) complain("no max_tokens");
    if (wire === "messages" && headers["anthropic-dangerous-direct-browser-access"] !== "true") complain("no leave for browsers");
    if (wire === "messages" && "temperature" in body && "top_p" in body) complain("two ways to sample");
    if (wire === "responses" && body.store !== false) complain("stored");
    if (wire === "generate" && url.searchParams.get("alt") !== "sse") complain("no alt=sse");
    if (wire === "ollama" && !(body.options?.num_ctx >= 8192)) complain("no num_ctx");
  }

  async function reply(response, wire, body, text, way) {
    if (way === "json") return send(response, json(200, WIRES[wire].whole(text)));
    const type = way === "type" ? "text/plain" : wire === "ollama" ? "application/x-ndjson" : "text/event-stream";
    response.writeHead(200, { "content-type": type });
    const parts = WIRES[wire].stream(text, way);
    let bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    if (way === "cut") bytes = bytes.subarray(0, Math.floor(bytes.length / 2));
    const size = chunk || bytes.length;
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      response.write(bytes.subarray(at, at + size));
      if (chunk) await new Promise((resolve) => setImmediate(resolve));
    }
    if (way === "cut") {
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.destroy();
    } else response.end();
  }

  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    problems,
    base: (provider, tag, fault = "none") => `${origin}/${provider}/${tag}/${fault}`,
    requests: (tag) => seen.get(tag) ?? [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function keyOf(wire, headers, provider) {
  if (provider === "azure") return headers["api-key"];
  if (wire === "messages") return headers["x-api-key"];
  if (wire === "generate") return headers["x-goog-api-key"];
  return /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
}

const temperature = (wire, body) => (wire === "generate" ? body.generationConfig : wire === "ollama" ? body.options : body).temperature;

/** The schema that a request hands over. */
function schemaOf(wire, body) {
  switch (wire) {
    case "responses": return body.text?.format?.schema;
    case "messages": return body.output_config?.format?.schema;
    case "generate": return body.generationConfig?.responseJsonSchema;
    case "ollama": return body.format;
    default: return body.response_format?.json_schema?.schema;
  }
}

/** The schema at the end of the last turn. */
function schemaInWords({ messages }) {
  const [, last] = messages.at(-1);
  return last.includes("JSON Schema") ? JSON.parse(last.slice(last.lastIndexOf("\n"))) : undefined;
}

/** The schema that the last line of the last turn says in blanks, with the line's label. */
function lineInWords({ messages }) {
  const [, label, blanks] = /\n(\p{Lu}+|决定): (\w+ = <.+>)$/u.exec(messages.at(-1)[1]) ?? [];
  if (!label) return undefined;
  const blank = ([, name, choices]) => {
    const [first, ...others] = choices.split(" | ").filter((choice) => choice !== "none");
    const type = { "0, 1, 2, …": "integer", "0.0": "number", true: "boolean" }[first];
    return [name, type ? { type } : { type: "string", enum: [first, ...others] }];
  };
  return { type: "object", label, properties: Object.fromEntries([...blanks.matchAll(/(\w+) = <([^>]*)>/g)].map(blank)) };
}

/** An answer as JSON as words with that last line; of other answers the words. */
function asLine(said, label) {
  if (!said.startsWith("{")) return said;
  const values = Object.entries(JSON.parse(said)).map(([name, value]) => `${name} = ${value}`);
  return `${LONG}\n${label}: ${values.join("; ")}`;
}

/** Long enough for whatever is to be said. */
const LONG = "Because of this, and of much more that could be said if only somebody were to ask for it at this table. 因为这一点以及许多其他可以说明的理由，我们应当认真考虑。";

/** What is not as the strictest providers want it. */
function loose(schema) {
  const { type, properties = {}, required = [], additionalProperties, items, anyOf } = schema;
  const known = ["type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"];
  const odd = Object.keys(schema).find((key) => !known.includes(key));
  if (odd) return `keyword ${odd}`;
  if (type === "object" && (additionalProperties !== false || Object.keys(properties).join() !== required.join())) return `fields ${required}`;
  const parts = [...Object.values(properties), ...(anyOf ?? []), ...(items ? [items] : [])];
  return parts.map(loose).find(Boolean);
}

/** A value by a schema: of fields with the same choices each takes the next one, of lists of choices all are in it. */
export function bySchema(schema, seen = new Map()) {
  const { type, properties, items, anyOf, enum: choices } = schema;
  if (anyOf) return bySchema(anyOf[0], seen);
  if (choices) {
    const at = seen.get(choices.join()) ?? 0;
    seen.set(choices.join(), at + 1);
    return choices[at % choices.length];
  }
  const of = { string: "Because of this.", integer: 9, number: 0.8, boolean: true };
  if (type in of) return of[type];
  if (type === "object") return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, name === "text" ? LONG : name.endsWith("amount") ? 12_000 : bySchema(part, seen)]));
  const all = items.enum ?? Object.values(items.properties ?? {}).find((part) => part.enum)?.enum ?? [0];
  const inside = new Map();
  return all.map(() => bySchema(items, inside));
}

/** What was asked, whatever the format. */
function question(wire, body) {
  const text = (content) => (typeof content === "string" ? content : content.map((part) => part.text).join(""));
  switch (wire) {
    case "responses":
      return { system: body.instructions ?? "", messages: body.input.map(({ role, content }) => [role, text(content)]) };
    case "messages":
      return { system: body.system ?? "", messages: body.messages.map(({ role, content }) => [role, text(content)]) };
    case "generate":
      return {
        system: text(body.systemInstruction?.parts ?? []),
        messages: body.contents.map(({ role, parts }) => [role === "model" ? "assistant" : role, text(parts)]),
      };
    default: {
      const [first, ...rest] = body.messages;
      const hasSystem = first.role === "system";
      return { system: hasSystem ? first.content : "", messages: (hasSystem ? rest : body.messages).map(({ role, content }) => [role, content]) };
    }
  }
}

function list(provider, url) {
  const entry = (id) => ({ id, object: "model", context_length: 4096 });
  switch (PROVIDERS[provider].wire) {
    case "generate":
      return { models: [{ name: "models/m-1", displayName: "M One", inputTokenLimit: 4096, supportedGenerationMethods: ["generateContent"] }, { name: "models/e", supportedGenerationMethods: ["embedContent"] }] };
    case "messages":
      return { data: [{ type: "model", id: "m-1", display_name: "M One" }], has_more: false };
    case "ollama":
      return url.pathname.endsWith("/api/tags") ? { models: [{ name: "m-1", model: "m-1", details: {} }] } : {};
    default:
      return provider === "together" ? [entry("m-1"), { id: "e", type: "embedding" }] : { object: "list", data: [entry("m-1")] };
  }
}

const event = (value, name) => `${name ? `event: ${name}\n` : ""}data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const line = (value) => `${JSON.stringify(value)}\n`;
/** A chunk that says nothing, in bytes that are no UTF-8. */
const garbage = (before, after) => Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from(after)]);

function pieces(text) {
  const all = Array.from(text);
  const size = Math.max(1, Math.ceil(all.length / 7));
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size).join(""));
}

/** Each format: an answer in one piece, and streamed in a way. */
const WIRES = {
  chat: {
    whole: (text) => ({ model: "m-1", choices: [{ index: 0, message: { role: "assistant", content: text, reasoning_content: "hm" }, finish_reason: "stop" }], usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 } }),
    stream(text, way) {
      const delta = (delta, finish_reason = null) => event({ model: "m-1", choices: [{ index: 0, delta, finish_reason }] });
      const usage = event({ model: "m-1", choices: [], usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 } });
      const begin = [": a comment\n\n", delta({ role: "assistant", content: "" }), delta({ reasoning_content: "hm" })];
      const end = [delta({}, "stop"), usage, event("[DONE]")];
      if (way === "empty") return [event({ choices: [] }), event("[DONE]")];
      if (way === "broken") return [...begin, event('{"choices":[{]}')];
      if (way === "refusal") return [delta({ refusal: "I will not." }), ...end];
      if (way === "length") return [...begin, delta({}, "length"), usage, event("[DONE]")];
      if (way === "error") return [...begin, delta({ content: "half" }), event({ error: { message: "gone", code: 502 }, choices: [] })];
      if (way === "utf8") begin.push(garbage('data: {"x":"', '"}\n\n'));
      return [...begin, ...pieces(text).map((content) => delta({ content })), ...end];
    },
  },
  responses: {
    whole: (text) => response("completed", { output: [{ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] }, { type: "message", content: [{ type: "output_text", text }] }] }),
    stream(text, way) {
      const typed = (type, more) => event({ type, ...more }, type);
      const delta = (delta) => typed("response.output_text.delta", { output_index: 1, delta });
      const begin = [
        typed("response.created", { response: { ...response("in_progress"), usage: null } }),
        typed("response.reasoning_summary_text.delta", { delta: "hm" }),
      ];
      const end = (output) => typed("response.completed", { response: response("completed", { output }) });
      if (way === "empty") return [begin[0], end([])];
      if (way === "broken") return [...begin, event('{"type":', "response.output_text.delta")];
      if (way === "refusal") return [...begin, typed("response.refusal.delta", { delta: "I will not." }), end([])];
      if (way === "length") return [...begin, typed("response.incomplete", { response: response("incomplete", { incomplete_details: { reason: "max_output_tokens" } }) })];
      if (way === "error") return [...begin, delta("half"), typed("response.failed", { response: response("failed", { error: { code: "server_error", message: "gone" } }) })];
      if (way === "utf8") begin.push(garbage('data: {"type":"x","x":"', '"}\n\n'));
      return [...begin, ...pieces(text).map(delta), end([{ type: "message", content: [{ type: "output_text", text }] }])];
    },
  },
  messages: {
    whole: (text) => ({ type: "message", model: "m-1", content: [{ type: "thinking", thinking: "hm" }, { type: "text", text }], stop_reason: "end_turn", usage: { input_tokens: 9, output_tokens: 5 } }),
    stream(text, way) {
      const typed = (type, more = {}) => event({ type, ...more }, type);
      const delta = (delta) => typed("content_block_delta", { index: 1, delta });
      const begin = [
        typed("message_start", { message: { type: "message", model: "m-1", content: [], usage: { input_tokens: 9, output_tokens: 1 } } }),
        typed("ping"),
        typed("content_block_start", { index: 0, content_block: { type: "thinking", thinking: "" } }),
        typed("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "hm" } }),
        typed("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
      ];
      const end = (stop_reason) => [typed("message_delta", { delta: { stop_reason }, usage: { output_tokens: 5 } }), typed("message_stop")];
      if (way === "empty") return [typed("message_stop")];
      if (way === "broken") return [...begin, event('{"type":', "content_block_delta")];
      if (way === "refusal") return [...begin, ...end("refusal")];
      if (way === "length") return [...begin, ...end("max_tokens")];
      if (way === "error") return [...begin, delta({ type: "text_delta", text: "half" }), typed("error", { error: { type: "overloaded_error", message: "Overloaded" } })];
      if (way === "utf8") begin.push(garbage('data: {"type":"x","x":"', '"}\n\n'));
      return [...begin, ...pieces(text).map((text) => delta({ type: "text_delta", text })), ...end("end_turn")];
    },
  },
  generate: {
    whole: (text) => ({ ...candidate([{ text: "hm", thought: true }, { text }], "STOP"), usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 1 } }),
    stream(text, way) {
      const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 1 };
      const begin = [event(candidate([{ text: "hm", thought: true }]))];
      if (way === "empty") return [event({ usageMetadata })];
      if (way === "broken") return [...begin, event('{"candidates":[{]}')];
      if (way === "refusal") return [event({ promptFeedback: { blockReason: "SAFETY" } })];
      if (way === "length") return [event({ candidates: [{ content: {}, finishReason: "MAX_TOKENS" }], usageMetadata })];
      if (way === "error") return [...begin, event({ error: { code: 503, message: "gone", status: "UNAVAILABLE" } })];
      if (way === "utf8") begin.push(garbage('data: {"x":"', '"}\n\n'));
      return [...begin, ...pieces(text).map((text) => event(candidate([{ text }]))), event({ candidates: [{ finishReason: "STOP" }], usageMetadata, modelVersion: "m-1" })];
    },
  },
  ollama: {
    whole: (text) => ({ model: "m-1", message: { role: "assistant", content: text, thinking: "hm" }, done: true, done_reason: "stop", prompt_eval_count: 9, eval_count: 5 }),
    stream(text, way) {
      const says = (message) => line({ model: "m-1", message: { role: "assistant", content: "", ...message }, done: false });
      const begin = [says({ thinking: "hm" })];
      const end = (done_reason) => line({ model: "m-1", message: { role: "assistant", content: "" }, done: true, done_reason, prompt_eval_count: 9, eval_count: 5 });
      if (way === "empty") return [line({ model: "m-1", done: true, done_reason: "stop" })];
      if (way === "broken") return [...begin, '{"message":]\n'];
      if (way === "refusal") return [...begin, says({ content: "" }), end("stop")];
      if (way === "length") return [...begin, end("length")];
      if (way === "error") return [...begin, says({ content: "half" }), line({ error: "the runner has gone" })];
      if (way === "utf8") begin.push(garbage('{"x":"', '"}\n'));
      return [...begin, ...pieces(text).map((content) => says({ content })), end("stop")];
    },
  },
};

function response(status, more) {
  return { object: "response", status, model: "m-1", error: null, incomplete_details: null, output: [], usage: { input_tokens: 9, output_tokens: 5 }, instructions: "the question again", ...more };
}

function candidate(parts, finishReason) {
  return { candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }], modelVersion: "m-1" };
}

async function readAll(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function send(response, { status, headers, text }) {
  response.writeHead(status, headers);
  response.end(text);
}
