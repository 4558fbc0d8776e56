// The lobby as the host sees it: a link, its QR code for phones, a code to type, and the guests.
import { useEffect, useRef, useState } from "preact/hooks";
import { confirmDialog } from "../dialog.tsx";
import { Button } from "../elements.tsx";
import { t } from "../i18n.js";
import type { Room, RoomGuest, RoomView } from "../pkg/room.js";
import type { Engine } from "../view-types.ts";
import { ConnectionPicker, isTestDue, useConnection } from "./connection-picker.tsx";
import { type Hosted, moveRoom } from "./hosted-rooms.js";
import { Qr } from "./qr.tsx";

/** Does what the host asks; shows a message if it is not possible. */
export type Act = (does: (room: Room) => unknown) => void;

/** Asks the host first. */
export const actIfSure = async (act: Act, title: string, text: string, action: string,
  does: (room: Room) => unknown) => {
  if (await confirmDialog(title, text, action)) act(does);
};

/** The code in two halves, for reading aloud. */
export const codeInHalves = (code: string) => `${code.slice(0, 4)} ${code.slice(4)}`;
/** The address at which a code is typed: the guest's page without its scheme. */
const codeAddress = (link: string) => link.replace(/#.*$/, "").replace(/^https?:\/\//, "");

/**
 * How to join by code, in a sentence that names a connection service other than the page's own; null if guests need a
 * password, which only the link contains.
 */
export function codeHint({ link, meeting }: Room) {
  const address = codeAddress(link);
  if (meeting.kind !== "broker") return t("room.code", { address });
  return new URL(meeting.address!).username ? null : t("room.code.at", { address, place: meeting.address });
}

/** Returns whether the link works on this computer only; tabs of one browser are reported separately. */
const isOfThisMachine = ({ link, meeting }: Room) =>
  meeting.kind !== "tabs" && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(link).hostname);

/** Returns whether a guest waits for a table, or sits at one that has not begun. */
export const canStart = ({ closed, waiting, tables }: RoomView) =>
  !closed && (waiting > 0 || tables.some((one) => !one.begun && one.seats.some((seat) => seat.guest !== null)));

/** The guests who are in the room and have no table. */
export const guestsWaiting = ({ guests }: RoomView) => guests.filter((guest) => !guest.way && !guest.table);

/** The host's name for a guest: the guest's own, else the pseudonym of the record. */
export const nameOf = ({ name, pseudonym, number }: RoomGuest) => name || pseudonym || t("room.guest", { n: number });

/** Free seats as `[table, seat]`: of tables not yet begun, and of the next one. */
function places({ tables, mostTables, seats }: RoomView): [number, string][] {
  const free = tables.filter((one) => !one.begun).flatMap((one) =>
    one.seats.filter((seat) => seat.guest === null).map((seat): [number, string] => [one.number, seat.seat])
  );
  const next = seats.map((seat): [number, string] => [tables.length + 1, seat]);
  return tables.length < mostTables ? [...free, ...next] : free;
}

function Link({ room }: { room: Room }) {
  const link = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(room.link);
    } catch {
      link.current!.select();
      document.execCommand("copy");
    }
    setCopied(t("room.copied"));
  };
  return (
    <>
      <label for="room-link">{t("room.link")}</label>
      <div class="row">
        <input ref={link} type="text" readOnly id="room-link" value={room.link} data-testid="room-link"
          onFocus={({ currentTarget }) => currentTarget.select()} />
        <Button data-testid="room-copy" onClick={copy}>{t("room.copy")}</Button>
        <span class="said" role="status">{copied}</span>
      </div>
    </>
  );
}

function SeatChoice({ guest, view, act }: { guest: RoomGuest; view: RoomView; act: Act }) {
  const free = places(view);
  const deal = (at: string) => {
    const [table, seat] = free[Number(at)]!;
    act((room) => room.deal(guest.number, table, seat));
  };
  return (
    <select aria-label={t("room.seat", { name: nameOf(guest) })} data-testid="room-seat"
      onChange={({ currentTarget }) => deal(currentTarget.value)}>
      <option value="">{t("room.seat.choose")}</option>
      {free.map(([table, seat], at) => <option value={at}>{`${t("room.table", { n: table })} · ${seat}`}</option>)}
    </select>
  );
}

