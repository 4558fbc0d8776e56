// A guest in a room: a participant's device, in ten lines of any page. No WebAssembly, no secure context needed.
//
//   import { join } from "quorate/guest";
//   const guest = join(location.hash, { onState: ({ stage, questions, end }) => draw(stage, questions, end) });
//   const { state, message } = await guest.answer(questions[0].ask, { text: "I agree." });   // "kept", "late" or "refused"

import type { Form, FormValues, RunView } from "./quorate.js";

/** The package's error, a class of this module's own, which goes without the engine. */
export { LabError } from "./quorate.js";

/** What carries bytes between a guest and the host. They are sealed before; it may deliver twice and in any order. */
export interface Transport {
  publish(topic: string, bytes: Uint8Array, options?: { retain?: boolean; fleeting?: boolean }): void;
  /** Returns what ends it. */
  subscribe(topic: string, on: (bytes: Uint8Array) => void): () => void;
  /** Calls at once and at each change. */
  onState(on: (now: { state: Connection; reason?: string }) => void): unknown;
  close(): void;
}
/** `lost`: tried again by itself; `refused`: the broker's `reason`; `mixed`: a page by https cannot use this broker. */
export type Connection = "connecting" | "open" | "lost" | "refused" | "mixed" | "closed";
/** Where host and guests meet: tabs of one browser, the broker beside the page, or one at an address. */
export type Meeting = { kind: "tabs" } | { kind: "own" } | { kind: "broker"; address: string };
/** What leads into a room; whoever has it can join. */
export interface Link { room: string; secret: Uint8Array; host: Uint8Array; meeting: Meeting }

/** What one is asked. `deadline`: by the host's clock; `decides`: to be shown back before it counts. */
export interface Question { ask: string; form: Form; deadline: number | null; decides?: boolean }
/** What became of an answer; `sending` until the host has told. */
export interface Answered { n: number; state: "sending" | "kept" | "late" | "refused"; values: FormValues; message?: string; field?: string | null }
/** What a device knows of the room, as it stands. */
export interface GuestState {
  connection: Connection; reason: string | null;
  /** `away`: nothing was heard of it for 25 s; answers are kept on the device meanwhile. */
  host: "unknown" | "here" | "away";
  stage: "arriving" | "lobby" | "table" | "after" | "over" | null;
  room: { title: string; language: string } | null;
  you: { number: number; pseudonym: string | null; name: string | null } | null;
  lobby: { here: number; seats: number; startsAt: number | null; taken: boolean } | null;
  table: { number: number; seat: string; stoodIn: boolean; people: Record<string, string> } | null;
  number: number; view: RunView | null; questions: Question[];
  end: { code: string | null; way: "complete" | "declined" | "waited" | "dropped" | "trouble"; earned: string | null; url: string | null } | null;
  /** By ask. */
  answers: Record<string, Answered>;
  /** The ask that somebody waits for. */
  reminded: string | null;
  /** Why nothing more comes: no place, the room is over, this device sent too much. */
  trouble: { kind: "full" | "ended" } | { kind: "cut"; why: string } | null;
}
/** A device in a room. */
export interface Guest {
  readonly link: Link; readonly state: GuestState;
  /** The time by the host's clock. */
  now(): number;
  /** Kept on the device and repeated until the host has told what became of it, over reloads too. Rejects where it is longer than 64 kB. */
  answer(ask: string, values: FormValues): Promise<Answered>;
  /** A simulated participant answers in one's place, and one is there again. */
  back(): void;
  /** No longer takes part. */
  leave(): void;
  /** Removes what the device keeps of the room: with it, the seat cannot be come back to. */
  forget(): void;
  close(): void;
}

/** The meeting point that a link names, as a transport. */
export function meet(meeting: Meeting, options?: { page?: string; user?: string; password?: string; will?: { topic: string; bytes: Uint8Array } }): Transport;

/** Joins by a link: its parts, its text, or a whole address. Throws `LabError` code `input` where it is none, as all here does for what it cannot take. */
export function join(link: string | Link, options?: {
  transport?: Transport;
  /** Where the key pair and unsent answers are kept: `localStorage` unless told otherwise; null: in memory. */
  storage?: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;
  onState?: (state: GuestState) => void;
  language?: string;
  /** What is known of the participant (`PROLIFIC_PID` …); the page's query unless told otherwise. */
  params?: Record<string, string>;
}): Guest;

/** The parts of a link, or null where it is none. */
export function readLink(text: string): Link | null;
/** A link's parts as the text behind the `#`. */
export function makeLink(link: Link): string;
/** A code as somebody typed it, or null. */
export function readCode(text: string): string | null;
/** The link behind a code, or null where none came in `seconds` (8). */
export function findCode(transports: Transport | Transport[], code: string, options?: { seconds?: number }): Promise<Link | null>;
/** Other tabs of the same browser. */
export function tabs(): Transport;
/** An MQTT broker (3.1.1) by `ws:` or `wss:`. `WebSocket`: another one, where the platform has none. */
export function broker(address: string, options?: { user?: string; password?: string; will?: { topic: string; bytes: Uint8Array }; WebSocket?: unknown }): Transport;
