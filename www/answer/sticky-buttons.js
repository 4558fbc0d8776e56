// The buttons under a question, which stay in sight while one scrolls: not where they would hide what is to be answered, as
// with large letters on a phone or one held sideways.

/** How much of the window they may take. */
const MOST = 0.4;

/** @param {HTMLElement} foot */
export function staysInSight(foot) {
  new ResizeObserver(() => foot.classList.toggle("human-foot-large", foot.offsetHeight > MOST * innerHeight)).observe(
    foot,
  );
  return foot;
}
