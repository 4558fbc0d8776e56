// The knowledge library: conclusions of debates and notes, with the search that debates use too.
import { textOf } from "../text-file.js";
import { h, put, button } from "../dom.js";
import { t, has, moment, number } from "../i18n.js";
import { confirmDialog } from "../dialog.js";
import { download } from "../engine.js";

/** Milliseconds after the last key before a search starts. */
const PAUSE = 200;
/** Most items shown by a search. */
const MOST = 50;

export async function knowledge({ engine, announce }) {
  const { Memory } = engine;
  const place = h("div", { "data-testid": "knowledge", "aria-live": "polite" });
  const notice = h("p", { class: "said", role: "alert" });
  let wanted = "";
  let timer = 0;

  async function act(work, done) {
    try {
      await work();
      notice.dataset.ok = "true";
      put(notice, done);
      await draw();
    } catch (error) {
      notice.dataset.ok = "false";
      put(notice, t(error.code === "quota" ? "trouble.quota" : "memory.failed"), " ",
        h("span", { lang: "en" }, error.message));
    }
  }

  function card({ id, value: item }) {
    const source = has(`memory.source.${item.source}`) ? t(`memory.source.${item.source}`) : item.source;
    return h("li", { class: "card item", "data-testid": "item" }, h("h3", null, item.title || t("untitled")),
      h("p", { class: "item-text" }, item.text),
      h("p", { class: "quiet" },
        [source, t("memory.sure", { share: number(item.confidence, { style: "percent" }) }), moment(item.updated_at),
          t("memory.used", { good: item.reinforced, bad: item.weakened })].join(" · "),
        item.source === "debate" && [" · ", h("a", { href: `#/results/${item.source_id}` }, t("memory.from"))]),
      h("div", { class: "row" }, button(t("library.delete"), async () => {
        if (!(await confirmDialog(t("memory.delete.title"), t("memory.delete.text", { title: item.title }),
          t("library.delete")))) return;
        await act(() => Memory.remove("knowledge", id), "");
        announce(t("memory.deleted"));
      }, { kind: "quiet", "aria-label": `${t("library.delete")}: ${item.title}` })));
  }

  async function draw() {
    const query = wanted;
    const all = await Memory.items("knowledge");
    const hits = query.trim() ? await Memory.search(query, { limit: MOST, kinds: ["knowledge"] }) : null;
    if (query !== wanted) return;
    const found = hits ? hits.flatMap(({ id }) => all.find((row) => row.id === id) ?? []) : all;
    put(place, found.length
      ? h("ul", { class: "plain items" }, found.map(card))
      : h("p", { class: "empty" }, t(query.trim() ? "memory.search.none" : "memory.knowledge.empty")));
  }

  const search = h("input", { type: "search", id: "memory-search", autocomplete: "off", "data-testid": "memory-search",
    on: { input: () => {
      wanted = search.value;
      clearTimeout(timer);
      timer = setTimeout(() => draw().catch((error) => put(notice, error.message)), PAUSE);
    } } });
  const title = h("input", { id: "item-title", maxlength: "200", required: true });
  const text = h("textarea", { id: "item-text", rows: "4", maxlength: "20000", required: true });
  const add = h("form", { class: "stack", "data-testid": "item-form", on: { submit: (event) => {
    event.preventDefault();
    act(async () => {
      await Memory.add({ title: title.value, text: text.value });
      event.target.reset();
    }, t("memory.added"));
  } } }, h("label", { for: "item-title" }, t("memory.item.title")), title,
    h("label", { for: "item-text" }, t("memory.item.text")), text,
    h("div", { class: "row" }, h("button", { class: "button", type: "submit" }, t("memory.add"))));
  const file = h("input", { type: "file", id: "memory-file", class: "sr-only", accept: ".jsonl,application/jsonl",
    on: { change: async () => {
      const [picked] = file.files;
      file.value = "";
      if (picked) {
        await act(async () => {
          const { added } = await Memory.import(await textOf(picked));
          announce(t("memory.imported", { n: added }));
        }, t("library.imported", { name: picked.name }));
      }
    } } });
  await draw();
  return h("section", null, h("h2", { class: "sr-only" }, t("memory.knowledge")),
    h("p", { class: "quiet" }, t("memory.knowledge.text")),
    h("div", { class: "memory-bar" },
      h("div", { class: "field" }, h("label", { for: "memory-search" }, t("memory.search")), search),
      h("div", { class: "row" },
        button(t("memory.export"), async () => download(await Memory.export()), { testid: "memory-export" }), file,
        h("label", { for: "memory-file", class: "button" }, t("memory.import")))), notice, place,
    h("details", { class: "add" }, h("summary", null, t("memory.add.title")), add));
}
