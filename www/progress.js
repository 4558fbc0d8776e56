// The progress of a run and the time left, from the engine's forecast and the speed of recent calls.
import { t, number, span } from "./i18n.js";
import { foretell } from "./rehearsal.js";

/** Calls before the speed can be estimated. */
const FIRST = 5;
/**
 * The window for the speed, in milliseconds and in calls: steps differ, some call all seats at once, others one by one.
 */
const WINDOW = 15_000;

/** The progress of a running session: `share()` from 0 to 1, and `left()` in words. */
export function progressOf(lab) {
  const calls = () => lab.usage.calls;
  const marks = [{ at: Date.now(), calls: calls() }];
  const withPeople = [...lab.view.people.values()].some((person) => person.kind === "human");
  let total = null;
  // Without a forecast there is no estimate.
  foretell(lab.session.config).then(({ calls: foretold }) => (total = foretold), () => {});
  const middle = () => (total.low + total.high) / 2;
  // A run that exceeds the forecast stays near its end.
  const share = () => (total && middle() > 0 ? Math.min(0.99, calls() / middle()) : 0);
  return {
    share,
    left() {
      const done = calls();
      if (!total || done >= total.high) return "–";
      const now = Date.now();
      if (done > marks.at(-1).calls) marks.push({ at: now, calls: done });
      while (marks.length > 1 && now - marks[1].at >= WINDOW && done - marks[1].calls >= FIRST) marks.shift();
      const [{ at, calls: before }] = marks;
      // The time that people take cannot be estimated.
      if (withPeople || done - before < FIRST) {
        return t("run.behind", { share: number(share(), { style: "percent" }) });
      }
      const each = (now - at) / (done - before);
      return t("run.about", {
        time: span(Math.max(1000, Math.ceil((each * Math.max(1, middle() - done)) / 1000) * 1000)),
      });
    },
  };
}
