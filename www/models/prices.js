// The table of prices: view, change, add.
import { h, put, button, uid } from "../dom.js";
import { t, language } from "../i18n.js";
import { numberField } from "../answer/number-field.tsx";
import { allows, originOf } from "../origins.js";
import { LIST, own, keep, refresh } from "../prices.js";

/** Rows shown without a search. */
const SHOWN = 12;

/** The folded content of the section. */
export function pricesPanel({ engine }) {
  const base = engine.prices();
  const rows = h("tbody");
  const count = h("p", { class: "quiet", role: "status" });
  const notice = h("p", { class: "said", role: "status", "data-testid": "prices-said" });
  const search = h("input", { id: uid("price"), type: "search", spellcheck: "false", "data-testid": "prices-search",
    on: { input: () => draw() } });

  const all = () =>
    Object.entries({ ...base.models, ...own() }).filter(([, row]) => row).sort(([a], [b]) => a.localeCompare(b));
  function save(model, row) {
    const mine = { ...own() };
    if (row === undefined) delete mine[model];
    else mine[model] = row;
    const isKept = keep(mine);
    notice.dataset.ok = isKept;
    put(notice, t(isKept ? "prices.kept" : "prices.notkept"));
  }
  /** The present row: its three fields change it one by one. */
  const now = (model) => own()[model] ?? base.models[model];
  const field = (model, key) => {
    const typed = numberField({ language: language(), class: "price", value: now(model)[key],
      placeholder: key === "cached" ? "–" : "", "aria-label": t("prices.of", { model, what: t(`prices.${key}`) }),
      "data-testid": `price-${key}` });
    const take = () => {
      // A number that may be two is asked about first.
      if (typed.isUnclear() && typed.node.querySelector("button")) return;
      const value = typed.read();
      // Only the price for cached tokens may be empty.
      if (value === undefined ? key !== "cached" : !(Number(value) >= 0)) return typed.write(now(model)[key]);
      const { [key]: _, ...rest } = now(model);
      save(model, value === undefined ? rest : { ...rest, [key]: value });
      mark(model);
    };
    typed.input.addEventListener("change", take);
    typed.node.addEventListener("click", ({ target }) => /** @type {Element} */ (target).closest("button") && take());
    return h("td", null, typed.node);
  };
  function line([model, _]) {
    const row = h("tr", { "data-model": model },
      h("th", { scope: "row" }, h("code", null, model), h("span", { class: "mark" })), field(model, "input"),
      field(model, "output"), field(model, "cached"), h("td", { class: "undo" }));
    fill(row, model);
    return row;
  }
  function fill(row, model) {
    const mine = model in own();
    row.classList.toggle("own", mine);
    put(row.querySelector(".mark"), mine && h("span", { class: "tag" }, t("prices.own")));
    const undo = t(model in base.models ? "prices.reset" : "prices.remove");
    put(row.querySelector(".undo"), mine && button(undo, () => {
      save(model, undefined);
      draw();
      search.focus();
    }, { class: "button button-quiet details", "aria-label": `${undo}: ${model}`, testid: "price-reset" }));
  }
  /** Marks changed rows without moving the focus. */
  function mark(model) {
    for (const row of rows.children) if (row.dataset.model === model) fill(row, model);
    updateCount();
  }
  const state = h("span", { class: "quiet", "data-testid": "prices-state" });
  const updateCount = () =>
    put(state, t("prices.date.short", { date: base.date }),
      Object.keys(own()).length > 0 && [" · ", t("prices.changed", { n: Object.keys(own()).length })]);
  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const found = all().filter(([model]) => model.toLowerCase().includes(wanted));
    const shown = wanted || rows.dataset.whole
      ? found
      : [...found].sort(([a], [b]) => Number(b in own()) - Number(a in own())).slice(0, SHOWN);
    put(rows, shown.map(line));
    updateCount();
    put(count, t("prices.count", { n: shown.length, all: found.length }), " ",
      shown.length < found.length && button(t("prices.all"), () => {
        rows.dataset.whole = "true";
        draw();
      }, { class: "link", testid: "prices-all" }));
  }

  const renew = button(t("prices.refresh"), async () => {
    if (!allows(originOf(LIST))) return void (await import("../allow-origins.js")).allowOrigins([originOf(LIST)]);
    renew.disabled = true;
    try {
      const { added, changed, isKept } = await refresh(engine);
      notice.dataset.ok = String(isKept);
      put(notice, isKept ? t("prices.refreshed", { added, changed }) : t("prices.notkept"));
      draw();
    } catch (error) {
      notice.dataset.ok = "false";
      put(notice, t("prices.refresh.failed"), " ", h("span", { lang: "en" }, error.message));
    }
    renew.disabled = false;
  }, { testid: "prices-refresh" });
  const ids = { model: uid("price"), input: uid("price"), output: uid("price") };
  const model = h("input", { id: ids.model, type: "text", required: true, spellcheck: "false",
    placeholder: "openai/gpt-5-mini", "data-testid": "prices-model" });
  const amounts = ["input", "output"].map((key) =>
    numberField({ language: language(), id: ids[key], required: true, "data-testid": `prices-${key}` })
  );
  const add = h("form", { class: "row prices-add", on: { submit: (event) => {
    event.preventDefault();
    const unset = amounts.find((one) => !(Number(one.read()) >= 0));
    if (unset) return unset.input.focus();
    save(model.value.trim(), { input: amounts[0].read(), output: amounts[1].read() });
    search.value = model.value.trim();
    event.target.reset();
    for (const one of amounts) one.write();
    draw();
  } } }, h("div", { class: "field" }, h("label", { for: ids.model }, t("prices.model")), model),
    ["input", "output"].map((key, at) =>
      h("div", { class: "field" }, h("label", { for: ids[key] }, t(`prices.${key}`)), amounts[at].node)
    ), h("button", { type: "submit", class: "button" }, t("prices.add")));
  draw();
  return h("details", { class: "provider prices", "data-testid": "prices" },
    h("summary", null, h("h3", null, t("prices.table")), state),
    h("div", { class: "provider-body" },
      h("p", { class: "help" }, t("prices.date", { date: base.date, currency: base.currency })),
      h("div", { class: "row" }, renew, h("span", { class: "help" }, t("prices.refresh.text"))),
      h("div", { class: "field prices-search" }, h("label", { for: search.id }, t("prices.search")), search), count,
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("prices.table") },
        h("table", { class: "numbers" },
          h("thead", null,
            h("tr", null, h("th", { scope: "col" }, t("prices.model")),
              ["input", "output", "cached"].map((key) => h("th", { scope: "col" }, t(`prices.${key}`))),
              h("th", { scope: "col" }, h("span", { class: "sr-only" }, t("prices.change"))))), rows)), notice,
      h("h4", null, t("prices.another")), add));
}
