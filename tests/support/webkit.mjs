// WebKitGTK on a screen of its own (Xvfb), driven by WebDriver: the few commands that a test needs.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const isThere = (program) => spawnSync("which", [program]).status === 0;
export const hasWebKit = isThere("WebKitWebDriver") && isThere("xvfb-run");

/** The browser that Debian's WebKitGTK brings along for drivers. */
function miniBrowser() {
  const folder = `/usr/lib/${{ x64: "x86_64", arm64: "aarch64" }[process.arch]}-linux-gnu`;
  return readdirSync(folder).filter((name) => /^webkit2?gtk-/.test(name)).map((name) => `${folder}/${name}/MiniBrowser`).find(isThere);
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Where a reference to an element stands in what WebDriver tells. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Starts it; resolves to `{ goto, find, fill, click, evaluate, close }`. `find(selector)` waits until it is there. */
export async function openWebKit() {
  const port = await freePort();
  const driver = spawn("xvfb-run", ["-a", "WebKitWebDriver", `--port=${port}`], { stdio: "ignore", detached: true });
  const stop = () => process.kill(-driver.pid);
  const ask = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(60_000) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebKit: ${method} ${path}: ${value.message || value.error}`);
    return value;
  };
  try {
    for (let tries = 0; !(await ask("GET", "/status").catch(() => null))?.ready; tries += 1) {
      if (tries > 100) throw new Error("WebKitWebDriver does not come up");
      await pause(100);
    }
    const { sessionId } = await ask("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: miniBrowser(), args: ["--automation"] } } } });
    const at = `/session/${sessionId}`;
    await ask("POST", `${at}/timeouts`, { implicit: 30_000 });
    const find = async (value) => (await ask("POST", `${at}/element`, { using: "css selector", value }))[ELEMENT];
    const evaluate = (script, ...args) => ask("POST", `${at}/execute/sync`, { script, args });
    /** Waits until it can be pressed and stands still: a click goes to where it was. */
    const ready = async (selector) => {
      const element = { [ELEMENT]: await find(selector) };
      const place = async () => JSON.stringify(await evaluate("return arguments[0].disabled ? Math.random() : arguments[0].getBoundingClientRect()", element));
      for (let before = null, now = await place(); now !== before; [before, now] = [now, (await pause(100), await place())]);
      return element[ELEMENT];
    };
    return {
      find,
      evaluate,
      goto: (url) => ask("POST", `${at}/url`, { url }),
      fill: async (selector, text) => ask("POST", `${at}/element/${await find(selector)}/value`, { text }),
      click: async (selector) => ask("POST", `${at}/element/${await ready(selector)}/click`, {}),
      async close() {
        await ask("DELETE", at).catch(() => {});
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}
