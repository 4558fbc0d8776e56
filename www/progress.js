// How much of a run is behind it and what is still to come, by the engine's own forecast of its configuration and by
// how fast calls have been answered since it went on.
import { t, number, span } from "./i18n.js";
import { foretell } from "./rehearsal.js";

/** Calls and time before which nobody can say how fast it goes; of so long it is taken, since steps go at different speeds. */
const FIRST = 5;
const WINDOW = 15_000;

/** What is known of a run under way: `share()` from 0 to 1, and `left()` in words. */
export function progressOf(lab) {
  const calls = () => lab.usage.calls;
  let marks = [{ at: Date.now(), calls: calls() }];
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
      const within = marks.filter(({ at }) => now - at < WINDOW);
      // The last mark before the window is where it begins.
      marks = [...marks.slice(0, marks.length - within.length).slice(-1), ...within, { at: now, calls: done }];
      const [{ at, calls: before }] = marks;
      // People take the time they take.
      if (withPeople || now - at < WINDOW || done - before < FIRST) {
        return t("run.behind", { share: number(share(), { style: "percent" }) });
      }
      const each = (now - at) / (done - before);
      return t("run.about", {
        time: span(Math.max(1000, Math.ceil((each * Math.max(1, middle() - done)) / 1000) * 1000)),
      });
    },
  };
}
