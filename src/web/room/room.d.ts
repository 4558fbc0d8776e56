/** The host's side of rooms: people join by link from their own devices. Call `init()` of `quorate` before. */
import type { RoomPlan } from "./config.js";
import type { ConfigFault, FormValues, LabError, Language, Session, SessionOptions } from "./quorate.js";

/** A room's settings: see docs/settings.md. */
export type { RoomPlan } from "./config.js";

/** What is done about a person who is away, or takes long. */
export type Then = NonNullable<NonNullable<RoomPlan["absence"]>["then"]>;
/** How it ends for somebody. */
export type Way = keyof NonNullable<RoomPlan["ways"]>;
/** A question to people, before or after. */
export type RoomQuestion = NonNullable<RoomPlan["before"]>[number];
/** A meeting point; see docs/rooms.md. */
export interface Transport {
  publish(topic: string, bytes: Uint8Array, options?: { retain?: boolean; fleeting?: boolean }): void;
  subscribe(topic: string, on: (bytes: Uint8Array) => void): (() => void) | void;
  /** One without it counts as `open`. */
  onState?(on: (state: { state: string; reason?: string }) => void): (() => void) | void;
  close(): void;
}
/** What a room keeps, with the host's key. */
export interface KeptRoom { id: string; opened: number; snapshot: string; [name: string]: unknown }
/** Where rooms are kept: `IndexedDB` `quorate-rooms` unless told otherwise. */
export interface Shelf {
  put(room: KeptRoom): Promise<void>; get(id: string): Promise<KeptRoom | undefined>; all(): Promise<KeptRoom[]>; remove(id: string): Promise<void>;
  /** Takes a room for one host, as two would both answer its people; null where another has it, else what lets it go. Without
   * it nobody is kept out. */
  hold?(id: string): Promise<(() => void) | null>;
}
/** How a room is opened; `transport` is needed. */
export interface RoomOptions {
  /** `"tabs"`, the address of a broker, or one's own. `own`: it is the broker beside the page. `user` and `password` are the
   * host's for the broker and not in the link; the user is kept with the room, the password (unencrypted) only with
   * `keepPassword`. `isSilent`: nothing goes out yet. */
  transport: "tabs" | string | Transport; own?: boolean; user?: string; password?: string; keepPassword?: boolean; isSilent?: boolean;
  /** The address of `join.html`. */
  base?: string;
  store?: "memory" | Shelf;
  /** For the sessions of its tables. */
  session?: Omit<SessionOptions, "onEvent" | "id"> & { onEvent?(event: import("./quorate.js").SessionEvent, table: number): void };
  onChange?(room: Room): void;
  /** For tests: the clock. */
  now?(): number;
}
/** Where host and guests meet. */
export interface Meeting { kind: "tabs" | "own" | "broker"; address?: string }
/** A device that joined. */
export interface RoomGuest {
  number: number; pseudonym: string; name: string | null; stage: "arriving" | "lobby" | "table" | "after" | "over"; here: boolean;
  /** When something was heard last. */
  heard: number; table: number | null; seat: string | null; way: Way | null; earned: string | null;
  /** Why the device was cut off. */
  cut: "bytes" | "messages" | null;
}
/** A table with its seats, and what its session does. */
export interface RoomTable {
  number: number; begun: boolean; over: boolean; state: "" | "running" | "paused" | "halted" | "stopped" | "ended";
  seats: {
    seat: string; guest: number | null; standsIn: "away" | "late" | "host" | "left" | null;
    awaited: { ask: string; since: number; deadline: number | null }[];
  }[];
  about: { session: string; round: number | null; last: { seq: number; at: number; type: string } | null; asks: string | null; halt: unknown; trouble: unknown } | null;
}
/** The room as its host sees it. */
export interface RoomView {
  id: string; title: string; language: Language; closed: boolean; people: number; mostTables: number; seats: string[]; waiting: number;
  guests: RoomGuest[]; tables: RoomTable[];
}
/** What is known of somebody and stands in no record. */
export interface GuestNames {
  number: number; pseudonym: string; name: string | null; language: string; table: number | null; seat: string | null;
  params: Record<string, string>; answers: Record<string, unknown>; tries: number;
  end: { way: Way; code: string | null; earned: string | null; url: string | null } | null;
}
/** A room: people join by its link, and its tables are sessions. */
export class Room {
  private constructor();
  /** Throws `LabError` code `config` where the plan will not do. */
  static open(plan: RoomPlan, options: RoomOptions): Promise<Room>;
  /** Opens a room again that this browser keeps, under the same link. Throws `LabError` code `locked` where another tab has it. */
  static reopen(id: string, options: RoomOptions): Promise<Room>;
  static list(options?: { store?: Shelf }): Promise<{ id: string; title: string; opened: number; closed: boolean; meeting: Meeting }[]>;
  /** Removes a room, with all names in it; the records of its tables stay. Code `locked` where it is open. */
  static remove(id: string, options?: { store?: Shelf }): Promise<void>;
  readonly id: string;
  readonly link: string;
  readonly code: string;
  /** Where all meet, as the link says it. */
  readonly meeting: Meeting;
  readonly plan: RoomPlan;
  readonly connection: { state: string; reason?: string };
  /** What stands in the way of keeping the room. It is tried again by itself. */
  readonly trouble: LabError | null;
  onChange: (room: Room) => void;
  view(): RoomView;
  session(table: number): Session | null;
  /** Seats those who wait and begins; false where that makes no table. */
  start(): boolean;
  deal(guest: number, table: number, seat: string): boolean;
  standIn(table: number, seat: string): boolean;
  takeBack(table: number, seat: string): boolean;
  remind(guest: number): boolean;
  /** Puts somebody out. */
  remove(guest: number): boolean;
  /** Lets in again who was cut off. */
  admit(guest: number): boolean;
  pause(table?: number): void;
  resume(table?: number): void;
  /** Answers for somebody; throws as `session.answer` does. */
  actFor(table: number, seat: string, ask: string, values: string | FormValues): boolean;
  names: { export(): GuestNames[]; delete(): boolean };
  /** Lets the code find the link. Takes a good part of a second. */
  offerCode(): Promise<string>;
  withdrawCode(): Promise<void>;
  /** Goes to its broker again, as that user: where `connection` is `refused`. */
  signIn(login: { user?: string; password?: string; keepPassword?: boolean }): void;
  /** Ends the room for all. */
  end(): boolean;
  /** The host leaves; `reopen` goes on. */
  close(): Promise<void>;
}
/** Other tabs of the same browser as a meeting point. */
export function tabs(): Transport;
/** An MQTT broker (3.1.1) by `ws:` or `wss:` as a meeting point. */
export function broker(address: string, options?: { user?: string; password?: string }): Transport;
/** A shelf in memory, as long as it is held. */
export function memoryShelf(): Shelf;
/** A link's parts as the text behind the `#`. */
export function makeLink(parts: { room: string; secret: Uint8Array; host: Uint8Array; meeting: unknown }): string;
/** The parts of a link, or null where it is none. */
export function readLink(text: string): { room: string; secret: Uint8Array; host: Uint8Array; meeting: unknown } | null;
/** Every fault of a plan, told in a language. */
export function checkRoom(plan: RoomPlan, language?: string): ConfigFault[];
