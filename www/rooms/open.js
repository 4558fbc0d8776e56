// The rooms that this tab holds. Each goes on while other views are shown; one of an earlier visit goes on when its view
// is opened, under the same link. The sessions of tables are open in the page as any others are.
import { Room, checkRoom } from "../pkg/room.js";
import { emptyView, take as takeIn } from "../view.js";
import { language, t } from "../i18n.js";
import { freshSeed } from "../engine.js";
import { invite } from "./invite.js";
import { originOf } from "./meeting.js";

const rooms = new Map();

/** A room with what the page needs beside: `viewOf(table)` is what everybody may see of a table's session. */
class Hosted {
  #views = new Map();
  #listeners = new Set();
  #queued = false;
  /** @type {any} */
  room = null;

  /** Only tabs of this browser can come in. */
  get isLocal() {
    return this.room.meeting.kind === "tabs";
  }
  viewOf = (table) => {
    const session = this.room.session(table);
    if (!session) return null;
    if (!this.#views.has(table)) this.#views.set(table, emptyView());
    const view = this.#views.get(table);
    return takeIn(view, session.view("audience", view.number));
  };
  /** What keeps people from coming in, in a sentence; null where nothing does. */
  trouble() {
    if (this.room.trouble) return t("trouble.storage");
    if (this.isLocal) return t("room.tabs");
    return ["lost", "refused", "mixed"].includes(this.room.connection.state) ? t("room.lost") : null;
  }
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  changed = () => {
    if (this.#queued) return;
    this.#queued = true;
    setTimeout(() => {
      this.#queued = false;
      for (const listener of this.#listeners) listener();
    }, 100);
  };
}

/** What the page's own server has for rooms: a broker, and where others in its network find the page. Null: it has none. */
async function beside() {
  const told = await fetch(new URL("room", document.baseURI)).then((response) => (response.ok ? response.json() : null))
    .catch(() => null);
  if (!Array.isArray(told?.pages)) return null;
  const address = new URL("room", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const page = new URL(told.pages[0] ?? document.baseURI);
  return { address: address.href,
    page: new URL("join.html", ["127.0.0.1", "localhost"].includes(location.hostname) ? page : document.baseURI).href };
}

/** The sessions of all tables. */
const lent = () =>
  [...rooms.values()].flatMap(({ room }) =>
    room.view().tables.map(({ number }) => room.session(number)).filter(Boolean)
  );

async function hold(make, engine) {
  engine.lends(lent);
  const own = await beside();
  const hosted = new Hosted();
  const room = await make({ transport: own?.address ?? "tabs", own: Boolean(own),
    base: own?.page ?? new URL("join.html", document.baseURI).href,
    session: engine.tableOptions((table) => hosted.room?.session(table)?.id), onChange: hosted.changed });
  hosted.room = room;
  rooms.set(room.id, hosted);
  if (!room.view().closed) room.offerCode().then(hosted.changed, () => {});
  engine.Library.persist().catch(() => {});
  return hosted;
}

const passwordOf = (id) => `quorate.broker.${id}`;
/** A room's password at its broker as long as this tab is open, over its reloads. */
function remember(id, password) {
  try {
    if (password) sessionStorage.setItem(passwordOf(id), password);
    else sessionStorage.removeItem(passwordOf(id));
  } catch {
    // Then it is asked for.
  }
}
function remembered(id) {
  try {
    return sessionStorage.getItem(passwordOf(id));
  } catch {
    return null;
  }
}

/** Goes to a room's broker as that user. */
export function signIn(room, login) {
  remember(room.id, login.keepPassword ? null : login.password);
  room.signIn(login);
}

/** Notes a broker's origin for policy.js, beside those of rooms that are open. Whether this page may reach it as it stands. */
async function lets(origin) {
  const met = (await Room.list()).filter(({ closed, meeting }) => !closed && meeting.kind === "broker").map((
    { meeting },
  ) => originOf(meeting.address));
  try {
    localStorage.setItem("quorate.brokers", JSON.stringify([...new Set([...met, origin])]));
  } catch {
    // Then it stays unreachable, which is told.
  }
  return globalThis.quorateBegin?.brokers.includes(origin) ?? true;
}

/** Asks how, opens a room for tables of that configuration and shows it. */
export async function inviteTo(config, engine) {
  const { seed, ...session } = config;
  const wanted = await invite(session, {
    check: (plan) => checkRoom(plan, language()),
  });
  if (!wanted) return;
  const { plan, place } = wanted;
  plan.seed ??= seed ?? freshSeed();
  const isLetIn = !place || await lets(originOf(place.transport));
  const hosted = await hold(
    (options) =>
      Room.open(plan, { ...options, ...(place && { ...place, own: false }), ...(!isLetIn && { isSilent: true }) }),
    engine,
  );
  if (place && !place.keepPassword) remember(hosted.room.id, place.password);
  location.hash = `#/room/${encodeURIComponent(hosted.room.id)}`;
  // A policy is widened by a reload only; the room is kept, and goes on from there.
  if (!isLetIn) location.reload();
}

/** A room of this tab, or one that this browser keeps. Throws where there is none, or where another tab holds it. */
export async function take(id, engine) {
  if (!rooms.has(id) && !opening.has(id)) opening.set(id, reopen(id, engine).finally(() => opening.delete(id)));
  await opening.get(id);
  return rooms.get(id);
}

/** Rooms on their way, so that two views that want one do not open it twice. */
const opening = new Map();

async function reopen(id, engine) {
  const password = remembered(id);
  await hold((options) => Room.reopen(id, { ...options, ...(password && { password }) }), engine);
}

export const list = () => Room.list();

/** Removes a closed room with all names in it. Throws where another tab has it. */
export async function remove(id) {
  await rooms.get(id)?.room.close();
  rooms.delete(id);
  await Room.remove(id);
  remember(id, null);
}
