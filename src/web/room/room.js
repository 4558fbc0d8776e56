// The host's side of a room: brings together the engine's (who sits where, what each is told), the sessions of the tables,
// the meeting point, sealing, timers, and what is kept so that a page that is loaded anew goes on under the same link.
// `quorate/room` is this module; room.d.ts tells what it has. Not here: decisions, which are the engine's; anything drawn.
import { checkRoom as check, RoomEngine } from "./engine.js";
import { guarded, guardMethods, LabError, lookInto, said } from "./intake.js";
import { Session, version } from "./quorate.js";
import { broker } from "./broker.js";
import { own } from "./own.js";
import { brokerAddress, fromBase64url, makeCode, makeLink, newRoom, offerCode, toBase64url } from "./link.js";
import { guestTopic, hostKeys, hostTopic, openAtHost, sealToGuest } from "./seal.js";
import { memory, shelf } from "./shelf.js";
import { tabs } from "./tabs.js";
import { inTurns } from "./turns.js";

export { broker, makeLink, readLink, tabs } from "./face.js";
export { memory as memoryShelf } from "./shelf.js";
/** Every fault of a plan, told in a language. */
export const checkRoom = guarded("checkRoom", "plan language:string?", check, () => version());

/** What only this module makes rooms with. */
const OWN = Symbol("room");
/** An envelope's guest stands behind its version. */
const KEY = [1, 33];
/** The longest that a timer is set for, in milliseconds. */
const LONGEST = 10_000;
/** A timer that is later than this, in milliseconds, stood still. */
const LATE = 5_000;
const SETTLES = new Set(["answered", "unanswered", "withdrawn"]);

/** How a link names the meeting point: a transport is `"tabs"`, the address of a broker, or one's own. */
function meetingOf({ transport, own: isBeside }) {
  if (isBeside) return { kind: "own" };
  return typeof transport === "string" && transport !== "tabs" ? { kind: "broker", address: transport } : { kind: "tabs" };
}

/** Nothing goes out: for a room that is to be opened by the page that comes next. */
const SILENT = { publish() {}, subscribe() {}, close() {} };

function postOf({ transport, user, password, isSilent }) {
  if (isSilent) return SILENT;
  if (transport === "tabs") return tabs();
  if (typeof transport === "string" && brokerAddress(transport)) return broker(transport, { user, password });
  if (transport === null || typeof transport !== "object") throw new LabError("input", 'a room needs a transport: "tabs", the address of a broker, or your own');
  return own("the transport of a room", transport);
}

/** Where a room is kept. */
async function shelfOf(store) {
  if (store === "memory") return memory();
  if (store === undefined || store === null) return shelf();
  lookInto("the store of a room", "put:function get:function all:function remove:function", Object(store));
  return store;
}

/** Does something with a room that nobody else has now; given up where that fails. */
async function holding(store, id, act) {
  const leave = store.hold ? await store.hold(id) : () => {};
  if (!leave) throw new LabError("locked", "this room is open in another tab, or elsewhere in this one: close it there first", id);
  return act(leave).catch((error) => {
    leave();
    throw error;
  });
}

const OPTIONS = "own:boolean? user:string? password:string? keepPassword:boolean? isSilent:boolean? base:string? session:object? onChange:function? now:function?";

/** A table and its session. */
class Table {
  session = null;
  settled = [];
  commands = [];
  result = null;
  last = null;
  trouble = null;
  /** Whether the engine is to be told yet how it stands. */
  isDue = false;

  constructor(number) {
    this.number = number;
  }

  /** Takes in what the session tells of new entries. */
  take(entries) {
    for (const { seq, at, what } of entries) {
      if (SETTLES.has(what.type)) this.settled.push([what.ask, what.reply?.request_id ?? null]);
      if (what.type === "ended") this.result = what.result;
      if (what.type === "event") this.last = { seq, at, type: what.event.type };
    }
  }

