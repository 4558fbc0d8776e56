// The set-up of a run: a preset or an own configuration, as a form or as YAML or JSON, both ways.
import { allowOrigins } from "./allow-origins.js";
import { parserFor, schema, writeConfig } from "./configtext.js";
import { drawing } from "./elements.tsx";
import { download, freshSeed } from "./engine.js";
import { protocolOf } from "./fields.js";
import type { Config } from "./fields/controls.tsx";
import { switched } from "./fields/switch-protocol.js";
import { forecaster, hasModels } from "./forecast.tsx";
import { classPresets, localised, presetsFor } from "./home/presets.js";
import { language, t } from "./i18n.js";
import { endpoints, onKeys } from "./keys.js";
import type { Message } from "./notice.tsx";
import { guestConfig, guestOrigin, takeReturnRule } from "./opener.js";
import { allows, otherOrigins } from "./origins.js";
import type { Language } from "./pkg/quorate.d.ts";
import { priced } from "./prices.js";
import { type Actions, canCap, type CheckResult, type Draft, type Engine, ErrorText, type Finding, type Mode,
  type Parse, type Preset, runsOf, Setup, type Shown } from "./setup-page.tsx";
import { repeated } from "./study/repeated.js";
import { keepStudy } from "./study/studies.js";
import { textOf } from "./text-file.js";

/** Most bytes of a configuration's file. */
const LARGEST_FILE = 8_000_000;
/** Milliseconds without edits before they are checked. */
const QUIET = 250;

/** Kept while other views are shown. */
let draft: Draft | null = null;
/** Configurations of the other protocols. */
const drafts = new Map<string, Draft>();
let mode: Mode = "form";
/** Starts the set-up with a configuration. */
export const takeDraft = (config: Config) => {
  draft = draftFrom("", config);
};
const draftFrom = (from: string, config: Config): Draft => ({ from, config, origin: structuredClone(config) });
/** A preset with a new seed, which is shown; the preset's own seed is used only if it is typed. */
function draftOfPreset(preset: Preset): Draft {
  const config = { ...localised(preset), seed: freshSeed() };
  return { ...draftFrom(preset.id, config), seed: config.seed };
}

