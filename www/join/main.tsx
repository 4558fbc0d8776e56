// The guest's page: from the link to the result. Draws the state of the module `quorate/guest`; has no engine and no
// record.
import { render } from "preact";
import { join, readCode, readLink } from "../../src/web/room/guest.js";
import type { Guest, GuestState, Link, Question as OpenQuestion } from "../../src/web/guest.d.ts";
import type { ItemView } from "../../src/web/quorate.d.ts";
import { Blocks, isMeasure, SideMeasure } from "../blocks.tsx";
import { elapsed } from "../../src/web/room/elapsed.js";
import { Button, Filled, Verbatim } from "../elements.tsx";
import { Face } from "../pictures/people.tsx";
import { apply, setTheme, theme, THEMES } from "../theme.js";
import { asksToTalk, Chat, isTalking } from "./chat.tsx";
import { AskedTwice } from "./asked-twice.tsx";
import { part } from "./part.tsx";
import { drafts } from "./drafts.js";
import { Notices } from "./notices.tsx";
import { Question } from "./question.tsx";
import { StillThere } from "./still-there.tsx";
import { named, ownFace, ProgramNote, RoundTable, seatedAt, YourTable } from "./table.tsx";
import { Ticking } from "./ticking.tsx";
import { Transcript } from "./transcript.tsx";
import { canKeepAwake, keepAwake } from "./wake-lock.js";
import { EarlySocket } from "./socket.js";
import { clock, kept, language, languageCode, LANGUAGES, preferred, t, use } from "./words.js";

apply();
const started = use(preferred());
const app = document.getElementById("app")!;
const link = readLink(location.hash) as Link | null;
const EnterCode = part(() => import("./enter-code.tsx").then((module) => module.EnterCode), () => draw());
const EndPage = part(() => import("./end-page.tsx").then((module) => module.EndPage), () => draw());
const isAtTable = (stage: GuestState["stage"]) => stage === "table";

let guest: Guest | null = null;
/** The ask of the question that is shown. */
let shown: string | null = null;
/** No question has been shown yet. */
let isFirst = true;
/** A removed guest has asked for the seat back. */
let hasAsked = false;
/** The room's language was taken over. */
let hasLanguage = false;

const placeName = ({ meeting }: Link) =>
  meeting.kind === "tabs"
    ? t("privacy.tabs")
    : meeting.kind === "own"
    ? location.host
    : new URL(meeting.address).host;

const sinceOpened = elapsed();
/** Milliseconds after which a connection that never came about is probably blocked. */
const BLOCKED = 8_000;
let hasConnected = false;

function trouble({ link, state: { connection, reason, host, ...state } }: Guest) {
  if (state.trouble || state.stage === "over") return null;
  hasConnected ||= connection === "open";
  if (connection === "mixed") return t("mixed", { address: placeName(link) });
  if (connection === "refused") return t("refused", { reason });
  if (!hasConnected && sinceOpened() > BLOCKED) return t("blocked", { address: placeName(link) });
  if (connection === "lost") return t("lost");
  if (connection === "connecting") return t("connecting");
  return host === "away" ? t("away") : null;
}

const Tools = () => {
  const choose = (code: string) => {
    void use(code, true).then(draw);
  };
  return (
    <div class="tools">
      <select aria-label={t("language")} data-testid="language" value={language()}
        onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>{String(name)}</option>
        ))}
      </select>
      <Button kind="quiet" more="join-theme" aria-label={t("theme")}
        onClick={() => setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length])}>
        ◐
      </Button>
    </div>
  );
};

/** How far the table is. */
function Progress({ view }: { view: GuestState["view"] }) {
  const steps = (view?.steps ?? []).filter(({ state }) => state !== "skipped");
  if (steps.length < 2) return null;
  const done = steps.filter(({ state }) => state === "done").length;
  const n = Math.min(steps.length, done + 1);
  return (
    <div class="join-steps">
      <p data-testid="steps">{t("steps", { n, of: steps.length })}</p>
      <p class="join-bar" aria-hidden="true">
        {steps.map(({ key }, at) => <i key={`${key}${at}`} class={at < done ? "full" : at === done ? "now" : ""} />)}
      </p>
    </div>
  );
}

