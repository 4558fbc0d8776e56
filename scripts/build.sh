#!/usr/bin/env bash
# Builds the npm package in pkg/ and, from www/ (with www/pkg and www/vendor), the page in site/, which any static host
# can then serve as it is. Does only what is out of date.
source "$(dirname "$0")/env.sh"
# Bytes of the module after brotli: a little more than it has. The aim is 250000.
LIMIT=${QUORATE_WASM_LIMIT:-916000}
# The same of what the page loads first: the module in parts without the parts.
FIRST_LIMIT=${QUORATE_FIRST_LIMIT:-223000}

scripts/setup.sh build

# No path of the machine that built it in the module.
flags="--remap-path-prefix=$ROOT=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
# Nor where a panic was: the module has no hook that would tell it, and its places are 15 kB after brotli. The compiler takes
# this only as an unstable flag, let in for the module's crates (and ___, by which cargo asks what the flags mean) and no build
# script's trials; one that does not take it builds the same module, larger.
places=-Zlocation-detail=none
crates() { cargo tree --locked --target $WASM --edges normal --all-features --no-dedupe --prefix none --format '{lib}' | sort -u; }
compile() { # [ARGUMENT...] of cargo
  RUSTC_BOOTSTRAP=$unstable cargo build --release --lib --target $WASM --quiet "$@"
}
takes_places() {
  local folder code=0
  folder=$(mktemp -d)
  RUSTC_BOOTSTRAP=1 rustc $places --crate-name probe --crate-type lib --emit metadata --out-dir "$folder" - <<<"" >"$folder/said" 2>&1 || code=1
  rm -rf "$folder"
  return $code
}
if ! takes_places; then
  say "WARNING: this compiler does not leave out where a panic was: the module will be 15 kB larger" >&2
  places=""
fi
unstable=$(crates | tr '\n' ,)___
flags="$flags $places"
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags
# One crate is compiled by one core; the page's module is compiled by another meanwhile.
compile &
whole=$!
metadata=$(cargo metadata --format-version 1 --no-deps --offline)
target=$(node -p 'JSON.parse(process.argv[1]).target_directory' "$metadata")
version=$(node -p 'JSON.parse(process.argv[1]).packages[0].version' "$metadata")
compiled=$target/$WASM/release/quorate.wasm
bound=$target/pkg

# What the page has: the module in parts, or the whole one where the tool for that is missing.
paged=pkg/engine_bg.wasm
if has wasm-split-cli; then
  # Where code was moved from has to be known to split it; a folder of its own, so that neither build undoes the other's.
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$flags -Clink-args=--emit-relocs" \
    compile --features split --target-dir "$target/split"
  paged=$target/split/$WASM/release/quorate.wasm
fi
wait $whole

newer() { # is the result, $1, older than one of the other files, or missing?
  local result=$1 file
  shift
  for file; do
    if [[ ! -e $result || $file -nt $result ]]; then return 0; fi
  done
  return 1
}

# What counts is the size after brotli, by which -Oz loses (a smaller file, 7 % more after brotli): inlining and
# another order of the functions take away the likeness of neighbours. Calls that are no shorter than what they call go,
# and locals stay the compiler's.
# Features: what the compiler uses by default, and no more: Node.js 20 and current browsers read all of these.
shrink() { # FROM TO
  wasm-opt -O2 --one-caller-inline-max-function-size=1 --flexible-inline-max-function-size=1 \
    --always-inline-max-function-size=3 --skip-pass=reorder-functions --skip-pass=memory-packing --skip-pass=simplify-locals \
    --enable-mutable-globals --enable-sign-ext --enable-nontrapping-float-to-int \
    --enable-bulk-memory --enable-bulk-memory-opt --enable-reference-types --enable-multivalue \
    --enable-call-indirect-overlong "$1" --code-folding --merge-blocks --remove-unused-brs --vacuum --rse -o "$2"
}

