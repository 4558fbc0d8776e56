// The public API of the package: checks arguments and calls the engine, a WebAssembly module.

import load, * as engine from "./engine.js";
import { guarded as guard, LabError, messageOf, toLabError } from "./intake.js";

export { LabError };

/** Parameters of the engine's functions, for intake.js: `name:kind`, with `?` if optional; `async` if the function returns a promise. */
const SIGNATURES = {
  "Library.free": "", "Library.delete": "async id:string", "Library.draft": "async session:string ask:string",
  "Library.entries": "async id:string", "Library.estimate": "async", "Library.export": "async which format:string options",
  "Library.list": "async", "Library.persist": "async", "Library.rename": "async id:string title:string",
  "Library.saveDraft": "async session:string ask:string text:string",
  "Memory.free": "", "Memory.add": "async item", "Memory.done": "async id:string", "Memory.export": "async",
  "Memory.failed": "async id:string why:string?", "Memory.import": "async text:string", "Memory.items": "async kind:string",
  "Memory.outbox": "async", "Memory.prepare": "async config", "Memory.queue": "async session:string target",
  "Memory.ratings": "async domain:string?", "Memory.receiptFile": "receipt format:string language:string?",
  "Memory.receipt": "async session:string", "Memory.receipts": "async", "Memory.recomputed": "async",
  "Memory.rememberAll": "async", "Memory.remember": "async session options", "Memory.remove": "async kind:string id:string",
  "Memory.search": "async query:string options", "Memory.take": "async id:string",
  "Memory.verifyReceipt": "async receipt record",
  "Session.free": "", "Session.annotate": "ask:string values", "Session.answer": "ask:string given request_id:string?",
  "Session.asked": "ask:string role", "Session.closeDiscussion": "", "Session.close": "async", "Session.costs": "",
  "Session.create": "async config options", "Session.entries": "from:number?",
  "Session.export": "async format:string options", "Session.fork": "async seq:number changes options",
  "Session.import": "async text:string options", "Session.limit": "caps", "Session.look": "seat:string",
  "Session.open": "async id:string options", "Session.pause": "", "Session.reseat": "table", "Session.resume": "",
  "Session.run": "async options", "Session.say": "seat:string text:string request_id:string?", "Session.seating": "command",
  "Session.setKeys": "keys", "Session.now": "", "Session.setPace": "milliseconds:number held_until:number?", "Session.step": "",
  "Session.stop": "", "Session.storeAgain": "", "Session.previewAnswer": "ask:string values", "Session.verify": "async",
  "Session.view": "role since:number?",
  "Viewer.free": "", "Viewer.asked": "ask:string", "Viewer.at": "count:number? since:number?",
  "Viewer.constructor": "entries as_role",
  advanceDiscussion: "async id:string message options", applyPrinciple: "principle amount distributions probabilities",
  catalogueOf: "provider:string model:string?", checkConfig: "config language:string?",
  continueDiscussion: "async id:string options", costsOf: "entries", forecastOf: "config", getDiscussion: "async id:string",
  listModels: "async options", measureSimilarity: "a:string b:string", observeRhetoric: "text:string language:string?",
  pauseDiscussion: "async id:string", presetConfigs: "", priceTable: "", pricedConfig: "config table",
  promptTexts: "language:string?", protocolNames: "", readAgreement: "text:string language:string?",
  readAmount: "text:string language:string?", readChoice: "text:string language:string?",
  readCritique: "text:string language:string?", readPrinciple: "text:string language:string?",
  readRanking: "text:string language:string?", readVote: "text:string language:string? choices",
  repetitionsOf: "config times:number", resetDiscussion: "async id:string options",
  resumeDiscussion: "async id:string options", specOf: "protocol:string", testConnection: "async options", version: "",
};

let loading;
let isReady = false;
/** After a panic the engine's state is unreliable: every pending and later call fails with this error. */
let failure = null;
/** Reject functions of pending promises. */
const pending = new Set();

