// Keeps the buttons under a question in sight while scrolling, unless they would cover the question (large letters, a
// phone held sideways).

/** Largest share of the window. */
const MOST = 0.4;

/** @param {HTMLElement} foot */
export function keepInSight(foot) {
  new ResizeObserver(() => foot.classList.toggle("human-foot-large", foot.offsetHeight > MOST * innerHeight)).observe(
    foot,
  );
  return foot;
}
