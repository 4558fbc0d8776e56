#!/usr/bin/env bash
# Runs every check and test, or the steps named:
#
#   scripts/test.sh [STEP...]
#
#   lint     formatting, clippy natively and for WebAssembly, and the types of the page's code
#   native   cargo test
#   pseudo   a language that is English in other letters: whole runs, in which every text has to come from the files of words
#   wasm     tests/web_*.rs in headless Chromium, Firefox and WebKit, those of web_node.rs in Node.js (alone: chromium,
#            firefox, webkit, nodejs)
#   package  the packed npm package in Node.js, in pages and in a worker, and its types (alone: types)
#   page     the page in Chromium
#
# Installs and builds first what is missing or out of date. A browser that this machine cannot have is
# skipped with a line that says so. All steps run, even after one has failed.
#
# wasm-pack compiles all tests for WebAssembly, though only web_*.rs are run there: tests/native begins with
# #![cfg(not(target_arch = "wasm32"))], web_*.rs with #![cfg(target_arch = "wasm32")].
source "$(dirname "$0")/env.sh"
STEPS=${*:-lint native pseudo chromium firefox webkit nodejs package page}
STEPS=" ${STEPS/wasm/chromium firefox webkit nodejs} "
failed=""

header() { printf '\n== %s\n' "$*"; }

web_tests() { # cargo's arguments that name the tests for browsers
  local file
  for file in tests/web_*.rs; do
    if [[ -e $file ]]; then printf -- '--test %s ' "$(basename "$file" .rs)"; fi
  done
}

lint() {
  node scripts/types.mjs
  node scripts/format.mjs --check
  cargo fmt --check
  cargo clippy --quiet --all-targets -- -D warnings
  # shellcheck disable=SC2046
  cargo clippy --quiet --target $WASM --lib $(web_tests) -- -D warnings
}

native() {
  local counted
  counted=$(node -p 'JSON.parse(process.argv[1]).target_directory' "$(cargo metadata --format-version 1 --no-deps --offline)")/tmp/rows
  rm -rf "$counted"
  cargo test --quiet
  if [[ -d $counted ]]; then
    say "compared with $(cat "$counted"/* | awk '{ rows += $1 } END { print rows }') recorded rows of $(find "$counted" -type f | wc -l) files"
  else
    say "WARNING: COMPARED WITH NO RECORDED ROWS: neither ../shared/golden nor ../shared/corpus is here (QUORATE_GOLDEN, QUORATE_CORPUS)"
  fi
}

pseudo() { node scripts/pseudo.mjs; }

in_browser() { # NAME COMMAND...: runs the browser tests by a command that gets their names as last arguments
  local name=$1 tests
  shift
  tests=$(web_tests)
  if [[ -z $tests ]]; then
    say "no tests/web_*.rs to run in $name"
    return
  fi
  # Where the browsers are differs from machine to machine; the test runner wants to be told in a file.
  node scripts/browsers.mjs --webdriver >webdriver.json
  # shellcheck disable=SC2086
  WASM_BINDGEN_TEST_ONLY_WEB=1 "$@" $tests
}

driver() { # FLAG PROGRAM: tells wasm-pack of a driver that is here already; else it fetches one
  if has "$2"; then printf -- '--%s %s' "$1" "$(command -v "$2")"; fi
}

chromium() {
  # shellcheck disable=SC2046
  in_browser Chromium wasm-pack --log-level warn test --headless --chrome $(driver chromedriver chromedriver)
}

firefox() {
  if ! node scripts/browsers.mjs --firefox >/dev/null 2>&1; then
    say "skipped: no Firefox here"
    return
  fi
  # shellcheck disable=SC2046
  in_browser Firefox wasm-pack --log-level warn test --headless --firefox $(driver geckodriver geckodriver)
}

webkit() {
  if ! { has WebKitWebDriver && has xvfb-run; }; then
    say "skipped: no WebKitGTK with its driver and Xvfb here"
    return
  fi
  in_browser WebKit env SAFARIDRIVER=WebKitWebDriver xvfb-run -a cargo test --target $WASM
}

nodejs() { wasm-pack --log-level warn test --node --test web_node; }

node_tests() { # FILE...
  local file
  for file; do
    if [[ -e $file ]]; then
      # A test that waits for ever is told of by name, not by the machine's patience. Much of what they do is waiting, so
      # two files run at once on two processors as well, where Node.js would run one.
      node --test --test-timeout=600000 --test-concurrency="$(node -p 'Math.max(2, os.availableParallelism() - 1)')" \
        --test-reporter=spec "$@"
      return
    fi
  done
  say "no such tests yet: $*"
}

package() { node_tests tests/package/*.test.mjs; }
types() { node_tests tests/package/types.test.mjs; }
page() { node_tests tests/page/*.test.mjs; }

case $STEPS in
*" chromium "* | *" firefox "* | *" webkit "* | *" nodejs "*) scripts/setup.sh ;;
*" package "* | *" page "*) scripts/setup.sh build chromium firefox webkit mosquitto ;;
*) scripts/setup.sh build lint ;;
esac

for step in $STEPS; do
  case $step in
  lint | native | pseudo | chromium | firefox | webkit | nodejs | package | types | page) ;;
  *) die "no step '$step' (lint native pseudo wasm chromium firefox webkit nodejs package types page)" ;;
  esac
  header "$step"
  SECONDS=0
  case $step in package | types | page) before="scripts/build.sh" ;; *) before=: ;; esac
  # A shell of its own for each step: `set -e` is without effect inside `if` and `||`.
  set +e
  (set -e; $before; $step)
  code=$?
  set -e
  if ((code == 0)); then say "$step passed in $SECONDS s"; else
    say "$step FAILED after $SECONDS s"
    failed="$failed $step"
  fi
done

header "result"
if [[ -n $failed ]]; then die "failed:$failed"; fi
say "all steps passed:${STEPS% }"
