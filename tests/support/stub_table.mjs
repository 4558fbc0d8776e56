// A table of people over a room, in Node.js: a real session, and of the host's side only what a guest needs to play.
import { setTimeout as pause } from "node:timers/promises";
import { stubRoom } from "./stub_room.mjs";

/** Begins when as many guests have said hello as there are people in the configuration. `{ room, session, finished }`. */
export function table({ Session }, transport, config, { end = {}, deadline = null } = {}) {
  const room = stubRoom(transport);
  const people = config.agents.filter(({ kind }) => kind === "human").map(({ name }) => name);
  const seats = new Map();
  const seen = new Map();
  const held = { session: null, over: false };
  const about = (id) => ({
    room: { title: config.title, language: config.language ?? "English" },
    you: { number: [...seats.keys()].indexOf(id) + 1, pseudonym: seats.get(id), name: null },
    lobby: { here: seats.size, seats: people.length, startsAt: null },
    stage: held.over ? "over" : held.session ? "table" : "lobby",
    end: held.over ? { code: "QKRT-7714", way: "complete", earned: null, url: null, ...end } : null,
  });
  const tell = (id, whole = false) => {
    const { session } = held;
    if (!session) return room.tell(id, about(id));
    const seat = seats.get(id);
    const before = whole ? 0 : seen.get(id) ?? 0;
    const view = session.view(`seat:${seat}`, before);
    seen.set(id, view.number);
    const questions = held.over ? [] : session.status.open.filter((ask) => ask.seat === seat && ask.form).map((ask) => ({ ask: ask.id, form: ask.form, deadline: ask.deadline ?? (deadline ? Date.now() + deadline : null), decides: ask.form.decides }));
    room.tell(id, { ...about(id), since: view.whole ? 0 : room.guests.get(id).number, table: { number: 1, seat, stoodIn: false, participants: [] }, view, questions });
  };
  const all = () => [...seats.keys()].forEach((id) => tell(id));
  let isDue = false;
  const changed = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      all();
    }, 20);
  };
  let finish;
  let fail;
  const finished = new Promise((done, fails) => ([finish, fail] = [done, fails]));
  async function start() {
    const session = await Session.create(config, { onEvent: changed });
    session.setPace?.(0);
    held.session = session;
    const run = session.run();
    await pause(30);
    all();
    const result = await run;
    held.over = true;
    all();
    finish(result);
  }
  let isStarting = false;
  room.on = (message, id) => {
    if (message.type === "hello") {
      if (!seats.has(id) && seats.size < people.length) seats.set(id, people[seats.size]);
      if (!seats.has(id)) return room.send(id, { type: "full" });
      all();
      tell(id, true);
      if (seats.size === people.length && !isStarting) {
        isStarting = true;
        start().catch(fail);
      }
    } else if (message.type === "answer") {
      try {
        room.send(id, { type: held.session.answer(message.ask, message.values) ? "kept" : "late", n: message.n });
      } catch (fault) {
        room.send(id, { type: "refused", n: message.n, message: fault.message, field: fault.detail?.field ?? null });
      }
      changed();
    }
  };
  const beat = setInterval(() => [...seats.keys()].forEach((id) => room.send(id, { type: "here", at: Date.now(), number: room.guests.get(id).number })), 2000);
  void finished.finally(() => clearInterval(beat));
  return { room, held, finished, stop: () => clearInterval(beat) };
}
