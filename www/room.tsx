// A room as its host sees it: how to join, the guests, the tables, and the controls. The room holds the sessions of its
// tables (rooms/hosted-rooms.js), which go on while other views are shown.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { confirmDialog } from "./dialog.tsx";
import { Button, drawing } from "./elements.tsx";
import { t } from "./i18n.js";
import type { Room, RoomTable, RoomView } from "./pkg/room.js";
import { SignIn } from "./rooms/connection-service.tsx";
import { getRoom, type Hosted, signIn } from "./rooms/hosted-rooms.js";
import { type Act, actIfSure, canStart, Lobby } from "./rooms/lobby.tsx";
import { otherParticipants, Tables } from "./rooms/tables.tsx";
import type { Engine } from "./view-types.ts";

type Announce = (text: string) => void;

/** Names and answers of the guests, which are in no record. */
function People({ room, engine }: { room: Room; engine: Engine }) {
  const save = () =>
    engine.download({ name: `room-${room.id}-people.json`, type: "application/json",
      text: `${JSON.stringify(room.names.export(), null, 2)}\n` });
  const remove = async () => {
    if (await confirmDialog(t("room.people.delete"), t("room.people.delete.text"), t("room.people.delete"))) {
      room.names.delete();
    }
  };
  return (
    <details class="more">
      <summary>{t("room.people")}</summary>
      <p class="help">{t("room.people.text")}</p>
      <div class="row">
        <Button kind="quiet" data-testid="room-people-save" onClick={save}>{t("room.people.save")}</Button>
        <Button kind="danger" onClick={remove}>{t("room.people.delete")}</Button>
      </div>
    </details>
  );
}

/** What keeps guests from joining. */
function Connection({ hosted }: { hosted: Hosted }) {
  const { room } = hosted;
  const needsLogin = room.connection.state === "refused" && room.meeting.kind === "broker";
  const trouble = !needsLogin && hosted.trouble();
  return (
    <div class="banner-place" role="status">
      {needsLogin && <SignIn onSubmit={(login) => signIn(room, login)} />}
      {trouble && <p class="banner bad">{trouble}</p>}
    </div>
  );
}

/** How to join; once tables play, folded. */
function Joining({ isPlaying, ...lobby }: { isPlaying: boolean } & Parameters<typeof Lobby>[0]) {
  const place = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (isPlaying) place.current!.open = false;
  }, [isPlaying]);
  return (
    <details ref={place} class="room-joining" open hidden={lobby.view.closed}>
      <summary>
        <h2>{t("room.join")}</h2>
      </summary>
      <Lobby {...lobby} />
    </details>
  );
}

const count = (tables: RoomTable[], is: (one: RoomTable) => boolean) => tables.filter(is).length;

function stateOf({ closed, tables, guests, waiting, people }: RoomView) {
  if (closed) return t("room.closed");
  const begun = count(tables, (one) => one.begun);
  if (!begun) return t("room.state.lobby", { n: waiting, people });
  return t("room.state", { begun, over: count(tables, (one) => one.over),
    here: guests.filter((guest) => guest.here && !guest.way).length });
}

function Page(
  { hosted, view, engine, announce, act, isRefused }: { hosted: Hosted; view: RoomView; engine: Engine;
    announce: Announce; act: Act; isRefused: boolean },
) {
  const { room } = hosted;
  const { tables, closed } = view;
  const [others] = useState(() => otherParticipants(room.plan.session.agents ?? [], view.seats));
  const begun = count(tables, (one) => one.begun);
  const isRunning = tables.some(({ state }) => state === "running");
  const isPaused = tables.some(({ state }) => state === "paused");
  const end = () => actIfSure(act, t("room.close"), t("room.close.text"), t("room.close"), (one) => one.end());
  return (
    <div class="page room">
      <div class="page-head">
        <div>
          <h1>{view.title || t("room.title")}</h1>
          <p class="lead" role="status" data-testid="room-state">{stateOf(view)}</p>
        </div>
        <div class="row">
          <Button kind="primary" icon="play" more="button-large" data-testid="room-start" disabled={!canStart(view)}
            hidden={closed} onClick={() => act((one) => one.start())}>
            {t("room.start")}
          </Button>
          <a class="button" href={`#/project/${encodeURIComponent(room.id)}`} data-testid="room-project"
            hidden={closed && !tables.length}>
            {t("room.project")}
          </a>
        </div>
      </div>
      <Connection hosted={hosted} />
      <p class="said" role="alert">{isRefused && t("room.refused")}</p>
      {!begun && <Joining key="joining" isPlaying={false} room={room} view={view} act={act} announce={announce} />}
      <section aria-labelledby="room-tables-title" hidden={closed && !tables.length}>
        <div class="row">
          <h2 id="room-tables-title">{t("room.tables")}</h2>
          <Button kind="quiet" data-testid="room-pause" hidden={begun < 2 || !(isRunning || isPaused)}
            onClick={() => act((one) => (isRunning ? one.pause() : one.resume()))}>
            {t(isRunning ? "room.pause.all" : "room.resume.all")}
          </Button>
        </div>
        <Tables view={view} act={act} viewOf={hosted.viewOf} session={(table) => room.session(table)} others={others}
          now={() => room.now()} />
        <p class="quiet none" hidden={tables.length > 0}>{t("room.tables.none")}</p>
      </section>
      {begun > 0 && <Joining key="joining" isPlaying room={room} view={view} act={act} announce={announce} />}
      <People room={room} engine={engine} />
      <p class="room-end">
        <Button kind="danger" data-testid="room-close" hidden={closed} onClick={end}>{t("room.close")}</Button>
      </p>
    </div>
  );
}

export async function view(
  { args: [id], engine, announce }: { args: string[]; engine: Engine; announce: Announce },
) {
  const hosted = await getRoom(id!, engine);
  const { room } = hosted;
  let isRefused = false;
  const act: Act = (does) => {
    isRefused = does(room) === false;
    draw();
  };
  const component = () => (
    <Page hosted={hosted} view={room.view()} engine={engine} announce={announce} act={act} isRefused={isRefused} />
  );
  const page = drawing(component());
  const draw = () => page.show(component());
  const stop = hosted.listen(draw);
  const clock = setInterval(draw, 5000);
  return { node: page.node, title: room.view().title || t("room.title"), leave() {
    stop();
    clearInterval(clock);
    page.leave();
  } };
}
