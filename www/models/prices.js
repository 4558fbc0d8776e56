// The table of prices, to be looked at, changed and added to.
import { h, put, button, uid } from "../dom.js";
import { t, number } from "../i18n.js";
import { own, keep } from "../prices.js";

/** Rows shown before somebody searches. */
const SHOWN = 12;

export function pricesPanel({ engine }) {
  const base = engine.prices();
  const rows = h("tbody");
  const count = h("p", { class: "quiet", role: "status" });
  const said = h("p", { class: "said", role: "status", "data-testid": "prices-said" });
  const search = h("input", { id: uid("price"), type: "search", spellcheck: "false", "data-testid": "prices-search", on: { input: () => draw() } });

  const all = () => Object.entries({ ...base.models, ...own() }).filter(([, row]) => row).sort(([a], [b]) => a.localeCompare(b));
  function save(model, row) {
    const mine = { ...own() };
    if (row === undefined) delete mine[model];
    else mine[model] = row;
    said.dataset.ok = keep(mine);
    put(said, t(keep(mine) ? "prices.kept" : "prices.notkept"));
  }
  const field = (model, row, key) => h("td", null, h("input", { type: "number", min: "0", step: "any", class: "price", value: row[key] ?? "", placeholder: key === "cached" ? "–" : "", "aria-label": t("prices.of", { model, what: t(`prices.${key}`) }), "data-testid": `price-${key}`, on: { change: (event) => {
    const value = event.target.value === "" ? undefined : Number(event.target.value);
    if (key !== "cached" && (value === undefined || !(value >= 0))) return (event.target.value = row[key]);
    row = { ...row, [key]: value };
    if (value === undefined) delete row[key];
    save(model, row);
    mark();
  } } }), key === "cached" && h("span", null));
  function line([model, row]) {
    const mine = model in own();
    return h("tr", { class: mine && "own", "data-model": model }, h("th", { scope: "row" }, h("code", null, model), mine && h("span", { class: "tag" }, t("prices.own"))),
      field(model, row, "input"), field(model, row, "output"), field(model, row, "cached"),
      h("td", null, mine && button(t(model in base.models ? "prices.reset" : "prices.remove"), () => {
        save(model, undefined);
        draw();
      }, { kind: "quiet", "aria-label": t("prices.reset.of", { model }) })));
  }
  /** Marks what is one's own now without moving the focus. */
  function mark() {
    for (const row of rows.children) row.classList.toggle("own", row.dataset.model in own());
  }
  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const found = all().filter(([model]) => model.toLowerCase().includes(wanted));
    const shown = wanted || rows.dataset.whole ? found : [...found].sort(([a], [b]) => (b in own()) - (a in own())).slice(0, SHOWN);
    put(rows, shown.map(line));
    put(count, t("prices.count", { n: shown.length, all: found.length }), " ", shown.length < found.length && button(t("prices.all"), () => {
      rows.dataset.whole = "true";
      draw();
    }, { class: "link" }));
  }

  const ids = { model: uid("price"), input: uid("price"), output: uid("price") };
  const model = h("input", { id: ids.model, type: "text", required: true, spellcheck: "false", placeholder: "openai/gpt-5-mini", "data-testid": "prices-model" });
  const amounts = ["input", "output"].map((key) => h("input", { id: ids[key], type: "number", min: "0", step: "any", required: true, "data-testid": `prices-${key}` }));
  const add = h("form", { class: "row prices-add", on: { submit: (event) => {
    event.preventDefault();
    save(model.value.trim(), { input: Number(amounts[0].value), output: Number(amounts[1].value) });
    search.value = model.value.trim();
    event.target.reset();
    draw();
  } } },
    h("div", { class: "field" }, h("label", { for: ids.model }, t("prices.model")), model),
    ["input", "output"].map((key, at) => h("div", { class: "field" }, h("label", { for: ids[key] }, t(`prices.${key}`)), amounts[at])),
    h("button", { type: "submit", class: "button" }, t("prices.add")));
  draw();
  return h("div", { class: "prices", "data-testid": "prices" },
    h("p", { class: "help" }, t("prices.date", { date: base.date, currency: base.currency })),
    h("div", { class: "field" }, h("label", { for: search.id }, t("prices.search")), search), count,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("prices.title") },
      h("table", { class: "numbers" }, h("thead", null, h("tr", null, h("th", { scope: "col" }, t("prices.model")), ["input", "output", "cached"].map((key) => h("th", { scope: "col" }, t(`prices.${key}`))), h("th", null, h("span", { class: "sr-only" }, t("prices.change"))))), rows)),
    said, add);
}
