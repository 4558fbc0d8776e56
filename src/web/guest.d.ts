// A guest in a room: a participant's device. Needs neither WebAssembly nor a secure context.
//
//   import { join } from "quorate/guest";
//   const guest = join(location.hash, { onState: ({ stage, questions, end }) => draw(stage, questions, end) });
//   const { state, message } = await guest.answer(questions[0].ask, { text: "I agree." });   // "kept", "late" or "refused"

import type { Form, FormValues, RunView } from "./quorate.js";

/** The package's error. This module has its own class, since it works without the engine. */
export { LabError } from "./quorate.js";

/** Carries encrypted bytes between a guest and the host. It may deliver twice and in any order. */
export interface Transport {
  publish(topic: string, bytes: Uint8Array, options?: { retain?: boolean; fleeting?: boolean }): void;
  /** Returns a function that unsubscribes. */
  subscribe(topic: string, on: (bytes: Uint8Array) => void): () => void;
  /** Calls `on` at once and at each change. */
  onState(on: (now: { state: Connection; reason?: string }) => void): unknown;
  close(): void;
}
/** State of a connection. `lost`: reconnecting; `refused`: by the broker, see `reason`; `mixed`: an https page cannot use this broker. */
export type Connection = "connecting" | "open" | "lost" | "refused" | "mixed" | "closed";
/** A connection service: tabs of one browser, the broker beside the page, or a broker at an address. */
export type Meeting = { kind: "tabs" } | { kind: "own" } | { kind: "broker"; address: string };
/** A link into a room. Anyone who has it can join. */
export interface Link { room: string; secret: Uint8Array; host: Uint8Array; meeting: Meeting }

/** A question. `then`: what happens at the `deadline`; from `warnsAt` ask whether the guest is still there (`guest.here()`). Times are by the
 * host's clock. `decides`: ask for confirmation before sending. */
export interface Question {
  ask: string; form: Form; deadline: number | null; then: "skip" | "stand_in" | "end" | null; warnsAt: number | null; decides?: boolean;
}
/** State of an answer; `sending` until the host replies. A refused one has the host's `message`, or a `reason` of this device with an empty
 * message: `long` (more than 960 kB) or `meeting` (the connection service does not take it). */
export interface Answered {
  n: number; state: "sending" | "kept" | "late" | "refused"; values: FormValues; message?: string; field?: string | null; reason?: "long" | "meeting";
}
/** A program at the table: a simulated participant, or a model. */
export interface Program { name: string; kind: "scripted" | "model"; model?: string }
/** Somebody at the table. `name`: what everybody is called everywhere; `standsIn`: a program answers for a person for now. */
export interface Participant { seat: string; name: string; kind: "human" | "scripted" | "model"; model?: string; standsIn?: true }
/** State of the room on this device. */
export interface GuestState {
  connection: Connection; reason: string | null;
  /** `away`: no message for 25 s; answers are stored on the device meanwhile. */
  host: "unknown" | "here" | "away";
  stage: "arriving" | "lobby" | "table" | "after" | "over" | null;
  /** `programs`: those that sit at every table. Empty seats may be filled with further simulated participants. */
  room: { title: string; language: string; programs: Program[] } | null;
  you: { number: number; pseudonym: string | null; name: string | null } | null;
  lobby: { here: number; seats: number; startsAt: number | null; taken: boolean } | null;
  /** `stoodIn`: a program answers in this guest's seat. `participants`: everybody at the table, in its order. */
  table: { number: number; seat: string; stoodIn: boolean; participants: Participant[] } | null;
  number: number; view: RunView | null; questions: Question[];
  end: { code: string | null; way: "complete" | "declined" | "waited" | "dropped" | "trouble"; earned: string | null; url: string | null } | null;
  /** Answers by ask. */
  answers: Record<string, Answered>;
  /** The last three messages of the host to all, the newest last. */
  notices: { at: number; text: string }[];
  /** The ask that others wait for. */
  reminded: string | null;
  /** Why this device does not take part: the room is over; the same person has moved to another device; or, until the host lets it in, there is no place, the same person is there on another device (`in_use`), or it sent too much. */
  trouble: { kind: "full" | "ended" | "in_use" | "moved" } | { kind: "cut"; why: string } | null;
}
/** A device in a room. */
export interface Guest {
  readonly link: Link; readonly state: GuestState;
  /** Two words of the host's key. Equal to those that the host shows, unless the link leads to somebody else. */
  readonly fingerprint: string;
  /** Whether this device was in the room before; somebody else may have used it. */
  readonly isReturning: boolean;
  /** Returns the time by the host's clock. */
  now(): number;
  /** Sends an answer. It is stored on the device and repeated until the host replies, also after reloads. */
  answer(ask: string, values: FormValues): Promise<Answered>;
  /** Restarts the time of the open questions: this guest is here. */
  here(): void;
  /** Takes the seat back from a simulated participant. */
  back(): void;
  /** Stops taking part. */
  leave(): void;
  /** Removes the room's data from this device. There is no way back to the seat afterwards. */
  forget(): void;
  close(): void;
}

/** Returns a transport for a link's connection service. */
export function meet(meeting: Meeting, options?: { page?: string; user?: string; password?: string; will?: { topic: string; bytes: Uint8Array } }): Transport;

/** Joins a room by a link: its parts, its text, or a whole address. Throws `LabError` code `input` for an invalid link, as all functions here do for invalid arguments. */
export function join(link: string | Link, options?: {
  transport?: Transport;
  /** Storage of the key pair and unsent answers; default `localStorage`; null: memory. */
  storage?: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;
  onState?: (state: GuestState) => void;
  language?: string;
  /** Parameters of the participant (`PROLIFIC_PID` …); default: the page's query. */
  params?: Record<string, string>;
}): Guest;

/** Returns the parts of a link, or null if it is invalid. */
export function readLink(text: string): Link | null;
/** Returns a link's text, the part after `#`. */
export function makeLink(link: Link): string;
/** Returns a typed code in normal form, or null if it is invalid. */
export function readCode(text: string): string | null;
/** Finds the link of a code, or null after `seconds` (default 8). */
export function findCode(transports: Transport | Transport[], code: string, options?: { seconds?: number }): Promise<Link | null>;
/** A transport between tabs of one browser. */
export function tabs(): Transport;
/** A transport over an MQTT 3.1.1 broker by `ws:` or `wss:`. `WebSocket`: an implementation, if the platform has none. */
export function broker(address: string, options?: { user?: string; password?: string; will?: { topic: string; bytes: Uint8Array }; WebSocket?: unknown }): Transport;
