// What the host has at hand while tables play: the parts of the session, its clock, commands for all tables, the wall and
// a message to all.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../elements.tsx";
import { t } from "../i18n.js";
import { useUid } from "../inputs.tsx";
import type { RoomView } from "../pkg/room.js";
import type { View } from "../view-types.ts";
import { begunAt, classDeadline } from "./class-times.ts";
import { Clock } from "./clock.tsx";
import type { Hosted } from "./hosted-rooms.js";
import { type Act, actIfSure, codeInHalves, hereText } from "./lobby.tsx";
import { partsOf } from "./progress.ts";

/** Seconds that the host adds at once. */
const MORE_TIME = 60;
/** Letters of a message to all at most. */
const MESSAGE = 280;

export const Parts = ({ views }: { views: View[] }) => (
  <ol class="plain lesson-parts" aria-label={t("steps")}>
    {partsOf(views).map(({ key, name, state }) => (
      <li key={key} class={`lesson-part part-${state}`} aria-current={state === "current" ? "step" : undefined}>
        {state === "done" && <span aria-hidden="true">✓</span>}
        {name}
        <span class="sr-only">{` ${t(`step.state.${state}`)}`}</span>
      </li>
    ))}
  </ol>
);

export function Times({ view, views, now }: { view: RoomView; views: View[]; now: () => number }) {
  const until = classDeadline(view);
  return (
    <div class="class-clock" data-testid="class-clock">
      <Clock until={until} since={begunAt(views)} now={now} />
      <span class="quiet">{t(until === null ? "room.clock.since" : "room.clock.left")}</span>
    </div>
  );
}

const runs = ({ tables }: RoomView) => tables.some(({ state }) => state === "running");

/** Commands for all tables. */
export function ForAll({ view, act }: { view: RoomView; act: Act }) {
  const isRunning = runs(view);
  const isPaused = view.tables.some(({ state }) => state === "paused");
  const skip = () =>
    actIfSure(act, t("room.skip.all"), t("room.skip.all.text"), t("room.skip.all"), (one) => one.skip());
  return (
    <div class="row for-all" hidden={view.closed || !(isRunning || isPaused)}>
      <Button data-testid="room-extend" onClick={() => act((one) => one.extend(MORE_TIME))}>
        {t("room.extend")}
      </Button>
      <Button data-testid="room-pause" onClick={() => act((one) => (runs(one.view()) ? one.pause() : one.resume()))}>
        {t(isRunning ? "run.pause" : "run.resume")}
      </Button>
      <Button kind="primary" data-testid="room-skip" onClick={skip}>{t("room.skip.all")}</Button>
    </div>
  );
}

function WallChoice(
  { hosted, view, onWall }: { hosted: Hosted; view: RoomView; onWall: (wall: Hosted["wall"]) => void },
) {
  const name = useUid("wall");
  const { show, table } = hosted.wall;
  const address = `#/project/${encodeURIComponent(hosted.room.id)}`;
  return (
    <fieldset class="wall-choice">
      <legend>{t("room.wall.on")}</legend>
      {(["progress", "table", "blank"] as const).map((one) => (
        <label key={one} class="tickbox">
          <input type="radio" name={name} checked={show === one} data-testid={`wall-${one}`}
            onChange={() => onWall({ show: one, table })} />
          <span>{t(`room.wall.${one}`)}</span>
        </label>
      ))}
      {show === "table" && (
        <select aria-label={t("room.wall.which")} value={table} onChange={({ currentTarget }) =>
          onWall({ show, table: Number(currentTarget.value) })}>
          {view.tables.map(({ number }) => <option value={number}>{t("room.table", { n: number })}</option>)}
        </select>
      )}
      <a class="button button-quiet" href={address} target="_blank" data-testid="room-window">
        {t("room.wall.window")}
      </a>
    </fieldset>
  );
}

function Message({ act, count }: { act: Act; count: number }) {
  const id = useUid("message");
  const [text, setText] = useState("");
  const [isSent, setSent] = useState(false);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    act((room) => room.tell(text.trim()));
    setText("");
    setSent(true);
  };
  const write = (next: string) => {
    setText(next);
    setSent(false);
  };
  return (
    <form class="stack" onSubmit={send}>
      <label for={id}>{t("room.tell")}</label>
      <textarea id={id} rows={3} maxLength={MESSAGE} value={text} data-testid="room-message"
        onInput={({ currentTarget }) => write(currentTarget.value)} />
      <button type="submit" class="button" data-testid="room-tell">{t("room.tell.send", { n: count })}</button>
      <p class="said" role="status">{isSent && t("room.tell.sent")}</p>
    </form>
  );
}

/** What a room without anybody at its tables says; a study may need more of them. */
function overText({ study }: RoomView) {
  const ended = study?.cells.reduce((sum, cell) => sum + cell.ended, 0) ?? 0;
  return study && ended < study.tables ? t("study.ended", { n: ended, of: study.tables }) : t("room.over.all");
}

/** The column beside the tables. */
export function Aside(
  { hosted, view, act, onWall, children }: { hosted: Hosted; view: RoomView; act: Act;
    onWall: (wall: Hosted["wall"]) => void; children: ComponentChildren },
) {
  const { room } = hosted;
  const guests = view.guests.filter(({ way }) => !way);
  const here = guests.filter((guest) => guest.here).length;
  // Those who have finished are not awaited any more.
  const expected = (hosted.expected ?? 0) - (view.guests.length - guests.length);
  return (
    <aside class="stack dash-aside" aria-label={t("room.all")}>
      <div>
        <p class="here" role="status" data-testid="room-state">
          {view.closed
            ? t("room.closed")
            : !guests.length
            ? overText(view)
            : hereText(here, Math.max(expected, guests.length))}
        </p>
        {!view.closed && guests.length > 0 && room.code && hosted.isReachable && (
          <>
            <p class="dash-code">{codeInHalves(room.code)}</p>
            <p class="quiet">{t("room.late")}</p>
          </>
        )}
      </div>
      <WallChoice hosted={hosted} view={view} onWall={onWall} />
      {!view.closed && here > 0 && <Message act={act} count={here} />}
      {children}
    </aside>
  );
}
