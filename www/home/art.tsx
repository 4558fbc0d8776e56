// The pictures on the doors of the first screen. Programs have a dashed outline and a robot's face.
import type { ComponentChildren } from "preact";

const Picture = ({ children }: { children: ComponentChildren }) => (
  <svg class="art" viewBox="0 0 160 120" aria-hidden="true">{children}</svg>
);

/** A robot's face in a dashed ring. */
const Robot = ({ x, y }: { x: number; y: number }) => (
  <g transform={`translate(${x} ${y})`}>
    <circle r="16" class="art-ring" />
    <path class="art-line" d="M0 -9v-3.5" />
    <rect x="-9.5" y="-9" width="19" height="15" rx="4.5" class="art-ink" />
    <circle cx="-4" cy="-3" r="2.2" class="art-eye" />
    <circle cx="4" cy="-3" r="2.2" class="art-eye" />
    <path class="art-mouth" d="M-4 2.2h8" />
  </g>
);

/** A person: head and shoulders. */
const Person = ({ x, y, seat }: { x: number; y: number; seat: number }) => (
  <g transform={`translate(${x} ${y})`} class={`seat-${seat}`}>
    <path class="art-seat" d="M-12 13c0-9 5-13 12-13s12 4 12 13z" />
    <circle cy="-7" r="7.5" class="art-seat" />
  </g>
);

/** A phone with the letters of a code. */
export const JoinArt = () => (
  <Picture>
    <rect x="52" y="8" width="56" height="104" rx="11" class="art-frame" />
    <path class="art-frame" d="M74 17h12" />
    {[0, 1].map((row) =>
      [0, 1, 2, 3].map((column) => (
        <rect x={60 + column * 10.5} y={34 + row * 16} width="8" height="12" rx="2" class="art-frame-fill" />
      ))
    )}
    <rect x="60" y="80" width="40" height="16" rx="8" class="art-go" />
    <path class="art-tick" d="M74 88l4.5 4.5 8-9" />
  </Picture>
);

/** Five programs around a table. */
export const WatchArt = () => (
  <Picture>
    <ellipse cx="80" cy="66" rx="35" ry="24" class="art-table" />
    <path class="art-say seat-0" d="M100 4h30a6 6 0 016 6v10a6 6 0 01-6 6h-18l-8 7v-7h-4z" />
    <path class="art-words" d="M107 12h22M107 19h14" />
    {[[80, 24], [128, 52], [112, 96], [48, 96], [32, 52]].map(([x, y]) => <Robot x={x!} y={y!} />)}
  </Picture>
);

/** Somebody on the stairs of incomes. */
export const PlayArt = () => (
  <Picture>
    {[26, 40, 54, 68, 84].map((height, at) => (
      <rect x={21 + at * 24} y={112 - height} width="22" height={height} rx="3" class={`art-step-${at + 1}`} />
    ))}
    <Person x={80} y={44} seat={0} />
    <path class="art-unknown" d="M74 14a6 6 0 1 1 8.5 5.500c-1.8 .9-2.5 2-2.5 4M80 28.500v.6" />
  </Picture>
);

/** A wall with results, and a class in front of it. */
export const TeachArt = () => (
  <Picture>
    <rect x="20" y="8" width="120" height="68" rx="7" class="art-wall" />
    {[[34, 22, 1], [54, 36, 4], [74, 28, 2]].map(([x, height, step]) => (
      <rect x={x} y={66 - height!} width="13" height={height} rx="2" class={`art-step-${step}`} />
    ))}
    <path class="art-line" d="M100 28h28M100 40h28M100 52h18" />
    {[26, 53, 80, 107, 134].map((x, seat) => <Person x={x} y={101} seat={seat} />)}
  </Picture>
);
