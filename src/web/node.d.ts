import type { Folder } from "./quorate.js";

export * from "./quorate.js";
export { default } from "./quorate.js";

/** Returns the store of a folder, for `store` of `Session` and `Library`. The folder is made when a run is stored. */
export function folder(path: string): Folder;
