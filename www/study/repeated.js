// Several runs of one configuration: a study with one cell.
import { freshSeed } from "../engine.js";
import { priced } from "../prices.js";

/** A name for files and ids, from a title; some titles have no letters for it. */
function nameFrom(title, otherwise) {
  const plain = title.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-").replace(
    /^-+|-+$/g,
    "",
  );
  return plain.slice(0, 40).replace(/-+$/, "") || otherwise;
}

/** The file of a study. Debates look into what this browser knows, as single ones do. */
export async function repeated(engine, config, n, budget) {
  const { seed = freshSeed(), ...base } = config.protocol === "debate"
    ? await engine.Memory.prepare(config).catch(() => config)
    : config;
  const mark = freshSeed().toString(36).slice(0, 4);
  return {
    study: 1,
    id: `${nameFrom(base.title ?? "", base.protocol ?? "justice")}-${mark}`,
    ...(base.title && { title: base.title }),
    base: priced(engine, base),
    n,
    seed,
    seeds: "independent",
    ...(budget && { budget }),
  };
}
