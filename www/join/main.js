// The guest's page: from the link to the result. Draws the state of the module `quorate/guest`; has no engine and no
// record.
import { join, readLink } from "../../src/web/room/guest.js";
import { elapsed } from "../../src/web/room/elapsed.js";
import { button, filled, h, put, verbatim } from "../dom.js";
import { apply, setTheme, theme, THEMES } from "../theme.js";
import { codeEntry } from "./enter-code.js";
import { endPage } from "./end-page.js";
import { drafts, panel } from "./question.js";
import { transcript } from "./transcript.js";
import { keepAwake } from "./wake-lock.js";
import { EarlySocket } from "./socket.js";
import { clock, dollars, kept, language, languageCode, LANGUAGES, listParts, preferred, t, use } from "./words.js";

apply();
use(preferred());
const app = document.getElementById("app");
const link = readLink(location.hash);
const isAtTable = (stage) => stage === "table";

const placeName = () => (link.meeting.kind === "tabs"
  ? t("privacy.tabs")
  : link.meeting.kind === "own"
  ? location.host
  : new URL(link.meeting.address).host);

const title = h("h1", { class: "join-title" });
const banner = h("p", { class: "join-banner", role: "status", "data-testid": "banner" });
const main = h("main", { id: "main", class: "join", tabindex: "-1" });
const foot = h("footer", { class: "join-foot" });
let guest = null;
let open = null;
/** No question has been shown yet. */
let isFirst = true;
let isLeaving = false;
/** Somebody else who used the device before is asked to be forgotten. */
let isAnother = false;
/** A removed guest has asked for the seat back. */
let hasAsked = false;

function frame() {
  const languages = h("select", { "aria-label": t("language"), "data-testid": "language", on: { change: () => {
    use(languages.value, true);
    open = null;
    frame();
    draw();
  } } },
    Object.entries(LANGUAGES).map(([code, name]) =>
      h("option", { value: code, lang: code, selected: code === language() }, name)
    ));
  const light = button("◐", () => setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]), { kind: "quiet",
    "aria-label": t("theme"), class: "button button-quiet join-theme" });
  put(app, h("header", { class: "join-top" }, title, h("div", { class: "tools" }, languages, light)), banner, main,
    foot);
  document.title = `${t("title")} · Quorate`;
}

function privacy() {
  return h("details", { class: "join-privacy" }, h("summary", null, t("privacy")),
    h("p", null, t("privacy.text", { address: placeName() })),
    h("p", null, t("host.words", { words: guest.fingerprint })),
    location.protocol === "http:" && link.meeting.kind !== "tabs" && h("p", null, t("privacy.plain")));
}

const sinceOpened = elapsed();
/** Milliseconds after which a connection that never came about is probably blocked. */
const BLOCKED = 8_000;
let hasConnected = false;

function trouble({ connection, reason, host }) {
  hasConnected ||= connection === "open";
  if (connection === "mixed") return t("mixed", { address: placeName() });
  if (connection === "refused") return t("refused", { reason });
  if (!hasConnected && sinceOpened() > BLOCKED) return t("blocked", { address: placeName() });
  if (connection === "lost") return t("lost");
  if (connection === "connecting") return t("connecting");
  return host === "away" ? t("away") : null;
}

/** The question that is open for this device, or null. */
const openQuestion = (state) =>
  state.questions.find(({ ask }) => !["sending", "kept"].includes(state.answers[ask]?.state)) ?? null;

