// A room on the wall: who is there, then the tables as drawings, at the end all of them side by side.
import { Filled } from "../elements.tsx";
import { number, t } from "../i18n.js";
import { Face, isProgram } from "../pictures/people.tsx";
import { Clock } from "./clock.tsx";
import { faceText, NamedFace } from "./faces.tsx";
import type { FaceOf } from "./progress.ts";
import { Qr } from "./qr.tsx";
import { WallResults } from "./wall-results.tsx";
import type { WallTable, WallView } from "./wall-view.ts";

function Lobby({ wall }: { wall: WallView }) {
  const { guests, people, programs, trouble, expected } = wall;
  const here = guests.length;
  const isSome = expected !== null && here < expected;
  const free = isSome ? expected - here : here ? (people - here % people) % people : people;
  return (
    <div class="wall-join">
      <div>
        {trouble
          ? (
            <div class="wall-trouble" role="status">
              <p>{trouble}</p>
              <a class="button button-primary button-large" href={`#/room/${encodeURIComponent(wall.id)}`}>
                {t("wall.trouble.do")}
              </a>
            </div>
          )
          : (
            <>
              <div class="wall-qr">
                <Qr text={wall.link} label={t("room.qr")} />
              </div>
              {wall.hint && (
                <>
                  <p>{wall.hint}</p>
                  <p class="wall-code">{wall.code}</p>
                </>
              )}
              <p class="quiet" data-testid="wall-words">{t("room.words", { words: wall.words })}</p>
            </>
          )}
      </div>
      <div>
        <h1>{wall.title}</h1>
        <p class="wall-count" data-testid="wall-count">
          <Filled text={isSome ? t("wall.here.of", { n: expected }) : t("wall.here", { n: here })}
            with={{ count: <b>{number(here)}</b> }} />
        </p>
        <ul class="plain wall-guests">
          {guests.map((one) => <NamedFace key={one.index} of={one} size={64} />)}
          {Array.from({ length: free }, (_, at) => <li key={`free ${at}`} class="free-seat" aria-hidden="true" />)}
        </ul>
        {programs > 0 && <p class="quiet">{t("wall.programs", { n: programs })}</p>}
      </div>
    </div>
  );
}

/** A round table with its faces around it, in a square of 100. */
function RoundTable({ of: { number: n, faces, done, isOver }, size }: { of: WallTable; size: number }) {
  const share = faces.length ? done / faces.length : 0;
  const length = 2 * Math.PI * 27;
  const face = (one: FaceOf, at: number) => {
    const turn = (at / faces.length) * 2 * Math.PI - Math.PI / 2;
    const side = faces.length > 6 ? 18 : 24;
    return (
      <g key={at}
        transform={`translate(${50 + 36 * Math.cos(turn) - side / 2} ${50 + 36 * Math.sin(turn) - side / 2})`}>
        <Face index={one.index} kind={one.kind} size={side} isPale={one.state === "awaited" || one.state === "later"} />
      </g>
    );
  };
  return (
    <svg class="round-table" viewBox="0 0 100 100" width={size} height={size} aria-hidden="true">
      <circle class="table-top" cx="50" cy="50" r="29" />
      <circle class={isOver ? "table-ring over" : "table-ring"} cx="50" cy="50" r="27" transform="rotate(-90 50 50)"
        stroke-dasharray={`${isOver ? length : share * length} ${length}`} />
      <text x="50" y="56" text-anchor="middle">{n}</text>
      {faces.map(face)}
    </svg>
  );
}

const Key = ({ hasProgram }: { hasProgram: boolean }) => (
  <ul class="plain wall-key">
    <li>
      <i class="dot-solid" />
      {t("wall.key.done")}
    </li>
    <li>
      <i class="dot-pale" />
      {t("wall.key.awaited")}
    </li>
    {hasProgram && (
      <li>
        <i class="dot-dashed" />
        {t("wall.key.program")}
      </li>
    )}
  </ul>
);

/** Who sits there and does what, for screen readers. */
const told = ({ faces }: WallTable) =>
  faces.map((one) => [one.name, faceText(one)].filter(Boolean).join(": ")).join("; ");

function Play({ wall, now }: { wall: WallView; now: () => number }) {
  const hasProgram = wall.tables.some(({ faces }) => faces.some(({ kind }) => isProgram(kind)));
  return (
    <div class="wall-play">
      <header>
        <div>
          {wall.now && <p class="wall-now">{t("wall.now", { step: wall.now })}</p>}
          <h1>{wall.title}</h1>
        </div>
        <p class="wall-clock">
          <Clock until={wall.until} since={wall.since} now={now} />
        </p>
      </header>
      <ul class="plain wall-tables">
        {wall.tables.map((one) => (
          <li key={one.number} class={one.isOver ? "over" : undefined} data-testid="wall-table">
            <RoundTable of={one} size={168} />
            <div>
              <h2>{t("room.table", { n: one.number })}</h2>
              <p>{one.state}</p>
              <p class="sr-only">{told(one)}</p>
            </div>
          </li>
        ))}
      </ul>
      <Key hasProgram={hasProgram} />
    </div>
  );
}

/** One table, large, with what was said there last. */
function Large({ wall, now }: { wall: WallView; now: () => number }) {
  const { large } = wall;
  const table = wall.tables.find((one) => one.number === large?.number);
  if (!table || !large) return <Play wall={wall} now={now} />;
  return (
    <div class="wall-large" data-testid="wall-large">
      <div>
        <RoundTable of={table} size={420} />
        <p class="sr-only">{told(table)}</p>
      </div>
      <div>
        <h1>{t("room.table", { n: table.number })}</h1>
        <p class="wall-now">{table.state}</p>
        <ul class="plain wall-said">
          {large.said.map((one, at) => (
            <li key={at}>
              <Face index={one.index} kind={one.kind} size={52} />
              <div>
                <b>{one.name}</b>
                {isProgram(one.kind) && <span class="face-kind">{` ${t("room.computer")}`}</span>}
                <p class="pre">{one.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** What the wall shows now. `now` is the room's clock. */
export function WallScreen({ wall, now }: { wall: WallView; now: () => number }) {
  if (wall.show === "blank" && wall.stage !== "lobby") return <div data-testid="wall-is-blank" />;
  if (wall.stage === "lobby") return <Lobby wall={wall} />;
  if (wall.show === "table") return <Large wall={wall} now={now} />;
  if (wall.end) return <WallResults title={wall.title} end={wall.end} />;
  return <Play wall={wall} now={now} />;
}
