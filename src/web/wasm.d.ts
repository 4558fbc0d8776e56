/**
 * The WebAssembly file. Bundlers give its address (`import url from "quorate/wasm?url"` in Vite, an asset module in webpack) for
 * `init({ module_or_path: url })`; Node.js resolves it by `import.meta.resolve("quorate/wasm")`.
 */
declare const url: string;
export default url;
