// The tables of a room as cards: who is present, who is to answer and since when, other participants, progress,
// problems; and the host's controls.
import { h, put, button } from "../dom.js";
import { t, has, span } from "../i18n.js";
import { avatar, kindTag } from "../participants.tsx";
import { outcomeSentence } from "../outcome.js";
import { stepLabel } from "../panels.js";
import { confirmDialog } from "../dialog.js";
import { kindOf } from "../fields.js";
import { costText } from "../costs.js";
import { activity } from "../view.js";
import { nameOf } from "./lobby.js";

/** Milliseconds of drawing in one go. */
const SLICE = 10;
/** Milliseconds between two updates of a table's costs. */
const COUNTED = 10_000;

/** The state of a table, in a sentence; `view` is the public view of its session. */
export function tableState(one, view) {
  if (!one.begun) return t("room.table.waiting");
  if (one.over || view?.run === "ended") return view?.result ? outcomeSentence(view) : t("room.table.over");
  if (view?.run === "halted") return t("room.table.halted");
  if (view?.run === "paused") return t("room.table.paused");
  const step = view?.steps?.find(({ state }) => state === "current");
  return step ? stepLabel(step) : t("room.table.playing");
}

/** The earliest time since which an answer is expected, or null. */
const awaitedSince = (seat) =>
  seat.awaited.reduce((first, { since: at }) => (at === null ? first : Math.min(first ?? at, at)), null);

/** The participants other than guests, whose seats are called `places` in the configuration of `agents`. */
export const otherParticipants = (agents, places) =>
  agents.map((agent, index) => ({ ...agent, kind: kindOf(agent) === "human" ? "scripted" : kindOf(agent), index }))
    .filter(({ name }) => !places.includes(name));

/**
 * Returns `{ node, draw }`. `views(table)`: the public view of a table's session, or null; `beside`: the other
 * participants of each table.
 */
