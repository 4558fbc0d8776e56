// A run: controls, stepper, conversation, participants, questions to people, and what to do when it halts.
import { h, put, button, icon } from "./dom.js";
import { t, clock, language, number, span } from "./i18n.js";
import { numberField } from "./answer/number-field.tsx";
import { conversation } from "./conversation.js";
import { inspect, inspectAsks } from "./inspector.js";
import { openDialog } from "./dialog.js";
import { keyFields, endpoints, baseUrl, originOf } from "./keys.js";
import { allows } from "./origins.js";
import { keeps, state as vaultState } from "./vault.js";
import { stepBar, peoplePanel } from "./panels.js";
import { question } from "./question-panel.tsx";
import { privacyScreen } from "./answer/privacy-screen.tsx";
import { floor } from "./floor.js";
import { roleSwitch } from "./visibility.js";
import { progressOf } from "./progress.js";
import { exportMenu } from "./library/exports.tsx";
import { costText, money } from "./costs.js";
import { fellBackText } from "./fallback-notice.js";
import { outcomeSentence } from "./outcome.js";
import { withRoom } from "./rooms/stored-rooms.js";

export async function view({ args: [id], engine, announce }) {
  const seated = await withRoom(id, engine);
  const lab = await engine.acquire(id);
  const show = lab.view.head?.protocol === "debate" ? (await import("./board.js")).board : conversation;
  const talk = show({
    onInspect: (item) => inspect(item, lab.view, { ...behind(lab), ...(lab.role === "owner" && { onBranch }) }),
  });
  const steps = stepBar((key) => scrollToPart(key));
  const people = peoplePanel((name) => openPerson(lab, name));
  const bar = runBar(lab, engine);
  const between = privacyScreen(lab, { redraw: () => draw(), role: () => role });
  const role = roleSwitch(lab, between.seat);
  const presentation = `#/present/${encodeURIComponent(id)}`;
  const banner = h("div", { class: "banner-place", role: "region", "aria-live": "polite", "aria-label": t("banner") });
  const asking = h("div", { class: "asking" });
  const end = h("div", { class: "end-place" });
  const speech = lab.view.head?.protocol === "discussion" ? floor({ lab, engine }) : null;
  const newer = button(t("run.newest"), () => toEnd(true), { class: "button newest", icon: "down" });
  newer.hidden = true;
  const node = h("div", { class: "run" }, bar.node,
    h("div", { class: "run-grid" }, h("aside", { class: "run-steps", "aria-label": t("steps") }, steps.node),
      h("div", { class: "run-main" }, seated
        && h("p", null,
          h("a", { href: `#/room/${encodeURIComponent(seated.room.id)}`, "data-testid": "to-room" }, t("room.title")),
          ` · ${t("room.table", { n: seated.table })}`),
        h("h1", { class: "run-title" }, lab.view.head?.config?.title || t("untitled")), foreignNote(lab),
        simulatedNote(lab), role.node, speech?.head, talk.node, end, speech?.next, asking, speech?.node, banner, newer),
      h("aside", { class: "run-people", "aria-label": t("people") }, people.node)));

  let follow = true;
  let questions = new Map();
  let state = "";
  let pauses = [];
  let bannerKey = "";
  const announced = new Set();
  for (const item of lab.view.items.values()) if (item.done) announced.add(item.key);

  const nearEnd = () => window.innerHeight + window.scrollY > document.documentElement.scrollHeight - 240;
  const onScroll = () => {
    follow = nearEnd();
    if (follow) newer.hidden = true;
  };
  const toEnd = (always = false) => {
    if (always) follow = true;
    newer.hidden = true;
    const down = () => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    down();
    // Folds what has scrolled out of sight.
    talk.settle();
    down();
  };
  const scrollToPart = (key) => {
    const part = document.getElementById(`part-${key.replaceAll("/", "-")}`);
    if (!part) return;
    follow = false;
    talk.open(key);
    part.scrollIntoView({ block: "start",
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
    part.focus({ preventScroll: true });
  };
  async function onBranch(seq, answer) {
    try {
      location.hash = `#/run/${await engine.branch(id, seq, answer)}`;
    } catch (error) {
      openDialog(t("branch.failed"), () => h("p", { lang: "en" }, error.message));
    }
  }

  function draw() {
    role.update();
    const height = document.documentElement.scrollHeight;
    talk.update(lab.view, lab.streams);
    steps.update(lab.view);
    people.update(lab.view, lab.status);
    bar.update();
    speech?.update();
    drawBanner();
    drawQuestions();
    speak();
    if (document.documentElement.scrollHeight !== height) {
      if (follow && lab.running && questions.size === 0) toEnd();
      else if (!nearEnd() && lab.running && questions.size === 0) newer.hidden = false;
      if (follow && lab.status.state === "ended" && state) toEnd();
    }
  }

  /** Announces news to screen readers: one statement in full, several as their number. */
  function speak() {
    const fresh = [];
    for (const item of lab.view.items.values()) {
      if (!item.done || announced.has(item.key)) continue;
      announced.add(item.key);
      if (["statement", "notice", "message", "card"].includes(item.type) && (item.text || item.type === "card")) {
        fresh.push(item);
      } else if (item.type === "fellback") fresh.push({ type: "notice", text: fellBackText(item) });
    }
    const now = lab.status?.state ?? "";
    const parts = [];
    if (fresh.length === 1) {
      parts.push(fresh[0].type === "card"
        ? t("debate.said", { name: fresh[0].seat })
        : fresh[0].type !== "notice"
        ? t("said", { name: fresh[0].seat, text: fresh[0].text })
        : fresh[0].text);
    } else if (fresh.length > 1) parts.push(t("said.many", { n: fresh.length }));
    const paused = pausesOf(lab).map(({ host }) => host);
    for (const host of paused) if (!pauses.includes(host)) parts.push(t("run.waits.begin", { host }));
    pauses = paused;
    if (now !== state) {
      if (state && !isResting(lab.status)) parts.push(t(`state.${now}`));
      state = now;
    }
    if (parts.length) announce(parts.join(" "));
  }

  function drawBanner() {
    const { status, error } = lab;
    const storage = status.storage ?? null;
    const troubled = lab.role === "owner" && status.state === "running"
      ? status.open.filter(({ trouble }) => trouble)
      : [];
    const key = JSON.stringify([status.state, status.halt ?? null, error?.message ?? null, storage, lab.running,
      troubled.map(({ id, trouble }) => [id, trouble])]);
    if (key === bannerKey) return;
    bannerKey = key;
    put(banner, lab.unstored && h("div", { class: "banner" }, icon("warn"), h("p", null, t("storage.none"))),
      storage && storageBanner(lab, storage),
      status.state === "halted" && !isResting(status) && haltBanner(lab, status.halt),
      troubled.map((ask) => troubleBanner(lab, ask)), error
      && h("div", { class: "banner bad" },
        h("p", null, t("run.error"), " ", h("span", { lang: "en" }, error.message))));
    put(end, status.state === "stopped" && !lab.session.onlyFor && stoppedBanner(lab),
      status.state === "ended" && endedBanner(lab));
    if (status.state !== "running") newer.hidden = true;
    if (follow && banner.firstChild) toEnd();
  }

  async function drawQuestions() {
    const open = between.of((lab.status?.open ?? []).filter((ask) => ask.seatKind === "human"));
    const wanted = new Set(open.map((ask) => ask.id));
    for (const [ask, shown] of questions) {
      if (wanted.has(ask)) continue;
      questions.delete(ask);
      Promise.resolve(shown).then((panel) => panel.leave());
    }
    for (const ask of open) {
      if (questions.has(ask.id) || !lab.view.asks.has(ask.id)) continue;
      const coming = question({ lab, ask, engine, onSent: () =>
        document.getElementById("main")?.focus({ preventScroll: true }) });
      questions.set(ask.id, coming);
      coming.then((panel) => {
        if (!questions.has(ask.id)) return;
        asking.append(panel.node);
        announce(t("human.title", { name: ask.seat }));
        if (asking.children.length === 1 && !openDialogs()) panel.focus();
      });
    }
  }

  const quiet = lab.listen(draw);
  window.addEventListener("scroll", onScroll, { passive: true });
  const tick = setInterval(() => bar.tick(), 1000);
  /** Focuses the first of these that exists and can take it; announces it if there is none. */
  const focusOn = (...selectors) => {
    const found = selectors.flatMap((selector) => [...node.querySelectorAll(selector)]).find((one) =>
      one.checkVisibility()
    );
    if (!found) return announce(t("shortcut.nothing"));
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: found.closest(".run-bar") ? "nearest" : "center" });
  };
  return {
    node,
    title: lab.view.head?.config?.title || t("untitled"),
    shortcuts: [
      { key: "q", says: "shortcut.question",
        go: () => focusOn(".human h2", "[data-testid=floor-text]", "[data-testid=floor-go]") },
      { key: "c", says: "shortcut.controls", go: () => {
        node.querySelector(".run-owner")?.toggleAttribute("open", true);
        focusOn(".run-owner button", ".run-controls button");
      } },
      { key: "r", says: "shortcut.results", go: () => focusOn(".end-place a") },
      ...talk.shortcuts,
      { key: "p", says: "shortcut.present", go: () => (location.hash = presentation) },
    ],
    entered() {
      draw();
      if (lab.status.state !== "stopped") lab.run();
    },
    leave() {
      quiet();
      clearInterval(tick);
      window.removeEventListener("scroll", onScroll);
      talk.leave?.();
      between.leave();
      questions = new Map();
      lab.show("owner");
      engine.release(lab);
    },
  };
}

