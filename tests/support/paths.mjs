// Where the built page is that tests look at; the package's folder stands in package.mjs.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { built, entry, root } from "./package.mjs";

/** The page as it is handed out. */
export const SITE = join(root, "site/");
/** The page's source, with what is generated into it. */
export const WWW = pathToFileURL(join(root, "www/"));
/** The engine as the page has it. */
export const ENGINE = new URL("pkg/quorate.js", WWW).href;
export const ENGINE_WASM = new URL("pkg/engine_bg.wasm", WWW);
/** The package's entry for Node.js, and that for rooms there. */
export const NODE = pathToFileURL(entry).href;
export const ROOM = pathToFileURL(built("room.js")).href;
