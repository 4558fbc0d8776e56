# Sourced by the other scripts: start in the project's folder, its own tools first in PATH.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
export PATH="$ROOT/.tools/bin:$ROOT/node_modules/.bin:$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
WASM=wasm32-unknown-unknown

# A machine that throws its target folder away gains nothing from these.
if [[ ${CI-} == true ]]; then
  export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
fi

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*"; }
die() {
  say "$*" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }
