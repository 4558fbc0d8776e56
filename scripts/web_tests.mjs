// Runs a command that uses wasm-bindgen's test runner in browsers: node scripts/web_tests.mjs COMMAND [ARGUMENT...]
//
// The runner's server (tiny_http 0.12) may never answer a request if a browser keeps several connections open, so that the
// page with the tests does not load. Therefore the browser connects through a proxy, which opens a connection per request.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { CHROMIUM_FLAGS, findChromium, findFirefox } from "./browsers.mjs";

const proxy = createServer((asked, response) => {
  const options = { method: asked.method, headers: { ...asked.headers, connection: "close" }, agent: false };
  const forwarded = request(asked.url, options, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  forwarded.on("error", () => response.destroy());
  response.on("close", () => forwarded.destroy());
  asked.pipe(forwarded);
});
await new Promise((done) => proxy.listen(0, "127.0.0.1", done));

// The runner reads the capabilities of the browser from this file.
const capabilities = {
  proxy: { proxyType: "manual", httpProxy: `127.0.0.1:${proxy.address().port}`, noProxy: ["<-loopback>"] },
  "goog:chromeOptions": { binary: findChromium(), args: CHROMIUM_FLAGS },
  "moz:firefoxOptions": { binary: findFirefox(), args: ["-headless"], prefs: { "network.proxy.allow_hijacking_localhost": true } },
};
writeFileSync("webdriver.json", JSON.stringify(capabilities, null, 2));

const [command, ...options] = process.argv.slice(2);
const child = spawn(command, options, { stdio: "inherit", env: { ...process.env, WASM_BINDGEN_TEST_ONLY_WEB: "1" } });
process.exit(await new Promise((done) => child.on("close", (code) => done(code ?? 1))));
