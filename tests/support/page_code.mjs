// Code of the page, bundled as scripts/site.mjs does it, for tests without a built site.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { WWW } from "./paths.mjs";

/** The text of one module: of a file in www/, or of `code` that imports from there. */
export async function bundled(path, code = `export * from "./${path}";`) {
  const { outputFiles: [{ text }] } = await build({
    stdin: { contents: code, resolveDir: fileURLToPath(WWW) },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "warning",
  });
  return text;
}

/** Its exports, in Node.js. */
export const imported = async (path) => import(`data:text/javascript,${encodeURIComponent(await bundled(path))}`);
