// Controls for settings that are lists: material, sources, the rounds of a debate.
import { h, put, button, uid } from "../dom.js";
import { t, has, number } from "../i18n.js";
import { read, wordsAt } from "../fields.js";
import { isBlank } from "../answer/blank.js";
import { decoded } from "../text-file.js";
import { numberHere, setter } from "./controls.js";

/** Most bytes of a file of material. */
export const LARGEST_FILE = 100_000;
const FILES = /\.(txt|md|csv|json)$/i;

/** Buttons that move or remove an entry of `list`; `after(place, which)` is called then. */
export function movers(list, at, name, after) {
  const move = (to, which) => {
    list.splice(to, 0, ...list.splice(at, 1));
    after(to, which);
  };
  return h("div", { class: "row tight movers" },
    button("", () => move(at - 1, "up"), { class: "button button-icon button-quiet up", icon: "up", disabled: at === 0,
      "aria-label": t("agent.up", { name }) }),
    button("", () => move(at + 1, "down"), { class: "button button-icon button-quiet down", icon: "down",
      disabled: at === list.length - 1, "aria-label": t("agent.down", { name }) }), button("", () => {
      list.splice(at, 1);
      after(-1);
    }, { class: "button button-icon button-quiet cross", icon: "cross", "aria-label": t("agent.remove", { name }) }));
}