const Privacy = ({ guest }: { guest: Guest }) => (
  <details class="join-privacy">
    <summary>{t("privacy")}</summary>
    <p>{t("privacy.text", { address: placeName(guest.link) })}</p>
    <p>{t("host.words", { words: guest.fingerprint })}</p>
    {location.protocol === "http:" && guest.link.meeting.kind !== "tabs" && <p>{t("privacy.plain")}</p>}
  </details>
);

/** The name of a guest, in a sentence. */
const You = ({ name }: { name: string }) => <Filled text={t("you")} with={{ name: <Verbatim>{name}</Verbatim> }} />;

/** The table while others are at work, and what happened to the last answer. */
function Waiting({ state }: { state: GuestState }) {
  const { questions, answers, view, table } = state;
  const states = questions.map(({ ask }) => answers[ask]?.state);
  const isSending = states.includes("sending");
  const all = seatedAt(state);
  const busy = Object.keys(view?.doing ?? {}).filter((seat) => !(seat === table?.seat && states.length));
  const others = all.filter(({ seat }) => busy.includes(seat) && seat !== table?.seat).map(({ name }) => name);
  return (
    <section class="join-wait" data-testid="waiting">
      {all.length > 1 && <RoundTable all={all} busy={busy} />}
      <h2>{isSending ? t("sending") : states.includes("kept") ? t("kept") : !others.length && t("wait")}</h2>
      {others.length > 0 && (
        <h3>
          <Filled text={t("wait.who")} with={{ list: named(others) }} />
        </h3>
      )}
      <p class="quiet">{t("wait.text")}</p>
    </section>
  );
}

function Lobby({ guest: { state, fingerprint, now } }: { guest: Guest }) {
  const { here = 0, seats = 0, startsAt = null, taken = false } = state.lobby ?? {};
  // More guests than seats at a table are assigned to several.
  const isOneTable = here <= seats;
  return (
    <section class="join-card" data-testid="lobby">
      <h2>{t(taken ? "lobby.taken" : "lobby.title")}</h2>
      {state.you?.pseudonym && (
        <p class="join-you">
          <You name={state.you.name ?? state.you.pseudonym} />
        </p>
      )}
      <YourTable state={state} />
      {taken ? <p class="quiet">{t("lobby.late")}</p> : (
        <>
          <p class="join-count">{isOneTable ? t("lobby.here", { here, seats }) : t("lobby.count", { here })}</p>
          {isOneTable && (
            <progress max={seats} value={Math.min(here, seats)} aria-label={t("lobby.here", { here, seats })} />
          )}
          {startsAt
            ? (
              <p class="join-left">
                <Ticking>{() => t("lobby.starts", { time: clock(startsAt - now()) })}</Ticking>
              </p>
            )
            : <p class="quiet">{t(here < seats ? "lobby.wait" : "lobby.enough")}</p>}
          <p class="quiet">{t(canKeepAwake ? "lobby.keep" : "lobby.screen")}</p>
        </>
      )}
      <p class="quiet" data-testid="host-words">{t("host.words", { words: fingerprint })}</p>
    </section>
  );
}

/** For a guest whose place a simulated participant has taken. */
function StoodIn({ guest }: { guest: Guest }) {
  const { you, table } = guest.state;
  const ask = () => {
    guest.back();
    hasAsked = true;
    draw();
  };
  return (
    <div class="join-card join-note" role="alert">
      <p>{t("stoodin", { name: you?.name ?? table!.seat })}</p>
      <Button kind="primary" data-testid="back" onClick={ask}>{t("stoodin.back")}</Button>
      {hasAsked && <p class="quiet">{t("stoodin.asked")}</p>}
    </div>
  );
}

