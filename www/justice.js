// The experiment's principles, moments and classes, by the names in its data; and counts over them.

export const PRINCIPLES = [
  "maximizing_floor",
  "maximizing_average",
  "maximizing_average_floor_constraint",
  "maximizing_average_range_constraint",
];
export const MOMENTS = ["initial", "post_explanation", "after_applications", "after_results"];
export const CLASSES = ["high", "medium_high", "medium", "medium_low", "low"];

/** The counted ballots, in order. */
export const ballotsOf = (view) =>
  [...view.items.values()].filter((item) => item.type === "vote" && item.ballot).map((item) => item.ballot);

/** The ranks of each principle at the four moments: of one seat, or the mean of all visible rankings. */
export function placesOver(view, name = null) {
  const people = name ? [view.people.get(name)] : [...view.people.values()];
  return PRINCIPLES.map((principle) => ({
    principle,
    places: MOMENTS.map((moment) => {
      const places = people.map((person) => person?.rankings?.[moment]?.order?.indexOf(principle)).filter((place) =>
        place !== undefined && place >= 0
      );
      return places.length ? places.reduce((sum, place) => sum + place + 1, 0) / places.length : null;
    }),
  }));
}
