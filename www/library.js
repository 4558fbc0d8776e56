// The sessions stored in this browser: open, resume, replay, branch, export, rename, delete; and import of files.
import { h, put, button } from "./dom.js";
import { t, moment, number, list as listOf } from "./i18n.js";
import { avatar } from "./participants.tsx";
import { confirmDialog, promptDialog } from "./dialog.js";
import { textOf } from "./text-file.js";
import { exportMenu, tablesMenu } from "./exports.js";
import { capped, progress, runAll, watch } from "./batch.js";
import { outcomeOf } from "./outcome.js";
import { folded } from "./text.js";
import { protocols } from "./fields.js";
import { keptRooms, tableOf } from "./rooms/stored-rooms.js";

export async function view({ args: [sought], engine, announce }) {
  const place = h("div", { class: "shelf" });
  const notice = h("p", { class: "said", role: "alert" });
  const space = h("p", { class: "quiet" });
  const roomList = h("ul", { class: "plain list" });
  const showMessage = (text, error) => {
    notice.dataset.ok = String(!error);
    put(notice, text, error?.message && [" ", h("span", { lang: "en" }, error.message)]);
  };
  const file = h("input", { type: "file", id: "import", class: "sr-only",
    accept: ".json,.jsonl,application/json,application/x-ndjson", "data-testid": "import", on: { change: async () => {
      const [picked] = file.files;
      file.value = "";
      if (!picked) return;
      try {
        await engine.importText(await textOf(picked));
        showMessage(t("library.imported", { name: picked.name }));
        await draw();
      } catch (error) {
        if (error.code === "exists") showMessage(t("library.exists"), null);
        else showMessage(t("library.notimported", { name: picked.name }), error);
      }
    } } });

  /** The filter. */
  const wanted = { protocol: "", state: "", words: [] };
  let applyFilter = () => {};
  /** Including closed ones, which still store names and ids. */
  let rooms = [];
  /** The sessions shown, and those selected. */
  let shown = [];
  const picked = new Set();
  const chosen = () => (picked.size ? shown.filter((one) => picked.has(one.id)) : shown);
  /** Sessions that can run without people. */
  const canRun = () =>
    chosen().filter((one) => one.state === "unfinished" && !one.seats.some((seat) => seat.kind === "human"));
  const chosenText = h("p", { class: "quiet" });
  const batchStatus = h("span", { class: "quiet", role: "status", "data-testid": "repeat-progress" });
  const runAllButton = button("", () => {
    runAll(canRun().map(({ id, title }) => ({ id, title: title || t("untitled") })));
    updateSelection();
  }, { kind: "quiet", testid: "run-all" });
  const tables = tablesMenu(chosen, chosenText);
  function updateSelection() {
    const open = canRun();
    const now = progress();
    put(chosenText, t("export.shown", { n: chosen().length }));
    put(runAllButton, t("library.runall", { n: open.length }));
    runAllButton.hidden = open.length < 2 || Boolean(now);
    tables.hidden = chosen().length < 1;
    put(batchStatus, now
      ? t("library.running", { n: now.ended, of: now.of })
      : picked.size
      ? t("library.picked", { n: picked.size })
      : "");
  }
  const showCapped = ({ ended, of }) => showMessage(t("library.runall.capped", { n: ended, of }));
  const unwatch = watch(({ stuck }) => {
    if (capped()) showCapped(capped());
    else if (stuck.length) showMessage(t("library.runall.failed", { title: stuck.at(-1).title }));
    draw();
  });
  if (capped()) showCapped(capped());
  const nothing = h("p", { class: "empty quiet", role: "status", "data-testid": "library-nothing" },
    t("library.nothing"));
  const count = h("output", { class: "quiet", "data-testid": "library-count" });
  const field = h("input", { type: "search", id: "library-find", placeholder: t("library.find"),
    "data-testid": "library-find", on: { input: () => {
      wanted.words = folded(field.value).split(/\s+/).filter(Boolean);
      applyFilter();
    } } });
  const choice = (name, options) =>
    h("select", { "aria-label": t(`library.by.${name}`), "data-testid": `library-${name}`, on: { change: (event) => {
      wanted[name] = event.target.value;
      applyFilter();
    } } }, h("option", { value: "" }, t(`library.by.${name}`)), options.map(([value, label]) =>
      h("option", { value }, label)
    ));
  const filters = h("div", { class: "row filters", role: "search" },
    h("label", { for: "library-find", class: "sr-only" }, t("library.find")), field,
    choice("protocol", protocols().map((name) => [name, t(`protocol.${name}`)])),
    choice("state", ["ended", "unfinished"].map((name) => [name, t(`library.${name}`)])), count, runAllButton, tables,
    batchStatus);

  const wordsOf = (one) =>
    folded(
      [one.title, one.condition, one.seed, outcomeOf(one), ...one.seats.map((seat) => seat.name), one.config_hash]
        .filter((part) => part !== undefined && part !== null).join("\n"),
    );

  async function draw() {
    let all;
    try {
      [all, rooms] = await Promise.all([engine.Library.list(), keptRooms()]);
    } catch (error) {
      return put(place, h("p", { class: "lead" }, t("trouble.storage")),
        h("p", { class: "quiet", lang: "en" }, error.message));
    }
    filters.hidden = all.length < 2;
    for (const id of picked) if (!all.some((one) => one.id === id)) picked.delete(id);
    for (const one of all) one.words = wordsOf(one);
    roomList.hidden = rooms.length === 0;
    put(roomList,
      rooms.map(({ id, title, opened, closed }) =>
        h("li", { "data-testid": "kept-room" },
          h("a", { href: `#/room/${encodeURIComponent(id)}` }, title || t("untitled")), " ",
          h("span", { class: "quiet" },
            [t("room.title"), moment(opened), closed && t("room.over")].filter(Boolean).join(" · ")),
          closed && deleteButton("room.delete.title", "room.people.delete.text", title || t("untitled"), () =>
            import("./rooms/hosted-rooms.js").then(({ remove }) =>
              remove(id)
            )))
      ));
    const cards = all.map((one) => [one, card(one, all)]);
    applyFilter = () => {
      const found = cards.filter(([one]) =>
        (!wanted.protocol || one.protocol === wanted.protocol) && (!wanted.state || one.state === wanted.state)
        && wanted.words.every((word) => one.words.includes(word))
      );
      nothing.hidden = !all.length || found.length > 0;
      put(count, found.length < all.length ? t("library.found", { n: found.length, of: all.length }) : "");
      for (const [one, node] of cards) node.hidden = !found.some(([kept]) => kept === one);
      shown = found.map(([one]) => one);
      updateSelection();
    };
    put(place, all.length
      ? h("ul", { class: "sessions plain" }, cards.map(([, node]) => node))
      : h("div", { class: "empty" }, h("p", null, t("library.empty")),
        h("a", { class: "button button-primary", href: "#/" }, t("library.begin"))));
    applyFilter();
    const { usage, quota } = await engine.Library.estimate().catch(() => ({}));
    put(space, usage
      ? t("library.space", { used: number(usage / 1e6, { maximumFractionDigits: 1 }),
        quota: quota ? number(quota / 1e9, { maximumFractionDigits: 1 }) : "?" })
      : "");
  }

  function card(one, all) {
    const alike = one.config_hash ? all.filter((other) => other.config_hash === one.config_hash).length : 1;
    const title = one.title || t("untitled");
    const ended = one.state === "ended";
    const at = tableOf(rooms, one.id);
    const goesOn = !ended && (!one.engine || one.engine === engine.version());
    return h("li", { class: "session", "data-testid": "session", "data-id": one.id },
      h("div", { class: "session-main" },
        h("h2", null,
          h("input", { type: "checkbox", "aria-label": t("library.pick", { title }), checked: picked.has(one.id),
            "data-testid": "pick", on: { change: (event) => {
              if (event.target.checked) picked.add(one.id);
              else picked.delete(one.id);
              updateSelection();
            } } }), " ", h("a", { href: ended ? `#/results/${one.id}` : `#/run/${one.id}` }, title)), at
        && h("p", null, h("a", { href: `#/room/${encodeURIComponent(at.room.id)}` }, t("room.title")), " · ",
          t("room.table", { n: at.table })),
        h("p", null, h("span", { class: ["tag", ended ? "tag-good" : "tag-open"] }, t(`library.${one.state}`)), " ",
          h("span", { "data-testid": "card-outcome" }, outcomeOf(one))),
        h("p", { class: "quiet facts-line", "data-testid": "facts" },
          [t(`protocol.${one.protocol}`), one.condition && t("library.condition", { condition: one.condition }),
            one.seed !== undefined && t("library.seed", { seed: String(one.seed) }), t(`language.${one.language}`),
            moment(one.updated), t("library.entries", { n: one.entries })].filter(Boolean).join(" · "),
          alike > 1 && [" · ", h("button", { type: "button", class: "link", "data-testid": "alike", on: { click: () => {
            field.value = one.config_hash;
            field.dispatchEvent(new Event("input"));
          } } }, t("library.alike", { n: alike }))]),
        h("p", { class: "faces", "aria-label": listOf(one.seats.map((seat) => seat.name)), role: "img" },
          one.seats.map((seat, index) => avatar({ ...seat, index }, "small")))),
      h("div", { class: "session-actions" },
        h("a", { class: "button button-primary", href: `#/run/${one.id}`, "data-testid": "open" },
          t(goesOn ? "library.resume" : "library.open")),
        h("a", { class: "button", href: `#/replay/${one.id}`, "data-testid": "replay" }, t("library.replay")),
        exportMenu(one), button(t("library.rename"), async () => {
          const name = await promptDialog(t("library.rename"), t("library.newtitle"), title);
          if (!name) return;
          await engine.Library.rename(one.id, name).catch((error) => showMessage(t("trouble.storage"), error));
          await draw();
        }, { kind: "quiet", testid: "rename", "aria-label": `${t("library.rename")}: ${title}` }),
        deleteButton("library.delete.title", "library.delete.text", title, () => {
          engine.forget(one.id);
          return engine.Library.delete(one.id);
        })));
  }

  /** A delete button with a confirmation. */
  const deleteButton = (question, text, title, remove) =>
    button(t("library.delete"), async () => {
      if (!(await confirmDialog(t(question), t(text, { title }), t("library.delete")))) return;
      try {
        await remove();
        announce(t("library.deleted"));
      } catch (error) {
        showMessage(t("library.notdeleted"), error);
      }
      await draw();
      document.getElementById("main")?.focus({ preventScroll: true });
    }, { kind: "quiet", testid: "delete", "aria-label": `${t("library.delete")}: ${title}` });

  const node = h("div", { class: "page" },
    h("div", { class: "page-head" },
      h("div", null, h("h1", null, t("library.title")), h("p", { class: "lead" }, t("library.lead"))),
      h("div", { class: "row" }, file, h("label", { for: "import", class: "button" }, t("library.import")))), filters,
    notice, roomList, place, nothing, space);
  if (sought) {
    field.value = sought;
    wanted.words = [folded(sought)];
  }
  await draw();
  return { node, title: t("library.title"), leave: unwatch,
    shortcuts: [{ key: "/", says: "library.find", go: () => field.focus() }] };
}
