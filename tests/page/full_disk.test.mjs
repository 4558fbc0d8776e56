// A disk that is full in earnest, since the browser's profile lies on a small file system of its own, which a file fills. Only root
// may mount one; elsewhere this is skipped, and a browser that says so (run.test.mjs, web_session.js) has to do.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "../../scripts/browsers.mjs";
import { serve } from "../../scripts/serve.mjs";
import { assertAskedOnce, made, ready, runIs, SITE, small, stored, view } from "../support/page.mjs";

/** A file system of so many megabytes: `{ folder, fill, free, remove }`; null where none may be mounted. */
function smallDisk(megabytes) {
  const folder = mkdtempSync(join(tmpdir(), "quorate-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill() {
      const file = openSync(ballast, "a");
      for (let size = 1 << 20; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size >>= 1;
        }
      }
      fsyncSync(file);
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

test("a run on a disk that is full says so, and goes on by itself once there is room", async (t) => {
  const disk = smallDisk(120);
  if (!disk) return t.skip("no file system may be mounted here");
  t.after(() => disk.remove());
  const server = await serve(SITE);
  t.after(() => server.close());
  const context = await chromium.launchPersistentContext(join(disk.folder, "profile"), { executablePath: findChromium(), args: CHROMIUM_FLAGS, locale: "en-US", reducedMotion: "reduce" });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(server.url);
  await ready(page);
  const id = await made(page, small(), { run: false });
  disk.fill();
  await view(page, `#/run/${id}`, "state");
  // Chromium breaks the connection off and does not say why; what can be said is what it may be, and that nothing is lost.
  const banner = page.getByTestId("banner").filter({ hasText: /disk is full|storage is full/ });
  await banner.waitFor();
  assert.match(await banner.innerText(), /Nothing is lost/);
  assert.doesNotMatch(await banner.innerText(), /reload/i);
  await page.getByTestId("store-again").click();
  await banner.waitFor();
  disk.free();
  await banner.waitFor({ state: "detached" });
  await runIs(page, "ended");
  const entries = await stored(page, id);
  assertAskedOnce(entries);
  assert.equal(entries.at(-1).what.type, "ended");
});
