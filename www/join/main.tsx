// The guest's page: from the link to the result. Draws the state of the module `quorate/guest`; has no engine and no
// record.
import { render } from "preact";
import type { ComponentChildren } from "preact";
import { join, readLink } from "../../src/web/room/guest.js";
import type { Guest, GuestState, Link, Question as OpenQuestion } from "../../src/web/guest.d.ts";
import type { ParticipantView } from "../../src/web/quorate.d.ts";
import { elapsed } from "../../src/web/room/elapsed.js";
import { Button, Filled, Verbatim } from "../elements.tsx";
import { apply, setTheme, theme, THEMES } from "../theme.js";
import { AskedTwice } from "./asked-twice.tsx";
import { EnterCode } from "./enter-code.tsx";
import { EndPage } from "./end-page.tsx";
import { drafts } from "./drafts.js";
import { Question } from "./question.tsx";
import { Ticking } from "./ticking.tsx";
import { Transcript } from "./transcript.tsx";
import { keepAwake } from "./wake-lock.js";
import { EarlySocket } from "./socket.js";
import { clock, dollars, kept, language, languageCode, LANGUAGES, listParts, preferred, t, use } from "./words.js";

apply();
use(preferred());
const app = document.getElementById("app")!;
const link = readLink(location.hash) as Link | null;
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

/** The page around its main part. */
function Frame({ title, children }: { title: ComponentChildren; children: ComponentChildren }) {
  const choose = (code: string) => {
    use(code, true);
    draw();
  };
  return (
    <>
      <header class="join-top">
        <h1 class="join-title">{title}</h1>
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
      </header>
      {children}
    </>
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

/** What happened to the answer of a question that is still shown; else who is at work. */
function Waited({ state: { questions, answers, view, table } }: { state: GuestState }) {
  const states = questions.map(({ ask }) => answers[ask]?.state);
  if (states.includes("sending")) return <>{t("sending")}</>;
  if (states.includes("kept")) return <>{t("kept")}</>;
  const others = Object.keys(view?.doing ?? {}).filter((name) => name !== table?.seat)
    .map((name) => table?.people?.[name] ?? name);
  if (!others.length) return <>{t("wait")}</>;
  const names = listParts(others).map(({ type, value }) => type === "element" ? <Verbatim>{value}</Verbatim> : value);
  return <Filled text={t("wait.who")} with={{ list: names }} />;
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
          <p class="quiet">{t("lobby.keep")}</p>
        </>
      )}
      <p class="quiet" data-testid="host-words">{t("host.words", { words: fingerprint })}</p>
    </section>
  );
}

/** For a guest whose place a simulated participant has taken. */
function StoodIn({ guest }: { guest: Guest }) {
  const ask = () => {
    guest.back();
    hasAsked = true;
    draw();
  };
  return (
    <div class="join-card join-note" role="alert">
      <p>{t("stoodin")}</p>
      <Button kind="primary" data-testid="back" onClick={ask}>{t("stoodin.back")}</Button>
      {hasAsked && <p class="quiet">{t("stoodin.asked")}</p>}
    </div>
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
  if (stage === "over") return <EndPage state={state} guest={guest} />;
  if (!stage) return <p class="join-wait">{t("connecting")}</p>;
  const me = view?.people?.find(({ name }) => name === table?.seat) as Partial<ParticipantView> | undefined;
  return (
    <>
      {(stage === "arriving" || stage === "after") && <p class="eyebrow">{t(stage)}</p>}
      {table?.stoodIn && <StoodIn guest={guest} />}
      {state.reminded && question && <p class="join-remind" role="status">{t("remind")}</p>}
      {question && (
        <Question key={`${question.ask} ${state.answers[question.ask]?.n ?? 0}`} guest={guest} question={question}
          isFirst={isFirst} />
      )}
      {!question && stage === "lobby" && <Lobby guest={guest} />}
      {!question && stage !== "lobby" && (
        <section class="join-card join-wait" data-testid="waiting">
          <h2>
            <Waited state={state} />
          </h2>
          <p class="quiet">{t("wait.text")}</p>
        </section>
      )}
      {isAtTable(stage) && me?.bank !== undefined && <p class="join-bank">{t("bank", { money: dollars(me.bank) })}</p>}
      {isAtTable(stage) && view && (
        <section class="join-seen" data-testid="seen">
          <h2>{t("seen")}</h2>
          <Transcript view={view} seat={table?.seat} names={table?.people ?? {}}>
            <p class="quiet">{t("nothing")}</p>
          </Transcript>
        </section>
      )}
    </>
  );
}

function Foot({ guest }: { guest: Guest }) {
  const { stage, trouble } = guest.state;
  const isHere = stage && stage !== "over";
  const another = () => {
    guest.close();
    guest.forget();
    drafts(guest.link.room).remove();
    location.reload();
  };
  return (
    <footer class="join-foot">
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
      <Privacy guest={guest} />
    </footer>
  );
}

function Page({ guest, question }: { guest: Guest; question: OpenQuestion | null }) {
  const { room, table, you } = guest.state;
  const title = (
    <>
      {room?.title || t("title")}
      {table && (
        <span class="quiet">
          {" · "}
          {table.seat === you?.pseudonym ? <Verbatim>{table.seat}</Verbatim> : <You name={you?.name ?? table.seat} />}
        </span>
      )}
    </>
  );
  return (
    <Frame title={title}>
      <Ticking>{() => <Banner text={trouble(guest)} />}</Ticking>
      <main id="main" class="join" tabIndex={-1}>
        <Body guest={guest} question={question} />
      </main>
      <Foot guest={guest} />
    </Frame>
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

function draw() {
  if (!guest) {
    const isBroken = location.hash.length > 1;
    document.title = `${t("title")} · Quorate`;
    return render(
      <Frame title={t("title")}>
        <main id="main" class="join" tabIndex={-1}>
          <EnterCode isBroken={isBroken} found={(text) => (location.hash = text)} />
        </main>
        <footer class="join-foot" />
      </Frame>,
      app,
    );
  }
  const { state } = guest;
  const wanted = languageCode(state.room?.language);
  if (!kept() && wanted && wanted !== language() && state.stage && !hasLanguage) {
    // The room's language, unless another was chosen on this device.
    hasLanguage = true;
    use(wanted);
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
    if (isFree) app.querySelector<HTMLElement>(".join-question h2")?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: "instant" });
  }
  document.title = `${question ? `● ${t("turn")}` : state.room?.title || t("title")} · Quorate`;
  keepAwake(question !== null);
}

addEventListener("hashchange", () => location.reload());
app.replaceChildren();
if (!link) draw();
else {
  let isDue = false;
  guest = join(location.href, { language: preferred(), WebSocket: EarlySocket, onState: () => {
    if (isDue) return;
    isDue = true;
    // Draws once for several messages.
    setTimeout(() => {
      isDue = false;
      draw();
    });
  } }) as Guest;
  // Lets the connection send first.
  queueMicrotask(draw);
}
