// The public API of the package: checks arguments and calls the engine, a WebAssembly module.

import load, * as engine from "./engine.js";
import { guarded as guard, LabError, messageOf } from "./intake.js";

export { LabError };

/** Parameters of the engine's functions, for intake.js: `name:kind`, with `?` if optional; `async` if the function returns a promise. */
const SIGNATURES = {
  "Library.free": "", "Library.delete": "async id:string options", "Library.draft": "async session:string ask:string",
  "Library.entries": "async id:string options", "Library.estimate": "async", "Library.export": "async which format:string options",
  "Library.list": "async options", "Library.persist": "async", "Library.rename": "async id:string title:string",
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
  "Session.view": "role since:number? language:string?",
  "TableStream.free": "", "TableStream.add": "lines:string", "TableStream.constructor": "options",
  "TableStream.filesBeside": "", "TableStream.filled": "table:string columns:number rows:string", "TableStream.headers": "",
  "Viewer.free": "", "Viewer.asked": "ask:string", "Viewer.at": "count:number? since:number? language:string?",
  "Viewer.constructor": "entries as_role",
  advanceDiscussion: "async id:string message options", catalogue: "provider:string model:string?",
  check: "config language:string?", continueDiscussion: "async id:string options", costsOf: "entries",
  "debate.rhetoric": "text:string language:string?", "debate.similarity": "a:string b:string", forecast: "config",
  getDiscussion: "async id:string", "justice.apply": "choice distributions probabilities",
  listModels: "async options", outcomeText: "protocol:string result language:string?", "parse.agreement": "text:string language:string?",
  "parse.amount": "text:string language:string?", "parse.choice": "text:string language:string?",
  "parse.critique": "text:string language:string?", "parse.principle": "text:string language:string?",
  "parse.ranking": "text:string language:string?", "parse.vote": "text:string language:string? choices",
  pauseDiscussion: "async id:string", presets: "", priced: "config table", prices: "", prompts: "language:string?",
  protocols: "", resetDiscussion: "async id:string options",
  resumeDiscussion: "async id:string options", spec: "protocol:string", "study.check": "file language:string?",
  "study.forecast": "file", "study.plan": "file", "study.table": "file id:string agents", testConnection: "async options", version: "",
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
export const TableStream = guardClass("TableStream", engine.TableStream);
export const Viewer = guardClass("Viewer", engine.Viewer);

/** Rejects unknown seats: their empty view would look like a run without events. */
function checkSeat(role, view) {
  const seat = role?.seat ?? /^seat:(.*)$/s.exec(role)?.[1];
  if (seat !== undefined && view.people.length && !view.people.some(({ name }) => name === seat)) throw new LabError("input", `no participant has the seat ${JSON.stringify(seat)}`);
  return view;
}
const { view: viewOf } = Session.prototype;
Session.prototype.view = function (role, since, language) {
  // Changes since an earlier view may hold no participants.
  const view = viewOf.call(this, role, since, language);
  return since ? view : checkSeat(role, view);
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
if (Symbol.dispose) for (const { prototype } of [Session, engine.TableStream, engine.Viewer]) prototype[Symbol.dispose] = prototype.free;

export const advanceDiscussion = guarded("advanceDiscussion", engine.advanceDiscussion);
export const continueDiscussion = guarded("continueDiscussion", engine.continueDiscussion);
export const costsOf = guarded("costsOf", engine.costsOf);
export const getDiscussion = guarded("getDiscussion", engine.getDiscussion);
export const listModels = guarded("listModels", engine.listModels);
export const pauseDiscussion = guarded("pauseDiscussion", engine.pauseDiscussion);
export const resetDiscussion = guarded("resetDiscussion", engine.resetDiscussion);
export const resumeDiscussion = guarded("resumeDiscussion", engine.resumeDiscussion);
export const testConnection = guarded("testConnection", engine.testConnection);
export const version = guarded("version", engine.version);

export const parse = {
  principle: guarded("parse.principle", engine.readPrinciple),
  agreement: guarded("parse.agreement", engine.readAgreement),
  amount: guarded("parse.amount", engine.readAmount),
  ranking: guarded("parse.ranking", engine.readRanking),
  choice: guarded("parse.choice", engine.readChoice),
  vote: guarded("parse.vote", engine.readVote),
  critique: guarded("parse.critique", engine.readCritique),
};

/** Returns all faults of a configuration of any protocol, in a language. */
export const check = guarded("check", engine.checkConfig);
/** Returns the names of the protocols. */
export const protocols = guarded("protocols", engine.protocolNames);
/** Returns the settings of a protocol. */
export const spec = guarded("spec", engine.specOf);
/** Returns example configurations of all protocols. */
export const presets = guarded("presets", engine.presetConfigs);
/** Returns the built-in table of prices, with its date. */
export const prices = guarded("prices", engine.priceTable);
/** Returns the catalogue of a provider, or one of its models. */
export const catalogue = guarded("catalogue", engine.catalogueOf);
/** Adds the prices of its models to a configuration. */
export const priced = guarded("priced", engine.pricedConfig);
/** Estimates the cost of a run. */
export const forecast = guarded("forecast", engine.forecastOf);
/** Returns the outcome of a run in a sentence. */
export const outcomeText = guarded("outcomeText", engine.outcomeText);
/** Returns every prompt with its variables. */
export const prompts = guarded("prompts", engine.promptTexts);

/** Studies: the faults of a study file, its runs, and their forecast. */
export const study = {
  check: guarded("study.check", engine.checkStudy),
  plan: guarded("study.plan", engine.planStudy),
  table: guarded("study.table", engine.tableOfStudy),
  forecast: guarded("study.forecast", engine.forecastStudy),
};

export const justice = {
  apply: guarded("justice.apply", (choice, distributions, probabilities = null) =>
    engine.applyPrinciple(choice?.principle, choice?.amount, distributions, probabilities)),
};

export const debate = {
  similarity: guarded("debate.similarity", engine.measureSimilarity),
  rhetoric: guarded("debate.rhetoric", engine.observeRhetoric),
};