/** Returns whether the protocol itself halted: the floor then shows what it needs. */
const isResting = (status) => status?.halt?.because === "rests";
const openDialogs = () => document.querySelector("dialog[open]");

/** Why a record of another version cannot go on here, and what can be done with it. */
function foreignNote(lab) {
  const { session, view } = lab;
  if (!session.onlyFor) return null;
  return h("div", { class: "banner", "data-testid": "foreign" },
    h("div", null, h("p", { class: "banner-text" }, t("foreign", { engine: session.onlyFor })),
      h("div", { class: "row" }, exportMenu(lab),
        h("a", { class: "button", href: `#/replay/${session.id}` }, t("library.replay")))));
}

function simulatedNote(lab) {
  const kinds = [...lab.view.people.values()].map((person) => person.kind);
  if (!kinds.includes("scripted")) return null;
  return h("p", { class: "simulated" },
    t(kinds.every((kind) => kind === "scripted") ? "simulated.all" : "simulated.some"));
}

/** Hosts that ask for a pause, until when, and how many calls are delayed. */
function pausesOf(lab) {
  const all = lab.status?.state === "running" ? [...lab.waits.values()] : [];
  const hosts = Map.groupBy(all, ({ origin }) => new URL(origin).host);
  return [...hosts].map(([host, here]) => ({ host, until: Math.max(...here.map(({ until = 0 }) => until)),
    n: here.length })
  ).filter(({ until }) => until > lab.session.now());
}

