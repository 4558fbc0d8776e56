// The pictures of the four kinds of lessons.
const STAIRS = [26, 40, 54, 68, 84];
/** Guesses: how far right, how high, and their colour. */
const GUESSES = [[26, 98, 1], [48, 98, 3], [70, 98, 4], [92, 98, 2], [59, 78, 1], [81, 78, 5], [70, 58, 3], [124, 98,
  5]] as const;

const ART = {
  justice: STAIRS.map((height, at) => (
    <rect x={21 + at * 24} y={112 - height} width="22" height={height} rx="3" class={`art-step-${at + 1}`} />
  )),
  discussion: (
    <>
      <ellipse cx="80" cy="62" rx="30" ry="22" class="art-table" />
      {[[80, 24], [128, 62], [80, 100], [32, 62]].map(([x, y], at) => (
        <circle cx={x} cy={y} r="14" class={`art-seat seat-${at}`} />
      ))}
    </>
  ),
  debate: (
    <>
      <path class="art-seat seat-0"
        d="M20 22h64a8 8 0 018 8v26a8 8 0 01-8 8H48L32 78V64H20a8 8 0 01-8-8V30a8 8 0 018-8z" />
      <path class="art-seat seat-1"
        d="M86 50h54a8 8 0 018 8v26a8 8 0 01-8 8h-8v14l-16-14H86a8 8 0 01-8-8V58a8 8 0 018-8z" />
    </>
  ),
  delphi: (
    <>
      <path class="art-line" d="M14 110h132M70 110V32" stroke-dasharray="none" />
      {GUESSES.map(([x, y, step]) => <circle cx={x} cy={y} r="9" class={`art-step-${step}`} />)}
    </>
  ),
};

export const LessonArt = ({ of }: { of: keyof typeof ART }) => (
  <svg class="art" viewBox="0 0 160 120" aria-hidden="true">{ART[of]}</svg>
);
