// How a class sits, and how long a lesson takes: counted from the questions that a configuration asks.

/** People at a table of a class. */
export const AT_TABLE = 4;
/** Seconds for a question that all answer at once, for a text in somebody's turn, and to read what a part brought. */
const ANSWER = 40;
const TURN = 45;
const READ = 45;
/** Minutes until all have joined, and to look at the results. */
const JOINING = 4;
const LOOKING = 4;

/** Tables for so many people, and the seats that computers take. */
export function tablesFor(people) {
  const tables = Math.max(1, Math.ceil(people / AT_TABLE));
  return { tables, free: tables * AT_TABLE - people };
}

/** Seconds of each part. */
const PARTS = {
  justice({ rankings, phase2_rounds: rounds = 10, phase2_settings: group, agents }) {
    const ranked = rankings === "first_and_last" ? 1 : 3;
    const talk = group?.turns === "open" ? (group.minutes ?? 2) * 60 : agents.length * TURN;
    return { rules: ranked * ANSWER + 2 * READ, choices: 4 * (ANSWER + READ / 2), talk: rounds * talk,
      vote: rounds * (group?.vote_each_round ? 1 : 2) * ANSWER + ANSWER };
  },
  discussion: ({ turns, minutes = 8, rounds = 3, agents }) => ({
    talk: turns === "open" ? minutes * 60 : rounds * agents.length * TURN,
  }),
  debate: ({ schedule }) => ({ talk: schedule.filter(({ kind }) => kind !== "vote").length * (2 * ANSWER + READ),
    vote: ANSWER + READ }),
  delphi: ({ rounds = 3 }) => ({ talk: rounds * (2 * ANSWER + READ) }),
};

/** Minutes of each part of a lesson with that configuration, rounded up: `[{ part, minutes }]`. */
export const partsOf = (config) => [
  { part: "join", minutes: JOINING },
  ...Object.entries(PARTS[config.protocol](config)).map(([part, seconds]) => ({ part,
    minutes: Math.ceil(seconds / 60) })
  ),
  { part: "results", minutes: LOOKING },
];
export const minutesOf = (config) => partsOf(config).reduce((sum, { minutes }) => sum + minutes, 0);

/** The setting for the number of rounds, where a procedure has one that can be changed. */
const ROUNDS = { justice: "phase2_rounds", discussion: "rounds", delphi: "rounds" };
/** Most rounds that a lesson is filled with. */
const MOST = { justice: 3, discussion: 5, delphi: 3 };

/** Most minutes of an open talk. */
const LONGEST_TALK = 20;

/** The configuration with as many rounds, or minutes of talk, as fit into so many minutes; at least one round. */
export function fitted(config, minutes) {
  if (config.turns === "open") return { ...config, minutes: Math.min(LONGEST_TALK, minutes - JOINING - LOOKING) };
  const key = ROUNDS[config.protocol];
  if (!key) return config;
  for (let rounds = MOST[config.protocol]; rounds > 1; rounds -= 1) {
    const tried = { ...config, [key]: rounds };
    if (minutesOf(tried) <= minutes) return tried;
  }
  return { ...config, [key]: 1 };
}