/** What the last answer brought to one's account. */
function Dealt({ state: { view, table } }: { state: GuestState }) {
  const own = view?.items.filter(({ seat, done }) => done && seat === table?.seat) ?? [];
  const last = own.reduce<ItemView | null>((one, other) => (one && (one.seq ?? 0) > (other.seq ?? 0) ? one : other),
    null);
  const measures = last?.blocks.filter(isMeasure) ?? [];
  // The length of what one said counts for nothing.
  if (!measures.length || last!.isSpeech) return null;
  const words = last!.blocks.filter(({ block }) => block === "text" || block === "choices");
  return (
    <section class="join-dealt" role="status" data-testid="dealt">
      <div>
        <Blocks blocks={words} reader={{ name: (seat) => seat }} />
      </div>
      {measures.map((measure) => <SideMeasure measure={measure} />)}
    </section>
  );
}

function Body({ guest, question }: { guest: Guest; question: OpenQuestion | null }) {
  const { state } = guest;
  const { stage, view, table } = state;
  if (state.trouble) {
    return (
      <section class="join-card">
        <h2>{t(state.trouble.kind)}</h2>
      </section>
    );
  }
  if (stage === "over") return EndPage.with({ state, guest });
  if (!stage) return <p class="join-wait">{t("connecting")}</p>;
  const me = view?.people?.find(({ name }) => name === table?.seat);
  const hasBank = me !== undefined && "bank" in me;
  const isChat = isAtTable(stage) && (question ? asksToTalk(state, question) : isTalking(state));
  const programs = (state.room?.programs ?? []).map(({ name }) => name);
  const isNew = isAtTable(stage) && !Object.keys(state.answers).some((ask) => !ask.startsWith("room/"));
  return (
    <>
      {(stage === "arriving" || stage === "after") && <p class="eyebrow">{t(stage)}</p>}
      {table?.stoodIn && <StoodIn guest={guest} />}
      {state.reminded && question && <p class="join-remind" role="status">{t("remind")}</p>}
      {isNew && question && !isChat && <YourTable state={state} isShort />}
      {stage === "arriving" && <ProgramNote names={programs} />}
      {isChat && <Chat key="chat" guest={guest} question={question} />}
      {question && !isChat && isAtTable(stage) && hasBank && <Dealt state={state} />}
      {question && !isChat && (
        <Question key={`${question.ask} ${state.answers[question.ask]?.n ?? 0}`} guest={guest} question={question}
          isFirst={isFirst} />
      )}
      {!question && stage === "lobby" && <Lobby guest={guest} />}
      {!question && stage !== "lobby" && !isChat && <Waiting state={state} />}
      {isAtTable(stage) && !question && !isChat && hasBank && (
        <div class="join-bank">
          <Blocks blocks={me.blocks.slice(0, 1)} reader={{ name: (seat) => seat }} />
        </div>
      )}
    </>
  );
}

/** What is one tap away: who one is, what has happened, settings, and the way out. */
function Menu({ guest }: { guest: Guest }) {
  const { state } = guest;
  const { stage, trouble, you, table, view } = state;
  const isHere = stage && stage !== "over";
  const me = ownFace(state);
  const another = () => {
    guest.close();
    guest.forget();
    drafts(guest.link.room).remove();
    location.reload();
  };
  const close = (event: KeyboardEvent & { currentTarget: HTMLDetailsElement }) => {
    if (event.key !== "Escape") return;
    event.currentTarget.open = false;
    event.currentTarget.querySelector("summary")!.focus();
  };
  const name = me?.name ?? you?.name ?? you?.pseudonym;
  return (
    <details class="join-menu" onKeyDown={close}>
      <summary aria-label={t("menu")} data-testid="menu">
        {me ? <Face index={me.index} kind={me.kind} size={34} /> : "☰"}
      </summary>
      <div>
        {name && (
          <p class="join-you">
            <You name={name} />
            {table && ` · ${t("table", { n: table.number })}`}
          </p>
        )}
        {isAtTable(stage) && view && (
          <details data-testid="seen">
            <summary data-testid="seen-open">{t("seen")}</summary>
            <Transcript state={state}>
              <p class="quiet">{t("nothing")}</p>
            </Transcript>
          </details>
        )}
        <Privacy guest={guest} />
        <Tools />
        {isHere && !trouble
          && (
            <AskedTwice key="leave" id="leave" label={t("leave")} question={t("leave.sure")} yes={t("leave")}
              go={() => guest.leave()} />
          )}
        {isHere && guest.isReturning
          && (
            <AskedTwice key="other" id="other" label={t("other")} question={t("other.sure")} yes={t("other.go")}
              go={another} />
          )}
      </div>
    </details>
  );
}

