// Boots the page and shows the view that the address names: #/, #/setup, #/run/ID, #/results/ID, #/replay/ID, #/present/ID,
// #/library, #/study/ID, #/memory/PART, #/models, #/room/ID, #/project/ID, #/presets, #/for/WHOM, #/teach, #/network.
import { createRef, render } from "preact";
import type { ComponentChildren } from "preact";
import { Button, drawn } from "./elements.tsx";
import * as sessions from "./engine.js";
import { file } from "./files.js";
import * as home from "./home/home.tsx";
import { language, LANGUAGES, preferred, t, use } from "./i18n.js";
import { route } from "./routes.js";
import { help, listen as listenForKeys, type Shortcut } from "./shortcuts.tsx";
import { goingStudies, goOn, onStudies } from "./study/studies.js";
import { apply as applyTheme, setTheme, theme, THEMES } from "./theme.js";
import type { Engine, Lab } from "./view-types.ts";

/** A view that is shown. */
interface Shown {
  node: Node;
  title: string;
  entered?: () => unknown;
  leave?: () => unknown;
  shortcuts?: Shortcut[];
  /** Resolves when it shows all that it shows at first. */
  filled?: Promise<unknown>;
}
interface Place {
  /** What follows the name in the address. */
  args: [string];
  engine: Engine;
  starting: Promise<Engine>;
  announce: (text: string) => void;
}
interface Module {
  view(place: Place): Shown | Promise<Shown>;
}

/** Style sheets that the first screen does without. */
const sheets = new Map<string, Promise<unknown>>();
function styled(name: string) {
  const known = sheets.get(name);
  if (known) return known;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = file(`style/${name}.css`);
  if (name === "print") sheet.media = "print";
  // Without its sheet a view is plain, but there.
  const loaded = new Promise((resolve) => (sheet.onload = sheet.onerror = resolve));
  sheets.set(name, loaded);
  document.head.append(sheet);
  return loaded;
}
/** A view with the sheets that it needs. */
const withSheets = async (module: Promise<Module>, ...names: string[]) =>
  (await Promise.all([module, ...names.map(styled)]))[0];

const VIEWS: { [name: string]: () => Promise<Module> } = {
  "": async () => home,
  presets: () => import("./home/presets-page.tsx"),
  for: () => import("./home/for-page.tsx"),
  teach: () => withSheets(import("./teach/teach.tsx"), "teach"),
  network: () => withSheets(import("./network/network.tsx"), "teach"),
  setup: () => import("./setup.tsx"),
  run: () => withSheets(import("./run.tsx"), "run", "board"),
  results: () => withSheets(import("./results/results.tsx"), "run", "board"),
  replay: () => withSheets(import("./replay.tsx"), "run", "board"),
  present: () => withSheets(import("./present.tsx"), "run", "board", "present"),
  library: () => import("./library/library.tsx"),
  study: () => import("./study/study.tsx"),
  memory: () => import("./memory/memory.tsx"),
  models: () => withSheets(import("./models.tsx"), "models"),
  room: () => withSheets(import("./room.tsx"), "rooms"),
  project: () => withSheets(import("./project.tsx"), "present", "rooms"),
  lost: async () => ({ view: lost }),
};

const root = document.getElementById("app")!;
const main = createRef<HTMLElement>();
const polite = createRef<HTMLDivElement>();
/** The engine on its way: the first screen is there before it, everything else waits for it. */
let starting: Promise<Engine>;
let engine: Engine | null = null;
let shown: Partial<Shown> = {};
let turn = 0;
/** The view in the header. */
let current = "";
/** A newer version of the page is ready. */
let hasNewer = false;

const place = () => (route(location.hash) ?? { name: "lost", args: [] }) as { name: string; args: [string] };
const shortcuts = () => shown.shortcuts ?? [];
/** Says something to screen readers without moving the focus. */
const announce = (text: string) => void (polite.current!.textContent = text);
const showNode = (node: Node) => main.current!.replaceChildren(node);

/** The runs that go on behind what is shown. */
const busyRuns = () =>
  [...((engine?.running() ?? []) as Lab[]).map(({ session }) => `run/${session.id}`), ...goingStudies().map((id) =>
    `study/${id}`
  )]
    .filter((run) => !location.hash.includes(run.slice(run.indexOf("/"))));

const Choice = (
  { label, options, value, pick, testid }: { label: string; options: [value: string, name: string, lang?: string][];
    value: string; pick: (value: string) => void; testid: string },
) => (
  <label>
    <span class="sr-only">{label}</span>
    <select data-testid={testid} value={value} onChange={({ currentTarget }) => pick(currentTarget.value)}>
      {options.map(([value, name, lang]) => <option key={value} value={value} lang={lang}>{name}</option>)}
    </select>
  </label>
);

