// How much of a run is behind it and what is still to come, by the engine's own forecast of its configuration and by
// how fast calls have been answered since it went on.
import { t, number, span } from "./i18n.js";
import { foretell } from "./rehearsal.js";

/** Calls before which nobody can say how fast it goes. */
const FIRST = 5;
/** Of so long the speed is taken, in milliseconds, and of as many calls: steps go at different ones, all at once or one after the other. */
const WINDOW = 15_000;

/** What is known of a run under way: `share()` from 0 to 1, and `left()` in words. */
export function progressOf(lab) {
  const calls = () => lab.usage.calls;
  const marks = [{ at: Date.now(), calls: calls() }];
  const withPeople = [...lab.view.people.values()].some((person) => person.kind === "human");
  let total = null;
  // Where there is none, nobody can say.
  foretell(lab.session.config).then(({ calls: foretold }) => (total = foretold), () => {});
  const middle = () => (total.low + total.high) / 2;
  // Where a run takes longer than foretold, it is about to end until it does.
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
      // People take the time they take.
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
