// The set-up of a run: a preset or an own configuration, as a form or as YAML or JSON, both ways.
import { h, put, button } from "./dom.js";
import { t, has, language, list, number } from "./i18n.js";
import { configForm, labelOf } from "./form.js";
import { localised, presetsFor, presetTitle } from "./home/presets.js";
import { download, freshSeed } from "./engine.js";
import { runAll } from "./batch.js";
import { allowOrigins } from "./allow-origins.js";
import { endpoints, keyFields, keysMissing, masked, nameOf, onKeys } from "./keys.js";
import { keeps, state as vaultState } from "./vault.js";
import { openDialog } from "./dialog.js";
import { allows, otherOrigins } from "./origins.js";
import { protocolOf, protocols } from "./fields.js";
import { schema, parserFor, errorNodes, writeConfig } from "./configtext.js";
import { switched } from "./fields/switch-protocol.js";
import { recorded, setRecorded } from "./answer-reuse.js";
import { forecastPanel, hasModels } from "./forecast.js";
import { numberField } from "./answer/number-field.tsx";
import { textOf } from "./text-file.js";
import { priced } from "./prices.js";
import { guestConfig, guestOrigin, takeReturnRule } from "./opener.js";

/** Most bytes of a configuration's file. */
const LARGEST_FILE = 8_000_000;
/** Most runs of one configuration at once. */
const MOST_RUNS = 200;

/** The configuration being edited, and its origin; kept while other views are shown. */
let draft = null;
/** Configurations of the other protocols. */
const drafts = new Map();
let mode = "form";
/** Starts the set-up with a configuration. */
export const takeDraft = (config) => {
  draft = draftFrom("", config);
};
const draftFrom = (from, config) => ({ from, config, origin: structuredClone(config) });
/** A preset with a new seed, which is shown; the preset's own seed is used only if it is typed. */
function draftOfPreset(preset) {
  const config = { ...localised(preset), seed: freshSeed() };
  return { ...draftFrom(preset.id, config), seed: config.seed };
}

/** The form's name of a setting, or its key. */
const settingName = (key) => (has(`field.${key}`) ? t(`field.${key}`) : key);