function questionPanel(state) {
  const question = openQuestion(state);
  if (!question) {
    open?.panel.close();
    open = null;
    return null;
  }
  const known = state.answers[question.ask];
  if (open?.ask !== question.ask || open.n !== (known?.n ?? 0)) {
    open?.panel.close();
    const one = panel(question, { draft: drafts(link.room), now: guest.now, isFirst, send: (values) => {
      try {
        void guest.answer(question.ask, values).then(({ state: outcome }) =>
          outcome === "kept" && drafts(link.room).remove()
        );
      } catch (fault) {
        one.refuse(fault.message);
      }
    } });
    isFirst = false;
    const isNew = open?.ask !== question.ask;
    open = { ask: question.ask, n: known?.n ?? 0, panel: one, isNew };
    if (known?.state === "refused") {
      const message = known.reason ? t(known.reason === "long" ? "toolong" : "untaken") : known.message;
      queueMicrotask(() => one.refuse(message, known.field));
    }
    if (known?.state === "late") queueMicrotask(() => one.refuse(t("late")));
    if (isNew && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
  }
  return open.panel;
}

/** What happened to the answer of a question that is still shown. */
function answerState(state) {
  const states = state.questions.map(({ ask }) => state.answers[ask]?.state);
  if (states.includes("sending")) return t("sending");
  return states.includes("kept") ? t("kept") : null;
}

/** The names that people chose, by seat. The host has told apart those that look alike. */
const displayNames = ({ table }) => table?.people ?? {};

function whoIsAtWork(state) {
  const names = displayNames(state);
  const others = Object.keys(state.view?.doing ?? {}).filter((name) => name !== state.table?.seat).map((name) =>
    names[name] ?? name
  );
  if (!others.length) return t("wait");
  return filled(t("wait.who"), {
    list: listParts(others).map(({ type, value }) => type === "element" ? verbatim(value) : value),
  });
}

const LOBBY = (state) => {
  const { here = 0, seats = 0, startsAt, taken } = state.lobby ?? {};
  // More guests than seats at a table are assigned to several.
  const isOneTable = here <= seats;
  const card = (title, ...rest) =>
    h("section", { class: "join-card", "data-testid": "lobby" }, h("h2", null, t(title)), state.you?.pseudonym
      && h("p", { class: "join-you" }, filled(t("you"), { name: verbatim(state.you.name ?? state.you.pseudonym) })),
      ...rest, h("p", { class: "quiet", "data-testid": "host-words" }, t("host.words", { words: guest.fingerprint })));
  if (taken) return card("lobby.taken", h("p", { class: "quiet" }, t("lobby.late")));
  return card("lobby.title",
    h("p", { class: "join-count" }, isOneTable ? t("lobby.here", { here, seats }) : t("lobby.count", { here })),
    isOneTable
      && h("progress", { max: seats, value: Math.min(here, seats), "aria-label": t("lobby.here", { here, seats }) }),
    startsAt
      ? h("p", { class: "join-left", "data-until": startsAt })
      : h("p", { class: "quiet" }, t(here < seats ? "lobby.wait" : "lobby.enough")),
    h("p", { class: "quiet" }, t("lobby.keep")));
};

function body(state) {
  if (state.trouble) return [h("section", { class: "join-card" }, h("h2", null, t(state.trouble.kind)))];
  if (state.stage === "over") return endPage(state, { link, guest });
  hasAsked &&= Boolean(state.table?.stoodIn);
  if (!state.stage) return [h("p", { class: "join-wait" }, t("connecting"))];
  const question = questionPanel(state);
  const entries = isAtTable(state.stage) && state.view
    ? transcript(state.view, state.table?.seat, displayNames(state))
    : [];
  const me = state.view?.people?.find(({ name }) => name === state.table?.seat);
  const head = isAtTable(state.stage)
    ? null
    : state.stage === "lobby"
    ? null
    : h("p", { class: "eyebrow" }, t(state.stage));
  return [
    head,
    state.table?.stoodIn
    && h("div", { class: "join-card join-note", role: "alert" }, h("p", null, t("stoodin")),
      button(t("stoodin.back"), () => {
        guest.back();
        hasAsked = true;
        draw();
      }, { kind: "primary", testid: "back" }), hasAsked && h("p", { class: "quiet" }, t("stoodin.asked"))),
    state.reminded && question && h("p", { class: "join-remind", role: "status" }, t("remind")),
    question?.node,
    !question && state.stage === "lobby" && LOBBY(state),
    !question && state.stage !== "lobby"
    && h("section", { class: "join-card join-wait", "data-testid": "waiting" },
      h("h2", null, answerState(state) ?? whoIsAtWork(state)), h("p", { class: "quiet" }, t("wait.text"))),
    isAtTable(state.stage) && me?.bank !== undefined
    && h("p", { class: "join-bank" }, t("bank", { money: dollars(me.bank) })),
    isAtTable(state.stage) && state.view
    && h("section", { class: "join-seen", "data-testid": "seen" }, h("h2", null, t("seen")),
      entries.length ? entries : h("p", { class: "quiet" }, t("nothing"))),
  ];
}

function leaving(state) {
  if (state.stage === "over" || state.trouble || !state.stage) return null;
  if (!isLeaving) return button(t("leave"), () => leave(true), { kind: "quiet", testid: "leave" });
  return h("p", { role: "alert" }, t("leave.sure"), " ", button(t("leave"), () => {
    guest.leave();
    leave(false);
  }, { kind: "danger", testid: "leave-sure" }), " ",
    button(t("leave.no"), () => leave(false), { testid: "leave-stay" }));
}
/** For a device that several people use: forgets the seat of the one before. */
function another(state) {
  if (!guest.isReturning || !state.stage || state.stage === "over") return null;
  if (!isAnother) return button(t("other"), () => beAnother(true), { kind: "quiet", testid: "other" });
  return h("p", { role: "alert" }, t("other.sure"), " ", button(t("other.go"), () => {
    guest.close();
    guest.forget();
    drafts(link.room).remove();
    location.reload();
  }, { kind: "danger", testid: "other-sure" }), " ",
    button(t("leave.no"), () => beAnother(false), { testid: "other-stay" }));
}
const beAnother = (is) => {
  isAnother = is;
  draw();
  foot.querySelector(is ? "[data-testid=other-stay]" : "[data-testid=other]")?.focus();
};
const leave = (is) => {
  isLeaving = is;
  draw();
  foot.querySelector(is ? "[data-testid=leave-stay]" : "[data-testid=leave]")?.focus();
};

/** Keeps unchanged nodes in place, so that typing is not disturbed. */
function arrange(parent, wanted) {
  const nodes = wanted.flat(3).filter(Boolean);
  for (const old of [...parent.childNodes]) if (!nodes.includes(old)) old.remove();
  nodes.forEach((node, at) =>
    parent.childNodes[at] !== node && parent.insertBefore(node, parent.childNodes[at] ?? null)
  );
}

function drawBanner(state) {
  const problem = state.trouble || state.stage === "over" ? null : trouble(state);
  if (banner.textContent !== (problem ?? "")) put(banner, problem);
  banner.hidden = !problem;
}

function draw() {
  if (!guest) return;
  const { state } = guest;
  if (!kept() && languageCode(state.room?.language) && languageCode(state.room?.language) !== language() && state.stage
    && !draw.hasLanguage) {
    // The room's language, unless another was chosen on this device.
    draw.hasLanguage = true;
    use(languageCode(state.room.language));
    frame();
  }
  put(title, state.room?.title || t("title"), state.table
    && h("span", { class: "quiet" }, " · ", state.table.seat === state.you?.pseudonym
      ? verbatim(state.table.seat)
      : filled(t("you"), { name: verbatim(state.you?.name ?? state.table.seat) })));
  drawBanner(state);
  const isFree = !document.activeElement || document.activeElement === document.body || document.activeElement === main;
  arrange(main, body(state));
  // Keeps the focus on its buttons.
  const end = JSON.stringify([state.stage, Boolean(state.trouble), isLeaving, isAnother, language()]);
  if (end !== draw.end) put(foot, leaving(state), another(state), privacy());
  draw.end = end;
  if (open?.isNew) {
    open.isNew = false;
    if (isFree) open.panel.focus();
    window.scrollTo({ top: 0, behavior: "instant" });
  }
  document.title = `${open ? `● ${t("turn")}` : state.room?.title || t("title")} · Quorate`;
  keepAwake(Boolean(open));
  tick();
}
draw.hasLanguage = false;
draw.end = "";

function tick() {
  if (!hasConnected) drawBanner(guest.state);
  open?.panel.tick();
  for (const one of main.querySelectorAll("[data-until]")) {
    one.textContent = t("lobby.starts", { time: clock(Number(one.getAttribute("data-until")) - guest.now()) });
  }
}

addEventListener("hashchange", () => location.reload());
if (!link) {
  frame();
  const isBroken = location.hash.length > 1;
  put(title, t("title"));
  put(main, codeEntry(isBroken, (text) => (location.hash = text)));
  banner.hidden = true;
} else {
  let isDue = false;
  guest = join(location.href, { language: preferred(), WebSocket: EarlySocket, onState: () => {
    if (isDue) return;
    isDue = true;
    // Draws once for several messages.
    setTimeout(() => {
      isDue = false;
      draw();
    });
  } });
  // Lets the connection send first.
  queueMicrotask(() => {
    frame();
    draw();
  });
  setInterval(tick, 500);
}
