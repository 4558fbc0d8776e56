// Tests a connection service: two clients meet there as a host and a guest would, and pass sealed messages.
import { broker } from "../../src/web/room/broker.js";
import { newRoom } from "../../src/web/room/link.js";
import { guestKeys, guestTopic, hostKeys, hostTopic, openAtGuest, openAtHost, sealToGuest,
  sealToHost } from "../../src/web/room/seal.js";

/** Milliseconds until a test is given up. */
const PATIENCE = 10_000;

/**
 * Resolves to `{ milliseconds }`, the time from one client to the other and back, or to `{ trouble }`: `mixed` (https needs
 * wss), `blocked` (no connection came about), `refused` (with the broker's `reason`), `silent` (messages do not arrive).
 * @param {string} address
 * @returns {Promise<{ milliseconds?: number, trouble?: string, reason?: string }>}
 */
export async function testConnection(address) {
  const [host, guest] = [hostKeys(), guestKeys()];
  const link = { ...newRoom(), host: host.public };
  const ends = [broker(address), broker(address)];
  let began = 0;
  let isOpen = false;
  const found = new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ trouble: isOpen ? "silent" : "blocked" }), PATIENCE);
    const done = (result) => {
      clearTimeout(timer);
      resolve(result);
    };
    ends[0].subscribe(hostTopic(link), (bytes) => {
      if (openAtHost(host, link, bytes)) {
        ends[0].publish(guestTopic(link, guest.public), sealToGuest(host, link, guest.public, { type: "here" }));
      }
    });
    ends[1].subscribe(guestTopic(link, guest.public), (bytes) => {
      if (openAtGuest(guest, link, bytes)) done({ milliseconds: performance.now() - began });
    });
    const states = ["", ""];
    for (const [at, end] of ends.entries()) {
      end.onState(({ state, reason }) => {
        states[at] = state;
        if (state === "mixed") done({ trouble: "mixed" });
        if (state === "refused") done({ trouble: "refused", reason });
        if (isOpen || states.some((one) => one !== "open")) return;
        isOpen = true;
        // Subscriptions have been accepted when a moment has passed.
        setTimeout(() => {
          began = performance.now();
          ends[1].publish(hostTopic(link), sealToHost(guest, link, { type: "here" }));
        }, 300);
      });
    }
  });
  const result = await found;
  for (const end of ends) end.close();
  return result;
}
