// The package's face: the engine under plain names. Everything else is in the WebAssembly module.

import load, * as engine from "./engine.js";

export {
  Library,
  Memory,
  Session,
  Viewer,
  advanceDiscussion,
  continueDiscussion,
  costsOf,
  getDiscussion,
  listModels,
  pauseDiscussion,
  resetDiscussion,
  resumeDiscussion,
  testConnection,
  version,
} from "./engine.js";

/** The one error class: `code` is stable, `message` is for people, `detail` is data. */
export class LabError extends Error {
  constructor(code, message, detail = null) {
    super(message);
    this.name = "LabError";
    this.code = code;
    this.detail = detail;
    this.retryable = ["locked", "storage", "quota"].includes(code);
  }
}

let loading;

/** Loads the engine, once; from the file beside this one unless told otherwise. */
export default function init(options) {
  loading ??= load(options).then(() => engine.useErrorClass(LabError));
  return loading.catch((error) => {
    loading = undefined;
    throw error;
  });
}

/** Sees to it that a part of the engine is there; where the module is whole, all of them are. */
export const loadPart = (name) => engine.loadPart(name);

export const parse = {
  principle: (text, language) => engine.readPrinciple(text, language),
  agreement: (text, language) => engine.readAgreement(text, language),
  amount: (text, language) => engine.readAmount(text, language),
  ranking: (text, language) => engine.readRanking(text, language),
  choice: (text, language) => engine.readChoice(text, language),
  vote: (text, language, choices) => engine.readVote(text, language, choices),
  critique: (text, language) => engine.readCritique(text, language),
};

/** The configuration as often as it is to be repeated, each under a seed of its own. */
export const repetitions = (config, times) => engine.repetitionsOf(config, times);
/** Every fault of a configuration of any protocol, told in a language. */
export const check = (config, language) => engine.checkConfig(config, language);
/** The protocols, by the names that configurations use. */
export const protocols = () => engine.protocolNames();
/** What can be set in a configuration of a protocol. */
export const spec = (protocol) => engine.specOf(protocol);
/** Configurations to begin with, of all protocols. */
export const presets = () => engine.presetConfigs();
/** The table of prices to begin with, dated. */
export const prices = () => engine.priceTable();
/** What is known of a provider's models by name. */
export const catalogue = (provider) => engine.catalogueOf(provider);
/** A configuration with the rows of the table for its models. */
export const priced = (config, table) => engine.pricedConfig(config, table);
/** What a run of a configuration may come to. */
export const forecast = (config) => engine.forecastOf(config);
/** Every prompt with its variables. */
export const prompts = (language) => engine.promptTexts(language);

export const justice = {
  apply: ({ principle, amount }, distributions, probabilities = null) =>
    engine.applyPrinciple(principle, amount, distributions, probabilities),
};

export const debate = {
  similarity: (a, b) => engine.measureSimilarity(a, b),
  rhetoric: (text, language) => engine.observeRhetoric(text, language),
};
