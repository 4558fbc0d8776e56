// The sessions that are open in this tab. Each gathers its record into a view and tells listeners at most once a frame.
import init, { Session, Viewer, Library, Memory, parse, check, presets, prompts, prices, priced, forecast, costsOf,
  LabError, outcomeText, study, version } from "./pkg/quorate.js";
import { recorded } from "./answer-reuse.js";
import { emptyView, take, wait } from "./view.js";
import { endpoints, keysFor, onKeys, originOfPlace } from "./keys.js";
import { allows, otherOrigins, tighten, use } from "./origins.js";
import * as vault from "./vault.js";
import { languageCode } from "./languages.js";
import { timeFor } from "./reading-time.js";
import { language, t } from "./i18n.js";
import { file } from "./files.js";

export { Session, Viewer, Library, Memory, parse, check, presets, prompts, prices, priced, forecast, costsOf, LabError,
  outcomeText, study, version };
const open = new Map();
const watchers = new Set();

/** Loads the module; throws where the browser cannot run it. */
export async function start() {
  await init({ module_or_path: file("pkg/engine_bg.wasm") });
  onKeys((changes) => {
    for (const lab of open.values()) lab.session?.setKeys(changes);
  });
  // Without storage nothing is kept there.
  await vault.begin().catch(() => {});
}

/** A run that asks models calls nobody but those in use, whatever else happens in this page. */
export function narrow(config) {
  const models = [...endpoints(config).keys()];
  if (!models.length) return;
  const called = [...models, ...otherOrigins(config)].filter(allows);
  use(called);
  tighten([...called, ...Object.keys(keysFor()).map(originOfPlace)]);
}

/** Milliseconds that scripted participants take per answer; where it is read aloud, all wait until what was said is read. */
export const PACES = { instant: 0, fast: 120, calm: 450, aloud: 450 };
let pace = "aloud";
export const paceName = () => pace;
/** Words a minute that are read aloud. */
let perMinute = 200;

/** One open session: `view` (see view.js), `status`, `usage`, `streams` (ask id to text so far), `error`. */
class Lab {
  session = null;
  /** @type {any} */
  view = emptyView();
  /** @type {any} Whose eyes the view is seen with: "owner", "audience" or { seat }. */
  role = "owner";
  status = null;
  usage = null;
  streams = new Map();
  /** Calls that wait for their turn at a provider: ask id to { origin, until, ahead, why }. */
  waits = new Map();
  error = null;
  running = false;
  /** Whether it is nowhere but in this tab's memory. */
  unstored = false;
  holders = 0;
  /** Whether a room holds the session, and runs and closes it. */
  isLent = false;
  /** Whether it is on the projector. */
  isPresented = false;
  #listeners = new Set();
  #queued = false;
  #drawnAt = 0;
  #drawing = 0;

  /** Until when what was said is read aloud. */
  #heldUntil = 0;

  /** The keys that its session was given to begin with. */
  #given = {};

  options() {
    this.#given = keysFor();
    return { onEvent: (event) => this.#take(event), keys: this.#given, recorded: recorded(), pace: PACES[pace],
      async *answer(ask) {
        yield* (await import("./inpage/runners.js")).answer(ask);
      } };
  }