function Guest({ guest, room, view, act }: { guest: RoomGuest; room: Room; view: RoomView; act: Act }) {
  const name = nameOf(guest);
  const hasNamesake = guestsWaiting(view).some((other) => other !== guest && nameOf(other) === name);
  const remove = () =>
    actIfSure(act, t("room.remove.title", { name }), t("room.remove.text"), t("room.remove.do"), (one) =>
      one.remove(guest.number));
  return (
    <li class={guest.here ? "chip" : "chip away"}>
      <span class="dot" aria-hidden="true" />
      {name}
      {hasNamesake && <span class="quiet">{guest.pseudonym ?? guest.number}</span>}
      {guest.stage === "arriving" && <span class="quiet">{t("room.arriving")}</span>}
      {!guest.here && <span class="quiet">{t("room.away")}</span>}
      {guest.elsewhere && <span class="quiet">{t("room.elsewhere")}</span>}
      {(room.plan.study?.people ?? room.plan).deal === "hand" && guest.stage === "lobby" && (
        <SeatChoice guest={guest} view={view} act={act} />
      )}
      <Button kind="quiet" more="button-icon" icon="cross" aria-label={t("room.remove", { name })} onClick={remove} />
    </li>
  );
}

/** The ways into the room. */
function Ways({ room }: { room: Room }) {
  const hint = room.code && codeHint(room);
  return (
    <div class="room-ways">
      <div class="room-qr">
        <Qr text={room.link} label={t("room.qr")} />
      </div>
      <div class="stack">
        <Link room={room} />
        <p class="room-code">{hint && [hint, " ", <strong>{codeInHalves(room.code!)}</strong>]}</p>
        <p class="quiet" data-testid="room-words">{t("room.words", { words: room.fingerprint })}</p>
        <p class="bad" data-testid="room-reach">{isOfThisMachine(room) && t("room.reach")}</p>
        <p class="help">{t("room.sealed")}</p>
      </div>
    </div>
  );
}

/** Why phones cannot join, and where they could. */
function Unreachable({ hosted, view, engine }: { hosted: Hosted; view: RoomView; engine: Engine }) {
  const connection = useConnection();
  const [error, setError] = useState<Error | null>(null);
  const [isOpen] = useState(isTestDue);
  return (
    <div class="stack room-unreachable" data-testid="room-unreachable">
      <p>{hosted.trouble()}</p>
      {!view.guests.length && (
        <details class="choose" open={isOpen}>
          <summary class="button button-primary" data-testid="room-connect">{t("wall.trouble.do")}</summary>
          <div class="stack">
            <ConnectionPicker connection={connection} />
            <p>
              <Button kind="primary" data-testid="room-move" disabled={!connection.address} onClick={() =>
                void moveRoom(hosted, engine).catch(setError)}>
                {t("room.move")}
              </Button>
            </p>
            <p class="said bad" role="alert" lang="en">{error?.message}</p>
          </div>
        </details>
      )}
    </div>
  );
}

/** How many are here: of those expected, or of those who joined if they are more. */
export const hereText = (here: number, of: number) =>
  here >= of ? t("room.here.all", { n: here }) : t("room.here.some", { here, n: of });

/** How to join, and the guests. */
export function Lobby(
  { hosted, view, act, announce, engine }: { hosted: Hosted; view: RoomView; act: Act; announce: (text: string) => void;
    engine: Engine },
) {
  const { room, expected } = hosted;
  const waiting = guestsWaiting(view);
  const here = waiting.filter((guest) => guest.here).length;
  const arrived = expected ? hereText(here, Math.max(expected, waiting.length)) : t("room.arrived", { n: here });
  const before = useRef(here);
  useEffect(() => {
    if (here !== before.current) announce(arrived);
    before.current = here;
  }, [here]);
  const clear = () => actIfSure(act, t("room.clear"), t("room.clear.text"), t("room.clear"), (one) => one.clear());
  return (
    <section class="room-join" aria-label={t("room.join")}>
      {hosted.isReachable ? <Ways room={room} /> : <Unreachable hosted={hosted} view={view} engine={engine} />}
      <div>
        <h3>{arrived}</h3>
        {waiting.length
          ? (
            <ul class="chips plain" data-testid="room-arrived">
              {waiting.map((guest) => <Guest key={guest.number} guest={guest} room={room} view={view} act={act} />)}
            </ul>
          )
          : <p class="quiet">{t("room.nobody")}</p>}
        {waiting.length > 1 && <Button kind="quiet" data-testid="room-clear" onClick={clear}>{t("room.clear")}</Button>}
      </div>
    </section>
  );
}
