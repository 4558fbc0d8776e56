// Brokers for tests: the one beside the page, and Debian's mosquitto where it is installed.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcp, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { attachBroker } from "../../scripts/broker.mjs";

const freePort = () =>
  new Promise((resolve) => {
    const server = createTcp().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** The broker beside the page. `{ address, stop, start }`; it forgets everything when it stops. */
export async function aedes() {
  const port = await freePort();
  let server, broker;
  const start = async () => {
    server = createServer();
    broker = await attachBroker(server);
    await new Promise((done) => server.listen(port, "127.0.0.1", done));
  };
  const stop = async () => {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await broker.close();
    await closed;
  };
  await start();
  return { address: `ws://127.0.0.1:${port}/room`, start, stop };
}

const MOSQUITTO = ["mosquitto", "/usr/sbin/mosquitto"].find((name) => !spawnSync(name, ["-h"]).error);
export const hasMosquitto = Boolean(MOSQUITTO);

/** A mosquitto with a WebSocket listener, with `user` and `password` where they are given, and further lines of its configuration. */
export async function mosquitto({ user, password, more = [] } = {}) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "quorate-mosquitto-"));
  const passwords = join(folder, "passwords");
  if (user) {
    writeFileSync(passwords, "", { mode: 0o600 });
    spawnSync("mosquitto_passwd", ["-b", passwords, user, password]);
  }
  // A listener without WebSocket as well: Debian 12's goes down where it has none.
  const lines = [`listener ${await freePort()} 127.0.0.1`, `listener ${port} 127.0.0.1`, "protocol websockets", user ? "allow_anonymous false" : "allow_anonymous true", user && `password_file ${passwords}`, process.getuid?.() === 0 && "user root", ...more];
  writeFileSync(join(folder, "mosquitto.conf"), `${lines.filter(Boolean).join("\n")}\n`);
  let child;
  const start = async () => {
    child = spawn(MOSQUITTO, ["-c", join(folder, "mosquitto.conf")], { stdio: "ignore" });
    for (let tries = 0; tries < 100; tries += 1) {
      const isUp = await new Promise((done) => {
        const socket = connect(port, "127.0.0.1", () => done(true)).on("error", () => {}).on("close", () => done(false));
        setTimeout(() => socket.destroy(), 50);
      });
      if (isUp) return;
      await pause(50);
    }
    throw new Error("mosquitto does not come up");
  };
  const stop = async () => {
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
  };
  /** Down for a second. */
  const restart = async () => {
    await stop();
    await pause(1000);
    await start();
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Whatever ends this process ends the broker as well.
  process.once("exit", () => {
    child?.kill("SIGKILL");
    remove();
  });
  await start();
  return { address: `ws://127.0.0.1:${port}/`, get pid() { return child.pid; }, start, stop, restart, remove };
}

/**
 * A line to a broker that can break. `hold()`: nothing comes through and nobody is told, as without a network; `cut()`: what
 * is connected ends, and nobody gets in; `heal()` ends either.
 */
export async function line(to) {
  const upstream = Number(new URL(to).port);
  const ends = new Set();
  let how = "whole";
  const server = createTcp((near) => {
    if (how === "cut") return near.destroy();
    const far = connect(upstream, "127.0.0.1");
    for (const [one, other] of [[near, far], [far, near]]) {
      ends.add(one);
      one.on("data", (piece) => other.write(piece));
      one.on("error", () => {});
      one.on("close", () => {
        ends.delete(one);
        other.destroy();
      });
      if (how === "held") one.pause();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const address = new URL(to);
  address.port = String(server.address().port);
  const each = (next, does) => {
    how = next;
    ends.forEach(does);
  };
  return {
    address: address.href,
    hold: () => each("held", (one) => one.pause()),
    cut: () => each("cut", (one) => one.destroy()),
    heal: () => each("whole", (one) => one.resume()),
    close() {
      each("cut", (one) => one.destroy());
      server.close();
    },
  };
}