  attach(session) {
    this.session = session;
    // Some may have been taken back, and others entered, while it was opened.
    session.setKeys({ ...Object.fromEntries(Object.keys(this.#given).map((place) => [place, null])), ...keysFor() });
    this.#given = {};
    this.#look();
    open.set(session.id, this);
    return this;
  }

  /** From now on the view is in the page's language. */
  useLanguage() {
    if (this.language !== language()) this.#look();
  }

  /** From now on the view is what that role may see. */
  show(role) {
    if (JSON.stringify(role) === JSON.stringify(this.role)) return;
    this.role = role;
    this.view = emptyView();
    this.#look();
    this.changed();
  }

  /** Takes in what has happened since it was last looked at; all of it anew in another language. */
  #look() {
    if (this.language !== language()) this.view = emptyView();
    this.language = language();
    const { session, view } = this;
    take(view, session.view(this.role, view.number, this.language));
    for (const event of this.waits.values()) wait(view, event);
    this.status = session.status;
    this.usage = session.usage;
  }

  #take(event) {
    if (event.type === "entries") {
      for (const { what } of event.entries) {
        if (what.type === "answered") vault.touch();
        if (["answered", "failed", "timed_out", "unanswered"].includes(what.type)) this.streams.delete(what.ask);
      }
      // Before the calls that follow are made. What is not shown does not wait.
      if (pace === "aloud" && (this.isPresented || (this.#listeners.size && !this.isLent))) this.#read(event.entries);
    } else if (event.type === "piece") {
      const before = event.startsOver ? "" : this.streams.get(event.ask) ?? "";
      this.streams.set(event.ask, before + event.text);
    } else if (event.type === "status") {
      this.status = event.status;
      this.usage = event.usage;
    } else if (event.type === "waiting") {
      if (event.why) this.waits.set(event.ask, event);
      else this.waits.delete(event.ask);
      wait(this.view, event);
    }
    this.changed();
  }

  /** Calls wait until what was said has been read, behind what is still being read. */
  #read(entries) {
    const code = languageCode(this.session.config.language) ?? undefined;
    const time = timeFor(entries, perMinute, code);
    if (time) this.hold(Math.max(0, this.#heldUntil - Date.now()) + time);
  }

  /** For so many milliseconds no call is made; 0: what was held goes on. */
  hold(milliseconds) {
    this.#heldUntil = Date.now() + milliseconds;
    this.session.setPace(PACES[pace], this.#heldUntil);
    this.changed();
  }

  /** Whether what was said is still being read. */
  get isHeld() {
    return this.status?.state === "running" && Date.now() < this.#heldUntil;
  }

  /** Something of a session that a room holds. */
  hear(event) {
    this.#take(event);
    this.running = this.session.status.state !== "ended";
  }

  /** Calls the listeners before the next frame; in a hidden tab, when it is seen again. Slow drawing leaves the run room. */
  changed() {
    if (this.#queued) return;
    this.#queued = true;
    const wait = this.#drawnAt + 4 * this.#drawing - performance.now();
    if (wait > 16) setTimeout(() => requestAnimationFrame((now) => this.#draw(now)), wait);
    else requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now) {
    this.#queued = false;
    if (this.session) this.#look();
    for (const listener of [...this.#listeners]) listener(this);
    for (const watcher of watchers) watcher();
    this.#drawnAt = performance.now();
    this.#drawing = Math.min(this.#drawnAt - now, 100);
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Goes on with the run, if it is not running already. */
  run() {
    if (this.running || this.isLent || this.session.status.state === "ended") return;
    this.running = true;
    this.error = null;
    narrow(this.session.config);
    this.session.run({ attended: true }).then(
      () => this.#over(null),
      (error) => this.#over(error?.code === "stopped" ? null : error),
    );
    this.changed();
  }

  /** Goes on after a pause, a halt or a stop. */
  go() {
    const { state, open } = this.session.status;
    if (state !== "running" || open.some(({ trouble }) => trouble)) this.session.resume();
    this.run();
  }

  #over(error) {
    this.running = false;
    this.error = error;
    // What a debate leaves behind follows from its record, so that it can be kept later as well.
    if (this.view.head?.protocol === "debate" && !error && !this.unstored) {
      import("./deliver.js").then(({ settle }) => settle(this.session.id)).catch(() => {});
    }
    this.changed();
    if (this.holders === 0 && !this.unstored) close(this);
  }
}

async function close(lab) {
  const { session } = lab;
  // A run that is closed comes to its end by that.
  if (!session) return;
  if (open.get(session.id) === lab) open.delete(session.id);
  if (lab.isLent) return;
  await session.close();
  // The module's memory is nothing that the garbage collector sees: it would keep a closed session for a long time.
  lab.session = null;
  try {
    session.free();
  } catch {
    // An export reads it still; then it is the collector's after all.
  }
}

/** Opens a stored session, or takes the one that is open here; `release` it when done. */
export async function acquire(id) {
  let lab = open.get(id);
  if (!lab) {
    lab = new Lab();
    const held = lend(id);
    lab.isLent = Boolean(held);
    lab.attach(held ?? (await Session.open(id, lab.options())));
    lab.running = lab.isLent && lab.status.state !== "ended";
  }
  lab.holders += 1;
  lab.useLanguage();
  return lab;
}

/** Gives a session back; it stays open while it runs. */
export async function release(lab) {
  lab.holders = Math.max(0, lab.holders - 1);
  if (lab.holders === 0 && (!lab.running || lab.isLent) && !lab.unstored) await close(lab);
}

/** The session of that id where a room of this tab holds it. */
let lend = (_id) => null;
/** All of those. */
let lent = () => [];
export function lends(all) {
  lent = all;
  lend = (id) => all().find((session) => session.id === id) ?? null;
}

/** A seed that nobody has thought of, 0 to 2147483647. */
export const freshSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] >>> 1;

/** A new session from a configuration, under a fresh seed where it names none; it starts when its view opens. */
export async function create(config) {
  if (config.seed === undefined || config.seed === null) config = { ...config, seed: freshSeed() };
  if (config.protocol === "debate") config = await Memory.prepare(config).catch(() => config);
  config = (await import("./prices.js")).priced({ prices, priced }, config);
  for (const lab of [...open.values()]) if (lab.holders === 0) close(lab);
  const lab = new Lab();
  try {
    lab.attach(await Session.create(config, lab.options()));
  } catch (error) {
    // A browser that stores nothing can still run a session; it stays open as long as the tab.
    if (error.code !== "storage") throw error;
    lab.unstored = true;
    lab.attach(await Session.create(config, { ...lab.options(), store: "memory" }));
  }
  return lab.session.id;
}

/** How the sessions of a room's tables are opened: with the keys and at the pace of all others. */
export const tableOptions = (idOf) => ({ onEvent: (event, table) => open.get(idOf(table))?.hear(event), keys: keysFor(),
  recorded: recorded(), pace: PACES[pace], async *answer(ask) {
  yield* (await import("./inpage/runners.js")).answer(ask);
} });

/** How the runs of a study are opened. */
export const studyOptions = () => ({ keys: keysFor(), session: { recorded: recorded(), async *answer(ask) {
  yield* (await import("./inpage/runners.js")).answer(ask);
} } });

/** A branch of a session at the answer in entry `seq`, which is asked anew or replaced by `answer`; returns the new id. */
export async function branch(id, seq, answer) {
  const lab = await acquire(id);
  try {
    const next = new Lab();
    next.attach(await lab.session.fork(seq, answer === null ? {} : { answer }, next.options()));
    // Else the library has two alike.
    const { title } = (await Library.list()).find((one) => one.id === id) ?? {};
    await Library.rename(next.session.id, t("branch.name", { title: title || t("untitled") })).catch(() => {});
    return next.session.id;
  } finally {
    release(lab);
  }
}

/** Takes an exported record into the library. */
export async function importText(text) {
  const session = await Session.import(text);
  // Its result has gone where it was to go from where it was held.
  if (session.status.state === "ended") await Memory.remember(session, { targets: [] }).catch(() => {});
  await session.close();
  session.free();
}

/** The view of a record, after so many of its entries or all; `before` is one of fewer entries to go on from. */
export function viewer(entries, role = /** @type {import("./pkg/quorate.js").Role} */ ("owner")) {
  const made = new Viewer(entries, role);
  return {
    at(count = entries.length, before = /** @type {import("./view-types.ts").View | null} */ (null)) {
      const view = before ?? emptyView();
      return take(view, made.at(count, view.number, language()));
    },
    asked: (id) => made.asked(id),
  };
}

/** The record of a session, open here or not. */
export const entriesOf = async (id) => open.get(id)?.session.entries() ?? Library.entries(id);

/** Closes a session here, so that it can be deleted. */
export function forget(id) {
  const lab = open.get(id);
  if (lab) close(lab);
}

export function setPace(name, words = 200) {
  pace = name;
  perMinute = words;
  for (const session of lent()) session.setPace(PACES[name]);
  for (const lab of open.values()) lab.hold(0);
}

/** Sessions that go on while another view is shown. */
export const running = () => [...open.values()].filter((lab) => lab.running);
export function onRunning(watcher) {
  watchers.add(watcher);
}

/**
 * Saves text, bytes or a blob as a file.
 * @param {{ name: string, type: string, text?: string | undefined, bytes?: Uint8Array<any> | undefined, blob?: Blob | undefined }} file
 */
export function download({ name, type, text, bytes, blob }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob ?? new Blob([bytes ?? text], { type }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