export function tables({ act, views, session, beside, now }) {
  const node = h("div", { class: "room-tables" });
  const cards = new Map();
  const isPaid = beside.some(({ kind }) => kind === "model");

  function card(number) {
    const node = h("article", { class: "room-table", "aria-labelledby": `table-${number}`, "data-testid": "room-table",
      "data-table": number });
    let drawn = "";
    let counted = null;
    let cost = null;
    return { node, draw(one, view, guests) {
      // Costs are counted from the whole record, so only now and then, and at the end.
      const when = one.over ? "over" : Math.floor(Date.now() / COUNTED);
      if (isPaid && view && counted !== when) {
        counted = when;
        const { run, currency } = session(number).costs();
        cost = costText(run, currency ?? undefined);
      }
      const now = JSON.stringify([one, tableState(one, view), view?.progress, cost,
        beside.map(({ name }) => [name, view?.doing[name]]), guests.filter((guest) => guest.table === number),
        Math.floor(Date.now() / 5000)]);
      // Does not redraw a button while it is being pressed.
      if (now === drawn || node.matches(":active")) return;
      drawn = now;
      const focused = node.contains(document.activeElement)
        ? /** @type {HTMLElement} */ (document.activeElement).dataset.act ?? ""
        : null;
      const id = session(number)?.id;
      put(node,
        h("header", null, h("h3", { id: `table-${number}` }, t("room.table", { n: number })),
          h("span", { class: "tag", "data-state": view?.run ?? "waiting" }, tableState(one, view))), one.begun
        && h("progress", { max: 1, value: one.over ? 1 : view?.progress ?? 0, "aria-label": t("room.progress") }),
        cost && h("p", { class: "quiet", "data-testid": "table-cost" }, `${t("run.cost")}: ${cost}`), one.about?.trouble
        && h("p", { class: "bad", lang: "en" }, one.about.trouble.message ?? String(one.about.trouble)),
        h("ul", { class: "plain room-seats" },
          one.seats.map((seat, index) =>
            row(one, seat, view?.people.get(seat.seat) ?? { name: seat.seat, index }, guests)
          ), beside.map((agent) => other(agent, view))), h("div", { class: "row" }, id
          && h("a", { class: "button button-quiet", "data-act": "look", href: `#/run/${encodeURIComponent(id)}` },
            t("room.look")), id && view?.run === "ended"
          && h("a", { class: "button button-quiet", "data-act": "results",
            href: `#/results/${encodeURIComponent(id)}` }, t("run.results")), one.begun && !one.over
          && (view?.run === "paused"
            ? button(t("run.resume"), () => act((room) => room.resume(number)), { kind: "quiet", "data-act": "pause" })
            : button(t("run.pause"), () => act((room) => room.pause(number)), { kind: "quiet",
              "data-act": "pause" }))));
      // Restores the focus: on the same button, or in its place.
      if (focused === null) return;
      const acts = /** @type {HTMLElement[]} */ ([...node.querySelectorAll("[data-act]")]);
      (acts.find(({ dataset }) => dataset.act === focused)
        ?? acts.find(({ dataset }) => dataset.act.endsWith(focused.slice(focused.indexOf(" ")))) ?? acts[0])?.focus({
          preventScroll: true,
        });
    } };
  }

  function row(one, seat, person, guests) {
    const guest = guests.find(({ number }) => number === seat.guest);
    const waits = awaitedSince(seat);
    const name = guest ? nameOf(guest) : seat.seat;
    const isOut = one.over;
    return h("li", { class: ["room-seat", guest && !guest.here && "away"] }, avatar(person, "small"),
      h("span", { class: "grow" }, h("b", null, seat.seat),
        guest && nameOf(guest) !== seat.seat && h("span", { class: "quiet" }, ` ${nameOf(guest)}`),
        !isOut && h("span", { class: "quiet" }, " · ", seat.standsIn
          ? t("room.standsin")
          : !guest
          ? t(one.begun ? "kind.scripted" : "room.empty")
          : guest.cut
          ? t("room.cut")
          : !guest.here
          ? t("room.away")
          : waits !== null
          ? t("room.awaited", { time: span(Math.max(1000, now() - waits)) })
          : t("room.here"), guest?.elsewhere && ` · ${t("room.elsewhere")}`)), one.begun && !isOut && [
      guest && waits !== null && !seat.standsIn
      && button(t("room.remind"), () => act((room) => room.remind(guest.number)), { kind: "quiet",
        "data-act": `remind ${seat.seat}`, "aria-label": t("room.remind.name", { name }) }),
      seat.standsIn
        ? guest
          && button(t("room.takeback"), () => act((room) => room.takeBack(one.number, seat.seat)), { kind: "quiet",
            "data-act": `seat ${seat.seat}`, "aria-label": t("room.takeback.name", { name }) })
        : guest
          && button(t("room.standin"), () =>
            confirmDialog(t("room.standin.title", { name }), t("room.standin.text"), t("room.standin")).then((yes) =>
              yes && act((room) =>
                room.standIn(one.number, seat.seat)
              )
            ), { kind: "quiet", "data-act": `seat ${seat.seat}`, "aria-label": t("room.standin.name", { name }) }),
      guest?.cut
      && button(t("room.admit"), () => act((room) => room.admit(guest.number)), { kind: "quiet",
        "data-act": `admit ${seat.seat}` }),
    ]);
  }

  /** A participant other than a guest. */
  function other(agent, view) {
    const doing = view && activity(view, agent.name);
    return h("li", { class: "room-seat", "data-testid": "room-other" }, avatar(agent, "small"),
      h("span", { class: "grow" }, h("b", null, agent.name), " ", kindTag(agent.kind),
        h("span", { class: "quiet" }, agent.model && ` ${agent.model}`,
          doing && has(`activity.${doing}`) && ` · ${t(`activity.${doing}`)}`)));
  }

  let wanted = null;
  let isDrawing = false;
  /** Draws card by card and yields in between, so that answers are not delayed by forty tables. */
  async function drawAll() {
    isDrawing = true;
    try {
      while (wanted) {
        const { tables, guests, closed } = wanted;
        wanted = null;
        let from = performance.now();
        for (const one of tables) {
          if (performance.now() - from > SLICE) {
            await new Promise((next) => setTimeout(next));
            from = performance.now();
          }
          if (!cards.has(one.number)) {
            cards.set(one.number, card(one.number));
            node.append(cards.get(one.number).node);
          }
          cards.get(one.number).draw({ ...one, over: one.over || closed }, views(one.number), guests);
        }
      }
    } finally {
      isDrawing = false;
    }
  }

  return { node, draw(view) {
    wanted = view;
    if (!isDrawing) void drawAll();
  } };
}
