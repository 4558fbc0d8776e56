import type { Folder } from "./quorate.js";

/** Everything that the package has elsewhere. */
export * from "./quorate.js";
/** Loads the engine once. */
export { default } from "./quorate.js";

/** Returns the store of a folder, for `store` of `Session` and `Library`. The folder is made when a run is stored. */
export function folder(path: string): Folder;