function Page({ guest, question }: { guest: Guest; question: OpenQuestion | null }) {
  const { room, view, stage, questions, answers } = guest.state;
  const open = questions.filter(({ ask }) => !["sending", "kept"].includes(answers[ask]?.state ?? ""));
  return (
    <>
      <header class="join-top">
        <div>
          <h1 class="join-title">{room?.title || t("title")}</h1>
          {isAtTable(stage) && <Progress view={view} />}
        </div>
        <Menu guest={guest} />
      </header>
      <Ticking>{() => <Banner text={trouble(guest)} />}</Ticking>
      <Notices notices={guest.state.notices} />
      <main id="main" class="join" tabIndex={-1}>
        <Body guest={guest} question={question} />
      </main>
      {question && <StillThere guest={guest} questions={open} />}
    </>
  );
}

const Banner = ({ text }: { text: string | null }) => (
  <p class="join-banner" role="status" data-testid="banner" hidden={!text}>{text}</p>
);

/** The question that is open for this device. */
function openQuestion({ trouble, stage, questions, answers }: GuestState) {
  if (trouble || !stage || stage === "over") return null;
  return questions.find(({ ask }) => !["sending", "kept"].includes(answers[ask]?.state ?? "")) ?? null;
}

/** What was typed on the first screen. */
function decodeHash() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

function draw() {
  if (!guest) {
    const code = readCode(decodeHash());
    const isBroken = !code && location.hash.length > 1;
    document.title = `${t("title")} · Quorate`;
    return render(
      <>
        <header class="join-top">
          <h1 class="join-title">{t("title")}</h1>
          <Tools />
        </header>
        <main id="main" class="join" tabIndex={-1}>
          {EnterCode.with({ code, isBroken, found: (text) => (location.hash = text) })}
        </main>
      </>,
      app,
    );
  }
  const { state } = guest;
  if (state.stage) EndPage.load();
  const wanted = languageCode(state.room?.language);
  if (!kept() && wanted && wanted !== language() && state.stage && !hasLanguage) {
    // The room's language, unless another was chosen on this device.
    hasLanguage = true;
    void use(wanted).then(draw);
  }
  if (state.stage && state.stage !== "over") hasAsked &&= Boolean(state.table?.stoodIn);
  const question = openQuestion(state);
  const isNew = question !== null && question.ask !== shown;
  shown = question?.ask ?? null;
  const { activeElement } = document;
  const isFree = !activeElement || activeElement === document.body || activeElement.id === "main";
  render(<Page guest={guest} question={question} />, app);
  if (isNew) {
    isFirst = false;
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
    if (isFree) app.querySelector<HTMLElement>("#ask-title")?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: "instant" });
  }
  document.title = `${question ? `● ${t("turn")}` : state.room?.title || t("title")} · Quorate`;
  keepAwake(state.stage !== null && state.stage !== "over" && !state.trouble);
}

addEventListener("hashchange", () => location.reload());
app.replaceChildren();
if (!link) void started.then(draw);
else {
  let isDue = false;
  guest = join(location.href, { language: preferred(), WebSocket: EarlySocket, onState: () => {
    if (isDue) return;
    isDue = true;
    // Draws once for several messages.
    void started.then(() => {
      isDue = false;
      draw();
    });
  } }) as Guest;
  // Lets the connection send first.
  void started.then(draw);
}
