// Boots the page and shows the view that the address names: #/, #/setup, #/run/ID, #/results/ID, #/replay/ID, #/library.
import { h, put, button } from "./dom.js";
import { t, use, preferred, language, LANGUAGES } from "./i18n.js";
import { THEMES, theme, setTheme, apply as applyTheme } from "./theme.js";

const VIEWS = {
  "": () => import("./home.js"),
  setup: () => import("./setup.js"),
  run: () => import("./run.js"),
  results: () => import("./results.js"),
  replay: () => import("./replay.js"),
  library: () => import("./library.js"),
};
const root = document.getElementById("app");
const main = h("main", { id: "main", tabindex: "-1" });
const header = h("header", { class: "top" });
const footer = h("footer", { class: "foot" });
const polite = h("div", { class: "sr-only", role: "status", "aria-live": "polite", "aria-atomic": "true" });
const skip = h("a", { class: "skip", href: "#main", on: { click: (event) => {
  event.preventDefault();
  main.focus();
} } });
let engine = null;
let shown = { leave: null };
let turn = 0;

/** Says something to screen readers without moving the focus. */
export function announce(text) {
  put(polite, text);
}

const place = () => {
  const [name = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  return { name: name in VIEWS ? name : "", args: rest.map(decodeURIComponent) };
};

async function show({ focus = true } = {}) {
  const mine = ++turn;
  const { name, args } = place();
  shown.leave?.();
  shown = { leave: null };
  drawHeader(name);
  put(main, h("p", { class: "loading", role: "status" }, t("loading")));
  try {
    const { view } = await VIEWS[name]();
    const next = await view({ args, engine, announce });
    if (mine !== turn) return next.leave?.();
    shown = next;
    document.title = next.title ? `${next.title} · Quorate` : "Quorate";
    put(main, next.node);
    next.entered?.();
    if (focus) {
      window.scrollTo(0, 0);
      const heading = main.querySelector("h1");
      heading?.setAttribute("tabindex", "-1");
      heading?.focus({ preventScroll: true });
    }
  } catch (error) {
    if (mine === turn) put(main, trouble(error));
  }
}

/** What to say when a view cannot be shown. */
function trouble(error) {
  const known = ["locked", "unknown", "storage", "quota", "import", "differs"].includes(error?.code) ? error.code : "other";
  if (known === "other") console.error(error);
  return h("div", { class: "page narrow" },
    h("h1", null, t(`trouble.${known}.title`)),
    h("p", { class: "lead", "data-testid": "trouble" }, t(`trouble.${known}`)),
    ["other", "differs", "import", "storage"].includes(known) && error?.message && h("p", { class: "quiet", lang: "en" }, error.message),
    h("p", { class: "row" }, button(t("again"), () => show(), { kind: "primary" }), ["locked", "differs"].includes(known) && h("a", { class: "button", href: `#/replay/${encodeURIComponent(place().args[0] ?? "")}` }, t("library.replay")), h("a", { class: "button", href: "#/library" }, t("nav.library"))));
}

function drawHeader(name) {
  put(skip, t("skip"));
  const link = (target, label, testid) => h("a", { href: `#/${target}`, "aria-current": name === target ? "page" : null, "data-testid": testid }, label);
  const busy = (engine?.running() ?? []).filter((lab) => !location.hash.includes(lab.session.id));
  put(header,
    h("a", { class: "brand", href: "#/", "aria-label": t("nav.home") }, h("img", { src: new URL("favicon.svg", import.meta.url).href, alt: "", width: "28", height: "28" }), h("span", null, "Quorate")),
    h("nav", { "aria-label": t("nav.label") }, link("setup", t("nav.setup"), "nav-setup"), link("library", t("nav.library"), "nav-library"),
      busy.map((lab) => h("a", { class: "busy", href: `#/run/${lab.session.id}` }, t("nav.running")))),
    h("div", { class: "tools" },
      h("label", null, h("span", { class: "sr-only" }, t("language")), select(Object.entries(LANGUAGES), language(), async (code) => {
        await use(code);
        show({ focus: false });
        drawFooter();
      }, "language")),
      h("label", null, h("span", { class: "sr-only" }, t("theme")), select(THEMES.map((one) => [one, t(`theme.${one}`)]), theme(), setTheme, "theme"))));
}

function select(options, value, onChange, testid) {
  return h("select", { "data-testid": testid, on: { change: (event) => onChange(event.target.value) } },
    options.map(([code, label]) => h("option", { value: code, selected: code === value, lang: testid === "language" ? code : null }, label)));
}

function drawFooter() {
  put(footer, h("p", null, t("foot"), " ", engine && h("span", { class: "quiet" }, engine.version())));
}

function cannot(key, error) {
  console.error(error);
  put(main, h("div", { class: "page narrow" }, h("h1", null, t("trouble.start.title")), h("p", { class: "lead", "data-testid": "trouble" }, t(key)), h("p", { class: "quiet", lang: "en" }, String(error?.message ?? error))));
}

async function boot() {
  applyTheme();
  root.replaceChildren(skip, header, main, footer, polite);
  // The engine, the view and the words come at the same time.
  const starting = typeof WebAssembly === "undefined" ? null : import("./engine.js").then((module) => module.start().then(() => module));
  starting?.catch(() => {});
  VIEWS[place().name]().catch(() => {});
  await use(preferred()).catch(() => use("en"));
  drawHeader(place().name);
  if (!starting) return cannot("trouble.wasm", "WebAssembly");
  try {
    engine = await starting;
  } catch (error) {
    return cannot("trouble.module", error);
  }
  engine.onRunning(() => {
    const busy = engine.running().filter((lab) => !location.hash.includes(lab.session.id)).length;
    if (header.querySelectorAll(".busy").length !== busy) drawHeader(place().name);
  });
  addEventListener("hashchange", () => show());
  drawFooter();
  await show({ focus: false });
  document.documentElement.dataset.ready = "true";
}

boot();