  /** How it stands, as the engine wants to know. */
  stands() {
    const { state, open, halt } = this.session.status;
    const people = open.filter((ask) => ask.seatKind === "human" && ask.since !== null);
    const settled = this.settled;
    this.settled = [];
    const waits = open.find((ask) => ask.seatKind !== "human");
    return {
      state,
      open: people.map(({ id, seat, since, form }) => ({ id, seat, since, form: form ?? null })),
      settled,
      result: state === "ended" ? this.result : null,
      about: {
        session: this.session.id, last: this.last, halt: halt ?? null, trouble: this.trouble,
        round: open.find((ask) => ask.round !== null)?.round ?? null, asks: waits ? waits.seat : null,
      },
    };
  }
}

export class Room {
  #engine;
  #kept;
  #keys;
  #parts;
  #post;
  #options;
  #store;
  #tables = new Map();
  #cut = new Set();
  #effects = [];
  #isWorking = false;
  #isClosed = false;
  #timer = null;
  /** When it is due. */
  #due = Infinity;
  /** When the engine was told the time last, and whether that was late. */
  #ticked = 0;
  #wasLate = false;
  #stop = [];
  /** Lets another tab have the room. */
  #leave;
  #offered = null;
  #told = false;
  #connection = { state: "connecting" };
  #trouble = null;
  #plan = null;

  /** Opens a room by a plan. */
  static async open(plan, options = {}) {
    version();
    lookInto("Room.open", OPTIONS, options);
    const made = newRoom();
    const now = options.now ?? Date.now;
    const engine = await RoomEngine.open(plan, made.room, now());
    const kept = {
      id: made.room, secret: toBase64url(made.secret), key: toBase64url(hostKeys().secret), meeting: meetingOf(options),
      code: makeCode(), opened: now(), user: options.user, password: options.keepPassword ? options.password : undefined,
    };
    const store = await shelfOf(options.store);
    const room = new Room(OWN, engine, kept, store, options);
    room.#leave = await store.hold?.(kept.id);
    if (!await room.#keeps()) {
      room.#leave?.();
      throw room.trouble;
    }
    room.#begins();
    return room;
  }

  /** Opens a room again that this browser keeps, under the same link. */
  static async reopen(id, options = {}) {
    version();
    lookInto("Room.reopen", OPTIONS, options);
    const store = await shelfOf(options.store);
    return holding(store, id, (leave) => Room.#goesOn(id, store, options, leave));
  }

  static async #goesOn(id, store, options, leave) {
    const kept = await store.get(id);
    if (!kept) throw new LabError("unknown", "there is no room with this id in this browser", id);
    const { kind, address } = kept.meeting;
    const { user, password } = kept;
    // The link names the broker, so that is where it goes on.
    const there = kind === "broker" && typeof options.transport === "string" ? { user, password, ...options, transport: address, own: false } : options;
    const room = new Room(OWN, await RoomEngine.restore(kept.snapshot, (options.now ?? Date.now)()), kept, store, there);
    room.#leave = leave;
    // Whoever speaks now is told how things stand once the tables are there.
    await room.#opensTables();
    room.#begins();
    return room;
  }

  /** Rooms that this browser keeps: `{ id, title, opened, closed, meeting }`. */
  static async list({ store } = {}) {
    const rooms = await (await shelfOf(store)).all();
    return rooms.map(({ id, opened, meeting, snapshot }) => {
      const { config, is_closed: isClosed } = JSON.parse(snapshot);
      return { id, title: config.title ?? "", opened, closed: isClosed, meeting };
    });
  }

  /** Removes a room, with all names in it; the records of its tables stay. */
  static async remove(id, { store } = {}) {
    const rooms = await shelfOf(store);
    await holding(rooms, id, (leave) => rooms.remove(id).finally(leave));
  }

  constructor(own, engine, kept, store, options) {
    if (own !== OWN) throw new LabError("input", "nobody makes a Room by `new`: Room.open(plan, options)");
    this.#engine = engine;
    this.#kept = kept;
    this.#store = store;
    this.#options = { ...options };
    this.#keys = hostKeys(fromBase64url(kept.key, 32));
    this.#parts = { room: kept.id, secret: fromBase64url(kept.secret, 16), host: this.#keys.public, meeting: kept.meeting };
    this.#post = postOf(options);
    this.onChange = options.onChange ?? (() => {});
  }

  get id() {
    return this.#kept.id;
  }

