#!/usr/bin/env bash
# Installs what is missing to build and test; takes well under a second when nothing is.
#
#   scripts/setup.sh [PART...]   parts: build lint chromium firefox webkit wasm-pack mosquitto   (default: all)
#
# Needed beforehand: rustup (or a Rust toolchain), Node 20 or later with npm. Command-line tools go to
# .tools/ and npm packages to node_modules/, so that nothing of the user's own is replaced. Browsers are
# used where they are found; only root on a Debian-like system gets them installed, others are told how.
source "$(dirname "$0")/env.sh"

WASM_PACK=0.15.1
GECKODRIVER=0.37.1
PARTS=" ${*:-build lint chromium firefox webkit wasm-pack mosquitto} "
export DEBIAN_FRONTEND=noninteractive

want() { [[ $PARTS == *" $1 "* ]]; }

has cargo || die "no cargo: install Rust by https://rustup.rs"
has node && has npm || die "no node or npm: install Node.js 20 or later from https://nodejs.org"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || die "Node $(node --version) is too old: 20 or later is needed"

# --- compiler -------------------------------------------------------------------------------------
has_target() { compgen -G "$(rustc --print target-libdir --target $WASM)/libstd-*.rlib" >/dev/null; }

setup_target() {
  has_target && return
  say "adding the compiler's target $WASM (10 seconds)"
  rustup target add $WASM >/dev/null 2>&1 || true
  has_target || die "the compiler $(command -v rustc) has no target $WASM: run 'rustup target add $WASM', or install Rust by https://rustup.rs"
}

setup_lint() {
  want lint || return 0
  if cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1; then return; fi
  rustup component add rustfmt clippy >/dev/null 2>&1 || say "missing: rustfmt or clippy (rustup component add rustfmt clippy)"
}

# --- command-line tools -----------------------------------------------------------------------------
cargo_install() { # CRATE VERSION [ARGUMENT...]
  local crate=$1 version=$2 log
  shift 2
  log=$(mktemp)
  say "installing $crate $version (2 to 5 minutes, once)"
  # By the crate's own lock file first; without it where the registry no longer has a version it names.
  (
    unset CARGO_BUILD_TARGET CARGO_TARGET_DIR RUSTFLAGS
    export CARGO_PROFILE_DEV_DEBUG=0
    cd /
    cargo install --locked --root "$ROOT/.tools" "$crate" --version "=$version" "$@" >"$log" 2>&1 ||
      cargo install --root "$ROOT/.tools" "$crate" --version "=$version" "$@" >"$log" 2>&1
  ) || {
    cat "$log" >&2
    return 1
  }
  rm -f "$log"
}

setup_tools() {
  local v
  if want build; then # the tool and the crate must be of the same version
    v=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print; exit }' Cargo.lock)
    [[ $(wasm-bindgen --version 2>/dev/null) == "wasm-bindgen $v" &&
      $(wasm-bindgen-test-runner --version 2>/dev/null) == *" $v" ]] ||
      cargo_install wasm-bindgen-cli "$v" --force --no-default-features --bin wasm-bindgen --bin wasm-bindgen-test-runner
  fi
  # These two only start other programs: a debug build does.
  if { want build || want wasm-pack; } && ! has wasm-pack; then cargo_install wasm-pack $WASM_PACK --debug; fi
  if want firefox && ! has geckodriver; then cargo_install geckodriver $GECKODRIVER --debug; fi
}

setup_npm() {
  cmp -s package-lock.json node_modules/.quorate-lock && return
  say "installing npm packages (20 seconds, once)"
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null >/dev/null
  cp package-lock.json node_modules/.quorate-lock
}

# --- browsers -------------------------------------------------------------------------------------
setup_browsers() {
  local debs=""
  if want chromium && ! { node scripts/browsers.mjs >/dev/null 2>&1 && has chromedriver; }; then debs="$debs chromium chromium-driver"; fi
  if want firefox && ! node scripts/browsers.mjs --firefox >/dev/null 2>&1; then debs="$debs firefox-esr"; fi
  if want webkit && ! { has WebKitWebDriver && has xvfb-run; }; then debs="$debs webkit2gtk-driver xvfb xauth"; fi
  # A broker as they are elsewhere, for the tests of rooms.
  if want mosquitto && ! { has mosquitto || [[ -x /usr/sbin/mosquitto ]]; }; then debs="$debs mosquitto"; fi
  if [[ -z $debs ]]; then return; fi
  if [[ $(id -u) == 0 && -f /etc/debian_version ]]; then
    say "apt-get install$debs"
    apt-get update -qq </dev/null
    # shellcheck disable=SC2086
    apt-get install -y -qq --no-install-recommends $debs </dev/null >/dev/null 2>&1 || die "apt-get could not install$debs"
  else
    say "missing (tests in them are skipped; a missing chromedriver is fetched by wasm-pack):$debs"
    if has apt-get; then say "to install: sudo apt-get install$debs"; fi
  fi
}

# Building tools takes the longest and one core: everything else meanwhile.
setup_tools &
tools=$!
trap 'kill "$tools" 2>/dev/null || true' EXIT
setup_target
setup_lint
if want build; then setup_npm; fi
setup_browsers
wait "$tools" || die "a tool did not build"
trap - EXIT