/** The link to the projector view. */
export const presentLink = (id) =>
  h("a", { class: "button button-quiet", href: `#/present/${encodeURIComponent(id)}`, "data-testid": "present" },
    t("present"));

/** Controls and figures at the top. */
function runBar(lab, engine) {
  const control = (label, action, image, testid, extra = {}) =>
    button(label, action, { icon: image, testid, ...extra });
  const pause = control(t("run.pause"), () => lab.session.pause(), "pause", "pause");
  const resume = control(t("run.resume"), () => lab.go(), "play", "resume", { kind: "primary" });
  const step = control(t("run.step"), () => {
    lab.session.step();
    if (!lab.running) lab.run();
  }, "step", "step", { title: t("run.step.help") });
  const stop = control(t("run.stop"), () => lab.session.stop(), "stop", "stop");
  const results = h("a", { class: "button button-primary", href: `#/results/${lab.session.id}`,
    "data-testid": "results" }, t("run.results"));
  // The pace applies to simulated participants only.
  const hasScripted = [...lab.view.people.values()].some((person) => person.kind === "scripted");
  const pace = h("label", { class: "pace" }, h("span", null, t("run.pace")),
    h("select", { "data-testid": "pace", on: { change: (event) => engine.setPace(event.target.value) } },
      (hasScripted ? Object.keys(engine.PACES) : ["calm", "aloud"]).map((name) =>
        h("option", { value: name, selected: name === engine.paceName() }, t(`pace.${name}`))
      )));
  const state = h("p", { class: "state", "data-testid": "state" });
  const meter = h("progress", { max: "100", "aria-label": t("run.progress") });
  const figures = h("dl", { class: "figures" });
  const figure = (name, testid) => {
    const value = h("dd", { "data-testid": testid });
    figures.append(h("div", null, h("dt", null, name), value));
    return value;
  };
  const calls = figure(t("run.calls"), "calls");
  const tokens = figure(t("run.tokens"), "tokens");
  const paid = [...lab.view.people.values()].some((person) => person.kind === "model");
  const cost = paid ? figure(t("run.cost"), "cost") : null;
  let counted = -1;
  const elapsed = figure(t("run.elapsed"), "elapsed");
  const left = figure(t("run.left"), "left");
  const waits = h("p", { class: "waits", role: "timer", "data-testid": "waits" });
  waits.hidden = true;
  // Participants see the progress; calls and tokens are for the owner, folded.
  const seated = [...lab.view.people.values()].some((person) => person.kind === "human");
  const controls = (...all) => h("div", { class: "run-controls", role: "group", "aria-label": t("run.controls") }, all);
  const rest = [pause, step, stop, pace, presentLink(lab.session.id)];
  const node = h("div", { class: "run-bar" }, h("div", { class: "run-bar-in" }, seated
    ? [controls(resume, results), state,
      h("details", { class: "run-owner", "data-testid": "owner" }, h("summary", null, t("run.owner")), controls(rest),
        figures)]
    : [controls(resume, pause, step, stop, results, rest.slice(3)), state, figures]), waits, meter);

  /** Delayed providers with number of calls and time. Not announced each second, but once, by `speak`. */
  function countdown() {
    const pauses = pausesOf(lab);
    waits.hidden = !pauses.length;
    const text = pauses.map(({ host, until, n }) =>
      t("run.waits", { host, time: span(Math.ceil((until - lab.session.now()) / 1000) * 1000), n })
    ).join(" · ");
    if (waits.textContent !== text) waits.textContent = text;
  }

  const fork = lab.view.head?.forked_from;
  const opened = lab.session.now();
  let own = null;
  /** The start of the run. In a branch: of its first message, since a replaced answer keeps the original's time. */
  const begun = (running) => {
    if (!fork) return lab.view.startedAt;
    own ??= lab.session.entries().slice(fork.seq).find(({ at }, _, [first]) => at > first.at)?.at ?? null;
    return own ?? (running ? opened : lab.view.startedAt);
  };
  const tick = () => {
    const { view } = lab;
    countdown();
    const running = lab.status?.state === "running" && lab.running;
    const now = running ? lab.session.now() : view.lastAt;
    elapsed.textContent = span(
      view.startedAt ? Math.max(0, now - begun(running)) : null,
    );
    left.textContent = running ? ahead.left() : "–";
  };
  const ahead = progressOf(lab);

  function update() {
    const now = lab.status.state;
    const going = now === "running" && lab.running;
    state.textContent = now === "running" && !lab.running ? t("state.opening") : t(`state.${now}`);
    state.dataset.state = now;
    state.toggleAttribute("data-rests", isResting(lab.status));
    const hadFocus = /** @type {HTMLElement} */ (document.activeElement);
    resume.hidden = Boolean(lab.session.onlyFor) || isResting(lab.status)
      || !(["paused", "halted", "stopped"].includes(now) || (now === "running" && !lab.running));
    pause.hidden = !going;
    step.hidden = !(now === "paused");
    stop.hidden = !(going || now === "paused" || now === "halted");
    results.hidden = now !== "ended";
    left.parentElement.hidden = now === "ended";
    pace.hidden = now === "ended" || Boolean(lab.session.onlyFor);
    if (hadFocus?.hidden && node.contains(hadFocus)) [resume, pause, results].find((one) => !one.hidden)?.focus();
    // A record that is only shown has no current figures.
    figures.hidden = lab.role !== "owner" || Boolean(lab.session.onlyFor);
    const { usage } = lab;
    calls.textContent = number(usage.calls);
    const total = usage.inputTokens + usage.outputTokens;
    tokens.textContent = (usage.estimated ? "≈ " : "")
      + number(total, { notation: total > 9999 ? "compact" : "standard" });
    // Counted from the record, so at most once per finished call.
    if (cost && lab.role === "owner" && counted !== lab.view.settled) {
      counted = lab.view.settled;
      const costs = lab.session.costs();
      cost.textContent = costText(costs.run, costs.currency ?? undefined);
    }
    meter.value = now === "ended" ? 100 : 100 * ahead.share();
    tick();
  }
  return { node, update, tick };
}