  /** What guests open. */
  get link() {
    return `${this.#options.base ?? "join.html"}#${makeLink(this.#parts)}`;
  }

  /** Where all meet, as the link says it. */
  get meeting() {
    return this.#parts.meeting;
  }

  /** The plan that it was opened by. */
  get plan() {
    return this.#plan ??= JSON.parse(this.#there().snapshot()).config;
  }

  /** The letters that lead there too, while `offerCode` has them offered. */
  get code() {
    return this.#kept.code;
  }

  /** How the meeting point is reached. */
  get connection() {
    return this.#connection;
  }

  /** What stands in the way of keeping the room, or null. */
  get trouble() {
    return this.#trouble;
  }

  view() {
    return this.#there().view();
  }

  /** The session of a table, or null. */
  session(table) {
    return this.#tables.get(table)?.session ?? null;
  }

  start() {
    return this.#wishes({ do: "start" });
  }

  deal(guest, table, seat) {
    return this.#wishes({ do: "deal", guest, table, seat });
  }

  standIn(table, seat) {
    return this.#wishes({ do: "stand_in", table, seat });
  }

  takeBack(table, seat) {
    return this.#wishes({ do: "take_back", table, seat });
  }

  remind(guest) {
    return this.#wishes({ do: "remind", guest });
  }

  remove(guest) {
    return this.#wishes({ do: "remove", guest });
  }

  /** Ends the room for all. */
  end() {
    return this.#wishes({ do: "close" });
  }

  admit(guest) {
    const isDone = this.#wishes({ do: "admit", guest });
    if (isDone) this.#cut.clear();
    return isDone;
  }

  pause(table) {
    this.#each(table, (session) => session.pause());
  }

  resume(table) {
    this.#each(table, (session) => session.resume());
  }

  /** Answers for somebody; throws as `session.answer` does. */
  actFor(table, seat, ask, values) {
    const session = this.session(table);
    const open = session?.status.open.find((one) => one.id === ask && one.seat === seat);
    return open ? session.answer(ask, values, "host") : false;
  }

  names = {
    export: () => this.#there().names(),
    /** Forgets those who are through. */
    delete: () => this.#wishes({ do: "forget" }),
  };

  /** Lets the code find the link until the room is closed or `withdrawCode` is called. Takes a good part of a second. */
  async offerCode() {
    this.#offered ??= offerCode(this.#post, this.code, this.#parts);
    await this.#offered;
    return this.code;
  }

  async withdrawCode() {
    const offered = await this.#offered;
    this.#offered = null;
    offered?.withdraw();
  }

