// Where this machine has a Chromium (or Chrome) and a Firefox, and the flags with which tests start Chromium.
//
//   node scripts/browsers.mjs [--firefox]   prints the path of Chromium, or of Firefox
import { accessSync, constants, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

/** No calls to the browser's maker, no profile left over, works in a container. */
export const CHROMIUM_FLAGS = [
  "--headless=new",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Chromium refuses to sandbox for root, as which containers usually run.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const APPS = ["Chromium", "Google Chrome", "Google Chrome for Testing", "Microsoft Edge"];

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Programs of Playwright's own download, newest first. */
function playwrightBrowsers() {
  const cache = process.platform === "darwin" ? "Library/Caches/ms-playwright" : ".cache/ms-playwright";
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), cache);
  let names;
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const inside = ["chrome-linux/chrome", "chrome-linux64/chrome", "chrome-mac/Chromium.app/Contents/MacOS/Chromium"];
  return names
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .flatMap((name) => inside.map((rest) => join(folder, name, rest)));
}

/** The path of a Chromium: `CHROMIUM` from the environment, else from PATH, else from the usual places; or null. */
export function findChromium() {
  const asked = process.env.CHROMIUM ?? process.env.CHROME_PATH;
  if (asked) return runs(asked) ? asked : null;
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const places = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...["/Applications", join(homedir(), "Applications")].flatMap((folder) =>
      APPS.map((app) => `${folder}/${app}.app/Contents/MacOS/${app}`),
    ),
    "/snap/bin/chromium",
    ...playwrightBrowsers(),
  ];
  return places.find(runs) ?? null;
}

/** The path of a Firefox: `FIREFOX` from the environment, else from PATH, else from the usual places; or null. */
export function findFirefox() {
  if (process.env.FIREFOX) return runs(process.env.FIREFOX) ? process.env.FIREFOX : null;
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const places = [
    ...["firefox", "firefox-esr"].flatMap((name) => folders.map((folder) => join(folder, name))),
    "/Applications/Firefox.app/Contents/MacOS/firefox",
  ];
  return places.find(runs) ?? null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const chromium = findChromium();
  const firefox = findFirefox();
  const wanted = process.argv[2] ?? "--chromium";
  const path = wanted === "--firefox" ? firefox : chromium;
  if (!path) {
    console.error(`no ${wanted.slice(2)} found: install one, or name it in the environment variable ${wanted.slice(2).toUpperCase()}`);
    process.exit(1);
  }
  console.log(path);
}
