/**
 * The package in parts: `init()` loads the first, a quarter of the whole, and the others come when they are wanted. Functions
 * are those of `quorate`. Whatever gives a promise there loads its parts by itself; what answers at once needs its part to be
 * there, and throws `LabError` with code `unloaded` before: `await loadPart(name)` sees to that.
 */
export * from "./quorate.js";
/** Loads the first part. Rejects where its file does not come. */
export { default } from "./quorate.js";

/**
 * The parts, and what of each answers at once:
 * - a procedure by its name: `check`, `repetitions` and `spec` of its configurations, `Viewer` and `costsOf` of its records;
 *   `prompts` of all four;
 * - `presets`: `presets`;
 * - `forecasts`: `prices` and `catalogue`; with the procedure's, `priced` and `forecast`, and what `check` says of efforts;
 * - `readers`: `parse`, `justice` and `debate`;
 * - `memory`: `Memory.receiptFile`;
 * - `exports` and `models`: nothing; ahead of being wanted they save a wait.
 */
export type Part = "justice" | "discussion" | "debate" | "delphi" | "presets" | "exports" | "models" | "memory" | "forecasts" | "readers";

/**
 * Sees to it that a part is there; called behind `init()`, its files are on their way beside the first's. Where its file does
 * not come it rejects with code `unloaded`, and may be called again.
 */
export function loadPart(name: Part): Promise<void>;
