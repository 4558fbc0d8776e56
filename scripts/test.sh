#!/usr/bin/env bash
# Runs all checks and tests, or the steps named: scripts/test.sh [STEP...]
#
#   lint      formatting, clippy (native and WebAssembly), types of the page's code
#   native    cargo test
#   package   the npm package in Node.js, and the page's code that needs no browser
#   page      the page in Chromium
#
# QUORATE_TESTS=all (make test-all) takes all test files, rows and seeds, and adds the steps
#
#   browsers  tests/web_*.rs in Chromium, Firefox and WebKit
#   trial     rooms of up to 200 people, with faults
#
# Every step runs, even after one has failed. A browser that cannot be installed is skipped and reported.
source "$(dirname "$0")/env.sh"
shopt -s nullglob

is_all() { [[ ${QUORATE_TESTS-} == all ]]; }

lint() {
  cargo fmt --check
  node scripts/format.mjs --check
  node scripts/types.mjs
  cargo clippy --quiet $(is_all && echo --all-targets) -- -D warnings
  cargo clippy --quiet --target $WASM --lib $(is_all && web_tests) -- -D warnings
}

native() {
  [[ -d ${QUORATE_GOLDEN-../shared/golden} ]] || say "WARNING: no recorded rows to compare with (QUORATE_GOLDEN, QUORATE_CORPUS)"
  is_all || export PROPTEST_CASES=32
  cargo test --quiet --lib --test native --test pseudo
}

package() {
  node_tests tests/package/*.test.mjs tests/units/*.test.mjs $(is_all && ls tests/package/all/*.test.mjs)
}

page() { node tests/page/run.mjs $(is_all && echo all); }

browsers() {
  local run="node scripts/web_tests.mjs"
  $run wasm-pack test --headless --chrome --chromedriver "$(command -v chromedriver)" $(web_tests)
  if has firefox || has firefox-esr; then $run wasm-pack test --headless --firefox $(web_tests); else say "skipped: no Firefox here"; fi
  if has WebKitWebDriver && has xvfb-run; then
    SAFARIDRIVER=WebKitWebDriver $run xvfb-run -a cargo test --target $WASM $(web_tests)
  else
    say "skipped: no WebKitGTK with its driver and Xvfb here"
  fi
}

trial() { node scripts/trial.mjs; }

web_tests() { for file in tests/web_*.rs; do echo "--test $(basename "$file" .rs)"; done; }

# Two files at once on two processors, too: much of their time is waiting.
node_tests() {
  node --test --test-timeout=600000 --test-concurrency="$(node -p 'Math.max(2, os.availableParallelism() - 1)')" --test-reporter=spec "$@"
}

ALL=(lint native package page)
if is_all; then ALL+=(browsers trial); fi
STEPS=("${@:-${ALL[@]}}")

case " ${STEPS[*]} " in
*" browsers "* | *" trial "*) scripts/setup.sh ;;
*" package "* | *" page "*) if is_all; then scripts/setup.sh; else scripts/setup.sh build lint chromium; fi ;;
*) scripts/setup.sh build lint ;;
esac

failed=()
for step in "${STEPS[@]}"; do
  [[ " lint native package page browsers trial " == *" $step "* ]] || die "no step '$step'"
  printf '\n== %s\n' "$step"
  if [[ $step =~ package|page|trial ]]; then scripts/build.sh; fi
  SECONDS=0
  set +e # has no effect inside `if`, so that the step runs in a shell of its own
  (set -e; $step)
  code=$?
  set -e
  if ((code)); then failed+=("$step"); fi
  say "$step $( ((code)) && echo FAILED || echo passed) after $SECONDS s"
done

printf '\n== result\n'
if ((${#failed[@]})); then die "failed: ${failed[*]}"; fi
say "all steps passed: ${STEPS[*]}"