export async function view({ args: [wanted], engine }) {
  const presets = presetsFor(engine.presets());
  const presetOf = (protocol) => presets.find(({ config }) => protocolOf(config) === protocol);
  const known = presets.find((one) => one.id === wanted);
  if (known && draft?.from !== wanted) draft = draftOfPreset(known);
  const unknown = wanted && !known
    ? h("p", { class: "said", "data-ok": "false", role: "alert", "data-testid": "unknown-preset" },
      t("setup.unknown", { name: wanted }))
    : null;
  const received = guestConfig();
  if (received) draft = draftFrom("", received);
  draft ??= presets[0] ? draftOfPreset(presets[0]) : draftFrom("", { agents: [] });

  const place = h("div", { class: "setup-place" });
  const faultList = h("div", { class: "checks", role: "status", "aria-live": "polite", "data-testid": "faults" });
  const notice = h("p", { class: "said", role: "alert" });
  const start = button(t("setup.start"), begin, { icon: "play", testid: "setup-start",
    class: "button button-primary button-large" });
  const people = button(t("setup.invite"), async () => {
    const { inviteTo } = await import("./rooms/hosted-rooms.js");
    await inviteTo(retitle(structuredClone(draft.config)), engine);
  }, { icon: "people", testid: "setup-invite", class: "button button-large" });
  const forecast = forecastPanel({ engine, onForecast: (result) => {
    showPayer(result);
    showCap(result);
  } });
  const pays = h("span", { "data-testid": "guest-pays" });
  const again = h("label", { class: "tickbox again" },
    h("input", { type: "checkbox", checked: recorded() === "use", "data-testid": "recorded",
      on: { change: (event) => setRecorded(event.target.checked) } }),
    h("span", null, t("recorded.use"), " ", h("span", { class: "quiet" }, t("recorded.use.text"))));
  const often = numberField({ language: language(), isWhole: true, id: "repeat", value: 1, "data-testid": "repeat",
    "aria-describedby": "repeat-help repeat-fault", changed: showRuns });
  const oftenFault = h("p", { class: "fault", id: "repeat-fault", role: "status" });
  const repeat = h("div", { class: "field again" }, h("label", { for: "repeat" }, t("setup.repeat")), often.node,
    h("p", { class: "help", id: "repeat-help" }, t("setup.repeat.help")), oftenFault);
  /** The limit for all runs: in money, or in calls if the price of a model is unknown. */
  const cap = numberField({ language: language(), id: "repeat-cap", placeholder: t("field.nolimit"),
    "data-testid": "repeat-cap", "aria-describedby": "repeat-cap-help" });
  const capName = h("label", { for: "repeat-cap" }, t("setup.repeat.capcalls"));
  const capField = h("div", { class: "field again", hidden: true }, capName, cap.node,
    h("p", { class: "help", id: "repeat-cap-help" }, t("setup.repeat.cap.help")));
  let isCapInMoney = false;
  function showCap(result) {
    isCapInMoney = Boolean(result.cost);
    put(capName, t(isCapInMoney ? "setup.repeat.cap" : "setup.repeat.capcalls"),
      isCapInMoney && ` (${result.currency})`);
  }
  /** The number of runs; null if it is invalid. */
  const runCount = () => {
    const times = repeat.hidden ? 1 : often.read();
    return typeof times === "number" && Number.isInteger(times) && times >= 1 && times <= MOST_RUNS ? times : null;
  };
  const ready = h("p", { class: "good" }, t("setup.nofaults"));
  function showRuns() {
    const times = runCount();
    ready.hidden = !times;
    forecast.update(hasFaults ? null : draft.config, times ?? 1);
    capField.hidden = !(times > 1 && hasModels(draft.config));
    put(oftenFault, times ? "" : t("setup.repeat.fault", { most: MOST_RUNS }));
    often.input.setAttribute("aria-invalid", String(!times));
    start.disabled = hasFaults || !times;
    start.lastChild.textContent = times > 1
      ? t("setup.repeat.start", { n: times })
      : t("setup.start");
  }
  let form = null;
  let textFault = null;
  /** What was typed as text is being read. */
  let reading = Promise.resolve();
  let hasFaults = false;
  let timer = 0;

  function check() {
    let found = { faults: [], warnings: [] };
    try {
      if (textFault) found.faults = [textFault];
      else found = engine.check(withPrices(draft.config), language());
    } catch (error) {
      // A value that is not plain data cannot be checked: shown as a fault.
      found.faults = [{ path: "", message: error.message }];
    }
    form?.showFaults(found.faults);
    again.hidden = !hasModels(draft.config);
    if (again.hidden) showPayer();
    hasFaults = found.faults.length > 0;
    // People at the table would have to be present for each run.
    repeat.hidden =
      (Array.isArray(draft.config.agents) ? draft.config.agents : []).some((agent) => agent?.kind === "human")
      || (protocolOf(draft.config) === "discussion" && draft.config.start !== "at_once");
    showRuns();
    // Focusable, so that a long list can be scrolled by keyboard.
    if (found.faults.length + found.warnings.length) faultList.tabIndex = 0;
    else faultList.removeAttribute("tabindex");
    const item = (one) => h("li", null, one.path && [settingLink(one.path), ": "], errorNodes(one));
    put(faultList, found.faults.length
      ? [h("p", { class: "bad" }, t("setup.faults", { n: found.faults.length })), h("ul", null, found.faults.map(item))]
      : keyless() ?? ready, found.warnings.length
      ? [h("p", null, t("setup.warnings", { n: found.warnings.length })), h("ul", null, found.warnings.map(item))]
      : null);
  }
  /** A setting as a link to its field in the form. */
  const settingLink = (path) => {
    const label = labelOf(draft.config, path);
    const [name, title] = label ? [label, path] : [h("code", null, path), null];
    return form
      ? h("button", { class: "link", type: "button", title, on: { click: () => form.goTo(path) } }, name)
      : h("b", { title }, name);
  };
  /** A note on missing keys: not a fault, since keys can be entered during the run. */
  function keyless() {
    const missing = keysMissing(draft.config);
    if (!missing.length) return null;
    const isLocked = vaultState() === "locked" && missing.some(keeps);
    const enter = () =>
      openDialog(t("keys"), (close) => [keyFields(draft.config), h("p", { class: "row end" }, button(t("close"), () =>
        close(), { kind: "primary" }))]);
    const unlock = () => import("./models/vault_panel.js").then(({ unlockDialog }) => unlockDialog());
    return h("p", { "data-testid": "keyless" },
      t(isLocked ? "setup.locked" : "setup.nokey", { list: list(missing.map(nameOf)) }), " ",
      h("button", { class: "link", type: "button", on: { click: isLocked ? unlock : enter } },
        t(isLocked ? "vault.unlock" : "halt.key")));
  }
  /** Retitles a configuration whose subject was changed, with the new subject. */
  function retitle(config) {
    const matter = ({ topic, question }) => topic ?? question;
    const about = matter(config);
    const isOther = typeof about === "string" && about.trim() && about !== matter(draft.origin);
    if (isOther && config.title === draft.origin.title) config.title = about.trim().split("\n")[0].slice(0, 80);
    return config;
  }
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(check, 250);
  };
  /** With prices, which a spending limit needs. A configuration with faults is returned unchanged. */
  function withPrices(config) {
    try {
      return config.limits?.max_cost === undefined ? config : priced(engine, config);
    } catch {
      return config;
    }
  }

  async function begin() {
    await reading;
    if (textFault) return check();
    // A limit that cannot be read is none.
    if (!capField.hidden && cap.isUnclear()) return cap.input.focus();
    try {
      const config = retitle(structuredClone(draft.config));
      const blocked = [...endpoints(config).keys(), ...otherOrigins(config)].filter((origin) => !allows(origin));
      // The session is stored before the reload, and started after it.
      if (blocked.length
        && (await allowOrigins(blocked, { without: t("allow.without"), before: async () =>
            (await createSessions(config)).at }))
          !== "without") return;
      const rule = takeReturnRule();
      if (rule && protocolOf(config) === "debate") config.after = [...(config.after ?? []), rule];
      const { ids, at } = await createSessions(config);
      engine.Library.persist().catch(() => {});
      const most = capField.hidden ? undefined : cap.read();
      if (ids.length > 1) {
        runAll(ids.map((id) => ({ id, title: config.title || t("untitled") })),
          typeof most === "number" ? { [isCapInMoney ? "cost" : "calls"]: most } : null);
      }
      location.hash = at;
    } catch (error) {
      if (error.code === "config" && Array.isArray(error.detail)) return check();
      put(notice, t("home.failed"), " ", h("span", { lang: "en" }, error.message));
    }
  }

  /** Creates the sessions of a configuration and the address that shows them. */
  async function createSessions(config) {
    const times = runCount();
    const ids = [];
    for (const one of times > 1 ? engine.repetitions(config, times) : [config]) ids.push(await engine.create(one));
    // The next run gets a new seed, unless the seed was typed.
    if (draft.seed !== undefined && draft.config.seed === draft.seed) draft.config.seed = draft.seed = freshSeed();
    if (times === 1) return { ids, at: `#/run/${ids[0]}` };
    const all = await engine.Library.list();
    return { ids, at: `#/library/${all.find((one) => one.id === ids[0])?.config_hash ?? ""}` };
  }

  /** Switches to another protocol; settings with the same meaning are copied, the rest is restored on the way back. */
  async function switchProtocol(protocol) {
    const before = draft;
    drafts.set(protocolOf(before.config), before);
    const preset = presetOf(protocol);
    const base = drafts.get(protocol) ?? (preset ? draftOfPreset(preset) : draftFrom("", { protocol, agents: [] }));
    const { config, kept, behind } = switched(before.config, before.origin, base.config);
    draft = { ...base, config };
    const names = (keys) => list(keys.map(settingName));
    put(payerNote, kept.length ? h("p", null, t("setup.carried", { list: names(kept) })) : null, behind.length
      ? h("p", null, t("setup.behind", { list: names(behind), protocol: t(`protocol.${protocolOf(before.config)}`) }))
      : null);
    await draw();
  }

  async function draw() {
    textFault = null;
    form = null;
    const now = protocolOf(draft.config);
    for (const radio of radios) radio.checked = radio.value === now;
    const offered = presets.filter(({ config }) => protocolOf(config) === now);
    put(preset, h("option", { value: "" }, t("setup.ownconfig")),
      offered.map((one) => h("option", { value: one.id, selected: one.id === draft.from }, presetTitle(one))));
    if (mode === "form") {
      form = configForm({ config: draft.config, engine, onChange: changed });
      put(place, form.node);
    } else {
      put(place, await textEditor(mode));
    }
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.mode === mode));
    check();
  }

  async function textEditor(format) {
    const read = await parserFor(format);
    const field = h("textarea", { id: "config-text", class: "code", rows: "26", spellcheck: "false",
      autocapitalize: "off", "data-testid": "config-text", "aria-describedby": "config-text-help",
      value: await writeConfig(draft.config, format), on: { input: () => (reading = take()) } });
    /** Takes what is typed over; of several at once the last. */
    async function take() {
      const text = field.value;
      const [config, error] = await read(text).then((made) => [made, null], (fault) => [null, fault]);
      if (text !== field.value) return;
      if (config) draft.config = config;
      textFault = error && { path: "", message: error.message, cause: error.cause };
      changed();
    }
    return h("div", { class: "stack" }, h("label", { for: "config-text" }, t(`setup.${format}.label`)),
      h("p", { class: "help", id: "config-text-help" }, t("setup.text.help")), field);
  }

  const file = h("input", { type: "file", id: "config-file", class: "sr-only", accept: ".yaml,.yml,.json",
    on: { change: async () => {
      const [picked] = file.files;
      file.value = "";
      if (!picked) return;
      try {
        const parse = await parserFor(/\.json$/i.test(picked.name) ? "json" : "yaml");
        draft = draftFrom("", await parse(await textOf(picked, LARGEST_FILE)));
        put(notice);
        put(payerNote);
        await draw();
      } catch (error) {
        put(notice, t("setup.notread", { name: picked.name }), " ", errorNodes(error));
        // The message that there are no faults referred to the previous configuration.
        faultList.querySelector(".good")?.remove();
      }
    } } });
  const save = button(t("setup.save"), async () => {
    const format = mode === "json" ? "json" : "yaml";
    download({ name: `quorate.${format}`, type: `application/${format}`,
      text: await writeConfig(draft.config, format, { schema: schema() }) });
  }, { kind: "quiet", testid: "config-save" });

  const tabs = ["form", "yaml", "json"].map((name) =>
    h("button", { type: "button", class: "tab", "data-mode": name, "data-testid": `mode-${name}`,
      on: { click: async () => {
        // Redrawing would lose text that cannot be parsed yet.
        if (name === mode) return;
        await reading;
        if (textFault) return put(notice, t("setup.mendfirst"));
        put(notice);
        mode = name;
        await draw();
      } } }, t(`setup.${name}`))
  );
  const preset = h("select", { id: "preset", "data-testid": "preset", on: { change: async () => {
    const picked = presets.find((one) => one.id === preset.value);
    if (!picked) return;
    draft = draftOfPreset(picked);
    unknown?.remove();
    put(payerNote);
    await draw();
  } } });
  const payerNote = h("div", { class: "told", role: "status", "data-testid": "told" });
  const radios = protocols().map((protocol) =>
    h("input", { type: "radio", name: "protocol", value: protocol, "data-testid": `protocol-${protocol}`,
      on: { change: async () => {
        await reading;
        if (!textFault) return switchProtocol(protocol);
        put(notice, t("setup.mendfirst"));
        for (const radio of radios) radio.checked = radio.value === protocolOf(draft.config);
      } } })
  );
  const procedures = h("fieldset", { class: "protocols" }, h("legend", null, t("setup.what")),
    h("div", { class: "protocol-cards" },
      radios.map((radio) =>
        h("label", { class: "protocol-card" }, radio,
          h("span", null, h("b", null, t(`protocol.${radio.value}`)),
            h("span", { class: "quiet" }, t(`protocol.${radio.value}.text`))))
      )), payerNote);

  const from = guestOrigin();
  /**
   * Whose key pays for a configuration from another page, and for how many calls at most; hidden without a forecast.
   */
  function showPayer(/** @type {import("./pkg/quorate.js").Forecast | null} */ result = null) {
    const hosts = [...endpoints(draft.config).keys()];
    if (!result || !hosts.length) return put(pays, t("launch.free"));
    const most = draft.config.limits?.max_calls;
    const n = most ?? result.seats.reduce((sum, { kind, calls }) => sum + (kind === "model" ? calls.high : 0), 0);
    put(pays, t(most ? "launch.pays" : "launch.pays.open", {
      list: list(hosts.map((origin) => `${origin} (${masked(origin) || t("launch.nokey")})`)),
      n: number(n * (runCount() ?? 1)),
    }));
  }
  const guest = from
    && h("p", { class: "guest", "data-testid": "guest" }, t("launch.from", { origin: from }), " ", pays, " ",
      button(t("launch.keep"), () => {
        takeReturnRule();
        guest.remove();
      }, { kind: "quiet" }));
  const node = h("div", { class: "page setup" }, guest,
    h("div", { class: "page-head" },
      h("div", null, h("h1", null, t("setup.title")), h("p", { class: "lead" }, t("setup.lead")))), unknown, procedures,
    h("div", { class: "setup-bar" },
      h("div", { class: "field" }, h("label", { for: "preset" }, t("setup.preset")), preset),
      h("div", { class: "tabs", role: "group", "aria-label": t("setup.how") }, tabs),
      h("div", { class: "row" }, file,
        h("label", { for: "config-file", class: "button button-quiet" }, t("setup.load")), save)), place, forecast.node,
    again, repeat, capField,
    h("div", { class: "setup-foot" }, faultList, notice,
      h("div", { class: "setup-go" }, forecast.short, people, start)));
  await draw();
  const deaf = onKeys(changed);
  return { node, title: t("setup.title"), leave: () => {
    deaf();
    clearTimeout(timer);
    forecast.leave();
  } };
}
