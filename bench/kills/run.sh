#!/usr/bin/env bash
# Kills Kiln, or a part of its lab, at random moments of real runs with a database, and looks at what is left.
# Prints Markdown. Takes about 8 s a kill. Exit status 1 where something was left, lost or answered wrongly.
# Usage: bench/kills/run.sh [KILLS [SEED]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/kiln" --version >/dev/null
exec "$("$root/kiln" --jdk-home)/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$root/bench/kills/Kills.java" \
  "$root" "${1:-200}" "${2:-1}"
