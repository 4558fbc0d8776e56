#!/usr/bin/env bash
# For closed networks, where rustup cannot fetch: Debian's own compiler for this checkout, with the
# standard library for WebAssembly built once from Debian's sources (about a minute; root only).
# Called by setup.sh when `rustup target add` fails; of no use anywhere else.
source "$(dirname "$0")/env.sh"
DEST=/usr/lib/rustlib/$WASM

if ! [[ -x /usr/bin/rustc && -x /usr/bin/cargo && -d /usr/lib/rustlib/src/rust/library/std ]]; then
  apt-get update -qq </dev/null
  apt-get install -y -qq --no-install-recommends rustc-web cargo-web rust-web-src rust-web-llvm lld-22 \
    rust-web-clippy rustfmt-web </dev/null >/dev/null
fi

if [[ $(cat "$DEST/built-by" 2>/dev/null) != "$(/usr/bin/rustc -vV)" ]]; then
  say "building the standard library for $WASM (about a minute, once)"
  tmp=$(mktemp -d)
  trap 'rm -rf "$tmp"' EXIT
  mkdir "$tmp/src"
  : >"$tmp/src/lib.rs"
  printf '%s\n' '[package]' 'name = "empty"' 'version = "0.0.0"' '[profile.release]' 'opt-level = 3' \
    'codegen-units = 1' 'panic = "abort"' '[workspace]' >"$tmp/Cargo.toml"
  (
    cd "$tmp"
    unset CARGO_BUILD_TARGET RUSTUP_TOOLCHAIN CARGO_ENCODED_RUSTFLAGS
    PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTC_WRAPPER='' CARGO_TARGET_DIR="$tmp/target" \
      RUSTFLAGS='-Cembed-bitcode=yes' /usr/bin/cargo build -q --release --target $WASM \
      -Z build-std=core,alloc,std,panic_abort,proc_macro,test
  )
  rm -rf "$DEST" "$tmp/target/$WASM/release/deps"/libempty-*
  mkdir -p "$DEST/lib"
  cp "$tmp/target/$WASM/release/deps"/*.rlib "$DEST/lib/"
  /usr/bin/rustc -vV >"$DEST/built-by"
fi

if has rustup; then
  rustup toolchain link debian-wasm /usr
  rustup override set --path "$ROOT" debian-wasm >/dev/null 2>&1
fi
