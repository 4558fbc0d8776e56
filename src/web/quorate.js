// The package's face: the engine under plain names, and what comes in is checked. Everything else is in the WebAssembly module.

import load, * as engine from "./engine.js";
import { guarded as guard, LabError, said, told } from "./intake.js";

export { LabError };

/** What functions of the engine take, as intake.js reads it: `name:kind`, with `?` where it may be missing; `async`: they give a promise. */
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
  "Session.setKeys": "keys", "Session.setPace": "milliseconds:number held_until:number?", "Session.step": "",
  "Session.stop": "", "Session.storeAgain": "", "Session.told": "ask:string values", "Session.verify": "async",
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
/** After a panic the engine's state cannot be relied on: every call that is pending or follows fails with this error. */
let failure = null;
/** What rejects the promises that are pending. */
const pending = new Set();

/** Takes the report of a panic: `panicked at FILE:LINE:COLUMN:` and, behind it, the message. */
function fail(report) {
  const [, place, message] = /^panicked at (.*?):?\n(.*)$/s.exec(report) ?? [null, null, report];
  failure = new LabError("internal", `the engine failed${place ? ` at ${place}` : ""}: ${message}. Load the page anew; what is stored is kept`, { place, message });
  for (const reject of pending) reject(failure);
}

/** A call of the engine that fails with the report of a panic instead of the trap that follows it, and instead of never. */
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

/** Loads the engine, once; from the file beside this one unless told otherwise. A module is taken as it is. */
export default function init(options) {
  const begin = (given) => (given?.module ? engine.initSync(given) : load(given));
  loading ??= Promise.resolve(options).then(begin).then(() => {
    engine.useErrorClass(LabError);
    engine.setPanicHandler(fail);
    isReady = true;
  });
  return loading.catch((error) => {
    loading = undefined;
    throw new LabError("init", `the engine could not be loaded: ${said(error)}`);
  });
}

/** A function of the engine, with what it takes. */
function guarded(name, call, live = (_) => {}) {
  return guard(name, SIGNATURES[name], reporting(call), (object) => {
    if (failure) throw failure;
    if (!isReady) throw new LabError("init", `${name} needs the engine: await init() first`);
    live(object);
  });
}

/** The package's class of one of the engine: every method checks what it takes, and whether its object is one of the engine's and was not given back. */
function guardClass(title, owner) {
  function live(object) {
    if (!(object instanceof owner)) throw new LabError("input", `this is no ${title}`);
    if (!object.__wbg_ptr) throw new LabError("closed", `this ${title} was given back by free()`);
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
    throw new LabError("input", `nobody makes a ${title} by \`new\``);
  };
  return new Proxy(owner, { construct: (_, given) => construct(...given) });
}

export const Library = guardClass("Library", engine.Library);
export const Memory = guardClass("Memory", engine.Memory);
export const Session = guardClass("Session", engine.Session);
export const Viewer = guardClass("Viewer", engine.Viewer);

/** A seat that nobody has sees nothing, which would look like a run in which nothing was said. */
function ofSeat(role, view) {
  const seat = role?.seat ?? /^seat:(.*)$/s.exec(role)?.[1];
  if (seat !== undefined && view.people.length && !view.people.some(({ name }) => name === seat)) throw new LabError("input", `nobody has the seat ${JSON.stringify(seat)}`);
  return view;
}
const { view: viewOf } = Session.prototype;
Session.prototype.view = function (role, since) {
  // Of what changed since nobody may have.
  return since ? viewOf.call(this, role, since) : ofSeat(role, viewOf.call(this, role));
};

const named = ({ seat, kind, round }) => `${seat} (${kind}${round === null ? "" : `, round ${round}`})`;

/** For whom or what a run waits, in a sentence for programs; null while something is under way, and where it is over. */
function waitsFor({ state, halt, open }) {
  if (halt?.because === "call_failed") return `the run stands still for ${open.filter(({ id }) => id === halt.ask).map(named)}: ${halt.failure.message} resume() tries again`;
  if (halt?.because === "rests") return `the run stands still (${halt.reason})`;
  if (halt) return `the run stands still (${halt.because}): limit() raises the cap, then resume() goes on`;
  if (state === "paused") return "the run is paused; resume() goes on";
  const waits = ({ seatKind, since, trouble }) => (trouble ? trouble.until === null : seatKind === "human" && since !== null);
  if (state !== "running" || !open.length || !open.every(waits)) return null;
  return `the run waits for ${open.map(named).join(", ")}, and nothing is under way that would answer`;
}
Object.defineProperty(Session.prototype, "waitsFor", { configurable: true, get() {
  return waitsFor(this.status);
} });

// An error of a run tells whom it waits for, or was stopped for.
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

// A session that is given back is closed first, so that whoever waits for it is told.
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

/** Sessions of one configuration at most. */
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

/** The configuration as often as it is to be repeated, each under a seed of its own. */
export const repetitions = (config, times) => {
  if (typeof times === "number" && times > MOST_REPETITIONS) throw new LabError("input", `repetitionsOf: times is ${MOST_REPETITIONS} at most`);
  return safe.repetitionsOf(config, times);
};
/** Every fault of a configuration of any protocol, told in a language. */
export const check = (config, language) => safe.checkConfig(config, language);
/** The protocols, by the names that configurations use. */
export const protocols = () => safe.protocolNames();
/** What can be set in a configuration of a protocol. */
export const spec = (protocol) => safe.specOf(protocol);
/** Configurations to begin with, of all protocols. */
export const presets = () => safe.presetConfigs();
/** The table of prices to begin with, dated. */
export const prices = () => safe.priceTable();
/** What is known of a provider's models by name, or of one of them. */
export const catalogue = (provider, model) => safe.catalogueOf(provider, model);
/** A configuration with the rows of the table for its models. */
export const priced = (config, table) => safe.pricedConfig(config, table);
/** What a run of a configuration may come to. */
export const forecast = (config) => safe.forecastOf(config);
/** Every prompt with its variables. */
export const prompts = (language) => safe.promptTexts(language);

export const justice = {
  apply(choice, distributions, probabilities = null) {
    try {
      return safe.applyPrinciple(choice?.principle, choice?.amount, distributions, probabilities);
    } catch (error) {
      throw told("apply", error);
    }
  },
};

export const debate = {
  similarity: (a, b) => safe.measureSimilarity(a, b),
  rhetoric: (text, language) => safe.observeRhetoric(text, language),
};
