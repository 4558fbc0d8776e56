// What people wrote may identify them: mail addresses, long numbers and names of seats. Their own names are in no record.
import { Session } from "quorate";

const MAIL = /[^\s@<>"']+@[^\s@<>"']+\.[\p{L}\p{N}-]+/gu;
/** Seven digits or more, as in numbers of telephones and accounts. */
const DIGITS = /\p{Nd}(?:[ ./()-]{0,2}\p{Nd}){6,}/gu;

const escaped = (name) => name.replace(/[$()*+./?[\\\]^{|}-]/g, "\\$&");

/** Matches a name as a word. Chinese has no spaces between words. */
const nameOf = (name) => (/\p{Script=Han}/u.test(name) ? new RegExp(escaped(name), "gu") : new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, "giu"));

/** Whether people took part: by the seats of the head, or since a message, a guest or a new seat came from outside. */
export const hasPeople = ({ people }, text) => people.length > 0 || /"do":"(?:say|reseat|guest)"/.test(text);

/** The texts of people in a record, `[entry, seat, text]`, and the names of their seats. */
async function textsOf({ people }, text) {
  const session = await Session.import(text, { store: "memory" });
  const names = new Set(people);
  const seats = new Map();
  const texts = [];
  for (const { seq, what } of session.entries()) {
    if (what.type === "asked") seats.set(what.ask.id, what.ask.seat);
    const { do: does, seat, text: words, table } = what.command ?? {};
    if (does === "say") texts.push([seq, seat, words]);
    if (does === "reseat") for (const { name, kind } of table.agents ?? []) if (kind === "human") names.add(name);
    if (what.reply && names.has(seats.get(what.ask))) texts.push([seq, seats.get(what.ask), what.reply.text]);
  }
  session.free();
  return { texts, names };
}

/** What may identify people in a run, `[run, entry, seat, what, found]`. */
export async function findsIn(run, text) {
  const { texts, names } = await textsOf(run, text);
  const patterns = [["mail", MAIL], ["digits", DIGITS], ...[...names].map((name) => ["name", nameOf(name)])];
  return texts.flatMap(([seq, seat, words]) =>
    patterns.flatMap(([what, pattern]) => (words.match(pattern) ?? []).map((found) => [run.id, seq, seat, what, found])));
}
