// The studies that this browser keeps, for views that link to them.
const STORE = "quorate.study.";
/** Runs at once, unless others are chosen. */
export const AT_ONCE = 4;

/**
 * What is kept of a study, or null: its `file`, whether it `isGoing`, the runs `atOnce`, and `changes` since the first run.
 * @returns {{ file: any, isGoing: boolean, atOnce: number, changes: string[] } | null}
 */
export function storedStudy(id) {
  try {
    return JSON.parse(localStorage.getItem(STORE + id));
  } catch {
    return null;
  }
}

/** Throws where the browser keeps nothing, or no more. */
export const storeStudy = (id, kept) => localStorage.setItem(STORE + id, JSON.stringify(kept));
/** Whether the study is kept under that key. */
export const isOf = (id, key) => key === STORE + id;
export const forgetStudy = (id) => localStorage.removeItem(STORE + id);

/** The ids of all. */
export function studyIds() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(STORE)).map((key) => key.slice(STORE.length))
      .sort();
  } catch {
    return [];
  }
}

/** The id of the study that a run belongs to, among `ids`; or null. */
export const studyOfRun = (ids, run) => ids.find((id) => run.startsWith(`${id}.`)) ?? null;
