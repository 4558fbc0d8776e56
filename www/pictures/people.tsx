// Faces of participants: a shape with an animal inside, by the seat's place at its table; a program has a robot in a dashed
// arch, whatever its place.

const SHAPES = [
  <circle cx="20" cy="20" r="19" />,
  <rect x="1.5" y="1.5" width="37" height="37" rx="6" />,
  <path d="M10.500 2.500h19L39 20l-9.500 17.500h-19L1 20z" />,
  <path d="M1.500 20a18.500 18.500 0 0 1 37 0v14a4.500 4.500 0 0 1-4.500 4.500H6A4.500 4.500 0 0 1 1.500 34z" />,
  <path d="M23 1.500h12.500a3 3 0 0 1 3 3V17A21.500 21.500 0 0 1 17 38.500H4.500a3 3 0 0 1-3-3V23A21.500 21.500 0 0 1 23 1.500z" />,
];
const dots = (...places: [x: number, y: number, r: number][]) =>
  places.map(([x, y, r]) => <circle cx={x} cy={y} r={r} />);
/** Light parts, dark parts on them, and dark lines. */
const animal = (light: preact.ComponentChildren, dark: preact.ComponentChildren, line?: string) => (
  <>
    {light}
    <g class="dark">{dark}</g>
    {line && <path class="line" d={line} />}
  </>
);
const ANIMALS = [
  animal(<path d="M10 9l6 4h8l6-4v14a10 9 0 0 1-20 0z" />, <>
    {dots([15.6, 19, 3.4], [24.4, 19, 3.4])}
    <path d="M18 23.500h4L20 27z" />
  </>),
  animal(<path d="M9 9l8 5h6l8-5v12L20 32 9 21z" />, dots([15.5, 19.5, 1.7], [24.5, 19.5, 1.7], [20, 28.5, 2])),
  animal(
    <>
      <ellipse cx="15.8" cy="12" rx="2.9" ry="8" transform="rotate(-6 16 12)" />
      <ellipse cx="24.2" cy="12" rx="2.9" ry="8" transform="rotate(6 24 12)" />
      <ellipse cx="20" cy="25" rx="9" ry="7.5" />
    </>,
    <>
      {dots([16.5, 24, 1.6], [23.5, 24, 1.6])}
      <path d="M18.500 27h3L20 29z" />
    </>,
  ),
  animal(dots([12.5, 13, 4], [27.5, 13, 4], [20, 21, 10]), <>
    {dots([16, 19, 1.6], [24, 19, 1.6])}
    <ellipse cx="20" cy="24.5" rx="3" ry="2.2" />
  </>),
  animal(<path d="M10 8l6.500 5.500h7L30 8v15a10 9 0 0 1-20 0z" />, <>
    {dots([15.8, 20, 1.8], [24.2, 20, 1.8])}
    <path d="M18.500 24h3L20 26z" />
  </>),
  animal(<path d="M7 21c0-6 5-8 11-8 7 0 8 5 12 3l1-6c4 1 4 6 1 10-1 7-6 10-13 10C11 30 7 27 7 21z" />,
    dots([13, 20, 1.5]), "M9 25q6 3 12 0"),
  animal(<>
    {dots([13.5, 14, 4.6], [26.5, 14, 4.6])}
    <ellipse cx="20" cy="22" rx="11.5" ry="8.5" />
  </>, dots([13.5, 14, 1.9], [26.5, 14, 1.9]), "M14 24q6 4.500 12 0"),
  animal(<path d="M8 12l7 5a9.500 9.500 0 1 1 0 10zM29 19l6.500 2.500L29 24z" />, dots([25, 19, 1.7]),
    "M15 24q4 4 8 0"),
];
const ROBOT = animal(
  <>
    <path class="line" d="M20 8v6" />
    <circle cx="20" cy="8" r="2.2" />
    <rect x="10" y="13" width="20" height="15" rx="4" />
  </>,
  <>
    {dots([16, 19.5, 2], [24, 19.5, 2])}
    <rect x="15" y="23.5" width="10" height="1.8" rx=".9" />
  </>,
);

/** Whether a participant is a program: simulated or a model. */
export const isProgram = (kind: string | undefined) => kind !== undefined && kind !== "human";

interface Props {
  /** Place of the seat at its table, from 0; shape and animal are unique there up to 40. */
  index: number;
  kind?: string | undefined;
  /** In pixels; default 40. */
  size?: number;
  /** Pale: still thinking. */
  isPale?: boolean;
  /** Says who it is, where no name stands beside it. */
  label?: string | undefined;
}

export function Face({ index, kind, size = 40, isPale, label }: Props) {
  const program = isProgram(kind);
  return (
    <svg class={`face ${program ? "face-program" : `face-${index % SHAPES.length}`}${isPale ? " face-pale" : ""}`}
      viewBox="0 0 40 40" width={size} height={size}
      {...label ? { role: "img", "aria-label": label } : { "aria-hidden": true }}>
      <g class="shape">{SHAPES[program ? 3 : index % SHAPES.length]}</g>
      <g class="inside">{program ? ROBOT : ANIMALS[index % ANIMALS.length]}</g>
    </svg>
  );
}
