// A room on a projector: how to join and the guests; then the tables without private data; at the end the outcomes side
// by side.
import { Button, drawing } from "./elements.tsx";
import { t } from "./i18n.js";
import type { Room, RoomView } from "./pkg/room.js";
import { getRoom, type Hosted } from "./rooms/hosted-rooms.js";
import { canStart, codeHint, codeInHalves, guestsWaiting } from "./rooms/lobby.tsx";
import { Qr } from "./rooms/qr.tsx";
import { tableState } from "./rooms/tables.tsx";
import { apply as applyTheme, theme } from "./theme.js";
import type { Engine } from "./view-types.ts";

function Join({ room, view }: { room: Room; view: RoomView }) {
  const waiting = guestsWaiting(view);
  const hint = room.code && codeHint(room);
  return (
    <div class="wall-join">
      <div class="wall-qr">
        <Qr text={room.link} label={t("room.qr")} />
      </div>
      <div>
        <h1>{view.title || t("room.title")}</h1>
        <p class="wall-how">{t("room.scan")}</p>
        {hint && (
          <>
            <p>{hint}</p>
            <p class="wall-code">{codeInHalves(room.code!)}</p>
          </>
        )}
        <p class="quiet" data-testid="wall-words">{t("room.words", { words: room.fingerprint })}</p>
        <p class="wall-count" data-testid="wall-count">{t("room.arrived", { n: waiting.length })}</p>
        <p class="quiet">{waiting.map(({ pseudonym }) => pseudonym).filter(Boolean).join(" · ")}</p>
      </div>
    </div>
  );
}

const Progress = ({ hosted, view: { title, tables } }: { hosted: Hosted; view: RoomView }) => (
  <div>
    <h1>{title || t("room.title")}</h1>
    <ul class="plain wall-tables">
      {tables.map((one) => {
        const view = hosted.viewOf(one.number);
        return (
          <li key={one.number} class={one.over ? "over" : undefined} data-testid="wall-table">
            <h2>{t("room.table", { n: one.number })}</h2>
            <p>{tableState(one, view)}</p>
            {!one.over && <progress max={1} value={view?.progress ?? 0} aria-label={t("room.progress")} />}
          </li>
        );
      })}
    </ul>
  </div>
);

const toggleFull = () =>
  document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen().catch(() => {});

function Wall({ hosted, view }: { hosted: Hosted; view: RoomView }) {
  const { room } = hosted;
  const isLobby = !view.tables.some((one) => one.begun);
  return (
    <div class="present">
      <div class="wall" tabIndex={-1} role="region" aria-label={t("room.project")} aria-live="polite"
        data-testid="wall">
        {isLobby ? <Join room={room} view={view} /> : <Progress hosted={hosted} view={view} />}
      </div>
      <div class="present-bar">
        <Button kind="primary" icon="play" data-testid="wall-start" hidden={!isLobby} disabled={!canStart(view)}
          onClick={() => room.start()}>
          {t("room.start")}
        </Button>
        <output />
        <Button kind="quiet" onClick={toggleFull}>{t("present.full")}</Button>
        <a class="button button-quiet" href={`#/room/${encodeURIComponent(room.id)}`} data-testid="wall-leave">
          {t("present.leave")}
        </a>
      </div>
    </div>
  );
}

export async function view({ args: [id], engine }: { args: string[]; engine: Engine }) {
  const hosted = await getRoom(id!, engine);
  const component = () => <Wall hosted={hosted} view={hosted.room.view()} />;
  const wall = drawing(component());
  const stop = hosted.listen(() => wall.show(component()));
  return { node: wall.node, title: t("room.project"), entered() {
    document.documentElement.classList.add("presenting");
    // A bright room needs dark text on white, unless the user has chosen a theme.
    if (theme() === "auto") applyTheme("light");
  }, leave() {
    stop();
    wall.leave();
    document.documentElement.classList.remove("presenting");
    applyTheme();
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  } };
}
