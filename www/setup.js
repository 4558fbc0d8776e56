// Set up a run: take a preset or write an own configuration, as a form or as YAML or JSON, both ways.
import { h, put, button } from "./dom.js";
import { t, has, language, list, number } from "./i18n.js";
import { configForm, labelOf } from "./form.js";
import { localised, presetsFor, presetTitle } from "./home.js";
import { download, freshSeed } from "./engine.js";
import { runAll } from "./repeat.js";
import { allow } from "./allow.js";
import { endpoints, keyFields, keysMissing, masked, nameOf, onKeys } from "./keys.js";
import { keeps, state as vaultState } from "./vault.js";
import { openDialog } from "./dialog.js";
import { allows, otherOrigins } from "./origins.js";
import { protocolOf, protocols } from "./fields.js";
import { schema, reader, toldOf, written } from "./configtext.js";
import { switched } from "./fields/switch.js";
import { recorded, setRecorded } from "./recorded.js";
import { forecastPanel, hasModels } from "./forecast.js";
import { priced } from "./prices.js";
import { guestConfig, guestOrigin, takeRule } from "./launch.js";

/** Runs of one configuration at once, at most. */
const MOST_RUNS = 200;

/** The configuration at work here, with what it began as; kept while other views are shown. */
let draft = null;
/** What was at work in the other protocols. */
const drafts = new Map();
let mode = "form";
/** Begins set-up with a configuration. */
export const takeDraft = (config) => {
  draft = begun("", config);
};
const begun = (from, config) => ({ from, config, origin: structuredClone(config) });
/** A preset under a seed of its own, which is shown: none runs again under the preset's unless somebody types that. */
function begunWith(preset) {
  const config = { ...localised(preset), seed: freshSeed() };
  return { ...begun(preset.id, config), seed: config.seed };
}

/** A setting in the words of the form; keys that it does not have stay as they are. */
const settingName = (key) => (has(`field.${key}`) ? t(`field.${key}`) : key);

