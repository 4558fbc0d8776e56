// The rooms that this tab hosts. They go on while other views are shown; a stored room is reopened under the same link
// when its view is opened. The sessions of tables are open in the page like any others.
import { Room, checkRoom } from "../pkg/room.js";
import { emptyView, take as takeIn } from "../view.js";
import { language, t } from "../i18n.js";
import { freshSeed } from "../engine.js";
import { invite } from "./invite.tsx";
import { chosenBroker, originOf } from "./connection-service.tsx";

/** @type {Map<string, Hosted>} */
const rooms = new Map();

/**
 * A room with additions for the page: `viewOf(table)` is a table's session as its owner sees it, `viewOf(table,
 * "audience")` as the public does; `wall` is what the wall shows while tables play.
 */
export class Hosted {
  #views = new Map();
  #listeners = new Set();
  #queued = false;
  /** @type {Room} */
  room = null;
  /** @type {{ show: "progress" | "table" | "blank", table: number }} */
  wall = { show: "progress", table: 1 };
  /** How many people the host expects; null if that is not known. */
  get expected() {
    return storedExpected(this.room.id);
  }

  /** Only tabs of this browser can join. */
  get isLocal() {
    return this.room.meeting.kind === "tabs";
  }
  viewOf = (table, role = /** @type {"owner" | "audience"} */ ("owner")) => {
    const session = this.room.session(table);
    if (!session) return null;
    const key = `${language()}/${role}/${table}`;
    if (!this.#views.has(key)) this.#views.set(key, emptyView());
    const view = this.#views.get(key);
    return takeIn(view, session.view(role, view.number, language()));
  };
  /** What keeps guests from joining, in a sentence; or null. */
  trouble() {
    const { trouble } = this.room;
    /** @type {string | undefined} */
    const code = trouble?.code;
    if (code === "meeting") return t(`room.meeting.${trouble.detail}`);
    if (code === "locked") return t("room.taken");
    if (trouble) return t("trouble.storage");
    if (this.isReachable) return null;
    return t(this.isLocal ? "room.tabs" : "room.lost");
  }
  /** Phones can join. */
  get isReachable() {
    return !this.isLocal && !["lost", "refused", "mixed"].includes(this.room.connection.state);
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

/** The broker of the page's own server, and the address of the page in its network; null if it has none. */
export async function localBroker() {
  const info = await fetch(new URL("room", document.baseURI)).then((response) => (response.ok ? response.json() : null))
    .catch(() => null);
  if (!Array.isArray(info?.pages)) return null;
  const address = new URL("room", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const page = new URL(info.pages[0] ?? document.baseURI);
  return { address: address.href,
    page: new URL("join.html", ["127.0.0.1", "localhost"].includes(location.hostname) ? page : document.baseURI).href };
}

/** The sessions of all tables. */
const tableSessions = () =>
  [...rooms.values()].flatMap(({ room }) =>
    room.view().tables.map(({ number }) => room.session(number)).filter(Boolean)
  );

const wallChannel = (id) => new BroadcastChannel(`quorate.wall.${id}`);
/** Milliseconds in which a tab answers that has the room. */
const ANSWERS = 3000;

/** Sends what the wall shows to windows that follow it, once there is one. */
function sendWall(hosted) {
  const channel = wallChannel(hosted.room.id);
  let isFollowed = false;
  const send = async () => {
    const { wallView } = await import("./wall-view.ts");
    channel.postMessage({ view: wallView(hosted), now: hosted.room.now() });
  };
  channel.onmessage = ({ data }) => {
    if (data !== "wall") return;
    isFollowed = true;
    void send();
  };
  hosted.listen(() => isFollowed && void send());
}

/**
 * The wall of a room that another tab of this browser has, or null if none answers.
 * @template T
 * @returns {Promise<{ read: () => T, now: () => number, listen: (on: () => void) => () => void } | null>}
 */
export function follow(id) {
  const channel = wallChannel(id);
  const listeners = new Set();
  let got = null;
  return new Promise((resolve) => {
    const stop = setTimeout(() => (channel.close(), resolve(null)), ANSWERS);
    channel.onmessage = ({ data }) => {
      if (!data?.view) return;
      clearTimeout(stop);
      got = { view: data.view, ahead: data.now - Date.now() };
      for (const on of listeners) on();
      resolve({ read: () => got.view, now: () => Date.now() + got.ahead, listen(on) {
        listeners.add(on);
        return () => channel.close();
      } });
    };
    channel.postMessage("wall");
  });
}

async function hold(make, engine) {
  engine.lends(tableSessions);
  const own = await localBroker();
  const hosted = new Hosted();
  const room = await make({ transport: own?.address ?? "tabs", own: Boolean(own),
    base: own?.page ?? new URL("join.html", document.baseURI).href,
    session: engine.tableOptions((table) => hosted.room?.session(table)?.id), onChange: hosted.changed });
  hosted.room = room;
  rooms.set(room.id, hosted);
  sendWall(hosted);
  if (!room.view().closed) room.offerCode().then(hosted.changed, () => {});
  engine.Library.persist().catch(() => {});
  return hosted;
}

const passwordOf = (id) => `quorate.broker.${id}`;
/** Stores a room's password for its broker until this tab is closed, across reloads. */
function storePassword(id, password) {
  try {
    if (password) sessionStorage.setItem(passwordOf(id), password);
    else sessionStorage.removeItem(passwordOf(id));
  } catch {
    // Storage is not available: it is asked for after a reload.
  }
}
function storedPassword(id) {
  try {
    return sessionStorage.getItem(passwordOf(id));
  } catch {
    return null;
  }
}

const expectedAt = (id) => `quorate.expected.${id}`;
/** Stores how many people a room's host expects; null forgets it. */
function storeExpected(id, people) {
  try {
    if (people) localStorage.setItem(expectedAt(id), String(people));
    else localStorage.removeItem(expectedAt(id));
  } catch {
    // Storage is not available: only those who are here are counted.
  }
}
function storedExpected(id) {
  try {
    return Number(localStorage.getItem(expectedAt(id))) || null;
  } catch {
    return null;
  }
}

/** Reconnects a room to its broker as that user. */
export function signIn(room, login) {
  storePassword(room.id, login.keepPassword ? null : login.password);
  room.signIn(login);
}

/** Adds a broker's origin to those of open rooms for policy.js. Returns whether the present policy allows it. */
export async function allowBroker(origin) {
  const inUse = (await Room.list()).filter(({ closed, meeting }) => !closed && meeting.kind === "broker").map((
    { meeting },
  ) => originOf(meeting.address));
  const chosen = chosenBroker();
  try {
    localStorage.setItem("quorate.brokers",
      JSON.stringify([...new Set([...inUse, chosen && originOf(chosen), origin])].filter(Boolean)));
  } catch {
    // Storage is not available: the room shows that it cannot connect.
  }
  return globalThis.quorateBegin?.brokers.includes(origin) ?? true;
}

/**
 * Asks for the settings, opens a room for tables of that configuration and shows it. `given`: what its plan begins with;
 * `expected`: how many people the host expects.
 */
export async function inviteTo(config, engine, given = {}, expected = /** @type {number | null} */ (null)) {
  const { seed, ...session } = config;
  const wanted = await invite(session, (plan) => checkRoom(plan, language()), given);
  if (!wanted) return;
  wanted.plan.seed ??= seed;
  await openRoom({ ...wanted, expected }, engine);
}

/** Shows the room for part `[i, n]` of a study with people; opens it if there is none. Throws as `Room.open` does. */
export async function openStudy(study, shard, engine) {
  const isIt = (one) => !one.closed && one.study?.id === study.id && String(one.study.shard) === String(shard);
  const open = (await list()).find(isIt);
  if (open) return void (location.hash = `#/room/${encodeURIComponent(open.id)}`);
  const broker = chosenBroker();
  await openRoom({ plan: { study, shard }, place: broker && { transport: broker }, expected: null }, engine);
}

/** Opens a room and shows it; `place` as of connection-service.tsx. */
export async function openRoom({ plan, place, expected }, engine) {
  if (!plan.study) plan.seed ??= freshSeed();
  const isLetIn = !place || await allowBroker(originOf(place.transport));
  const hosted = await hold(
    (options) =>
      Room.open(plan, { ...options, ...(place && { ...place, own: false }), ...(!isLetIn && { isSilent: true }) }),
    engine,
  );
  if (place && !place.keepPassword) storePassword(hosted.room.id, place.password);
  storeExpected(hosted.room.id, expected);
  location.hash = `#/room/${encodeURIComponent(hosted.room.id)}`;
  // Only a reload widens the policy; the room is stored and reopened after it.
  if (!isLetIn) location.reload();
}

/** Replaces a room without guests by a new one, at the connection service that was chosen. */
export async function moveRoom({ room, expected }, engine) {
  const { id, plan } = room;
  await remove(id);
  const broker = chosenBroker();
  await openRoom({ plan, place: broker && { transport: broker }, expected }, engine);
}

/**
 * A room of this tab, or a stored one. Throws if there is none, or if another tab holds it.
 * @returns {Promise<Hosted>}
 */
export async function getRoom(id, engine) {
  if (!rooms.has(id) && !opening.has(id)) opening.set(id, reopen(id, engine).finally(() => opening.delete(id)));
  await opening.get(id);
  return rooms.get(id);
}

/** Rooms being reopened, so that two views do not open the same one twice. */
const opening = new Map();

async function reopen(id, engine) {
  const password = storedPassword(id);
  await hold((options) => Room.reopen(id, { ...options, ...(password && { password }) }), engine);
}

export const list = () => Room.list();

/** Deletes a closed room with all names in it. Throws if another tab has it. */
export async function remove(id) {
  await rooms.get(id)?.room.close();
  rooms.delete(id);
  await Room.remove(id);
  storePassword(id, null);
  storeExpected(id, null);
}
