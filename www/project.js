// A room on a projector: how to join and the guests; then the tables without private data; at the end the outcomes side
// by side.
import { h, put, button } from "./dom.js";
import { t } from "./i18n.js";
import { qr } from "./rooms/qr.js";
import { canStart, codeHint, codeInHalves } from "./rooms/lobby.js";
import { tableState } from "./rooms/tables.js";
import { getRoom } from "./rooms/hosted-rooms.js";
import { apply as applyTheme, theme } from "./theme.js";

export async function view({ args: [id], engine }) {
  const hosted = await getRoom(id, engine);
  const { room } = hosted;
  const stage = h("div", { class: "wall", tabindex: "-1", role: "region", "aria-label": t("room.project"),
    "aria-live": "polite", "data-testid": "wall" });
  const start = button(t("room.start"), () => room.start(), { kind: "primary", icon: "play", testid: "wall-start" });
  const full = button(t("present.full"), () => (document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen().catch(() => {})), { kind: "quiet" });
  const bar = h("div", { class: "present-bar" }, start, h("output", null), full,
    h("a", { class: "button button-quiet", href: `#/room/${encodeURIComponent(id)}`, "data-testid": "wall-leave" },
      t("present.leave")));
  const node = h("div", { class: "present" }, stage, bar);
  let drawn = "";

  const join = (now) =>
    h("div", { class: "wall-join" }, h("div", { class: "wall-qr" }, qr(room.link, t("room.qr"))),
      h("div", null, h("h1", null, now.title || t("room.title")), h("p", { class: "wall-how" }, t("room.scan")),
        room.code && codeHint(room)
          && [h("p", null, codeHint(room)), h("p", { class: "wall-code" }, codeInHalves(room.code))],
        h("p", { class: "quiet", "data-testid": "wall-words" }, t("room.words", { words: room.fingerprint })),
        h("p", { class: "wall-count", "data-testid": "wall-count" }, t("room.arrived", { n: now.guests.filter((guest) =>
          !guest.way && !guest.table
        ).length })), h("p", { class: "quiet" }, now.guests.filter((guest) =>
          !guest.way && !guest.table && guest.pseudonym
        ).map((guest) => guest.pseudonym).join(" · "))));

  const progress = (now) =>
    h("div", null, h("h1", null, now.title || t("room.title")),
      h("ul", { class: "plain wall-tables" }, now.tables.map((one) => {
        const view = hosted.viewOf(one.number);
        return h("li", { class: one.over && "over", "data-testid": "wall-table" },
          h("h2", null, t("room.table", { n: one.number })), h("p", null, tableState(one, view)),
          !one.over && h("progress", { max: 1, value: view?.progress ?? 0, "aria-label": t("room.progress") }));
      })));

  function draw() {
    const now = room.view();
    const isLobby = !now.tables.some((one) => one.begun);
    const next = JSON.stringify([room.link, room.code, now.tables.map((
      one,
    ) => [one.over, tableState(one, hosted.viewOf(one.number)), hosted.viewOf(one.number)?.progress]),
      now.guests.map(({ pseudonym, way, table }) => [pseudonym, way, table])]);
    if (next === drawn) return;
    drawn = next;
    start.hidden = !isLobby;
    start.disabled = !canStart(now);
    put(stage, isLobby ? join(now) : progress(now));
  }
  draw();
  const stop = hosted.listen(draw);
  return { node, title: t("room.project"), entered() {
    document.documentElement.classList.add("presenting");
    // A bright room needs dark text on white, unless the user has chosen a theme.
    if (theme() === "auto") applyTheme("light");
  }, leave: () => {
    stop();
    document.documentElement.classList.remove("presenting");
    applyTheme();
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  } };
}
