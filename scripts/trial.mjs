// A trial of rooms, at the size that they are made for: node scripts/trial.mjs [thirty|many|phone...] (all, unless told).
// Prints what it measures as a table.
// Thirty people on pages of their own at six tables, over each broker, with one fault of each kind; what goes over the wire;
// 200 light guests at 40 tables; how soon the guest's page can be used on a slow phone. Takes some minutes.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { broker } from "../src/web/room/broker.js";
import { join } from "../src/web/room/guest.js";
import { open, watch } from "../tests/support/browser.mjs";
import { hasMosquitto, mosquitto } from "../tests/support/brokers.mjs";
import { filled } from "../tests/support/guests.mjs";
import { SITE } from "../tests/support/page.mjs";
import { PHONE, beside, faulty, host, people, poll, until } from "../tests/support/trial.mjs";

const shares = { title: "Just shares", language: "English", phase2_rounds: 1, agents: people(5), seed: 3 };

const rows = [];
const tell = (what, value, unit = "", aim = undefined) => {
  rows.push([what, typeof value === "number" ? value.toLocaleString("en", { maximumSignificantDigits: 4 }) : value, unit, aim === undefined ? "" : `≤ ${aim}`, aim === undefined ? "" : value <= aim ? "met" : "MISSED"]);
  console.error(`${what}: ${rows.at(-1)[1]} ${unit}`);
};
const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;

const memory = () => {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
};

/**
 * The longest task of any page's main thread until `end` settles, by the processor's time: what else runs here is no part of it.
 * Read when all is over, since this process has the guests.
 */