/** Reads a text file; throws a translated message. */
async function textOf(file) {
  if (!FILES.test(file.name)) throw new Error(t("materials.kind", { name: file.name }));
  if (file.size > LARGEST_FILE) {
    throw new Error(t("materials.large", { name: file.name, size: number(Math.ceil(file.size / 1000)) }));
  }
  let text;
  try {
    text = decoded(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    throw new Error(`${file.name}: ${error.message}`);
  }
  if (isBlank(text)) throw new Error(t("materials.empty", { name: file.name }));
  return { title: file.name, text };
}

function materials(field, path, context, attributes) {
  const given = read(context.config, path);
  const items = Array.isArray(given)
    ? given.map((one) => (typeof one === "string" ? { text: one } : one ?? {}))
    : given
    ? [{ text: String(given) }]
    : [];
  const save = () => setter(path, context)(items.length ? items : undefined);
  const list = h("ul", { class: "materials plain" });
  const notice = h("div", { role: "alert" });
  const picker = h("input", { type: "file", multiple: true, class: "sr-only", accept: ".txt,.md,.csv,.json",
    id: uid("material"), "data-testid": "material-files", on: { change: async () => {
      const picked = [...picker.files];
      picker.value = "";
      const refused = [];
      for (const file of picked) {
        await textOf(file).then((item) => items.push(item), ({ message }) => refused.push(message));
      }
      put(notice, refused.map((message) => h("p", { class: "fault" }, message)));
      save();
      draw();
    } } });
  const write = button(t("materials.write"), () => {
    items.push({ text: "" });
    draw(items.length - 1);
    list.querySelector("li:last-child textarea").focus();
  }, { testid: "material-write", ...attributes });
  function draw(open = -1) {
    put(list, items.map((item, at) => {
      const [titleId, textId] = [uid("title"), uid("text")];
      const name = item.title || t("materials.untitled", { n: at + 1 });
      const size = h("span", { class: "quiet" });
      const showSize = () => put(size, t("characters", { n: [...(item.text ?? "")].length }));
      showSize();
      return h("li", { class: "material", "data-testid": "material" },
        h("div", { class: "material-head" },
          h("label", { for: titleId, class: "sr-only" }, t("materials.title", { n: at + 1 })),
          h("input", { type: "text", id: titleId, value: item.title ?? "", placeholder: name, on: { input: (event) => {
            if (event.target.value) item.title = event.target.value;
            else delete item.title;
            save();
          } } }), button("", () => {
            items.splice(at, 1);
            save();
            draw();
            write.focus();
          }, { class: "button button-icon button-quiet", icon: "cross", "aria-label": t("agent.remove", { name }) })),
        h("details", { open: at === open || [...(item.text ?? "")].length < 400 },
          h("summary", null, t("materials.text"), " · ", size),
          h("label", { for: textId, class: "sr-only" }, t("materials.text.of", { name })),
          h("textarea", { id: textId, rows: 4, value: item.text ?? "", on: { input: (event) => {
            item.text = event.target.value;
            showSize();
            save();
          } } })));
    }));
  }
  draw();
  return { input: write,
    node: h("div", { class: "stack" }, list,
      h("div", { class: "row" }, write, picker, h("label", { for: picker.id, class: "button" }, t("materials.files"))),
      notice) };
}

/** The default: a debate searches the stores of this browser; an empty list searches nothing. */
const USUAL_SOURCES = [{ kind: "debates" }, { kind: "knowledge" }];

/** Checkboxes for the stores of this browser, and feeds by address; other entries of the list are kept. */
function sources(field, path, context, attributes) {
  const given = Array.isArray(read(context.config, path)) ? read(context.config, path) : USUAL_SOURCES;
  const others = given.filter((one) => !["knowledge", "debates", "feed"].includes(one?.kind));
  const save = () => {
    const known = (kind, more = {}) => ({
      ...given.find((one) => one?.kind === kind && (!more.url || one.url === more.url)),
      kind,
      ...more,
    });
    const all = [...boxes.filter(({ box }) => box.checked).map(({ kind }) => known(kind)),
      ...feeds.value.split("\n").map((line) => line.trim()).filter(Boolean).map((url) => known("feed", { url })),
      ...others];
    setter(path, context)(JSON.stringify(all) === JSON.stringify(USUAL_SOURCES) ? undefined : all);
  };
  const boxes = ["debates", "knowledge"].map((kind, at) => ({ kind,
    box: h("input", { type: "checkbox", checked: given.some((one) => one?.kind === kind),
      "data-testid": `source-${kind}`, ...(at ? {} : attributes), on: { change: save } }) })
  );
  const id = uid("feeds");
  const feeds = h("textarea", { id, rows: 2, spellcheck: "false", "data-testid": "source-feeds",
    placeholder: "https://example.org/feed.xml",
    value: given.filter((one) => one?.kind === "feed").map((one) => one.url).join("\n"), on: { input: save } });
  return { input: boxes[0].box,
    node: h("div", { class: "stack" },
      boxes.map(({ kind, box }) => h("label", { class: "tickbox" }, box, h("span", null, t(`sources.${kind}`)))),
      h("label", { for: id }, t("sources.feeds")), feeds) };
}

/** The simple rules for the result, with one condition for all; rules that refer to other windows are kept. */
function after(field, path, context, attributes) {
  const plain = ["broadcast", "download", "notify", "webhook"];
  const given = Array.isArray(read(context.config, path)) ? read(context.config, path) : [];
  const shown = given.filter((rule) => plain.includes(rule?.do));
  const before = shown.find((rule) => rule.when)?.when ?? {};
  const save = () => {
    const share = sure.read();
    const condition = { ...({ with: { consensus: true }, without: { consensus: false } }[when.value]),
      ...(share === undefined ? {} : { min_confidence: typeof share === "number" ? share / 100 : share }) };
    const rule = (what, more) => ({ do: what, ...more, ...(Object.keys(condition).length ? { when: condition } : {}) });
    const hooks = hook.value.split("\n").map((line) => line.trim()).filter(Boolean).map((url) =>
      rule("webhook", { url })
    );
    const all = [...boxes.filter(({ box }) => box.checked).map(({ what }) => rule(what)), ...hooks,
      ...given.filter((one) => !plain.includes(one?.do))];
    setter(path, context)(all.length ? all : undefined);
  };
  const boxes = plain.slice(0, 3).map((what, at) => ({ what,
    box: h("input", { type: "checkbox", checked: shown.some((rule) => rule.do === what), "data-testid": `after-${what}`,
      ...(at ? {} : attributes), on: { change: ({ target }) => {
        // Browsers ask for permission only after a press, and there is none later.
        if (what === "notify" && target.checked && globalThis.Notification?.permission === "default") {
          Notification.requestPermission();
        }
        save();
      } } }) })
  );
  const [hookId, whenId, sureId] = [uid("hook"), uid("when"), uid("sure")];
  const hook = h("textarea", { id: hookId, rows: 2, spellcheck: "false", "data-testid": "after-webhook",
    placeholder: "https://example.org/results",
    value: shown.filter((rule) => rule.do === "webhook").map(({ url }) => url).join("\n"), on: { input: save } });
  const now = before.consensus === undefined ? "always" : before.consensus ? "with" : "without";
  const when = h("select", { id: whenId, "data-testid": "after-when", on: { change: save } },
    ["always", "with", "without"].map((one) =>
      h("option", { value: one, selected: one === now }, t(`after.when.${one}`))
    ));
  const sure = numberHere({ id: sureId, "data-testid": "after-sure",
    value: before.min_confidence === undefined ? undefined : Math.round(before.min_confidence * 100), changed: save });
  return { input: boxes[0].box,
    node: h("div", { class: "stack" },
      boxes.map(({ what, box }) => h("label", { class: "tickbox" }, box, h("span", null, t(`after.${what}`)))),
      h("label", { for: hookId }, t("after.webhook")), hook,
      h("div", { class: "fields" }, h("div", { class: "field" }, h("label", { for: whenId }, t("after.when")), when),
        h("div", { class: "field" }, h("label", { for: sureId }, t("after.sure")), sure.node))) };
}

const USUAL = ["context", "propose", "critique", "revise", "vote", "judge"];

/** One of the two known schedules, or a custom list of rounds. */
function schedule(field, path, context, attributes) {
  const set = setter(path, context);
  const given = read(context.config, path);
  const rounds = Array.isArray(given) ? given : null;
  const select = h("select", { ...attributes, "aria-label": t("field.schedule"), "data-testid": "schedule",
    on: { change: () => {
      set({ nine_rounds: undefined, classic: "classic", own: USUAL.map((kind) => ({ kind })) }[select.value]);
      context.redraw(`[data-path="${path}"] select`);
    } } },
    ["nine_rounds", "classic", "own"].map((name) =>
      h("option", { value: name, selected: name === (rounds ? "own" : given ?? "nine_rounds") },
        t(`option.schedule.${name}`))
    ));
  if (!rounds) return { input: select };
  const list = h("ol", { class: "own-rounds plain" });
  const status = h("p", { class: "sr-only", role: "status" });
  const nameOf = (kind) => (has(`debate.kind.${kind}`) ? t(`debate.kind.${kind}`) : String(kind));
  const after = (to, which) => {
    // Explicit numbers would no longer be consecutive.
    for (const round of rounds) delete round.number;
    set(rounds);
    draw();
    const row = list.children[to];
    if (row) {
      const target = row.querySelector(`.${which}`);
      (target.disabled ? row.querySelector("select") : target).focus();
      put(status, t("human.moved", { what: nameOf(rounds[to].kind), n: to + 1 }));
    } else add.focus();
  };
  const add = button(t("schedule.add"), () => {
    rounds.push({ kind: "revise" });
    set(rounds);
    draw();
    list.lastElementChild.querySelector("select").focus();
  }, { testid: "schedule-add" });
  function draw() {
    put(list, rounds.map((round, at) => {
      const place = h("p", { class: "fault" });
      const kind = h("select", { "aria-label": t("schedule.round", { n: at + 1 }), on: { change: () => {
        round.kind = kind.value;
        if (round.kind !== "revise" && round.kind !== "refine") delete round.converge;
        set(rounds);
        draw();
        list.children[at].querySelector("select").focus();
      } } },
        [...new Set([...wordsAt(context.config, `${path}.kind`), round?.kind].filter(Boolean))].map((name) =>
          h("option", { value: name, selected: name === round?.kind }, nameOf(name))
        ));
      context.marks.set(`${path}.${at}`, { place, input: kind });
      const usual = round?.kind === "revise";
      return h("li", null, h("span", { class: "round-number", "aria-hidden": "true" }, String(round?.number ?? at)),
        kind, ["revise", "refine"].includes(round?.kind)
        && h("label", { class: "tickbox" },
          h("input", { type: "checkbox", checked: round.converge ?? usual, on: { change: (event) => {
            if (event.target.checked === usual) delete round.converge;
            else round.converge = event.target.checked;
            set(rounds);
          } } }), h("span", null, t("schedule.converge"))),
        movers(rounds, at, `${at + 1}. ${nameOf(round?.kind)}`, after), place);
    }));
  }
  draw();
  return { input: select, node: h("div", { class: "stack" }, select, list, status, h("p", null, add)) };
}

export const LISTS = { materials, sources, after, schedule };