function Header() {
  const link = (target: string) => (
    <a href={`#/${target}`} aria-current={current === target ? "page" : undefined} data-testid={`nav-${target}`}>
      {t(`nav.${target}`)}
    </a>
  );
  const speak = async (code: string) => {
    await use(code);
    void show({ focus: false });
  };
  const languages = Object.entries(LANGUAGES).map((
    [code, name],
  ): [string, string, string] => [code, String(name), code]);
  return (
    <header class={current ? "top" : "top at-home"}>
      <a class="brand" href="#/" aria-label={t("nav.home")}>
        <img src={file("favicon.svg")} alt="" width="28" height="28" />
        <span>Quorate</span>
      </a>
      <nav aria-label={t("nav.label")}>
        {["setup", "models", "library", "memory"].map(link)}
        {busyRuns().map((run) => <a key={run} class="busy" href={`#/${run}`}>{t("nav.running")}</a>)}
      </nav>
      <div class="tools">
        <Choice label={t("language")} options={languages} value={language()} pick={speak} testid="language" />
        <Choice label={t("theme")} options={THEMES.map((one) => [one, t(`theme.${one}`)])} value={theme()}
          pick={setTheme} testid="theme" />
      </div>
    </header>
  );
}

function Page() {
  const skip = (event: Event) => {
    event.preventDefault();
    main.current!.focus();
  };
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>{t("skip")}</a>
      <Header />
      <div class="newer" role="status">
        {hasNewer && (
          <div class="banner" data-testid="update">
            <p class="banner-text">{t("update")}</p>
            <Button data-testid="update-reload" onClick={() => location.reload()}>{t("update.reload")}</Button>
          </div>
        )}
      </div>
      <main ref={main} id="main" tabIndex={-1} />
      <footer class="foot">
        <p>
          {t("foot")} {engine && <span class="quiet">{engine.version()}</span>}
        </p>
        <Button kind="quiet" data-testid="shortcuts-open" onClick={() => help(shortcuts())}>{t("shortcuts")}</Button>
      </footer>
      <div ref={polite} class="sr-only" role="status" aria-live="polite" aria-atomic="true" />
    </>
  );
}
/** The number of runs that the header shows. */
let busy = 0;
function draw() {
  busy = busyRuns().length;
  render(<Page />, root);
}

async function show({ focus = true } = {}) {
  const mine = ++turn;
  const { name, args } = place();
  shown.leave?.();
  shown = {};
  current = name;
  draw();
  showNode(drawn(<p class="loading" role="status">{t("loading")}</p>));
  try {
    const { view } = await VIEWS[name]!();
    if ((name && name !== "lost") || failure) await starting;
    // The first screen and a lost address do without the engine.
    const next = await view({ args, engine: engine!, starting, announce });
    if (mine !== turn) return next.leave?.();
    shown = next;
    showNode(next.node);
    next.entered?.();
    begin(next.title, focus);
  } catch (error) {
    if (mine !== turn) return;
    showProblem(error);
    begin(main.current!.querySelector("h1")!.textContent!, focus);
  }
}

