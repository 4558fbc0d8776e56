// Serves a folder, with a broker for rooms at /room: node scripts/serve.mjs [FOLDER] [PORT] (default: site, 8080 or the
// next free port). For this machine alone, or with HOST=0.0.0.0 for a class on one network; not for the internet. The
// page itself works from any static host.
import { createReadStream } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { renderUnicodeCompact } from "uqr";
import { attachBroker } from "./broker.mjs";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".jsonl": "application/jsonl; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".yaml": "application/yaml; charset=utf-8",
  ".yml": "application/yaml; charset=utf-8",
};

/** Files from this size on are streamed. */
const LARGE = 8_000_000;

/** Resolves the path of a request to a file inside `root`, or null; links that lead out of `root` count as missing. */
async function find(root, url) {
  try {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    if (path.includes("\0")) return null;
    let file = await realpath(join(root, path));
    if ((await stat(file)).isDirectory()) {
      if (!path.endsWith("/")) return { redirect: true };
      file = await realpath(join(file, "index.html"));
    }
    if (!file.startsWith(root + sep)) return null;
    return { file, type: TYPES[extname(file)] ?? "application/octet-stream", ...(await stat(file)) };
  } catch {
    return null; // no such file, or a path that cannot be decoded
  }
}

/** Files named by their content (scripts/site.mjs) never change. */
const LASTING = /\/a\/[^/]+-[0-9A-Z]{8}\.\w+$/;

/** The file compressed at build time, if the client accepts it. */
async function packed(found, request) {
  if (!/\bbr\b/.test(request.headers["accept-encoding"] ?? "")) return found;
  const file = `${found.file}.br`;
  const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: -1 }));
  return mtimeMs < found.mtimeMs ? found : { ...found, file, size, encoding: "br" };
}

/** Addresses at which other devices reach a server that listens on `host`; empty if it listens to this machine only. */
const addressesFor = (host, port) =>
  (host === "0.0.0.0" ? Object.values(networkInterfaces()).flat().filter(({ family, internal }) => family === "IPv4" && !internal).map(({ address }) => address)
    : host === "127.0.0.1" ? [] : [host]).map((name) => `http://${name}:${port}/`);

/** The request handler for the files in `folder`; /room returns the page's addresses for guests. */
function answer(root, others) {
  return async (request, response) => {
    if (request.method === "GET" && request.url === "/room") {
      response.writeHead(200, { "Content-Type": TYPES[".json"], "Cache-Control": "no-store" }).end(JSON.stringify({ pages: others() }));
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
      return;
    }
    const found = await find(root, request.url);
    if (!found) {
      response.writeHead(404, { "Content-Type": TYPES[".txt"] }).end("not found\n");
      return;
    }
    if (found.redirect) {
      const { pathname } = new URL(request.url, "http://localhost");
      response.writeHead(308, { Location: `/${pathname.replace(/^\/+/, "")}/` }).end();
      return;
    }
    const sent = await packed(found, request);
    const head = {
      "Cache-Control": LASTING.test(found.file) ? "public, max-age=31536000, immutable" : "no-cache",
      ETag: `"${sent.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}${sent.encoding ?? ""}"`,
      Vary: "Accept-Encoding",
      "X-Content-Type-Options": "nosniff",
      ...(extname(found.file) === ".html" && { "Content-Security-Policy": "frame-ancestors 'self'" }),
    };
    if (request.headers["if-none-match"] === head.ETag) {
      response.writeHead(304, head).end();
      return;
    }
    // Most files are sent in one piece with their head, which is several times faster than a stream.
    const whole = request.method === "GET" && sent.size < LARGE ? await readFile(sent.file).catch(() => null) : null;
    response.writeHead(200, {
      ...head,
      "Content-Type": found.type,
      "Content-Length": whole?.length ?? sent.size,
      ...(sent.encoding && { "Content-Encoding": sent.encoding }),
    });
    if (request.method === "HEAD" || whole) response.end(whole);
    else createReadStream(sent.file).on("error", () => response.destroy()).pipe(response);
  };
}

/**
 * Serves `folder` on `host`. `port` 0 takes any free port; with `next`, a port in use leads to the one after it.
 * Resolves to `{ url, others, close }` when ready; `others`: addresses for other devices.
 */
export async function serve(folder, { host = "127.0.0.1", port = 0, next = false } = {}) {
  const others = () => addressesFor(host, server.address().port);
  const server = createServer(answer(await realpath(resolve(folder)), others));
  for (let candidate = port; ; candidate += 1) {
    const error = await new Promise((done) => {
      server.once("error", done);
      server.listen(candidate, host, () => done(null));
    });
    server.removeAllListeners("error");
    if (!error) break;
    if (!next || error.code !== "EADDRINUSE" || candidate >= port + 100) throw error;
  }
  const broker = await attachBroker(server);
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    others: others(),
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
        void broker.close();
      }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder = fileURLToPath(new URL("../site", import.meta.url)), port] = process.argv.slice(2);
  const host = process.env.HOST || "127.0.0.1";
  const { url, others } = await serve(folder, { host, ...(port ? { port: Number(port) } : { port: 8080, next: true }) });
  console.log(`Quorate is at ${url}  (stop it with Ctrl-C)`);
  for (const other of others) console.log(`\nOther devices on this network can join at ${other}join.html\n\n${renderUnicodeCompact(`${other}join.html`)}`);
  if (others.length) {
    console.log(`This is plain http. Answers are encrypted on the devices, but someone who controls this network could replace the page
itself. Use it on a network that you trust, open ${url} on this computer (some features need a
secure address), and use https on a host of your own for anything important.`);
  }
}
