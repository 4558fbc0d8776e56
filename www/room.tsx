// A room as its host sees it: how to join, the guests, the tables, and the controls. The room holds the sessions of its
// tables (rooms/hosted-rooms.js), which go on while other views are shown.
import { useLayoutEffect, useRef } from "preact/hooks";
import { confirmDialog } from "./dialog.tsx";
import { Button, drawing } from "./elements.tsx";
import { t } from "./i18n.js";
import type { Room, RoomView } from "./pkg/room.js";
import { SignIn } from "./rooms/connection-service.tsx";
import { Aside, ForAll, Parts, Times } from "./rooms/dashboard.tsx";
import { getRoom, type Hosted, signIn } from "./rooms/hosted-rooms.js";
import { type Act, actIfSure, canStart, Lobby } from "./rooms/lobby.tsx";
import { Tables } from "./rooms/tables.tsx";
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

/** What keeps guests from joining; the lobby says it as well where they cannot reach the room. */
function Connection({ hosted, isLobby }: { hosted: Hosted; isLobby: boolean }) {
  const { room } = hosted;
  const needsLogin = room.connection.state === "refused" && room.meeting.kind === "broker";
  const trouble = !needsLogin && (hosted.isReachable || !isLobby) && hosted.trouble();
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

function Page(
  { hosted, view, engine, announce, act, isRefused, onWall }: { hosted: Hosted; view: RoomView; engine: Engine;
    announce: Announce; act: Act; isRefused: boolean; onWall: (wall: Hosted["wall"]) => void },
) {
  const { room } = hosted;
  const { tables, closed, waiting, people } = view;
  const isPlaying = tables.some((one) => one.begun);
  const isOver = closed || (isPlaying && tables.every((one) => one.over));
  const views = tables.map(({ number }) => hosted.viewOf(number)).filter((one) => one !== null);
  const end = () => actIfSure(act, t("room.close"), t("room.close.text"), t("room.close"), (one) => one.end());
  const now = () => room.now();
  const lobby = { hosted, view, act, announce, engine };
  const close = (
    <p class="room-end">
      <Button kind="danger" data-testid="room-close" hidden={closed} onClick={end}>
        {t(isPlaying && !isOver ? "room.close.now" : "room.close")}
      </Button>
    </p>
  );
  const cards = (
    <section aria-labelledby="room-tables-title" hidden={closed && !tables.length}>
      <h2 id="room-tables-title" class={isPlaying ? "sr-only" : undefined}>{t("room.tables")}</h2>
      <Tables view={view} act={act} viewOf={hosted.viewOf} session={(table) => room.session(table)} now={now}
        onWall={(table) => onWall({ show: "table", table })} />
      <p class="quiet none" hidden={tables.length > 0}>{t("room.tables.none")}</p>
    </section>
  );
  return (
    <div class={isPlaying ? "page room dashboard" : "page room"}>
      <div class="page-head">
        <div>
          <h1>{view.title || t("room.title")}</h1>
          {isPlaying
            ? <Parts views={views} />
            : (
              <p class="lead" role="status" data-testid="room-state">
                {closed ? t("room.closed") : t("room.state.lobby", { n: waiting, people })}
              </p>
            )}
        </div>
        {isPlaying && !isOver && <Times view={view} views={views} now={now} />}
        <div class="row">
          {isPlaying && <ForAll view={view} act={act} />}
          <Button kind="primary" icon="play" more="button-large" data-testid="room-start" disabled={!canStart(view)}
            hidden={closed || (isPlaying && !canStart(view))} onClick={() => act((one) => one.start())}>
            {t(isPlaying ? "room.start.late" : "room.start")}
          </Button>
          <a class={isOver ? "button button-primary button-large" : "button"} data-testid="room-project"
            href={`#/project/${encodeURIComponent(room.id)}`} hidden={closed && !tables.length}
            onClick={() => isOver && onWall({ show: "progress", table: hosted.wall.table })}>
            {t(isOver ? "room.project.results" : "room.project")}
          </a>
        </div>
      </div>
      <Connection hosted={hosted} isLobby={!isPlaying && !closed} />
      <p class="said" role="alert">{isRefused && t("room.refused")}</p>
      {!isPlaying && <Joining key="joining" isPlaying={false} {...lobby} />}
      {isPlaying
        ? (
          <div class="dash">
            {cards}
            <Aside hosted={hosted} view={view} act={act} onWall={onWall}>{close}</Aside>
          </div>
        )
        : cards}
      {isPlaying && <Joining key="joining" isPlaying {...lobby} />}
      <People room={room} engine={engine} />
      {!isPlaying && close}
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
  const onWall = (wall: Hosted["wall"]) => {
    hosted.wall = wall;
    hosted.changed();
  };
  const component = () => (
    <Page hosted={hosted} view={room.view()} engine={engine} announce={announce} act={act} isRefused={isRefused}
      onWall={onWall} />
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
