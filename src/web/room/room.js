// The host's side of a room. Connects the room engine (seats, visibility), the sessions of the tables, the transport,
// encryption, timers and storage, so that a reloaded page continues under the same link. Published as `quorate/room`
// with the types of room.d.ts; decisions are the engine's.
import { checkRoom as check, RoomEngine } from "./engine.js";
import { guarded, guardMethods, LabError, checkFields, messageOf } from "./intake.js";
import { Library, Session, study, version } from "./quorate.js";
import { broker } from "./broker.js";
import { steadyClock } from "../clock.js";
import { attemptOf, isVoid } from "../study/attempts.js";
import { wrapTransport } from "./custom_transport.js";
import { brokerAddress, fromBase64url, makeLink, newRoom, offerCode, toBase64url } from "./link.js";
import { fingerprint, guestTopic, hostKeys, hostTopic, isTagged, openAtHost, sealToGuest, senderOf, VERSION } from "./seal.js";
import { memoryStore, openStore } from "./room_store.js";
import { tabs } from "./tabs.js";
import { nextTask, runInSlices } from "./time_slices.js";

export { broker, makeLink, readLink, tabs } from "./shared_api.js";
export { memoryStore as memoryShelf } from "./room_store.js";
/** Checks a plan and describes every fault, in a language. */
export const checkRoom = guarded("checkRoom", "plan language:string?", check, () => version());

/** Guards the constructor. */
const CONSTRUCT = Symbol("room");
/** Most messages of unknown devices that are queued, and most bytes of one. */
const MAX_UNKNOWN = 500;
const MAX_UNKNOWN_BYTES = 32_768;
/** Devices whose keys are known at most. */
const KNOWN = 2_000;
/** Milliseconds between two messages that are read of a device that was cut off. */
const CUT = 1_000;
/** Milliseconds for which a refusal of the connection service is shown. */
const REFUSED = 120_000;
/** The length that outcomes of answers are padded for, so that their size does not tell which. */
const OUTCOME = 1024;
const OUTCOMES = new Set(["kept", "late", "refused"]);
/** Milliseconds that a timer is set for at most. */
const LONGEST = 10_000;
/** Milliseconds of delay after which a timer counts as suspended. */
const LATE = 5_000;

/**
 * The connection service as the link names it: a transport is `"tabs"`, the address of a broker, or the program's own.
 */
function meetingOf({ transport, own: isBeside }) {
  if (isBeside) return { kind: "own" };
  return typeof transport === "string" && transport !== "tabs" ? { kind: "broker", address: transport } : { kind: "tabs" };
}

/** Sends nothing: for a room that the next page opens. */
const SILENT = { publish() {}, subscribe() {}, close() {} };

function transportOf({ transport, user, password, isSilent }) {
  if (isSilent) return SILENT;
  if (transport === "tabs") return tabs();
  if (typeof transport === "string" && brokerAddress(transport)) return broker(transport, { user, password });
  if (transport === null || typeof transport !== "object") throw new LabError("input", 'transport is missing or invalid: give "tabs", the address of a broker (ws: or wss:), or a transport object');
  return wrapTransport("the transport of a room", transport);
}

async function storeOf(store) {
  if (store === "memory") return memoryStore();
  if (store === undefined || store === null) return openStore();
  checkFields("the store of a room", "put:function get:function all:function remove:function", Object(store));
  return store;
}

/** The tables of this part of a study that rooms before have left in the store: `{ id, counts }`. */
async function earlierTables({ study: file, shard }, { store } = {}) {
  const [part, of] = shard ?? [0, 1];
  const own = new Set(study.plan(file).runs.filter((_, at) => at % of === part).map(({ id }) => id));
  const stored = store === "memory" ? [] : await Library.list({ store });
  const earlier = [];
  for (const { id, state } of stored.filter(({ id }) => own.has(attemptOf(id).run))) {
    // Throws if a room has it open.
    const session = await Session.open(id, { store });
    earlier.push({ id, counts: state === "ended" && !isVoid(session.entries()) });
    await session.close();
  }
  return earlier;
}

/** Does something with a locked room; releases the lock if that fails. */
async function withLock(store, id, act, lost) {
  const leave = store.hold ? await store.hold(id, lost) : () => {};
  if (!leave) throw new LabError("locked", "this room is already open, here or in another tab: close it there first", id);
  return act(leave).catch((error) => {
    leave();
    throw error;
  });
}

