// Boots the page and shows the view that the address names: #/, #/setup, #/run/ID, #/results/ID, #/replay/ID, #/present/ID,
// #/library, #/memory/PART, #/models, #/room/ID, #/project/ID.
import { h, put, button } from "./dom.js";
import { route } from "./routes.js";
import { listen as listenForKeys, helpButton } from "./shortcuts.js";
import { t, use, preferred, language, LANGUAGES } from "./i18n.js";
import { file } from "./files.js";
import * as home from "./home/home.tsx";
import * as sessions from "./engine.js";
import { THEMES, theme, setTheme, apply as applyTheme } from "./theme.js";

/** Style sheets that the first screen does without. */
const sheets = new Map();
function styled(name) {
  if (!sheets.has(name)) {
    const sheet = h("link", { rel: "stylesheet", href: file(`style/${name}.css`),
      media: name === "print" ? "print" : null });
    sheets.set(name, new Promise((resolve) => {
      // Without its sheet a view is plain, but there.
      sheet.onload = sheet.onerror = resolve;
    }));
    document.head.append(sheet);
  }
  return sheets.get(name);
}
const withRunSheet = async (module) => (await Promise.all([module, styled("run"), styled("board")]))[0];

const VIEWS = {
  "": async () => home,
  setup: () => import("./setup.tsx"),
  run: () => withRunSheet(import("./run.js")),
  results: () => withRunSheet(import("./results/results.tsx")),
  replay: () => withRunSheet(import("./replay.js")),
  present: async () => (await Promise.all([withRunSheet(import("./present.js")), styled("present")]))[0],
  library: () => import("./library/library.tsx"),
  memory: () => import("./memory/memory.tsx"),
  models: async () => (await Promise.all([import("./models.js"), styled("models")]))[0],
  room: async () => (await Promise.all([import("./room.js"), styled("rooms")]))[0],
  project: async () => (await Promise.all([import("./project.js"), styled("present"), styled("rooms")]))[0],
  lost: async () => ({ view: lost }),
};
const root = document.getElementById("app");
const main = h("main", { id: "main", tabindex: "-1" });
const header = h("header", { class: "top" });
const footer = h("footer", { class: "foot" });
const polite = h("div", { class: "sr-only", role: "status", "aria-live": "polite", "aria-atomic": "true" });
/** Where a newer version of the page is told of. */
const newer = h("div", { class: "newer", role: "status" });
const skip = h("a", { class: "skip", href: "#main", on: { click: (event) => {
  event.preventDefault();
  main.focus();
} } });
/** The engine on its way: the first screen is there before it, everything else waits for it. */
let starting = null;
let engine = null;
let shown = { leave: null };
let turn = 0;

/** Says something to screen readers without moving the focus. */
export function announce(text) {
  put(polite, text);
}

const place = () => route(location.hash) ?? { name: "lost", args: [] };

async function show({ focus = true } = {}) {
  const mine = ++turn;
  const { name, args } = place();
  shown.leave?.();
  shown = { leave: null };
  drawHeader(name);
  put(main, h("p", { class: "loading", role: "status" }, t("loading")));
  try {
    const { view } = await VIEWS[name]();
    if ((name && name !== "lost") || failure) await starting;
    const next = await view({ args, engine, starting, announce });
    if (mine !== turn) return next.leave?.();
    shown = next;
    put(main, next.node);
    next.entered?.();
    begins(next.title, focus);
  } catch (error) {
    if (mine !== turn) return;
    put(main, failure ? cannot(failure) : trouble(error));
    begins(main.querySelector("h1").textContent, focus);
  }
}