export async function view({ args: [wanted], engine }) {
  const presets = presetsFor(engine.presets());
  const presetOf = (protocol) => presets.find(({ config }) => protocolOf(config) === protocol);
  const known = presets.find((one) => one.id === wanted);
  if (known && draft?.from !== wanted) draft = begunWith(known);
  const unknown = wanted && !known
    ? h("p", { class: "said", "data-ok": "false", role: "alert", "data-testid": "unknown-preset" },
      t("setup.unknown", { name: wanted }))
    : null;
  const handed = guestConfig();
  if (handed) draft = begun("", handed);
  draft ??= presets[0] ? begunWith(presets[0]) : begun("", { agents: [] });

  const place = h("div", { class: "setup-place" });
  const faultList = h("div", { class: "checks", role: "status", "aria-live": "polite", "data-testid": "faults" });
  const said = h("p", { class: "said", role: "alert" });
  const start = button(t("setup.start"), begin, { icon: "play", testid: "setup-start",
    class: "button button-primary button-large" });
  const people = button(t("setup.invite"), async () => {
    const { inviteTo } = await import("./rooms/open.js");
    await inviteTo(titled(structuredClone(draft.config)), engine);
  }, { icon: "people", testid: "setup-invite", class: "button button-large" });
  const forecast = forecastPanel({ engine, onTold: tellPayer });
  const pays = h("span", { "data-testid": "guest-pays" });
  const again = h("label", { class: "tickbox again" },
    h("input", { type: "checkbox", checked: recorded() === "use", "data-testid": "recorded",
      on: { change: (event) => setRecorded(event.target.checked) } }),
    h("span", null, t("recorded.use"), " ", h("span", { class: "quiet" }, t("recorded.use.text"))));
  const often = h("input", { type: "number", inputmode: "numeric", id: "repeat", min: 1, max: MOST_RUNS, step: 1,
    value: 1, "data-testid": "repeat", "aria-describedby": "repeat-help repeat-fault", on: { input: tellOften } });
  const oftenFault = h("p", { class: "fault", id: "repeat-fault", role: "status" });
  const repeat = h("div", { class: "field again" }, h("label", { for: "repeat" }, t("setup.repeat")), often,
    h("p", { class: "help", id: "repeat-help" }, t("setup.repeat.help")), oftenFault);
  /** How often it is to be run; null for what is no such number. */
  const runs = () => {
    const times = repeat.hidden ? 1 : Number(often.value);
    return Number.isInteger(times) && times >= 1 && times <= MOST_RUNS ? times : null;
  };
  function tellOften() {
    const times = runs();
    put(oftenFault, times ? "" : t("setup.repeat.fault", { most: MOST_RUNS }));
    often.setAttribute("aria-invalid", String(!times));
    start.disabled = hasFaults || !times;
    start.lastChild.textContent = times > 1
      ? t("setup.repeat.start", { n: times })
      : t("setup.start");
  }
  let form = null;
  let textFault = null;
  let hasFaults = false;
  let timer = 0;

  function check() {
    let found = { faults: [], warnings: [] };
    try {
      if (textFault) found.faults = [textFault];
      else found = engine.check(withPrices(draft.config), language());
    } catch (error) {
      // What is no plain data cannot be checked, and that is a fault too.
      found.faults = [{ path: "", message: error.message }];
    }
    form?.showFaults(found.faults);
    forecast.update(found.faults.length ? null : draft.config);
    again.hidden = !hasModels(draft.config);
    if (again.hidden) tellPayer();
    hasFaults = found.faults.length > 0;
    // Where people sit at the table, somebody has to be there for each run.
    repeat.hidden =
      (Array.isArray(draft.config.agents) ? draft.config.agents : []).some((agent) => agent?.kind === "human")
      || (protocolOf(draft.config) === "discussion" && draft.config.start !== "at_once");
    tellOften();
    // A long list scrolls, also by keyboard.
    if (found.faults.length + found.warnings.length) faultList.tabIndex = 0;
    else faultList.removeAttribute("tabindex");
    const item = (one) => h("li", null, one.path && [named(one.path), ": "], toldOf(one));
    put(faultList, found.faults.length
      ? [h("p", { class: "bad" }, t("setup.faults", { n: found.faults.length })), h("ul", null, found.faults.map(item))]
      : keyless() ?? h("p", { class: "good" }, t("setup.nofaults")), found.warnings.length
      ? [h("p", null, t("setup.warnings", { n: found.warnings.length })), h("ul", null, found.warnings.map(item))]
      : null);
  }
  /** A setting by the name under which the form has it, which leads there. */
  const named = (path) => {
    const label = labelOf(draft.config, path);
    const [name, title] = label ? [label, path] : [h("code", null, path), null];
    return form
      ? h("button", { class: "link", type: "button", title, on: { click: () => form.goTo(path) } }, name)
      : h("b", { title }, name);
  };
  /** That models cannot be asked yet: no fault, since a key can come as long as the run goes on. */
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
  /** With what it is about as its title, where that is another matter than the one that its title was made for. */
  function titled(config) {
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
  /** As it is going to run: a cap on money needs to know the prices. What has faults stays as it is. */
  function withPrices(config) {
    try {
      return config.limits?.max_cost === undefined ? config : priced(engine, config);
    } catch {
      return config;
    }
  }

  async function begin() {
    try {
      const config = titled(structuredClone(draft.config));
      const blocked = [...endpoints(config).keys(), ...otherOrigins(config)].filter((origin) => !allows(origin));
      // The session is stored before the page loads anew, and begins then.
      if (blocked.length
        && (await allow(blocked, { without: t("allow.without"), before: async () => (await made(config)).at }))
          !== "without") return;
      const rule = takeRule();
      if (rule && protocolOf(config) === "debate") config.after = [...(config.after ?? []), rule];
      const { ids, at } = await made(config);
      engine.Library.persist().catch(() => {});
      if (ids.length > 1) runAll(ids.map((id) => ({ id, title: config.title || t("untitled") })));
      location.hash = at;
    } catch (error) {
      if (error.code === "config" && Array.isArray(error.detail)) return check();
      put(said, t("home.failed"), " ", h("span", { lang: "en" }, error.message));
    }
  }

  /** The sessions of a configuration, as many as are wanted, and the address where they are seen. */
  async function made(config) {
    const times = runs();
    const ids = [];
    for (const one of times > 1 ? engine.repetitions(config, times) : [config]) ids.push(await engine.create(one));
    // Who has not typed the seed gets another one for what is begun next.
    if (draft.seed !== undefined && draft.config.seed === draft.seed) draft.config.seed = draft.seed = freshSeed();
    if (times === 1) return { ids, at: `#/run/${ids[0]}` };
    const all = await engine.Library.list();
    return { ids, at: `#/library/${all.find((one) => one.id === ids[0])?.config_hash ?? ""}` };
  }

  /** Goes on with another protocol; what means the same there goes along, and the rest is there again on the way back. */
  async function swap(protocol) {
    const before = draft;
    drafts.set(protocolOf(before.config), before);
    const preset = presetOf(protocol);
    const base = drafts.get(protocol) ?? (preset ? begunWith(preset) : begun("", { protocol, agents: [] }));
    const { config, kept, behind } = switched(before.config, before.origin, base.config);
    draft = { ...base, config };
    const names = (keys) => list(keys.map(settingName));
    put(told, kept.length ? h("p", null, t("setup.carried", { list: names(kept) })) : null, behind.length
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
    const read = await reader(format);
    const field = h("textarea", { id: "config-text", class: "code", rows: "26", spellcheck: "false",
      autocapitalize: "off", "data-testid": "config-text", "aria-describedby": "config-text-help",
      value: await written(draft.config, format), on: { input: () => {
        try {
          draft.config = read(field.value);
          textFault = null;
        } catch (error) {
          textFault = { path: "", message: error.message, cause: error.cause };
        }
        changed();
      } } });
    return h("div", { class: "stack" }, h("label", { for: "config-text" }, t(`setup.${format}.label`)),
      h("p", { class: "help", id: "config-text-help" }, t("setup.text.help")), field);
  }

  const file = h("input", { type: "file", id: "config-file", class: "sr-only", accept: ".yaml,.yml,.json",
    on: { change: async () => {
      const [picked] = file.files;
      file.value = "";
      if (!picked) return;
      try {
        draft = begun("", (await reader(/\.json$/i.test(picked.name) ? "json" : "yaml"))(await picked.text()));
        put(said);
        put(told);
        await draw();
      } catch (error) {
        put(said, t("setup.notread", { name: picked.name }), " ", toldOf(error));
        // That the configuration from before has no faults would be taken for the file's.
        faultList.querySelector(".good")?.remove();
      }
    } } });
  const save = button(t("setup.save"), async () => {
    const format = mode === "json" ? "json" : "yaml";
    download({ name: `quorate.${format}`, type: `application/${format}`,
      text: await written(draft.config, format, { schema: schema() }) });
  }, { kind: "quiet", testid: "config-save" });

  const tabs = ["form", "yaml", "json"].map((name) =>
    h("button", { type: "button", class: "tab", "data-mode": name, "data-testid": `mode-${name}`,
      on: { click: async () => {
        // Drawn anew, the text would lose what is typed and cannot be read yet.
        if (name === mode) return;
        if (textFault) return put(said, t("setup.mendfirst"));
        put(said);
        mode = name;
        await draw();
      } } }, t(`setup.${name}`))
  );
  const preset = h("select", { id: "preset", "data-testid": "preset", on: { change: async () => {
    const picked = presets.find((one) => one.id === preset.value);
    if (!picked) return;
    draft = begunWith(picked);
    unknown?.remove();
    put(told);
    await draw();
  } } });
  const told = h("div", { class: "told", role: "status", "data-testid": "told" });
  const radios = protocols().map((protocol) =>
    h("input", { type: "radio", name: "protocol", value: protocol, "data-testid": `protocol-${protocol}`,
      on: { change: async () => {
        if (!textFault) return swap(protocol);
        put(said, t("setup.mendfirst"));
        for (const radio of radios) radio.checked = radio.value === protocolOf(draft.config);
      } } })
  );
  const procedures = h("fieldset", { class: "protocols" }, h("legend", null, t("setup.what")),
    h("div", { class: "protocol-cards" },
      radios.map((radio) =>
        h("label", { class: "protocol-card" }, radio,
          h("span", null, h("b", null, t(`protocol.${radio.value}`)),
            h("span", { class: "quiet" }, t(`protocol.${radio.value}.text`))))
      )), told);

  const from = guestOrigin();
  /** Whose key pays for what another page handed in, and for how many calls at most; without a forecast: nobody's. */
  function tellPayer(/** @type {import("./pkg/quorate.js").Forecast | null} */ told = null) {
    const hosts = [...endpoints(draft.config).keys()];
    if (!told || !hosts.length) return put(pays, t("launch.free"));
    const most = draft.config.limits?.max_calls;
    const n = most ?? told.seats.reduce((sum, { kind, calls }) => sum + (kind === "model" ? calls.high : 0), 0);
    put(pays, t(most ? "launch.pays" : "launch.pays.open", {
      list: list(hosts.map((origin) => `${origin} (${masked(origin) || t("launch.nokey")})`)),
      n: number(n),
    }));
  }
  const guest = from
    && h("p", { class: "guest", "data-testid": "guest" }, t("launch.from", { origin: from }), " ", pays, " ",
      button(t("launch.keep"), () => {
        takeRule();
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
    again, repeat,
    h("div", { class: "setup-foot" }, faultList, said, h("div", { class: "setup-go" }, forecast.short, people, start)));
  await draw();
  const deaf = onKeys(changed);
  return { node, title: t("setup.title"), leave: () => {
    deaf();
    clearTimeout(timer);
    forecast.leave();
  } };
}