/** Parses a panic report: `panicked at FILE:LINE:COLUMN:`, followed by the message. */
function fail(report) {
  const [, place, message] = /^panicked at (.*?):?\n(.*)$/s.exec(report) ?? [null, null, report];
  failure = new LabError("internal", `the engine failed${place ? ` at ${place}` : ""}: ${message}. Reload the page; stored data is kept`, { place, message });
  for (const reject of pending) reject(failure);
}

/** Wraps a call of the engine so that a panic rejects or throws with its report, instead of a trap or a pending promise. */
function reporting(call) {
  return function (...given) {
    try {
      const result = call.apply(this, given);
      if (!(result instanceof Promise)) return result;
      return new Promise((resolve, reject) => {
        pending.add(reject);
        result.then(resolve, reject).finally(() => pending.delete(reject));
      });
    } catch (error) {
      throw failure ?? error;
    }
  };
}

/** Loads the engine once, by default from the file beside this one. `options.module` is a compiled module. */
export default function init(options) {
  const begin = (given) => (given?.module ? engine.initSync(given) : load(given));
  loading ??= Promise.resolve(options).then(begin).then(() => {
    engine.useErrorClass(LabError);
    engine.setPanicHandler(fail);
    isReady = true;
  });
  return loading.catch((error) => {
    loading = undefined;
    throw new LabError("init", `the engine could not be loaded: ${messageOf(error)}`);
  });
}

/** Wraps a function of the engine with its argument checks. */
function guarded(name, call, live = (_) => {}) {
  return guard(name, SIGNATURES[name], reporting(call), (object) => {
    if (failure) throw failure;
    if (!isReady) throw new LabError("init", `${name} needs the engine: await init() first`);
    live(object);
  });
}

/** Wraps a class of the engine: every method checks its arguments, and that its object exists and is not released. */
function guardClass(title, owner) {
  function live(object) {
    if (!(object instanceof owner)) throw new LabError("input", `this object is not a ${title}`);
    if (!object.__wbg_ptr) throw new LabError("closed", `this ${title} was released by free()`);
  }
  for (const [place, isLive] of [[owner, undefined], [owner.prototype, live]]) {
    for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(place))) {
      const whole = `${title}.${name}`;
      if (get) Object.defineProperty(place, name, { get() {
        live(this);
        if (failure) throw failure;
        return reporting(get).call(this);
      } });
      else if (name !== "constructor" && whole in SIGNATURES) place[name] = guarded(whole, value, isLive);
    }
  }
  const construct = `${title}.constructor` in SIGNATURES ? guarded(`${title}.constructor`, (...given) => new owner(...given)) : () => {
    throw new LabError("input", `${title} cannot be constructed with \`new\``);
  };
  return new Proxy(owner, { construct: (_, given) => construct(...given) });
}

export const Library = guardClass("Library", engine.Library);
export const Memory = guardClass("Memory", engine.Memory);
export const Session = guardClass("Session", engine.Session);
export const Viewer = guardClass("Viewer", engine.Viewer);

/** Rejects unknown seats: their empty view would look like a run without events. */
function checkSeat(role, view) {
  const seat = role?.seat ?? /^seat:(.*)$/s.exec(role)?.[1];
  if (seat !== undefined && view.people.length && !view.people.some(({ name }) => name === seat)) throw new LabError("input", `no participant has the seat ${JSON.stringify(seat)}`);
  return view;
}
const { view: viewOf } = Session.prototype;
Session.prototype.view = function (role, since) {
  // Changes since an earlier view may hold no participants.
  return since ? viewOf.call(this, role, since) : checkSeat(role, viewOf.call(this, role));
};

const named = ({ seat, kind, round }) => `${seat} (${kind}${round === null ? "" : `, round ${round}`})`;

