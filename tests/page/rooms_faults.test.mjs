// Two tables of three people on pages of their own, over each broker, with one fault of each kind on the way: somebody goes for
// good, somebody is offline for 20 s, the broker is down for a second, the host is loaded anew. The same with thirty is
// `make trial`.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hasMosquitto, mosquitto } from "../support/brokers.mjs";
import { openPage } from "../support/page.mjs";
import { beside, faulty } from "../support/trial.mjs";

let lab;
before(async () => (lab = await openPage()));
after(() => lab?.close());

/** Holds to what may not be missed; how long things take is measured elsewhere. */
const hold = (what, value, unit, aim) => aim === 0 && assert.equal(value, 0, `${what} ${unit}`);
const size = { tables: 2, seats: 3, tell: hold };

test("over the broker beside the page", { timeout: 240_000 }, async (own) => {
  const { lab: there, restart, close } = await beside(lab);
  own.after(close);
  await faulty(there, "beside the page", { ...size, restart });
});

test("over mosquitto", { timeout: 240_000, skip: !hasMosquitto && "no mosquitto here" }, async (own) => {
  const { address, restart, stop, remove } = await mosquitto();
  own.after(async () => {
    await stop();
    remove();
  });
  await faulty(lab, "mosquitto", { ...size, address, restart });
});