export async function view({ args: [wanted], engine }: { args: (string | undefined)[]; engine: Engine }) {
  const all: Preset[] = engine.presets();
  const presets: Preset[] = [...presetsFor(all), ...classPresets(all)];
  const known = presets.find((one) => one.id === wanted);
  const received = guestConfig();
  if (received) draft = draftFrom("", received);
  else if (known && draft?.from !== wanted) draft = draftOfPreset(known);
  draft ??= presets[0] ? draftOfPreset(presets[0]) : draftFrom("", { agents: [] });

  let shown: Shown = { draft, mode, drawing: 0, text: null, checked: { faults: [], warnings: [] }, check: 0,
    isStale: false, message: {}, switched: null, runs: 1, cap: undefined, forecast: null, lastForecast: null,
    unknown: wanted && !known ? wanted : null, guest: guestOrigin() };
  /** What is wrong with the text, if it cannot be read. */
  let textFault: Finding | null = null;
  /** What was typed as text is being read. */
  let reading: Promise<void> = Promise.resolve();
  let timer = 0;

  const change = (changes: Partial<Shown>) => {
    shown = { ...shown, ...changes };
    page.show(component());
  };
  const setMessage = (message: Message) => change({ message });

  function checkedNow(): CheckResult {
    if (textFault) return { faults: [textFault], warnings: [] };
    try {
      return engine.check(withPrices(shown.draft.config), language() as Language);
    } catch (error) {
      // A value that is not plain data cannot be checked: shown as a fault.
      return { faults: [{ path: "", message: (error as Error).message }], warnings: [] };
    }
  }
  function check() {
    const { config } = shown.draft;
    change({ checked: checkedNow(), check: shown.check + 1, isStale: false,
      ...!hasModels(config) && { lastForecast: null } });
    updateForecast();
  }
  const updateForecast = () =>
    forecasts.update(shown.checked.faults.length ? null : shown.draft.config, runsOf(shown) ?? 1);
  const forecasts = forecaster(engine,
    (forecast) => change({ forecast, ...forecast && { lastForecast: forecast.single } }));
  const changed = () => {
    clearTimeout(timer);
    timer = window.setTimeout(check, QUIET);
  };
  /** With prices, which a spending limit needs. A configuration with faults is returned unchanged. */
  function withPrices(config: Config) {
    try {
      return config.limits?.max_cost === undefined ? config : priced(engine, config);
    } catch {
      return config;
    }
  }

  const textEditorOf = async ({ config }: Draft) =>
    mode === "form" ? null : { typed: await writeConfig(config, mode), parse: await parserFor(mode) };

  /** Shows a configuration, in another mode if there is one. */
  async function show(next: Draft, nextMode = mode, more: Partial<Shown> = {}) {
    textFault = null;
    draft = next;
    mode = nextMode;
    change({ ...more, draft: next, mode, text: await textEditorOf(next), drawing: shown.drawing + 1 });
    check();
  }

  /** Retitles a configuration whose subject was changed, with the new subject. */
  function retitled() {
    const { config: given, origin } = shown.draft;
    const config = structuredClone(given);
    const matter = ({ topic, question }: Config) => topic ?? question;
    const about = matter(config);
    const isOther = typeof about === "string" && about.trim() && about !== matter(origin);
    if (isOther && config.title === origin.title) config.title = about.trim().split("\n")[0]!.slice(0, 80);
    return config;
  }

  async function start() {
    await reading;
    if (textFault) return check();
    const cap = canCap(shown) ? shown.cap : undefined;
    // A limit that cannot be read is none.
    if (typeof cap === "string") return document.getElementById("repeat-cap")!.focus();
    try {
      const config = retitled();
      const blocked = [...endpoints(config).keys(), ...otherOrigins(config)].filter((origin) => !allows(origin));
      // What is made is stored before the reload, and started after it.
      const before = () => make(config, cap);
      if (
        blocked.length && (await allowOrigins(blocked, { without: t("allow.without"), before })) !== "without"
      ) return;
      const rule = takeReturnRule();
      if (rule && protocolOf(config) === "debate") config.after = [...(config.after ?? []), rule];
      const at = await make(config, cap);
      engine.Library.persist().catch(() => {});
      location.hash = at;
    } catch (error) {
      const { code, detail } = error as { code?: string; detail?: unknown };
      if (code === "config" && Array.isArray(detail)) return check();
      setMessage({ text: t("home.failed"), error });
    }
  }

  /** Makes a session of a configuration, or a study of several. Resolves to the address that shows it. */
  async function make(config: Config, cap: number | undefined) {
    const { draft } = shown;
    const times = runsOf(shown) ?? 1;
    const used = draft.config.seed;
    // The next run gets a new seed, unless the seed was typed.
    if (draft.seed !== undefined && used === draft.seed) draft.config.seed = draft.seed = freshSeed();
    if (times === 1) return `#/run/${await engine.create(config)}`;
    const budget = cap === undefined ? undefined : { [shown.lastForecast?.cost ? "cost" : "calls"]: cap };
    const file = await repeated(engine, config, times, budget);
    await keepStudy(file, true);
    return `#/study/${file.id}`;
  }

  /** Returns whether the text, if it is being edited, is a configuration; else says that it is not. */
  async function isRead() {
    await reading;
    if (textFault) setMessage({ text: t("setup.mendfirst") });
    return !textFault;
  }

  async function take(typed: string, parse: Parse) {
    let fault: Finding | null = null;
    let config: Config | null = null;
    try {
      config = await parse(typed);
    } catch (error) {
      fault = { path: "", message: (error as Error).message, cause: (error as Error).cause };
    }
    if (typed !== shown.text?.typed) return;
    if (config) shown.draft.config = config;
    textFault = fault;
    changed();
  }

  const actions: Actions = {
    changed,
    start: () => void start(),
    async invite() {
      const { inviteTo } = await import("./rooms/hosted-rooms.js");
      await inviteTo(retitled(), engine);
    },
    async load(file) {
      try {
        const parse = await parserFor(/\.json$/i.test(file.name) ? "json" : "yaml");
        const config = await parse(await textOf(file, LARGEST_FILE));
        await show(draftFrom("", config), mode, { message: {}, switched: null });
      } catch (error) {
        const text = (
          <>
            {t("setup.notread", { name: file.name })} <ErrorText of={error as Error} />
          </>
        );
        change({ message: { text }, isStale: true });
      }
    },
    async save() {
      const format = mode === "json" ? "json" : "yaml";
      download({ name: `quorate.${format}`, type: `application/${format}`,
        text: await writeConfig(shown.draft.config, format, { schema: schema() }) });
    },
    rewrite(typed) {
      const { parse } = shown.text!;
      change({ text: { typed, parse } });
      reading = take(typed, parse);
    },
    async pickMode(name) {
      // Redrawing would lose text that cannot be parsed yet.
      if (name !== mode && (await isRead())) await show(shown.draft, name, { message: {} });
    },
    pickPreset: (preset) => void show(draftOfPreset(preset), mode, { unknown: null, switched: null }),
    /** Settings with the same meaning are copied; the rest is restored on the way back. */
    async pickProtocol(protocol) {
      if (!(await isRead())) return;
      const before = shown.draft;
      const from = protocolOf(before.config);
      drafts.set(from, before);
      const preset = presets.find(({ config }) => protocolOf(config) === protocol);
      const base = drafts.get(protocol) ?? (preset ? draftOfPreset(preset) : draftFrom("", { protocol, agents: [] }));
      const { config, kept, behind } = switched(before.config, before.origin, base.config);
      await show({ ...base, config }, mode, { switched: { kept, behind, from } });
    },
    setRuns(runs) {
      change({ runs });
      updateForecast();
    },
    setCap: (cap) => change({ cap }),
    keepResult() {
      takeReturnRule();
      change({ guest: null });
    },
  };
  const component = () => <Setup shown={shown} actions={actions} engine={engine} presets={presets} />;
  shown.text = await textEditorOf(draft);
  const page = drawing(component());
  check();
  const unwatch = onKeys(changed);
  return { node: page.node, title: t("setup.title"), leave() {
    unwatch();
    clearTimeout(timer);
    forecasts.leave();
    page.leave();
  } };
}
