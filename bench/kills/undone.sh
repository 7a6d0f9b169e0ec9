#!/usr/bin/env bash
# Kills Kiln at drawn moments of runs whose service others start, by scripts and by a deployment in turn, with variants by
# variables, by an override file and by a patch, and looks whether each is undone: at once for INT and TERM, by the next Kiln for KILL.
# The deployment is a stand-in, which takes root and unshare. Prints Markdown. Takes about 20 to 30 s a kill. Exit status 1 where
# something was left.
# Usage: bench/kills/undone.sh [KILLS [SEED]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/kiln" --version >/dev/null
exec "$("$root/kiln" --jdk-home)/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$root/bench/kills/Undone.java" \
  "$root" "${1:-30}" "${2:-1}" -jar "$root/kiln-cli/target/kiln.jar"
