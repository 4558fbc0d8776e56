// Addresses of the page's files that are no modules: names as in this folder. The build puts a table in this one's place,
// since what it hands out is named by its content (scripts/site.mjs).

/** The address of a file beside this one. */
export const file = (path) => new URL(path, import.meta.url).href;
