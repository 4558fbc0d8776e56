// The package's face: the engine under plain names, and what comes in is checked. Everything else is in the WebAssembly module.

import load, * as engine from "./engine.js";
import { guarded as guard, LabError, said, told } from "./intake.js";

export { LabError };

let loading;
let isReady = false;

/** Loads the engine, once; from the file beside this one unless told otherwise. A module is taken as it is. */
export default function init(options) {
  const begin = (given) => (given?.module ? engine.initSync(given) : load(given));
  loading ??= Promise.resolve(options).then(begin).then(() => {
    engine.useErrorClass(LabError);
    isReady = true;
  });
  return loading.catch((error) => {
    loading = undefined;
    throw new LabError("init", `the engine could not be loaded: ${said(error)}`);
  });
}

/** Sees to it that a part of the engine is there; where the module is whole, all of them are. Behind init() the part's files come beside the first's. */
export const loadPart = (name) => {
  if (isReady || !loading) return safe.loadPart(name);
  engine.ahead(name, loading);
  return init().then(() => safe.loadPart(name));
};

/** A function of the engine, with what it takes. */
function guarded(name, call, live = (_) => {}) {
  return guard(name, engine.signatures[name], call, (object) => {
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
        return get.call(this);
      } });
      else if (name !== "constructor" && whole in engine.signatures) place[name] = guarded(whole, value, isLive);
    }
  }
  const construct = `${title}.constructor` in engine.signatures ? guarded(`${title}.constructor`, (...given) => new owner(...given)) : () => {
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

const safe = Object.fromEntries(Object.keys(engine.signatures).filter((name) => !name.includes(".")).map((name) => [name, guarded(name, engine[name])]));
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