function banner(kind, sentence, detail, ...actions) {
  return h("div", { class: ["banner", kind], "data-testid": "banner" }, icon("warn"),
    h("div", null, h("p", { class: "banner-text" }, sentence), detail, h("div", { class: "row" }, actions)));
}

/** A call that fails while the run goes on: since when, and whether it is retried automatically. */
const troubleBanner = (lab, { id, trouble: { since, until, failure } }) =>
  haltBanner(lab, { because: "call_failed", ask: id, failure },
    h("p", { "data-testid": "trouble" },
      t(until === null ? "trouble.held" : "trouble.again", { since: clock(since), until: clock(until ?? since) })));

function haltBanner(lab, halt, note = null) {
  if (!halt || halt.because === "call_failed") {
    const failure = halt?.failure ?? { kind: "server", message: "" };
    const ask = halt && lab.view.asks.get(halt.ask);
    const needsKey = ["key", "quota", "unavailable"].includes(failure.kind) && endpoints(lab.session.config).size > 0;
    const config = lab.session.config;
    const origin = originOf(
      baseUrl((config.agents ?? []).find((agent) => agent?.name === ask?.seat), config.protocol) ?? "",
    );
    const blocked = failure.kind === "unreachable" && origin && !allows(origin);
    const locked = failure.kind === "key" && vaultState() === "locked" && (!origin || keeps(origin));
    const go = button(t("run.resume"), () => lab.go(), { kind: needsKey || blocked ? "" : "primary", icon: "play",
      testid: "halt-resume" });
    return banner("bad", locked
      ? t("halt.locked")
      : blocked
      ? t("halt.blocked", { origin })
      : [t(failure.kind === "key" && !failure.status ? "failure.nokey" : `failure.${failure.kind}`),
        failure.status ? ` (${failure.status})` : ""], [note,
      h("p", { class: "quiet" }, ask ? `${ask.seat} · ${t(`kind_of_ask.${ask.kind}`)}: ` : "",
        h("span", { lang: "en" }, failure.message))], locked && button(t("vault.unlock"), () =>
        import("./models/vault_panel.js").then(({ unlockDialog }) =>
          unlockDialog()
        ).then((done) =>
          done && lab.go()
        ), { kind: "primary", testid: "halt-unlock" }), blocked && button(t("allow.do"), () =>
        import("./allow-origins.js").then(({ allowOrigins }) =>
          allowOrigins([origin])
        ), { kind: "primary", testid: "halt-allow" }), needsKey && button(t("halt.key"), () =>
        openDialog(t("keys"),
          (close) => [keyFields(lab.session.config), h("p", { class: "row end" }, button(t("halt.tryagain"), () => {
            close();
            lab.go();
          }, { kind: "primary", testid: "halt-again" }))]), { kind: locked ? "" : "primary", testid: "halt-key" }), go,
      ask && button(t("details"), () =>
        inspectAsks([ask], lab.view, behind(lab))));
  }
  const which = { max_calls: "maxCalls", max_tokens: "maxTokens", max_cost: "maxCost" };
  const inMoney = halt.because === "max_cost";
  const cap = numberField({ language: language(), id: "cap", isWhole: !inMoney,
    value: inMoney ? halt.limit * 2 : Math.round(halt.limit * 2), "data-testid": "cap" });
  return banner("bad",
    t(`halt.${halt.because}`, { limit: inMoney ? money(halt.limit, lab.session.config.prices?.currency) : halt.limit }),
    null, h("label", { class: "inline" }, t("halt.newcap"), cap.node), button(t("halt.raise"), () => {
      const limit = cap.read();
      if (typeof limit !== "number") return cap.input.focus();
      const caps = lab.view.caps ?? {};
      lab.session.limit({
        ...Object.fromEntries(Object.entries(which).map(([key, name]) => [name, caps[key] ?? undefined])),
        [which[halt.because]]: limit,
      });
      lab.go();
    }, { kind: "primary", testid: "raise" }));
}

