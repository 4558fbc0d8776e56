// The server of `make run` hands out the files of its folder, as what they are, and nothing else.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";

let folder;
let server;

/** Asks for a path as it stands; `fetch` would tidy it first. */
function get(path, method = "GET", headers = {}) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    request({ hostname, port, path, method, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (piece) => (body += piece));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on("error", reject)
      .end();
  });
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "quorate-serve-"));
  mkdirSync(join(folder, "site/deep"), { recursive: true });
  mkdirSync(join(folder, "site-secret"));
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(folder, "site-secret/a.txt"), "secret");
  writeFileSync(join(folder, "site/index.html"), "<p>front</p>");
  writeFileSync(join(folder, "site/deep/index.html"), "<p>deep</p>");
  writeFileSync(join(folder, "site/a b.wasm"), "wasm");
  writeFileSync(join(folder, "site/m.js"), "1");
  symlinkSync(join(folder, "secret.txt"), join(folder, "site/link.txt"));
  server = await serve(join(folder, "site"));
});

after(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("files come with their type and are checked again each time", async () => {
  const wasm = await get("/a%20b.wasm?x=1");
  assert.equal(wasm.status, 200);
  assert.equal(wasm.body, "wasm");
  assert.equal(wasm.headers["content-type"], "application/wasm");
  assert.equal(wasm.headers["cache-control"], "no-cache");
  assert.equal((await get("/m.js")).headers["content-type"], "text/javascript; charset=utf-8");
  assert.equal((await get("/")).body, "<p>front</p>");
  assert.equal((await get("/")).headers["content-security-policy"], "frame-ancestors 'self'", "no other site frames it");
  assert.equal((await get("/deep/")).headers["content-security-policy"], "frame-ancestors 'self'");
  assert.equal((await get("/deep/")).body, "<p>deep</p>");
  assert.equal((await get("/deep")).headers.location, "/deep/");
  const head = await get("/m.js", "HEAD");
  assert.deepEqual([head.status, head.headers["content-length"], head.body], [200, "1", ""]);
});

test("what was compressed beside a file goes to those who take it; what is named by its content is asked for once", async () => {
  const name = join(folder, "site/a/m-0123ABCD.js");
  mkdirSync(join(folder, "site/a"));
  writeFileSync(name, "12345678");
  writeFileSync(`${name}.br`, "small");
  const plain = await get("/a/m-0123ABCD.js", "GET", { "accept-encoding": "gzip" });
  assert.deepEqual([plain.body, plain.headers["content-encoding"], plain.headers["cache-control"]], ["12345678", undefined, "public, max-age=31536000, immutable"]);
  const packed = await get("/a/m-0123ABCD.js", "GET", { "accept-encoding": "gzip, br" });
  assert.deepEqual([packed.body, packed.headers["content-encoding"], packed.headers["content-type"], packed.headers.vary], ["small", "br", "text/javascript; charset=utf-8", "Accept-Encoding"]);
  assert.notEqual(packed.headers.etag, plain.headers.etag);
  // One that is older than its file is of another content.
  utimesSync(`${name}.br`, 1, 1);
  assert.equal((await get("/a/m-0123ABCD.js", "GET", { "accept-encoding": "br" })).body, "12345678");
  const { etag } = (await get("/m.js")).headers;
  const again = await get("/m.js", "GET", { "if-none-match": etag });
  assert.deepEqual([again.status, again.body], [304, ""]);
  writeFileSync(join(folder, "site/m.js"), "1234");
  assert.equal((await get("/m.js", "GET", { "if-none-match": etag })).status, 200);
});

test("nothing outside the folder, and no other method", async () => {
  const paths = ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/../site-secret/a.txt", "/deep/../../secret.txt"];
  for (const path of [...paths, "/link.txt", "/missing", "/%ff", "/%00", "//", "/\\..\\secret.txt"]) {
    const { status, body } = await get(path);
    assert.ok(status === 404 || body === "<p>front</p>", `${path}: ${status} ${body}`);
  }
  assert.equal((await get("/m.js", "POST")).status, 405);
});

test("a taken port leads to the next free one only where that is wanted", async () => {
  const port = Number(new URL(server.url).port);
  await assert.rejects(serve(folder, { port }), { code: "EADDRINUSE" });
  const second = await serve(folder, { port, next: true });
  assert.ok(Number(new URL(second.url).port) > port);
  await second.close();
});

test("beside the files there is a broker for rooms; who listens to this machine alone has no address for others", async () => {
  const { status, headers, body } = await get("/room");
  assert.deepEqual([status, headers["cache-control"], JSON.parse(body)], [200, "no-store", { pages: [] }]);
  const open = await serve(folder, { host: "0.0.0.0" });
  for (const address of open.others) assert.match(address, /^http:\/\/\d+\.\d+\.\d+\.\d+:\d+\/$/);
  assert.deepEqual((await (await fetch(`${open.url}room`)).json()).pages, open.others);
  await open.close();
});