/** Describes what a run waits for; null while calls are in progress or after the end. */
function waitsFor({ state, halt, open }) {
  if (halt?.because === "call_failed") return `the run is suspended for ${open.filter(({ id }) => id === halt.ask).map(named)}: ${halt.failure.message} resume() tries again`;
  if (halt?.because === "rests") return `the run is suspended (${halt.reason})`;
  if (halt) return `the run is suspended (${halt.because}): limit() raises the cap, then resume() goes on`;
  if (state === "paused") return "the run is paused; resume() goes on";
  const waits = ({ seatKind, since, trouble }) => (trouble ? trouble.until === null : seatKind === "human" && since !== null);
  if (state !== "running" || !open.length || !open.every(waits)) return null;
  return `the run waits for ${open.map(named).join(", ")}, and nothing is under way that would answer`;
}
Object.defineProperty(Session.prototype, "waitsFor", { configurable: true, get() {
  return waitsFor(this.status);
} });

// Errors of a run name what it waits for, or where it was stopped.
const { run } = Session.prototype;
Session.prototype.run = function (options) {
  return run.call(this, options).catch((error) => {
    if (!["waiting", "stopped"].includes(error?.code)) throw error;
    const { status } = this;
    const held = status.open.find(({ trouble }) => trouble && trouble.until === null);
    if (error.code === "waiting") throw new LabError("waiting", waitsFor(status) ?? error.message, status);
    throw held ? new LabError("stopped", `the run was stopped (${named(held)}: ${held.trouble.failure.message}); resume() goes on`, status) : error;
  });
};

// A released session is closed first, so that waiting promises are rejected.
const { free } = Session.prototype;
Session.prototype.free = function () {
  this.close().catch(() => {});
  free.call(this);
};
if (Symbol.dispose) for (const { prototype } of [Session, engine.Viewer]) prototype[Symbol.dispose] = prototype.free;

const safe = Object.fromEntries(Object.keys(SIGNATURES).filter((name) => !name.includes(".")).map((name) => [name, guarded(name, engine[name])]));
export const {
  advanceDiscussion, continueDiscussion, costsOf, getDiscussion, listModels, pauseDiscussion, resetDiscussion, resumeDiscussion, testConnection, version,
} = safe;

/** Maximum number of repetitions. */
const MOST_REPETITIONS = 10_000;

export const parse = {
  principle: (text, language) => safe.readPrinciple(text, language),
  agreement: (text, language) => safe.readAgreement(text, language),
  amount: (text, language) => safe.readAmount(text, language),
  ranking: (text, language) => safe.readRanking(text, language),
  choice: (text, language) => safe.readChoice(text, language),
  vote: (text, language, choices) => safe.readVote(text, language, choices),
  critique: (text, language) => safe.readCritique(text, language),
};

/** Returns copies of a configuration, each with its own seed. */
export const repetitions = (config, times) => {
  if (typeof times === "number" && times > MOST_REPETITIONS) throw new LabError("input", `repetitionsOf: times must be at most ${MOST_REPETITIONS}`);
  return safe.repetitionsOf(config, times);
};
/** Returns all faults of a configuration of any protocol, in a language. */
export const check = (config, language) => safe.checkConfig(config, language);
/** Returns the names of the protocols. */
export const protocols = () => safe.protocolNames();
/** Returns the settings of a protocol. */
export const spec = (protocol) => safe.specOf(protocol);
/** Returns example configurations of all protocols. */
export const presets = () => safe.presetConfigs();
/** Returns the built-in table of prices, with its date. */
export const prices = () => safe.priceTable();
/** Returns the catalogue of a provider, or one of its models. */
export const catalogue = (provider, model) => safe.catalogueOf(provider, model);
/** Adds the prices of its models to a configuration. */
export const priced = (config, table) => safe.pricedConfig(config, table);
/** Estimates the cost of a run. */
export const forecast = (config) => safe.forecastOf(config);
/** Returns every prompt with its variables. */
export const prompts = (language) => safe.promptTexts(language);

export const justice = {
  apply(choice, distributions, probabilities = null) {
    try {
      return safe.applyPrinciple(choice?.principle, choice?.amount, distributions, probabilities);
    } catch (error) {
      throw toLabError("apply", error);
    }
  },
};

export const debate = {
  similarity: (a, b) => safe.measureSimilarity(a, b),
  rhetoric: (text, language) => safe.observeRhetoric(text, language),
};