/** Names what is shown, and begins at its heading. */
function begins(title, focus) {
  document.title = title ? `${title} · Quorate` : "Quorate";
  if (!focus) return;
  window.scrollTo(0, 0);
  const heading = main.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

/** A file that is dropped goes to what takes one nearest to it; it does not take the place of the page. */
function dropped(event) {
  const { target, dataTransfer } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  const at = (place) =>
    place
    && (place.querySelector("input[type=file]") ?? (place.localName === "dialog" ? null : at(place.parentElement)));
  const taker = at(target);
  if (!taker) dataTransfer.dropEffect = "none";
  else if (event.type === "drop") {
    taker.files = dataTransfer.files;
    taker.dispatchEvent(new Event("change"));
  }
}

/** Where an address leads nowhere. */
function lost() {
  const address = location.hash.length > 80 ? `${location.hash.slice(0, 80)}…` : location.hash;
  return { title: t("lost.title"),
    node: h("div", { class: "page narrow" }, h("h1", null, t("lost.title")),
      h("p", { class: "lead", "data-testid": "trouble" }, t("lost", { address })),
      h("p", { class: "row" }, h("a", { class: "button button-primary", href: "#/" }, t("nav.home")),
        h("a", { class: "button", href: "#/library" }, t("nav.library")))) };
}

/** What to say when a view cannot be shown. */
function trouble(error) {
  const known = ["locked", "unknown", "storage", "quota", "import", "differs", "altered"].includes(error?.code)
    ? error.code
    : "other";
  if (known === "other") console.error(error);
  const isRoom = ["room", "project"].includes(place().name);
  const said = (isRoom && { locked: "room.locked", unknown: "room.gone" }[known]) || `trouble.${known}`;
  return h("div", { class: "page narrow" }, h("h1", null, t(`${said}.title`)),
    h("p", { class: "lead", "data-testid": "trouble" }, t(said)),
    ["other", "differs", "altered", "import", "storage"].includes(known) && error?.message
      && h("p", { class: "quiet", lang: "en" }, error.message),
    h("p", { class: "row" }, button(t("again"), () => show(), { kind: "primary" }),
      ["locked", "differs", "altered"].includes(known) && !isRoom
        && h("a", { class: "button", href: `#/replay/${encodeURIComponent(place().args[0] ?? "")}` },
          t("library.replay")), h("a", { class: "button", href: "#/library" }, t("nav.library"))));
}

function drawHeader(name) {
  put(skip, t("skip"));
  const link = (target, label, testid) =>
    h("a", { href: `#/${target}`, "aria-current": name === target ? "page" : null, "data-testid": testid }, label);
  const busy = (engine?.running() ?? []).filter((lab) => !location.hash.includes(lab.session.id));
  put(header,
    h("a", { class: "brand", href: "#/", "aria-label": t("nav.home") },
      h("img", { src: file("favicon.svg"), alt: "", width: "28", height: "28" }), h("span", null, "Quorate")),
    h("nav", { "aria-label": t("nav.label") }, link("setup", t("nav.setup"), "nav-setup"),
      link("models", t("nav.models"), "nav-models"), link("library", t("nav.library"), "nav-library"),
      link("memory", t("nav.memory"), "nav-memory"),
      busy.map((lab) => h("a", { class: "busy", href: `#/run/${lab.session.id}` }, t("nav.running")))),
    h("div", { class: "tools" },
      h("label", null, h("span", { class: "sr-only" }, t("language")),
        select(Object.entries(LANGUAGES), language(), async (code) => {
          await use(code);
          show({ focus: false });
          drawFooter();
        }, "language")),
      h("label", null, h("span", { class: "sr-only" }, t("theme")),
        select(THEMES.map((one) => [one, t(`theme.${one}`)]), theme(), setTheme, "theme"))));
}

function select(options, value, onChange, testid) {
  return h("select", { "data-testid": testid, on: { change: (event) => onChange(event.target.value) } },
    options.map(([code, label]) =>
      h("option", { value: code, selected: code === value, lang: testid === "language" ? code : null }, label)
    ));
}

function drawFooter() {
  put(footer, h("p", null, t("foot"), " ", engine && h("span", { class: "quiet" }, engine.version())),
    helpButton(shortcuts));
}

const shortcuts = () => shown.shortcuts ?? [];

/** Why there is no engine: `key` says it in the page's language. */
let failure = null;
const cannot = ({ key, error }) =>
  h("div", { class: "page narrow" }, h("h1", null, t("trouble.start.title")),
    h("p", { class: "lead", "data-testid": "trouble" }, t(key)),
    h("p", { class: "quiet", lang: "en" }, String(error?.message ?? error)));

async function start() {
  try {
    if (typeof WebAssembly === "undefined") throw new Error("WebAssembly");
    await sessions.start();
    engine = sessions;
  } catch (error) {
    failure = { key: typeof WebAssembly === "undefined" ? "trouble.wasm" : "trouble.module", error };
    console.error(error);
    throw error;
  }
  engine.onRunning(() => {
    const busy = engine.running().filter((lab) => !location.hash.includes(lab.session.id)).length;
    if (header.querySelectorAll(".busy").length !== busy) drawHeader(place().name);
  });
  return engine;
}

/** Resolves when the page has been drawn, in a tab that is not looked at in a moment. */
const drawn = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });

/** What Start leads to is there before it is pressed. */
function foresee() {
  VIEWS.run().catch(() => {});
}

async function boot() {
  applyTheme();
  if (window.opener || window.parent !== window) {
    import("./opener.js").then(({ listen }) =>
      listen(async (origin) => {
        const isAtWork = place().name !== ""
          && !(await import("./dialog.js").then(({ confirmDialog }) =>
            confirmDialog(t("launch.ask"), t("launch.ask.text", { origin }), t("launch.ask.do"))
          ));
        if (isAtWork) return false;
        if (location.hash === "#/setup") show();
        else location.hash = "#/setup";
        return true;
      })
    );
  }
  root.replaceChildren(skip, header, newer, main, footer, polite);
  const worded = use(preferred()).catch(() => use("en"));
  const name = place().name;
  VIEWS[name]().catch(() => {});
  // Where nothing can be seen without the engine, it comes at the same time; else what can be seen is drawn first.
  let go;
  const seen = new Promise((resolve) => (go = resolve));
  starting = (name && name !== "lost" ? Promise.resolve() : seen).then(start);
  starting.catch(() => {});
  await worded;
  drawFooter();
  addEventListener("hashchange", () => show());
  for (const type of ["dragover", "drop"]) addEventListener(type, dropped);
  listenForKeys(shortcuts);
  // A page that opened this one may have led elsewhere in the meantime.
  if (!["", "lost"].includes(place().name)) go();
  await show({ focus: false });
  drawn().then(() => {
    go();
    // On a slow line the engine is on its way for long enough.
    if (place().name === "") foresee();
  });
  try {
    await starting;
    drawFooter();
    await shown.filled;
    styled("run");
    styled("print");
    document.documentElement.dataset.ready = "true";
    foresee();
    // Some browsers have no workers in private windows; the page does without.
    import("./discussion-requests.js").then(({ serveDiscussions }) => serveDiscussions()).catch(() => {});
    import("./update.js").then(({ keepUpToDate }) => keepUpToDate(newer)).catch(() => {});
    import("./deliver.js").then(({ catchUp }) => catchUp()).catch(() => {});
  } catch (error) {
    put(main, failure ? cannot(failure) : trouble(error));
  }
}

boot();
