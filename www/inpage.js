// Models that run inside this page: which are available, downloading one, and starting a discussion with it.
import { h, put, button, uid } from "./dom.js";
import { t, number } from "./i18n.js";
import { localised, presetsFor } from "./home/presets.js";
import { RUNNERS, answer } from "./inpage/runners.js";

export { answer };

/** A section of a view: one card for each runner. */
export async function inPageModels() {
  return h("div", { class: "providers three" }, await Promise.all(RUNNERS.map(card)));
}

async function card(one) {
  const { runner } = one;
  const reason = await one.trouble();
  const { node: body, list } = reason
    ? { node: h("p", { class: "note", "data-testid": "inpage-trouble" }, t(reason)) }
    : choice(one);
  // Stored models can only be listed by loading the library, so that waits until the card is opened.
  const node = h("details", { class: "provider", "data-testid": `inpage-${runner}`,
    on: { toggle: () => node.open && list?.() } },
    h("summary", null, h("h3", null, t(`inpage.${runner}`)), reason && h("span", { class: "quiet" }, t("inpage.not"))),
    h("div", { class: "provider-body" }, h("p", { class: "quiet" }, t(`inpage.${runner}.text`)), body));
  return node;
}

const gigabytes = (bytes) =>
  t("inpage.size", { n: number(bytes / 1e9, { maximumFractionDigits: bytes < 1e8 ? 3 : 1 }) });

/** Choosing, downloading and using a model of a runner. */
function choice(one) {
  const { runner } = one;
  const ids = { model: uid("inpage"), file: uid("inpage") };
  const notice = h("p", { class: "said", role: "status" });
  const meter = h("progress", { max: "1", value: "0", hidden: true, "aria-label": t("inpage.progress") });
  const kept = h("ul", { class: "plain inpage-kept" });
  const field = modelField(one, ids);
  let file = null;
  let stop = null;

  const get = button(t("inpage.get"), () => load(field.value()), { kind: "primary", testid: "inpage-get" });
  const halt = button(t("cancel"), () => stop?.abort(), { kind: "quiet" });
  halt.hidden = true;
  const picker = runner === "gguf"
    && h("input", { id: ids.file, class: "sr-only", type: "file", accept: ".gguf", "data-testid": "inpage-file",
      on: { change: () => {
        [file] = picker.files;
        picker.value = "";
        if (file) load(`file:${file.name}`);
      } } });

  async function load(model) {
    if (!model) return showMessage(false, t("inpage.which"));
    stop = new AbortController();
    get.disabled = true;
    halt.hidden = runner === "builtin";
    meter.hidden = false;
    meter.removeAttribute("value");
    showMessage(null, t("inpage.getting"));
    try {
      await one.load(model, (share) => (meter.value = Math.min(1, share)), { file, signal: stop.signal });
      showMessage(true, t("inpage.ready"));
    } catch (error) {
      showMessage(false, stop.signal.aborted ? t("inpage.stopped") : t("inpage.failed"), " ",
        !stop.signal.aborted && h("span", { lang: "en" }, error.message));
    }
    file = null;
    get.disabled = false;
    halt.hidden = true;
    meter.hidden = true;
    await list();
  }

  function showMessage(ok, ...text) {
    if (ok === null) delete notice.dataset.ok;
    else notice.dataset.ok = ok;
    put(notice, text);
  }

  /** The models stored in this browser. */
  async function list() {
    const models = await one.models().catch(() => []);
    field.offer(models);
    put(kept,
      models.filter((model) => model.isHere).map((model) =>
        h("li", { "data-testid": "inpage-kept" }, h("code", null, model.id),
          model.size && h("span", { class: "quiet" }, " ", gigabytes(model.size)),
          h("span", { class: "row" }, starter(runner, model.id), one.forget && button(t("inpage.forget"), async () => {
            await one.forget(model.id);
            showMessage(null, t("inpage.forgotten"));
            await list();
          }, { kind: "quiet", "aria-label": t("inpage.forget.of", { model: model.id }) })))
      ));
  }

  return {
    node: h("div", { class: "stack" }, field.node,
      h("div", { class: "row" }, get, picker,
        picker && h("label", { for: ids.file, class: "button" }, t("inpage.file")), halt), meter, notice, kept),
    list,
  };
}

/** The field that names a model of a runner. */
function modelField({ runner }, { model: id }) {
  if (runner === "builtin") return { node: null, value: () => "default", offer() {} };
  if (runner === "gguf") {
    const input = h("input", { id, type: "url", placeholder: "https://…/model.gguf", spellcheck: "false",
      "data-testid": "inpage-url" });
    return {
      node: h("div", { class: "field" }, h("label", { for: id }, t("inpage.url")), input,
        h("p", { class: "help" }, t("inpage.url.help"))),
      value: () => input.value.trim(),
      offer() {},
    };
  }
  const select = h("select", { id, "data-testid": "inpage-select" });
  return {
    node: h("div", { class: "field" }, h("label", { for: id }, t("inpage.model")), select),
    value: () => select.value,
    offer: (models) =>
      put(select, models.map((model) => h("option", { value: model.id }, `${model.id} · ${gigabytes(model.size)}`))),
  };
}

/** Starts a short discussion in which this model takes all seats. */
function starter(runner, model) {
  return button(t("inpage.start"), async () => {
    const engine = await import("./engine.js");
    const preset = presetsFor(engine.presets()).find(({ config }) =>
      config.protocol === "discussion" && !config.agents.some((agent) => agent.kind === "human")
    );
    const config = localised(preset);
    delete config.seed;
    config.agents = config.agents.map((agent) => ({ ...agent, kind: "custom", program: runner, model }));
    // Small models on one processor are slow.
    Object.assign(config, { turn_timeout: 600, limits: { ...config.limits, max_answer_tokens: 200 } });
    location.hash = `#/run/${await engine.create(config)}`;
  }, { kind: "primary", testid: "inpage-start", icon: "play" });
}