in_parts() { # splits the module, binds, gathers and shrinks the parts in $cut/bound; in a condition `set -e` is without effect
  say "splitting the module into parts and shrinking them"
  cut=$target/cut
  rm -rf "$cut"
  mkdir -p "$cut/pieces" "$cut/bound"
  wasm-split-cli "$paged" "$cut/pieces" --target web --out-name engine >/dev/null &&
    wasm-bindgen --target web --out-dir "$cut/bound" --out-name engine --keep-lld-exports --remove-producers-section \
      --remove-name-section "$cut/pieces/engine.wasm" &&
    node scripts/gather.mjs "$cut/pieces" "$cut/bound" &&
    node scripts/signatures.mjs "$cut/bound/engine.d.ts" >>"$cut/bound/engine.js" &&
    echo 'export { ahead } from "./__wasm_split.js";' >>"$cut/bound/engine.js" &&
    rm "$cut"/bound/*.d.ts || return 1
  for file in "$cut"/bound/*.wasm; do shrink "$file" "$file" || return 1; done
}

if newer pkg/engine_bg.wasm "$compiled" scripts/build.sh scripts/signatures.mjs; then
  say "binding and shrinking the module"
  rm -rf "$bound" pkg
  wasm-bindgen --target web --out-dir "$bound" --out-name engine --remove-producers-section --remove-name-section \
    "$compiled"
  mkdir -p pkg
  cp -R "$bound/." pkg/
  node scripts/signatures.mjs "$bound/engine.d.ts" >>pkg/engine.js
  echo 'export const ahead = () => {};' >>pkg/engine.js
  rm pkg/engine_bg.wasm pkg/engine_bg.wasm.d.ts pkg/engine.d.ts
  shrink "$bound/engine_bg.wasm" "$bound/small.wasm"
  node scripts/check-wasm.mjs "$bound/small.wasm" "$LIMIT"
  mv "$bound/small.wasm" pkg/engine_bg.wasm
fi

if newer pkg/package.json pkg.json Cargo.toml pkg/engine_bg.wasm; then
  node -e '
    const [from, to, version] = process.argv.slice(1), fs = require("node:fs");
    const { name, ...rest } = JSON.parse(fs.readFileSync(from, "utf8"));
    fs.writeFileSync(to, JSON.stringify({ name, ...rest, version }, null, 2) + "\n");
  ' pkg.json pkg/package.json "$version"
fi
for file in src/web/quorate.js src/web/room/intake.js src/web/quorate.d.ts src/web/guest.d.ts src/web/split.d.ts src/web/wasm.d.ts src/web/config.d.ts src/web/quorate.schema.json src/web/node.js README.md LICENSE; do
  if [[ -e $file ]] && newer "pkg/$(basename "$file")" "$file"; then cp "$file" pkg/; fi
done

if newer pkg/guest.js scripts/bundle.mjs package-lock.json src/web/room/*.js; then node scripts/bundle.mjs; fi
if newer pkg/inline.js pkg/engine_bg.wasm pkg/quorate.js scripts/inline.mjs; then node scripts/inline.mjs; fi
if newer pkg/LICENSES.txt Cargo.lock scripts/licences.mjs pkg/engine_bg.wasm; then node scripts/licences.mjs; fi

# With the libraries that they take along, and the engine beside them.
for name in room; do
  if [[ -e src/web/room/$name.d.ts ]] && newer "pkg/$name.d.ts" "src/web/room/$name.d.ts"; then cp "src/web/room/$name.d.ts" pkg/; fi
  # shellcheck disable=SC2046
  if newer "pkg/$name.js" $(find src/web/room -name '*.js') package-lock.json; then
    esbuild "src/web/room/$name.js" --bundle --format=esm --target=es2022 --external:./quorate.js --external:./engine.js --external:./intake.js --legal-comments=none \
      --log-level=warning --outfile="pkg/$name.js"
  fi
done

if newer www/pkg/engine_bg.wasm "$paged" scripts/build.sh scripts/gather.mjs scripts/signatures.mjs; then
  rm -rf www/pkg
  mkdir -p www
  if [[ $paged != pkg/* ]] && in_parts; then
    node scripts/check-wasm.mjs "$cut/bound/engine_bg.wasm" "$FIRST_LIMIT"
    mv "$cut/bound" www/pkg
  else
    mkdir www/pkg
    cp -R pkg/engine.js pkg/engine_bg.wasm pkg/snippets www/pkg/
  fi
fi
if [[ ! -e www/pkg/__wasm_split.js ]]; then
  say "WARNING: the page loads the whole module at once: without wasm-split-cli, or where that fails, it is not in parts" >&2
fi
# The same for programmers, as an entry of its own.
if [[ -e www/pkg/__wasm_split.js ]] && newer pkg/split/engine_bg.wasm www/pkg/engine_bg.wasm; then
  rm -rf pkg/split
  mkdir pkg/split
  cp -R www/pkg/engine.js www/pkg/__wasm_split.js www/pkg/*.wasm www/pkg/*.bin www/pkg/snippets pkg/split/
fi
for file in src/web/quorate.js src/web/room/intake.js src/web/node.js src/web/split.js; do
  if [[ -d pkg/split ]] && newer "pkg/split/$(basename "$file")" "$file"; then cp "$file" pkg/split/; fi
done
for file in quorate.js intake.js room.js quorate.schema.json; do
  if newer "www/pkg/$file" "pkg/$file"; then cp "pkg/$file" www/pkg/; fi
done
if newer www/vendor/LICENSES.txt scripts/vendor.mjs package-lock.json; then node scripts/vendor.mjs; fi
if newer site/service-worker.js scripts/site.mjs www/vendor/LICENSES.txt $(find www -type f -newer site/service-worker.js 2>/dev/null | head -1); then
  say "bundling the page"
  node scripts/site.mjs
fi