  /** Goes to its broker again, as that user; the password is kept with the room where `keepPassword` says so. */
  signIn({ user, password, keepPassword = false }) {
    if (this.#isClosed) return;
    if (this.#parts.meeting.kind !== "broker") throw new LabError("input", "only a room at a broker has a user and password");
    Object.assign(this.#kept, { user, password: keepPassword ? password : undefined });
    Object.assign(this.#options, { user, password });
    this.#stops();
    this.#post.close();
    this.#post = postOf(this.#options);
    this.#meets();
    if (this.#offered) {
      this.#offered = null;
      void this.offerCode();
    }
    this.#take([{ do: "persist" }]);
  }

  /** The host leaves; the room can be opened again. */
  async close() {
    if (this.#isClosed) return;
    await this.withdrawCode();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stops();
    await Promise.all([...this.#tables.values()].map(({ session }) => session?.close()));
    if (typeof this.#options.transport === "string") this.#post.close();
    this.#engine.free();
    this.#leave?.();
  }

  /** The engine, which goes with the room. */
  #there() {
    if (this.#isClosed) throw new LabError("closed", "this room was closed: Room.reopen(id, options) goes on");
    return this.#engine;
  }

  /** Whether something is a room, whatever it says. */
  static #isOne = (room) => typeof room === "object" && room !== null && #engine in room;

  static {
    const live = (room) => {
      if (!Room.#isOne(room)) throw new LabError("input", "this is no Room");
    };
    guardMethods("Room", Room, { open: "async plan:object options:object?", reopen: "async id:string options:object?", list: "async options:object?", remove: "async id:string options:object?" });
    guardMethods("Room", Room.prototype, {
      view: "", session: "table:number", start: "", end: "", deal: "guest:number table:number seat:string", standIn: "table:number seat:string", takeBack: "table:number seat:string",
      remind: "guest:number", remove: "guest:number", admit: "guest:number", pause: "table:number?", resume: "table:number?", actFor: "table:number seat:string ask:string values",
      signIn: "options:object", offerCode: "async", withdrawCode: "async", close: "async",
    }, live);
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(Room.prototype))) {
      if (get) Object.defineProperty(Room.prototype, name, { get: guarded(`Room.${name}`, "", get, live) });
    }
  }

  #now = () => (this.#options.now ?? Date.now)();

  #begins() {
    this.#ticked = this.#now();
    this.#meets();
    this.#take([]);
  }

  #meets() {
    const post = this.#post;
    this.#stop.push(post.subscribe(hostTopic(this.#parts), (bytes) => this.#hears(bytes)));
    this.#stop.push(post.onState?.((connection) => {
      const isBack = connection.state === "open" && !this.#isOpen();
      this.#connection = connection;
      // What came meanwhile was not heard.
      if (isBack) this.#passes(true);
      this.#tell();
    }));
  }

  #stops() {
    this.#stop.splice(0).forEach((stop) => stop?.());
  }

  #hears(bytes) {
    if (this.#isClosed || !(bytes instanceof Uint8Array) || this.#cut.has(toBase64url(bytes.subarray(...KEY)))) return;
    const opened = openAtHost(this.#keys, this.#parts, bytes);
    if (opened?.message.v !== 1) return;
    const guest = toBase64url(opened.guest);
    let effects;
    try {
      effects = this.#engine.heard(this.#now(), guest, bytes.length, opened.message);
    } catch (error) {
      // What is no plain data was written by no guest of ours.
      if (error instanceof LabError) return;
      throw error;
    }
    this.#take(effects);
    // A browser lets a hidden page's timers run once a minute, but messages come through.
    if (this.#now() >= this.#due) this.#passes();
  }

  #wishes(wish) {
    if (this.#isClosed) return false;
    const { done, effects } = this.#engine.wishes(this.#now(), wish);
    this.#take(effects);
    return done;
  }

  #each(table, act) {
    for (const { number, session } of this.#tables.values()) if (session && (table === undefined || table === number)) act(session);
  }

  #take(effects) {
    if (this.#isClosed) return;
    this.#effects.push(...effects);
    if (!this.#isWorking) this.#work();
  }

  /** What is to be kept is kept first, then the effects are done; what they bring about comes behind. */
  async #work() {
    this.#isWorking = true;
    try {
      while (this.#effects.length && !this.#isClosed) {
        const count = this.#effects.length;
        if (this.#effects.some((effect) => effect.do === "persist") && !await this.#keeps()) break;
        // What came meanwhile is in no snapshot yet: it stands behind.
        await inTurns(this.#effects.splice(0, count), (effect) => !this.#isClosed && this.#do(effect));
      }
    } finally {
      this.#isWorking = false;
    }
    this.#setTimer();
    this.#tell();
  }

  /** Whether the room could be kept; where not, it is tried again. */
  async #keeps() {
    try {
      await this.#store.put({ ...this.#kept, snapshot: this.#engine.snapshot() });
      this.#trouble = null;
      return true;
    } catch (error) {
      this.#trouble = error instanceof LabError ? error : new LabError("storage", `the room could not be kept: ${said(error)}`);
      return false;
    }
  }

  #do(effect) {
    switch (effect.do) {
      case "send":
        return void this.#send(effect);
      case "show":
        return void this.#show(effect);
      case "open":
        return void this.#opens(effect.table, effect.config, []);
      case "answer":
        return void this.#answer(effect);
      case "note":
        return void this.#note(effect.table, effect.command);
      case "look":
        return void this.#look(effect.table);
      default:
    }
  }

  #send({ guest, message }) {
    const key = fromBase64url(guest, 32);
    if (message.type === "cut") this.#cut.add(guest);
    try {
      const bytes = sealToGuest(this.#keys, this.#parts, key, message);
      this.#post.publish(guestTopic(this.#parts, key), bytes, { fleeting: message.type === "here" });
    } catch (error) {
      this.#trouble = error;
    }
  }

  #show({ guest, table, seat, since }) {
    const session = this.session(table);
    // Of a table that is not there yet all is shown once it is.
    if (session) this.#take(this.#engine.shown(this.#now(), guest, since, session.view({ seat }, since || undefined)));
  }

  #answer({ table, ask, values, id }) {
    try {
      if (this.session(table)?.answer(ask, values, id)) return;
      this.#engine.unheard(ask);
    } catch (error) {
      const fault = error.code === "form" ? error.detail : { message: error.message, field: "" };
      this.#take(this.#engine.refused(ask, fault.message, fault.field));
    }
  }

  #note(number, command) {
    const table = this.#tables.get(number);
    if (table?.session) table.session.seating(command);
    else table?.commands.push(command);
  }

