/** The host's side of rooms: people join by link from their own devices. Call `init()` of `quorate` first. */
import type { RoomPlan } from "./config.js";
import type { ConfigFault, FormValues, LabError, Language, Session, SessionOptions } from "./quorate.js";

/** A room's settings: see docs/settings.md. */
export type { RoomPlan } from "./config.js";

/** What happens when a person is away or takes long. */
export type Then = NonNullable<NonNullable<RoomPlan["absence"]>["then"]>;
/** How participation ends. */
export type Way = keyof NonNullable<RoomPlan["ways"]>;
/** A question of the room, before or after. */
export type RoomQuestion = NonNullable<RoomPlan["before"]>[number];
/** A transport to the connection service; see docs/rooms.md. */
export interface Transport {
  publish(topic: string, bytes: Uint8Array, options?: { retain?: boolean; fleeting?: boolean }): void;
  subscribe(topic: string, on: (bytes: Uint8Array) => void): (() => void) | void;
  /** Without it the transport counts as `open`. */
  onState?(on: (state: { state: string; reason?: string }) => void): (() => void) | void;
  close(): void;
}
/** A stored room, with the host's key. */
export interface KeptRoom { id: string; opened: number; snapshot: string; [name: string]: unknown }
/** Storage of rooms; default: IndexedDB `quorate-rooms`. */
export interface Shelf {
  put(room: KeptRoom): Promise<void>; get(id: string): Promise<KeptRoom | undefined>; all(): Promise<KeptRoom[]>; remove(id: string): Promise<void>;
  /** Locks a room for one host; two hosts would both answer its guests. Returns a function that releases the lock, or null if it is held. Without
   * this method rooms are not locked. */
  hold?(id: string): Promise<(() => void) | null>;
}
/** Options of a room; `transport` is required. */
export interface RoomOptions {
  /** `"tabs"`, the address of a broker, or a transport. `own`: it is the broker beside the page. `user` and `password` are the host's
   * credentials at the broker and not part of the link; the user is stored with the room, the password (unencrypted) only with
   * `keepPassword`. `isSilent`: send nothing yet. */
  transport: "tabs" | string | Transport; own?: boolean; user?: string; password?: string; keepPassword?: boolean; isSilent?: boolean;
  /** The address of `join.html`. */
  base?: string;
  store?: "memory" | Shelf;
  /** Options for the sessions of the tables. */
  session?: Omit<SessionOptions, "onEvent" | "id"> & { onEvent?(event: import("./quorate.js").SessionEvent, table: number): void };
  onChange?(room: Room): void;
  /** For tests: the clock. */
  now?(): number;
}
/** A connection service. */
export interface Meeting { kind: "tabs" | "own" | "broker"; address?: string }
/** A device that joined. */
export interface RoomGuest {
  number: number; pseudonym: string; name: string | null; stage: "arriving" | "lobby" | "table" | "after" | "over"; here: boolean;
  /** Whether the same person tried to join with a second device while this one was there. */
  elsewhere: boolean;
  /** Time of the last message. */
  heard: number; table: number | null; seat: string | null; way: Way | null; earned: string | null;
  /** Which limit the device exceeded, if it was disconnected. */
  cut: "messages" | null;
}
/** A table with its seats and the state of its session. */
export interface RoomTable {
  number: number; begun: boolean; over: boolean; state: "" | "running" | "paused" | "halted" | "stopped" | "ended";
  seats: {
    seat: string;
    /** What the others call the seat: a chosen name, the seat's, or "Computer (for NAME)". */
    name: string;
    guest: number | null; standsIn: "away" | "late" | "host" | "left" | null;
    awaited: { ask: string; since: number; deadline: number | null }[];
  }[];
  /** How many people have answered in the current step, of those who were asked. */
  answered: { done: number; of: number };
  /** The run of a study that the table is: its id, its cell, how many guests left, and whether these are more than the study allows, so that
   * the table does not count. */
  run: { id: string; cell: string; left: number; void: boolean } | null;
  about: { session: string; round: number | null; last: { seq: number; at: number; type: string } | null; asks: string | null; halt: unknown; trouble: unknown } | null;
}
/** The room as its host sees it. */
export interface RoomView {
  id: string; title: string; language: Language; closed: boolean; people: number; mostTables: number; seats: string[]; waiting: number;
  guests: RoomGuest[]; tables: RoomTable[];
  /** How far this room's part of its study is: `tables` in all, and of each cell those that have begun, those of them that have ended, and void
   * ones of this room, which are in neither. */
  study: {
    id: string; shard: [number, number]; tables: number; leavers: number; cells: { name: string; tables: number; ended: number; void: number }[];
  } | null;
}
/** Personal data of a guest; not part of any record. */
export interface GuestNames {
  number: number; pseudonym: string; name: string | null; language: string; table: number | null; seat: string | null;
  params: Record<string, string>; answers: Record<string, unknown>; tries: number;
  end: { way: Way; code: string | null; earned: string | null; url: string | null } | null;
}
/** A room: people join by its link, and its tables are sessions. */
export class Room {
  private constructor();
  /** Opens a room. Tables of the same part of its study that the store has of rooms before are not held again if they count. Throws `LabError`
   * code `config` for an invalid plan, and `locked` if one of these tables is open. */
  static open(plan: RoomPlan, options: RoomOptions): Promise<Room>;
  /** Opens a stored room again under the same link. Throws `LabError` code `locked` if another tab has it open. */
  static reopen(id: string, options: RoomOptions): Promise<Room>;
  /** Lists the stored rooms, each with the ids of its tables' sessions. */
  static list(options?: { store?: Shelf }): Promise<{
    id: string; title: string; opened: number; closed: boolean; meeting: Meeting; sessions: string[]; study: { id: string; shard: [number, number] } | null;
  }[]>;
  /** Deletes a room with all names; the records of its tables stay. Throws `LabError` code `locked` if it is open. */
  static remove(id: string, options?: { store?: Shelf }): Promise<void>;
  readonly id: string;
  readonly link: string;
  /** The code, once `offerCode` has published it. */
  readonly code: string | null;
  /** Two words of the host's key, which guests see as well (`guest.fingerprint`). */
  readonly fingerprint: string;
  /** The connection service in the link. */
  readonly meeting: Meeting;
  readonly plan: RoomPlan;
  readonly connection: { state: string; reason?: string };
  /** Why the room cannot be stored (this is retried), or what the connection service refuses (code `meeting`); or null. */
  readonly trouble: LabError | null;
  onChange: (room: Room) => void;
  view(): RoomView;
  /** Returns the time by the room's clock, which the times in its view follow. It never goes back. */
  now(): number;
  session(table: number): Session | null;
  /** Seats the waiting guests and starts their tables; false if there are too few for a table. */
  start(): boolean;
  deal(guest: number, table: number, seat: string): boolean;
  standIn(table: number, seat: string): boolean;
  takeBack(table: number, seat: string): boolean;
  /** Gives more time for the open questions that have a deadline, at one table or all; false if there are none. */
  extend(seconds: number, table?: number): boolean;
  /** Leaves the open questions of people without an answer, at one table or all; false if there are none. */
  skip(table?: number): boolean;
  /** Shows all guests a message of up to 500 characters, after those before it. */
  tell(text: string): boolean;
  remind(guest: number): boolean;
  /** Removes a guest from the room. */
  remove(guest: number): boolean;
  /** Readmits a disconnected guest, whose open page goes on. */
  admit(guest: number): boolean;
  /** Removes all guests who have no seat. */
  clear(): boolean;
  pause(table?: number): void;
  resume(table?: number): void;
  /** Answers for a guest; throws as `session.answer` does. */
  actFor(table: number, seat: string, ask: string, values: string | FormValues): boolean;
  names: { export(): GuestNames[]; delete(): boolean };
  /** Publishes the code. Takes up to a second. */
  offerCode(): Promise<string>;
  withdrawCode(): Promise<void>;
  /** Connects to the broker with other credentials, after `connection` was `refused`. */
  signIn(login: { user?: string; password?: string; keepPassword?: boolean }): void;
  /** Ends the room for all guests. */
  end(): boolean;
  /** Closes the host; `reopen` continues. */
  close(): Promise<void>;
}
/** A transport between tabs of one browser. */
export function tabs(): Transport;
/** A transport over an MQTT 3.1.1 broker by `ws:` or `wss:`. */
export function broker(address: string, options?: { user?: string; password?: string }): Transport;
/** A shelf in memory. */
export function memoryShelf(): Shelf;
/** Returns a link's text, the part after `#`. */
export function makeLink(parts: { room: string; secret: Uint8Array; host: Uint8Array; meeting: unknown }): string;
/** Returns the parts of a link, or null if it is invalid. */
export function readLink(text: string): { room: string; secret: Uint8Array; host: Uint8Array; meeting: unknown } | null;
/** Returns all faults of a plan, in a language. */
export function checkRoom(plan: RoomPlan, language?: string): ConfigFault[];