const storageBanner = (lab, { state, message }) =>
  banner("bad", t(`storage.${state}`), h("p", { class: "quiet", lang: "en" }, message),
    !["silent", "elsewhere"].includes(state) && button(t("storage.again"), () =>
      lab.session.storeAgain(), { testid: "store-again" }), exportMenu(lab));
const stoppedBanner = (lab) =>
  banner("", t("stopped"), null, exportMenu(lab),
    h("a", { class: "button", href: `#/replay/${lab.session.id}` }, t("library.replay")));
const endedBanner = (lab) =>
  h("div", { class: "banner good", "data-testid": "ended" }, icon("check"),
    h("div", null, h("p", { class: "banner-text", "data-testid": "outcome" }, outcomeSentence(lab.view)),
      h("div", { class: "row" },
        h("a", { class: "button button-primary", href: `#/results/${lab.session.id}` }, t("run.results")),
        h("a", { class: "button", href: `#/replay/${lab.session.id}` }, t("library.replay")))));

/** What the inspector may show besides: requests as far as the role may see them, costs for the owner. */
const behind = (lab) => ({ asked: (ask) => lab.session.asked(ask, lab.role),
  ...(lab.role === "owner" && { costs: () => lab.session.costs() }) });

/** A participant's memory, bank and rankings. */
export function openPerson(lab, name) {
  const person = lab.view.people.get(name);
  import("./panels.js").then(({ personDetails }) =>
    openDialog(name, () =>
      personDetails(lab.view, person, (ids) =>
        inspectAsks(ids.map((id) =>
          lab.view.asks.get(id)
        ).filter(Boolean), lab.view, behind(lab))), { wide: true, testid: "person" })
  );
}
