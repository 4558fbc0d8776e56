// A room as its host sees it: how to join, the guests, the tables, and the controls. The room holds the sessions of its
// tables (rooms/hosted-rooms.js), which go on while other views are shown.
import { h, put, button } from "./dom.js";
import { t } from "./i18n.js";
import { confirmDialog } from "./dialog.js";
import { canStart, lobby } from "./rooms/lobby.js";
import { otherParticipants, tables } from "./rooms/tables.js";
import { signIn as login } from "./rooms/connection-service.js";
import { signIn, getRoom } from "./rooms/hosted-rooms.js";

export async function view({ args: [id], engine, announce }) {
  const hosted = await getRoom(id, engine);
  const { room } = hosted;
  const notice = h("p", { class: "said", role: "alert" });
  /** Does what the host asks; shows a message if it is not possible. */
  const act = (does) => {
    put(notice, does(room) === false ? t("room.refused") : null);
    draw();
  };
  const lobbyPanel = lobby({ room, act, announce });
  const cards = tables({ act, now: () => room.now(), views: hosted.viewOf, session: (table) => room.session(table),
    beside: otherParticipants(room.plan.session.agents ?? [], room.view().seats) });
  const start = button(t("room.start"), () => act((one) => one.start()), { kind: "primary", icon: "play",
    testid: "room-start", class: "button button-primary button-large" });
  const project = h("a", { class: "button", href: `#/project/${encodeURIComponent(id)}`,
    "data-testid": "room-project" }, t("room.project"));
  const state = h("p", { class: "lead", role: "status", "data-testid": "room-state" });
  const meeting = h("div", { class: "banner-place", role: "status" });
  const file = (name, value) =>
    engine.download({ name, type: "application/json", text: `${JSON.stringify(value, null, 2)}\n` });
  const people = h("details", { class: "more" }, h("summary", null, t("room.people")),
    h("p", { class: "help" }, t("room.people.text")),
    h("div", { class: "row" },
      button(t("room.people.save"), () => file(`room-${id}-people.json`, room.names.export()), { kind: "quiet",
        testid: "room-people-save" }),
      button(t("room.people.delete"),
        () =>
          confirmDialog(t("room.people.delete"), t("room.people.delete.text"), t("room.people.delete")).then((yes) =>
            yes && room.names.delete()
          ), { kind: "danger" })));
  const running = (one, state) => one.view().tables.some((table) => table.state === state);
  const pause = button(t("room.pause.all"), () => act((one) => (running(one, "running") ? one.pause() : one.resume())),
    { kind: "quiet", testid: "room-pause" });
  const end = button(t("room.close"),
    () =>
      confirmDialog(t("room.close"), t("room.close.text"), t("room.close")).then((yes) =>
        yes && act((one) => one.end())
      ), { kind: "danger", testid: "room-close" });
  // Once tables play, the instructions for joining are folded.
  const joining = h("details", { class: "room-joining", open: true }, h("summary", null, h("h2", null, t("room.join"))),
    lobbyPanel.node);
  let isPlaying = false;
  let troubled = "";
  const seats = h("section", { "aria-labelledby": "room-tables-title" },
    h("div", { class: "row" }, h("h2", { id: "room-tables-title" }, t("room.tables")), pause), cards.node,
    h("p", { class: "quiet none" }, t("room.tables.none")));
  const title = h("h1", null, room.view().title || t("room.title"));
  const node = h("div", { class: "page room" },
    h("div", { class: "page-head" }, h("div", null, title, state), h("div", { class: "row" }, start, project)), meeting,
    notice, joining, seats, people, h("p", { class: "room-end" }, end));

  function draw() {
    const now = room.view();
    lobbyPanel.draw(now);
    cards.draw(now);
    const begun = now.tables.filter((one) => one.begun).length;
    const over = now.tables.filter((one) => one.over).length;
    put(state, now.closed
      ? t("room.closed")
      : begun
      ? t("room.state", { begun, over, here: now.guests.filter((guest) => guest.here && !guest.way).length })
      : t("room.state.lobby", { n: now.waiting, people: now.people }));
    if (begun > 0 && !isPlaying) {
      isPlaying = true;
      joining.open = false;
      people.before(joining);
    }
    start.disabled = !canStart(now);
    // A closed room cannot be joined.
    start.hidden = joining.hidden = now.closed;
    seats.hidden = project.hidden = now.closed && !now.tables.length;
    node.querySelector(".none").toggleAttribute("hidden", now.tables.length > 0);
    end.hidden = now.closed;
    const isRunning = running(room, "running");
    put(pause, t(isRunning ? "room.pause.all" : "room.resume.all"));
    pause.hidden = begun < 2 || !(isRunning || running(room, "paused"));
    // Keeps what is being typed.
    const wanted = room.connection.state === "refused" && room.meeting.kind === "broker"
      ? "login"
      : hosted.trouble() ?? "";
    if (wanted === troubled) return;
    troubled = wanted;
    put(meeting,
      wanted === "login" ? login((given) => signIn(room, given)) : wanted && h("p", { class: "banner bad" }, wanted));
  }
  draw();
  const stop = hosted.listen(draw);
  const clock = setInterval(draw, 5000);
  return { node, title: room.view().title || t("room.title"), leave: () => {
    stop();
    clearInterval(clock);
  } };
}