async function busiest(browser, page, end) {
  const traces = [];
  let isOver = false;
  end = end.finally(() => (isOver = true));
  while (!isOver) {
    await browser.startTracing(page, { categories: ["toplevel"] });
    await Promise.race([pause(30_000, undefined, { ref: false }), end]);
    traces.push(await browser.stopTracing());
  }
  return traces.reduce((most, trace) => {
    const { traceEvents } = JSON.parse(trace.toString());
    const mains = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`));
    const tasks = traceEvents.filter(({ ph, pid, tid, tdur }) => ph === "X" && tdur && mains.has(`${pid} ${tid}`));
    return tasks.reduce((longest, { tdur }) => Math.max(longest, tdur / 1000), tasks.length ? most : NaN);
  }, 0);
}

/** Counts what goes by way of a broker to and from guests: messages, their bytes, and bytes on the wire with all that MQTT adds. */
function meter() {
  const counted = { up: 0, down: 0, upBytes: 0, downBytes: 0, wire: 0, most: 0 };
  let second = 0;
  let inSecond = 0;
  const count = (way, bytes) => {
    counted[way] += 1;
    counted[`${way}Bytes`] += bytes.length;
    const now = Math.floor(Date.now() / 1000);
    inSecond = now === second ? inSecond + 1 : 1;
    second = now;
    counted.most = Math.max(counted.most, inSecond);
  };
  return {
    counted,
    WebSocket: class extends WebSocket {
      constructor(...given) {
        super(...given);
        this.on("message", (data) => (counted.wire += data.byteLength));
      }
      send(data, ...rest) {
        counted.wire += data.byteLength;
        super.send(data, ...rest);
      }
    },
    of: (post) => ({
      ...post,
      publish(topic, bytes, options) {
        count("up", bytes);
        post.publish(topic, bytes, options);
      },
      subscribe: (topic, on) => post.subscribe(topic, (bytes) => {
        count("down", bytes);
        on(bytes);
      }),
    }),
  };
}

/** Seconds of the processor's time that a process has had, and its memory in MB; NaN where this machine does not tell. */
function used(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, memory: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024 };
  } catch {
    return { seconds: NaN, memory: NaN };
  }
}

/** The page with its broker as `make run` has them, in a process of their own: this one is busy with 200 guests. */
async function apart() {
  const child = spawn(process.execPath, [fileURLToPath(new URL("serve.mjs", import.meta.url)), SITE, "0"], { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, HOST: "" } });
  const [url] = await new Promise((done) => child.stdout.on("data", (text) => /http:\S+/.test(text) && done(/http:\S+/.exec(text))));
  return { url, pid: child.pid, stop: () => child.kill() };
}

/** 200 light guests at 40 tables of the experiment; the broker is the process `pid`. */
async function many(lab, name, pid, address) {
  const one = await host(lab, { title: "Two hundred", session: shares, people: 5, tables: 40, deal: "arrival", start: "hand" }, address);
  const at = address ?? new URL("room", lab.url).href.replace(/^http/, "ws");
  const times = [];
  const guests = [];
  const traffic = meter();
  for (let n = 0; n < 200; n += 1) {
    const asked = new Set();
    const post = traffic.of(broker(at, { WebSocket: traffic.WebSocket }));
    const guest = join(one.link, { transport: post, storage: memory(), language: "en", onState: (state) => {
      for (const { ask, form } of state.questions) {
        if (asked.has(ask)) continue;
        asked.add(ask);
        setTimeout(async () => {
          const from = performance.now();
          const { state: outcome } = await guest.answer(ask, filled(form.fields));
          if (outcome === "kept") times.push(performance.now() - from);
        }, 2000 + Math.random() * 8000);
      }
    } });
    guests.push({ guest, post });
    await pause(20);
  }
  await until(() => guests.every(({ guest }) => guest.state.stage === "lobby"), "200 in the lobby");
  tell(`${name}: the host's longest task while 200 come in`, one.longest, "ms", 50);
  one.longest = 0;
  const began = Date.now();
  const before = { ...traffic.counted, ...used(pid) };
  let ends;
  const busy = busiest(lab.browser, one.page, new Promise((done) => (ends = done)));
  await pause(500);
  await one.page.getByTestId("room-start").click();
  const finished = await until(() => guests.every(({ guest }) => guest.state.stage === "over"), "the end of 40 tables", 300).then(() => true, () => false);
  ends();
  const took = (Date.now() - began) / 1000;
  const now = { ...traffic.counted, ...used(pid) };
  const each = (what) => (now[what] - before[what]) / took / guests.length;
  const over = guests.filter(({ guest }) => guest.state.stage === "over").length;
  tell(`${name}: 200 guests at 40 tables, ${finished ? "from start to results" : `given up with ${over} guests at the end`}`, took, "s");
  tell(`${name}: answers kept`, times.length);
  for (const [part, called] of [[0.5, "p50"], [0.9, "p90"], [0.99, "p99"], [1, "the longest"]]) tell(`${name}: from an answer to “kept”, ${called}`, quantile(times, part), "ms");
  tell(`${name}: the host's longest task while they play`, one.longest, "ms", 50);
  tell(`${name}: the same by the processor's time`, await busy, "ms", 50);
  for (const [way, called] of [["up", "from"], ["down", "to"]]) {
    tell(`${name}: messages ${called} a guest, each second`, each(way));
    tell(`${name}: bytes of a message ${called} a guest, on the average`, each(`${way}Bytes`) / each(way));
  }
  tell(`${name}: on the wire between a guest and the broker, each second`, each("wire"), "bytes");
  tell(`${name}: messages of all guests in the busiest second`, now.most);
  tell(`${name}: the broker's processor time, each second`, ((now.seconds - before.seconds) / took) * 1000, "ms");
  tell(`${name}: the broker's memory`, now.memory, "MB");
  tell(`${name}: the machine's load at the end, of ${availableParallelism()} processors`, loadavg()[0]);
  for (const { guest, post } of guests) {
    guest.close();
    post.close();
  }
  await one.context.close();
}

/** From navigation until the guest's page is drawn, and until its first question can be answered: medians of five. */
async function slowPhone(lab) {
  const one = await host(lab, { title: "Slow", session: poll(5), people: 5, tables: 1, consent: "Do you agree?" });
  const drawn = [];
  const asked = [];
  for (let count = 0; count < 5; count += 1) {
    const context = await lab.browser.newContext(PHONE);
    const page = await context.newPage();
    await watch(page);
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 });
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.addInitScript(() => {
      window.seen = {};
      new MutationObserver(() => {
        if (document.querySelector(".join-privacy")) window.seen.drawn ??= performance.now();
        if (document.querySelector("[data-testid=send-yes]:enabled")) window.seen.asked ??= performance.now();
      }).observe(document, { childList: true, subtree: true, attributes: true });
    });
    await page.goto(one.link);
    await page.getByTestId("send-yes").waitFor();
    const seen = await page.evaluate(() => window.seen);
    drawn.push(seen.drawn);
    asked.push(seen.asked);
    await context.close();
  }
  tell("guest's page at 1.6 Mbit/s, 150 ms, CPU ÷ 4: drawn", quantile(drawn, 0.5), "ms", 1000);
  tell("the same: its first question can be answered", quantile(asked, 0.5), "ms", 1000);
  await one.context.close();
}

/** A step that fails is told in the table; the others go on. */
async function step(name, does) {
  try {
    await does();
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
    tell(`${name}: FAILED`, error.message.split("\n")[0]);
  }
}

const asked = process.argv.slice(2);
const isWanted = (part) => !asked.length || asked.includes(part);
// Ended from outside, it takes its browser and its brokers with it.
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]]) process.once(signal, () => process.exit(code));
const lab = await open(SITE);
const other = hasMosquitto ? await mosquitto() : null;
if (!other) tell("mosquitto", "not here");
if (isWanted("thirty")) {
  const size = { tables: 6, seats: 5, tell };
  const own = await beside(lab);
  await step("beside the page", () => faulty(own.lab, "beside the page", { ...size, restart: own.restart }));
  await own.close();
  if (other) await step("mosquitto", () => faulty(lab, "mosquitto", { ...size, address: other.address, restart: other.restart }));
}
if (isWanted("many")) {
  const { url, pid, stop } = await apart();
  await step("beside the page", () => many({ ...lab, url }, "beside the page", pid));
  stop();
  if (other) await step("mosquitto", () => many(lab, "mosquitto", other.pid, other.address));
}
if (isWanted("phone")) await step("guest's page", () => slowPhone(lab));
await other?.stop();
other?.remove();
await lab.close();

const table = [["measured", "value", "unit", "aim", ""], ...rows];
const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
console.log(table.map((row) => row.map((cell, at) => (at === 1 || at === 3 ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join("  ").trimEnd()).join("\n"));
