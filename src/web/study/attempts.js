// Tables of people: a run whose table was void is held again, under its id with the number of the attempt.

/** The run and the number of the attempt, from 1, of an id. */
export function attemptOf(id) {
  const [, run, attempt] = /^(.*\.\d{4})\.(\d+)$/.exec(id) ?? [];
  return run ? { run, attempt: Number(attempt) } : { run: id, attempt: 1 };
}

/** Whether more guests left a table than its study allows, by its record. */
export function isVoid([{ what: { config } }, ...entries]) {
  const left = entries.filter(({ what }) => what.command?.do === "guest" && what.command.is === "left");
  return new Set(left.map(({ what }) => what.command.guest)).size > (config.study?.leavers ?? Infinity);
}
