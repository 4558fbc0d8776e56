// Addresses of the page's files other than modules, named as in this folder. The build replaces this module by a table,
// since the site names files by their content (scripts/site.mjs).

/** The address of a file in this folder. */
export const file = (path) => new URL(path, import.meta.url).href;
