// A host in few lines, for tests of the guest's side: it tells what a test says, and answers nothing by itself.
import { newRoom, makeLink } from "../../src/web/room/link.js";
import { guestTopic, hostKeys, hostTopic, openAtHost, sealToGuest, VERSION } from "../../src/web/room/seal.js";

export function stubRoom(transport, { meeting = { kind: "own" } } = {}) {
  const keys = hostKeys();
  const link = { ...newRoom(), host: keys.public, meeting };
  const guests = new Map();
  const said = [];
  let on = () => {};
  transport.subscribe(hostTopic(link), (bytes) => {
    const opened = openAtHost(keys, link, bytes);
    if (!opened) return;
    if (!guests.has(opened.id)) guests.set(opened.id, { key: opened.guest, number: 0, to: new Set() });
    const { v, from, to, ...message } = opened.message;
    guests.get(opened.id).to.add(from[0]);
    said.push({ id: opened.id, ...message });
    on(opened.message, opened.id);
  });
  const session = Date.now();
  let count = 0;
  const send = (id, message) => {
    const { key, to } = guests.get(id);
    transport.publish(guestTopic(link, key), sealToGuest(keys, link, key, { v: VERSION, ...message, from: [session, count += 1], to: [...to] }));
  };
  return {
    link, text: makeLink(link), guests, said, send,
    /** `on(message, id)` for whatever a guest says. */
    set on(next) {
      on = next;
    },
    /** A whole state, or what changed since the last one where `view` is not whole. */
    tell(id, { since = 0, ...fields }) {
      const guest = guests.get(id);
      guest.number += 1;
      send(id, { type: "state", at: Date.now(), room: { title: "A room", language: "English" }, questions: [], end: null, ...fields, since, number: guest.number });
    },
  };
}