  async #opensTables() {
    await Promise.all(this.#engine.begun().map(([number, config, commands]) => this.#opens(number, config, commands)));
  }

  /** The session of a table: the one that is there under its id, or a new one, which begins with those commands. */
  async #opens(number, config, commands) {
    const table = new Table(number);
    this.#tables.set(number, table);
    const id = `${this.id}-${number}`;
    const { session: own, now } = this.#options;
    const options = { ...own, ...(now && { now }) };
    options.onEvent = (event) => this.#hearsSession(table, event, own?.onEvent);
    try {
      let session = null;
      try {
        // It may be there already: the page went away before the room knew.
        session = options.store === "memory" ? null : await Session.open(id, options);
        session && table.take(session.entries());
      } catch (error) {
        if (error.code !== "unknown") throw error;
      }
      if (!session) {
        session = await Session.create(config, { ...options, id });
        table.commands.unshift(...commands);
      }
      if (this.#isClosed) return void session.close();
      table.session = session;
      // How it ends is told by its events.
      session.run().catch(() => {});
      table.commands.splice(0).forEach((command) => session.seating(command));
    } catch (error) {
      table.trouble = error;
      this.#tell();
      return;
    }
    this.#changed(table);
  }

  #hearsSession(table, event, onEvent) {
    if (event.type === "entries") table.take(event.entries);
    if (event.type === "status" && table.session) this.#changed(table);
    onEvent?.(event, table.number);
  }

  /** Once for all that happened at a table since it was looked at last. */
  #changed(table) {
    if (table.isDue) return;
    table.isDue = true;
    this.#take([{ do: "look", table }]);
  }

  #look(table) {
    table.isDue = false;
    this.#take(this.#engine.changed(this.#now(), table.number, table.stands()));
  }

  #setTimer() {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const wait = this.#isOpen() ? Math.min(Math.max(this.#engine.deadline - this.#now(), this.#trouble ? 1_000 : 0), LONGEST) : LONGEST;
    this.#due = this.#now() + wait;
    this.#timer = setTimeout(() => this.#passes(), wait);
  }

  #isOpen() {
    return this.#connection.state === "open";
  }

  /** Time has passed; while nobody can be heard, none does. `isBack`: from now on they can. */
  #passes(isBack = false) {
    this.#due = Infinity;
    if (this.#isClosed || !this.#isOpen()) return this.#take([]);
    const at = this.#now();
    // The device was asleep, and what was said meanwhile is heard only now. Where it is late time and again, a browser holds
    // a hidden page back, which hears all the same. Where the clock was set back, all that counts from a time counts anew.
    const isLate = at > this.#ticked + LONGEST + LATE;
    const heard = !isBack && at >= this.#ticked && (!isLate || this.#wasLate);
    this.#wasLate = isLate && !isBack;
    this.#ticked = at;
    this.#take(this.#engine.tick(at, heard));
  }

  /** Once for all that changes at a time. */
  #tell() {
    if (this.#told) return;
    this.#told = true;
    queueMicrotask(() => {
      this.#told = false;
      // What the program throws is its own affair.
      try {
        if (!this.#isClosed) this.onChange(this);
      } catch (error) {
        console.error(error);
      }
    });
  }
}
