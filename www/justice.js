// The experiment's principles and classes, by the names in its data.

export const PRINCIPLES = [
  "maximizing_floor",
  "maximizing_average",
  "maximizing_average_floor_constraint",
  "maximizing_average_range_constraint",
];
export const CLASSES = ["high", "medium_high", "medium", "medium_low", "low"];
