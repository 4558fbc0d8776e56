// What is stored in this browser: open, resume, replay, branch, export, rename, delete; and files to take in.
import { h, put, button } from "./dom.js";
import { t, moment, number, list as listOf } from "./i18n.js";
import { avatar } from "./people.js";
import { confirmDialog, promptDialog } from "./dialog.js";
import { exportMenu } from "./exports.js";
import { sentence } from "./outcome.js";

export async function view({ engine, announce }) {
  const place = h("div", { class: "shelf" });
  const said = h("p", { class: "said", role: "alert" });
  const space = h("p", { class: "quiet" });
  const say = (text, error) => {
    said.dataset.ok = String(!error);
    put(said, text, error?.message && [" ", h("span", { lang: "en" }, error.message)]);
  };
  const file = h("input", { type: "file", id: "import", class: "sr-only", accept: ".json,.jsonl,application/json,application/x-ndjson", "data-testid": "import", on: { change: async () => {
    const [picked] = file.files;
    file.value = "";
    if (!picked) return;
    try {
      const id = await engine.importText(await picked.text());
      engine.forget(id);
      say(t("library.imported", { name: picked.name }));
      await draw();
    } catch (error) {
      if (error.code === "exists") say(t("library.exists"), null);
      else say(t("library.notimported", { name: picked.name }), error);
    }
  } } });

  async function draw() {
    let all;
    try {
      all = await engine.Library.list();
    } catch (error) {
      return put(place, h("p", { class: "lead" }, t("trouble.storage")), h("p", { class: "quiet", lang: "en" }, error.message));
    }
    put(place, all.length ? h("ul", { class: "sessions plain" }, all.map(card)) : h("div", { class: "empty" }, h("p", null, t("library.empty")), h("a", { class: "button button-primary", href: "#/" }, t("library.begin"))));
    const { usage, quota } = await engine.Library.estimate().catch(() => ({}));
    put(space, usage ? t("library.space", { used: number(usage / 1e6, { maximumFractionDigits: 1 }), quota: quota ? number(quota / 1e9, { maximumFractionDigits: 1 }) : "?" }) : "");
  }

  function card(one) {
    const title = one.title || t("untitled");
    const ended = one.state === "ended";
    return h("li", { class: "session", "data-testid": "session", "data-id": one.id },
      h("div", { class: "session-main" },
        h("h2", null, h("a", { href: ended ? `#/results/${one.id}` : `#/run/${one.id}` }, title)),
        h("p", null, h("span", { class: ["tag", ended ? "tag-good" : "tag-open"] }, t(`library.${one.state}`)), " ", one.outcome ? sentence(one.outcome, null, one.protocol) : ""),
        h("p", { class: "quiet" }, moment(one.updated), " · ", t("library.entries", { n: one.entries }), " · ", t(`language.${one.language}`)),
        h("p", { class: "faces", "aria-label": listOf(one.seats.map((seat) => seat.name)), role: "img" }, one.seats.map((seat, index) => avatar({ ...seat, index }, "small")))),
      h("div", { class: "session-actions" },
        h("a", { class: "button button-primary", href: `#/run/${one.id}`, "data-testid": "open" }, t(ended ? "library.open" : "library.resume")),
        h("a", { class: "button", href: `#/replay/${one.id}`, "data-testid": "replay" }, t("library.replay")),
        exportMenu((format) => engine.Library.export(one.id, format)),
        button(t("library.rename"), async () => {
          const name = await promptDialog(t("library.rename"), t("library.newtitle"), title);
          if (!name) return;
          await engine.Library.rename(one.id, name).catch((error) => say(t("trouble.storage"), error));
          await draw();
        }, { kind: "quiet", testid: "rename", "aria-label": `${t("library.rename")}: ${title}` }),
        button(t("library.delete"), async () => {
          if (!(await confirmDialog(t("library.delete.title"), t("library.delete.text", { title }), t("library.delete")))) return;
          try {
            engine.forget(one.id);
            await engine.Library.delete(one.id);
            announce(t("library.deleted"));
          } catch (error) {
            say(t("library.notdeleted"), error);
          }
          await draw();
        }, { kind: "quiet", testid: "delete", "aria-label": `${t("library.delete")}: ${title}` })));
  }

  const node = h("div", { class: "page" },
    h("div", { class: "page-head" }, h("div", null, h("h1", null, t("library.title")), h("p", { class: "lead" }, t("library.lead"))),
      h("div", { class: "row" }, file, h("label", { for: "import", class: "button" }, t("library.import")))),
    said, place, space);
  await draw();
  return { node, title: t("library.title") };
}
