#!/usr/bin/env bash
# Builds the npm package in dist/ and the page in site/, which any static host can serve as it is.
source "$(dirname "$0")/env.sh"
[[ -e dist/package.json ]] || say "the first build takes about 12 minutes on two cores, tools included"
scripts/setup.sh build

say "1 of 3: compiling the engine (about 5 minutes the first time, then as long as what changed takes)"
wasm-pack build --target web --release --mode no-install --out-dir target/engine --out-name engine -- --locked

say "2 of 3: assembling the npm package in dist/"
node scripts/package.mjs
rm -rf www/pkg
cp -R dist www/pkg

say "3 of 3: bundling and compressing the page in site/ (about 30 seconds the first time)"
node scripts/site.mjs