/** Names what is shown, and begins at its heading. */
function begin(title: string, focus: boolean) {
  document.title = title ? `${title} · Quorate` : "Quorate";
  if (!focus) return;
  window.scrollTo(0, 0);
  const heading = main.current!.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

/** A file that is dropped goes to what takes one nearest to it; it does not take the place of the page. */
function dropped(event: DragEvent) {
  const { target, dataTransfer } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  const near = (place: Element | null): HTMLInputElement | null =>
    place
    && (place.querySelector<HTMLInputElement>("input[type=file]")
      ?? (place.localName === "dialog" ? null : near(place.parentElement)));
  const taker = near(target as Element);
  if (!taker) dataTransfer.dropEffect = "none";
  else if (event.type === "drop") {
    taker.files = dataTransfer.files;
    taker.dispatchEvent(new Event("change"));
  }
}

/** A page in place of a view: what is wrong, and what can be done. */
const Problem = (
  { title, text, error, children }: { title: string; text: string; error?: string | false | undefined;
    children?: ComponentChildren },
) => (
  <div class="page narrow">
    <h1>{title}</h1>
    <p class="lead" data-testid="trouble">{text}</p>
    {error && <p class="quiet" lang="en">{error}</p>}
    {children && <p class="row">{children}</p>}
  </div>
);
const Library = () => <a class="button" href="#/library">{t("nav.library")}</a>;

/** Where an address leads nowhere. */
function lost() {
  const address = location.hash.length > 80 ? `${location.hash.slice(0, 80)}…` : location.hash;
  const title = t("lost.title");
  return { title, node: drawn(
    <Problem title={title} text={t("lost", { address })}>
      <a class="button button-primary" href="#/">{t("nav.home")}</a>
      <Library />
    </Problem>,
  ) };
}

/** What to say when a view cannot be shown. */
function Trouble({ error }: { error: { code?: string; message?: string } | undefined }) {
  const known = ["locked", "unknown", "storage", "quota", "import", "differs", "altered"].includes(error?.code ?? "")
    ? error!.code!
    : "other";
  if (known === "other") console.error(error);
  const { name, args: [id = ""] } = place();
  const isRoom = ["room", "project"].includes(name);
  const ofRooms: { [code: string]: string } = { locked: "room.locked", unknown: "room.gone" };
  const key = (isRoom && ofRooms[known]) || `trouble.${known}`;
  const hasMessage = ["other", "differs", "altered", "import", "storage"].includes(known);
  return (
    <Problem title={t(`${key}.title`)} text={t(key)} error={hasMessage && error?.message}>
      <Button kind="primary" onClick={() => show()}>{t("again")}</Button>
      {["locked", "differs", "altered"].includes(known) && !isRoom && (
        <a class="button" href={`#/replay/${encodeURIComponent(id)}`}>{t("library.replay")}</a>
      )}
      <Library />
    </Problem>
  );
}

/** Why there is no engine: `key` says it in the page's language. */
let failure: { key: string; error: unknown } | null = null;
const CannotStart = ({ of: { key, error } }: { of: { key: string; error: unknown } }) => (
  <Problem title={t("trouble.start.title")} text={t(key)} error={String((error as Error)?.message ?? error)} />
);
const showProblem = (error: unknown) =>
  showNode(drawn(failure ? <CannotStart of={failure} /> : <Trouble error={error as Error} />));

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
  const changed = () => busyRuns().length !== busy && draw();
  engine.onRunning(changed);
  onStudies(changed);
  return engine;
}

/** Resolves when the page has been drawn, in a tab that is not looked at in a moment. */
const painted = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });

/** What Start leads to is there before it is pressed. */
function foresee() {
  VIEWS["run"]!().catch(() => {});
}

/** A debate that another page hands in is shown in the set-up, unless the person at the screen goes on with their work. */
async function openedBy(origin: string) {
  const { confirmDialog } = await import("./dialog.tsx");
  const isAtWork = place().name !== "";
  if (isAtWork && !(await confirmDialog(t("launch.ask"), t("launch.ask.text", { origin }), t("launch.ask.do")))) {
    return false;
  }
  if (location.hash === "#/setup") void show();
  else location.hash = "#/setup";
  return true;
}

async function boot() {
  applyTheme();
  if (window.opener || window.parent !== window) void import("./opener.js").then(({ listen }) => listen(openedBy));
  root.replaceChildren();
  const worded = use(preferred()).catch(() => use("en"));
  const { name } = place();
  VIEWS[name]!().catch(() => {});
  // Where nothing can be seen without the engine, it comes at the same time; else what can be seen is drawn first.
  let go = () => {};
  const seen = new Promise<void>((resolve) => (go = resolve));
  starting = (name && name !== "lost" ? Promise.resolve() : seen).then(start);
  starting.catch(() => {});
  await worded;
  addEventListener("hashchange", () => show());
  for (const type of ["dragover", "drop"] as const) addEventListener(type, dropped);
  listenForKeys(shortcuts);
  // A page that opened this one may have led elsewhere in the meantime.
  if (!["", "lost"].includes(place().name)) go();
  await show({ focus: false });
  void painted().then(() => {
    go();
    // On a slow line the engine is on its way for long enough.
    if (place().name === "") foresee();
  });
  try {
    await starting;
    draw();
    await shown.filled;
    void styled("run");
    void styled("print");
    document.documentElement.dataset["ready"] = "true";
    foresee();
    // Some browsers have no workers in private windows; the page does without.
    import("./discussion-requests.js").then(({ serveDiscussions }) => serveDiscussions()).catch(() => {});
    import("./update.js").then(({ keepUpToDate }) =>
      keepUpToDate(() => {
        hasNewer = true;
        draw();
      })
    ).catch(() => {});
    import("./deliver.js").then(({ catchUp }) => catchUp()).catch(() => {});
    goOn();
  } catch (error) {
    showProblem(error);
  }
}

void boot();