const OPTIONS = "own:boolean? user:string? password:string? keepPassword:boolean? isSilent:boolean? base:string? session:object? onChange:function? now:function?";

/** The id of a table's session: that of its run, or else the room's with the number of the table. */
const sessionOf = (room, number, run) => run ?? `${room}-${number}`;

/** The session of a table. */
class Table {
  session = null;
  /** Whether the engine is going to read its status. */
  isDue = false;

  constructor(number) {
    this.number = number;
  }
}

export class Room {
  #engine;
  #stored;
  #keys;
  #parts;
  #transport;
  #options;
  #store;
  #tables = new Map();
  /** Resolves when all tables that have begun are open. */
  #opening = null;
  /** Devices that were cut off, and when a message of each was last read. */
  #cut = new Map();
  /** Devices whose shared keys are known, so that their messages are cheap to open; and queued messages of others. */
  #known = new Set();
  #unknown = [];
  #isGreeting = false;
  /** What the engine wants sent and opened. */
  #effects = [];
  #isWorking = false;
  /** Whether storing the room has failed; the next tick tries again. */
  #isUnstored = false;
  #isClosed = false;
  #isLost = false;
  #timer = null;
  /** Time the timer is set for. */
  #due = Infinity;
  /** Time of the last tick, and whether it was late. */
  #tickedAt = 0;
  #wasLate = false;
  #subscriptions = [];
  /** Releases the lock of the room. */
  #unlock;
  #code = null;
  #codeOffer = null;
  #isNotifying = false;
  #connection = { state: "connecting" };
  #trouble = null;
  #meetingTrouble = null;
  #refusedAt = 0;
  #plan = null;
  /** The room's clock. */
  #now;

  /** Opens a room for a plan. */
  static async open(plan, options = {}) {
    version();
    checkFields("Room.open", OPTIONS, options);
    const made = newRoom();
    const now = steadyClock(options.now);
    const earlier = plan.study && !check(plan).length ? await earlierTables(plan, options.session) : [];
    const engine = await RoomEngine.open(plan, made.room, now(), earlier);
    const kept = {
      id: made.room, secret: toBase64url(made.secret), key: toBase64url(hostKeys().secret), meeting: meetingOf(options),
      opened: now(), user: options.user, password: options.keepPassword ? options.password : undefined,
    };
    const store = await storeOf(options.store);
    const room = new Room(CONSTRUCT, engine, kept, store, options, now);
    room.#unlock = await store.hold?.(kept.id, () => room.#lose());
    if (!await room.#save()) {
      room.#unlock?.();
      throw room.trouble;
    }
    room.#begin();
    return room;
  }

  /** Opens a stored room again, under the same link. */
  static async reopen(id, options = {}) {
    version();
    checkFields("Room.reopen", OPTIONS, options);
    const store = await storeOf(options.store);
    let room;
    const restore = async (leave) => (room = await Room.#restore(id, store, options, leave));
    return withLock(store, id, restore, () => room?.#lose());
  }

  static async #restore(id, store, options, leave) {
    const kept = await store.get(id);
    if (!kept) throw new LabError("unknown", `no room with the id ${JSON.stringify(id)} is stored in this browser`, id);
    const { kind, address } = kept.meeting;
    const { user, password } = kept;
    // The link names the broker, so the room continues there.
    const there = kind === "broker" && typeof options.transport === "string" ? { user, password, ...options, transport: address, own: false } : options;
    const now = steadyClock(options.now);
    const room = new Room(CONSTRUCT, await RoomEngine.restore(kept.snapshot, now(kept.at)), kept, store, there, now);
    room.#unlock = leave;
    // Subscribes once the tables are open, so that guests get their state.
    await room.#openTables();
    room.#begin();
    // Its time, too: the next opening goes on from there.
    room.#persist();
    return room;
  }

  /** The rooms that this browser stores: `{ id, title, opened, closed, meeting, sessions, study }`. */
  static async list({ store } = {}) {
    const rooms = await (await storeOf(store)).all();
    return rooms.map(({ id, opened, meeting, snapshot }) => {
      const { config, is_closed: isClosed, tables } = JSON.parse(snapshot);
      const { study: file, shard } = config;
      const { title } = file?.people ?? config;
      const sessions = tables.map(({ run }, index) => sessionOf(id, index + 1, run?.id));
      return { id, title: title ?? "", opened, closed: isClosed, meeting, sessions, study: file ? { id: file.id, shard: shard ?? [0, 1] } : null };
    });
  }

  /** Deletes a room with all names in it; the records of its tables stay. */
  static async remove(id, { store } = {}) {
    const rooms = await storeOf(store);
    await withLock(rooms, id, (leave) => rooms.remove(id).finally(leave));
  }

  constructor(own, engine, kept, store, options, now) {
    if (own !== CONSTRUCT) throw new LabError("input", "Room has no public constructor: call Room.open(plan, options)");
    this.#engine = engine;
    this.#stored = kept;
    this.#store = store;
    this.#options = { ...options };
    this.#now = now;
    this.#keys = hostKeys(fromBase64url(kept.key, 32));
    this.#parts = { room: kept.id, secret: fromBase64url(kept.secret, 16), host: this.#keys.public, meeting: kept.meeting };
    this.#transport = transportOf(options);
    this.onChange = options.onChange ?? (() => {});
  }

  get id() {
    return this.#stored.id;
  }

  /** The link for guests. */
  get link() {
    return `${this.#options.base ?? "join.html"}#${makeLink(this.#parts)}`;
  }

  /** The connection service, as in the link. */
  get meeting() {
    return this.#parts.meeting;
  }

  /** The plan that the room was opened with. */
  get plan() {
    return this.#plan ??= this.#openEngine().plan;
  }

  /** The code for the link, once `offerCode` has published it; null before. */
  get code() {
    return this.#code;
  }

  /** Two words of the host's key, which guests see as well. */
  get fingerprint() {
    return fingerprint(this.#keys.public);
  }

  /** The state of the connection. */
  get connection() {
    return this.#connection;
  }

  /** The error that keeps the room from being saved or sent, or null. */
  get trouble() {
    // What is refused is refused again within a minute, unless the connection service takes it now.
    return this.#trouble ?? (performance.now() < this.#refusedAt + REFUSED ? this.#meetingTrouble : null);
  }

  view() {
    return this.#openEngine().view();
  }

  /** The time by the room's clock, which the times in its view follow. */
  now() {
    return this.#now();
  }

  /** The session of a table, or null. */
  session(table) {
    return this.#tables.get(table)?.session ?? null;
  }

  start() {
    return this.#command({ do: "start" });
  }

  deal(guest, table, seat) {
    return this.#command({ do: "deal", guest, table, seat });
  }

  standIn(table, seat) {
    return this.#command({ do: "stand_in", table, seat });
  }

  takeBack(table, seat) {
    return this.#command({ do: "take_back", table, seat });
  }

  /** Gives more time for the open questions that have a deadline, at one table or all. */
  extend(seconds, table) {
    return this.#command({ do: "extend", seconds, table });
  }

  /** Leaves the open questions of people without an answer, at one table or all. */
  skip(table) {
    return this.#command({ do: "skip", table });
  }

  /** Shows all guests a message. */
  tell(text) {
    return this.#command({ do: "tell", text });
  }

  remind(guest) {
    return this.#command({ do: "remind", guest });
  }

  remove(guest) {
    return this.#command({ do: "remove", guest });
  }

  /** Ends the room for all. */
  end() {
    return this.#command({ do: "close" });
  }

  admit(guest) {
    this.#cut.clear();
    return this.#command({ do: "admit", guest });
  }

  /** Removes all guests who have no seat. */
  clear() {
    return this.#command({ do: "clear" });
  }

  pause(table) {
    this.#each(table, (session) => session.pause());
  }

  resume(table) {
    this.#each(table, (session) => session.resume());
  }

  /** Submits an answer on behalf of a seat; throws like `session.answer`. */
  actFor(table, seat, ask, values) {
    const session = this.session(table);
    const open = session?.status.open.find((one) => one.id === ask && one.seat === seat);
    return open ? session.answer(ask, values, "host") : false;
  }

  names = {
    export: () => this.#openEngine().names(),
    /** Deletes the names of guests who have finished. */
    delete: () => this.#command({ do: "forget" }),
  };

  /** Publishes the link under the code until the room is closed or `withdrawCode` is called. Takes most of a second. */
  async offerCode() {
    this.#codeOffer ??= this.#offer();
    await this.#codeOffer;
    return this.code;
  }

  async #offer() {
    const offer = await offerCode(this.#transport, this.#parts, { onRefused: (reason) => this.#refused("code", reason) });
    this.#code = offer.code;
    return offer;
  }

  async withdrawCode() {
    const offered = this.#codeOffer;
    this.#codeOffer = null;
    (await offered)?.withdraw();
  }

  /** Reconnects to the broker as another user; `keepPassword` stores the password with the room. */
  signIn({ user, password, keepPassword = false }) {
    if (this.#isClosed) return;
    if (this.#parts.meeting.kind !== "broker") throw new LabError("input", "this room does not use a broker of its own, so it takes no user and password");
    Object.assign(this.#stored, { user, password: keepPassword ? password : undefined });
    Object.assign(this.#options, { user, password });
    this.#disconnect();
    this.#transport.close();
    this.#transport = transportOf(this.#options);
    this.#meetingTrouble = null;
    this.#connect();
    if (this.#codeOffer) {
      void this.withdrawCode();
      void this.offerCode();
    }
    this.#persist();
  }

  /** Closes the host's side; the room can be opened again. */
  async close() {
    if (this.#isClosed) return;
    await this.withdrawCode();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#disconnect();
    await this.#opening;
    await Promise.all([...this.#tables.values()].map(({ session }) => session?.close()));
    if (typeof this.#options.transport === "string") this.#transport.close();
    this.#engine.free();
    this.#unlock?.();
  }

  /** Another tab has taken the room: nothing more is sent or saved here. */
  #lose() {
    if (this.#isClosed) return;
    this.#trouble = new LabError("locked", "this room was continued in another tab: close it here", this.id);
    this.#isLost = true;
    clearTimeout(this.#timer);
    this.#disconnect();
    this.#transport.close?.();
    for (const { session } of this.#tables.values()) void session?.close();
    this.#notify();
  }

  /** The engine of an open room. */
  #openEngine() {
    if (this.#isClosed) throw new LabError("closed", "this room is closed: call Room.reopen(id, options) to continue");
    return this.#engine;
  }

  /** Checks by a private member, which cannot be forged. */
  static #isRoom = (room) => typeof room === "object" && room !== null && #engine in room;

  static {
    const live = (room) => {
      if (!Room.#isRoom(room)) throw new LabError("input", "not a Room: use an object from Room.open or Room.reopen");
    };
    guardMethods("Room", Room, { open: "async plan:object options:object?", reopen: "async id:string options:object?", list: "async options:object?", remove: "async id:string options:object?" });
    guardMethods("Room", Room.prototype, {
      view: "", now: "", session: "table:number", start: "", end: "", deal: "guest:number table:number seat:string", standIn: "table:number seat:string", takeBack: "table:number seat:string",
      extend: "seconds:number table:number?", skip: "table:number?", tell: "text:string",
      remind: "guest:number", remove: "guest:number", admit: "guest:number", clear: "", pause: "table:number?", resume: "table:number?", actFor: "table:number seat:string ask:string values",
      signIn: "options:object", offerCode: "async", withdrawCode: "async", close: "async",
    }, live);
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(Room.prototype))) {
      if (get) Object.defineProperty(Room.prototype, name, { get: guarded(`Room.${name}`, "", get, live) });
    }
  }

  #begin() {
    this.#tickedAt = this.#now();
    this.#connect();
    this.#take([]);
  }

  #connect() {
    const post = this.#transport;
    this.#subscriptions.push(post.subscribe(hostTopic(this.#parts), (bytes) => this.#receive(bytes)));
    this.#subscriptions.push(post.onState?.((connection) => {
      const isBack = connection.state === "open" && !this.#isOpen();
      this.#connection = connection;
      // Messages may have been missed while disconnected, and brokers drop a code with the connection of its host.
      if (isBack) {
        this.#tick(true);
        this.#codeOffer?.then((offer) => !this.#isClosed && offer.again(), () => {});
      }
      this.#notify();
    }));
  }

  #disconnect() {
    this.#subscriptions.splice(0).forEach((stop) => stop?.());
  }

  #receive(bytes) {
    // A message made without the link's secret is refused by its tag, in microseconds.
    if (this.#isClosed || !(bytes instanceof Uint8Array) || !isTagged(this.#parts, hostTopic(this.#parts), bytes)) return;
    const guest = toBase64url(senderOf(bytes));
    if (this.#cut.has(guest)) {
      if (performance.now() < this.#cut.get(guest) + CUT) return;
      this.#cut.set(guest, performance.now());
    }
    if (this.#known.has(guest)) return void this.#open(guest, bytes);
    // Messages under new keys take milliseconds each: one after the other, behind those of known guests.
    if (bytes.length > MAX_UNKNOWN_BYTES || this.#unknown.length >= MAX_UNKNOWN) return;
    this.#unknown.push([guest, bytes]);
    if (!this.#isGreeting) void this.#greet();
  }

  async #greet() {
    this.#isGreeting = true;
    while (this.#unknown.length && !this.#isClosed) {
      await nextTask();
      const [guest, bytes] = this.#unknown.shift();
      if (!this.#isClosed && this.#open(guest, bytes)) this.#know(guest);
    }
    this.#isGreeting = false;
  }

  #know(guest) {
    if (this.#known.size >= KNOWN) this.#known.delete(this.#known.values().next().value);
    this.#known.add(guest);
  }

  /** Opens an envelope and hands its message to the engine. Returns whether it could be opened. */
  #open(guest, bytes) {
    const opened = openAtHost(this.#keys, this.#parts, bytes);
    if (opened?.message.v !== VERSION) return opened !== null;
    let effects;
    try {
      effects = this.#engine.receive(this.#now(), guest, bytes.length, opened.message);
    } catch (error) {
      // Not plain data: not written by this package.
      if (error instanceof LabError) return true;
      throw error;
    }
    this.#take(effects);
    // A browser runs the timers of a hidden page once a minute; messages are delivered.
    if (this.#now() >= this.#due) this.#tick();
    return true;
  }

  /** The connection service does not take a message: of a code, or to a guest. */
  #refused(what, reason) {
    if (this.#isClosed) return;
    const text = what === "code" ? "the code cannot be published: the connection service does not keep it; use the link" : `a guest cannot be reached: the connection service refuses messages; choose another one (${reason})`;
    this.#meetingTrouble = new LabError("meeting", text, what);
    this.#refusedAt = performance.now();
    this.#notify();
  }

  #command(wish) {
    if (this.#isClosed) return false;
    const { done, effects } = this.#engine.hostCommand(this.#now(), wish);
    this.#take(effects);
    return done;
  }

  #each(table, act) {
    for (const { number, session } of this.#tables.values()) if (session && (table === undefined || table === number)) act(session);
  }

  #take(effects) {
    if (this.#isClosed || this.#isLost) return;
    this.#effects.push(...effects);
    if (!this.#isWorking) this.#work();
  }

  #persist() {
    this.#take(this.#engine.persist(this.#now()));
  }

  async #work() {
    this.#isWorking = true;
    try {
      while (this.#effects.length && !this.#isClosed && !this.#isLost) {
        await runInSlices(this.#effects.splice(0), (effect) => !this.#isClosed && this.#do(effect));
      }
    } finally {
      this.#isWorking = false;
    }
    this.#setTimer();
    this.#notify();
  }

  /** Stores the room; the engine holds back what depends on it until then. */
  async #storeRoom() {
    this.#isUnstored = !await this.#save();
    if (!this.#isUnstored && !this.#isClosed) this.#take(this.#engine.stored(this.#now()));
    else this.#setTimer();
  }

  /** Saves the room. Returns false if that fails; it is retried with the next timer. */
  async #save() {
    try {
      await this.#store.put({ ...this.#stored, at: this.#now(), snapshot: this.#engine.snapshot() });
      if (!this.#isLost) this.#trouble = null;
      return true;
    } catch (error) {
      this.#trouble = error instanceof LabError ? error : new LabError("storage", `the room could not be saved: ${messageOf(error)}`);
      return false;
    }
  }

  #do(effect) {
    switch (effect.do) {
      case "persist":
        return void this.#storeRoom();
      case "send":
        return void this.#send(effect);
      case "open":
        this.#opening = Promise.all([this.#opening, this.#openTable(effect.table, effect.config, effect.id)]);
        return;
      case "report":
        return void this.#report(effect.table);
      default:
    }
  }

  #send({ guest, message }) {
    const key = fromBase64url(guest, 32);
    if (message.type === "cut") this.#cut.set(guest, performance.now());
    try {
      const bytes = sealToGuest(this.#keys, this.#parts, key, message, OUTCOMES.has(message.type) ? OUTCOME : 0);
      this.#transport.publish(guestTopic(this.#parts, key), bytes, { fleeting: message.type === "here", onRefused: (reason) => this.#refused("guest", reason) });
    } catch (error) {
      this.#trouble = error;
    }
  }

  async #openTables() {
    await Promise.all(this.#engine.begun().map(([number, config, run]) => this.#openTable(number, config, run, true)));
  }

  /** Opens the session of a table: the stored one with its id, or else a new one. `isBegun`: it has been open before. */
  async #openTable(number, config, run, isBegun = false) {
    const table = new Table(number);
    this.#tables.set(number, table);
    const id = sessionOf(this.id, number, run);
    const { session: own, now } = this.#options;
    const options = { ...own, ...(now && { now }) };
    options.onEvent = (event) => this.#onSessionEvent(table, event, own?.onEvent);
    try {
      // It exists if the page was closed before the room was saved; that of a run may be another room's.
      const isNew = options.store === "memory" || (run && !isBegun);
      const stored = isNew ? null : await Session.open(id, options).catch((error) => {
        if (error.code !== "unknown") throw error;
        return null;
      });
      if (stored) this.#now(stored.entries().at(-1)?.at);
      const session = stored ?? await Session.create(config, { ...options, id });
      if (this.#isClosed) return await session.close();
      table.session = session;
      // Its end arrives as events.
      session.run().catch(() => {});
      this.#take(this.#engine.addSession(this.#now(), number, session, isBegun && !stored));
    } catch (error) {
      this.#engine.tableFailed(number, messageOf(error));
      this.#notify();
    }
  }

  #onSessionEvent(table, event, onEvent) {
    if (event.type === "status" && table.session) this.#reportSoon(table);
    onEvent?.(event, table.number);
  }

  /** One report for all changes at a table until then. */
  #reportSoon(table) {
    if (table.isDue) return;
    table.isDue = true;
    this.#take([{ do: "report", table }]);
  }

  #report(table) {
    table.isDue = false;
    this.#take(this.#engine.tableChanged(this.#now(), table.number));
  }

  #setTimer() {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#isLost) return;
    const wait = this.#isOpen() ? Math.min(Math.max(this.#engine.deadline - this.#now(), this.#trouble ? 1_000 : 0), LONGEST) : LONGEST;
    this.#due = this.#now() + wait;
    this.#timer = setTimeout(() => this.#tick(), wait);
  }

  #isOpen() {
    return this.#connection.state === "open";
  }

  /** Advances the engine's clock; not while disconnected. `isBack`: the connection has just come back. */
  #tick(isBack = false) {
    this.#due = Infinity;
    if (this.#isUnstored) {
      this.#isUnstored = false;
      void this.#storeRoom();
    }
    if (this.#isClosed || !this.#isOpen()) return this.#take([]);
    const at = this.#now();
    // A late tick means that the device was asleep and messages of that time are only arriving now. Repeated late ticks
    // mean a hidden page, which does receive messages.
    const isLate = at > this.#tickedAt + LONGEST + LATE;
    const heard = !isBack && (!isLate || this.#wasLate);
    this.#wasLate = isLate && !isBack;
    this.#tickedAt = at;
    // `start_at` is a date.
    this.#engine.setAhead(this.#options.now ? 0 : Math.max(0, at - Date.now()));
    this.#take(this.#engine.tick(at, heard));
  }

  /** Calls `onChange` once per task. */
  #notify() {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    queueMicrotask(() => {
      this.#isNotifying = false;
      // Exceptions of the program's callback are logged.
      try {
        if (!this.#isClosed) this.onChange(this);
      } catch (error) {
        console.error(error);
      }
    });
  }
}
