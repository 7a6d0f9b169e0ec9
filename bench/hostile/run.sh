#!/usr/bin/env bash
# Attacks Kiln with folders, files and names of somebody else, and counts what did not hold. Prints Markdown.
# Takes about 1 s a try. Exit status 1 where something hung, failed, or wrote outside.
# Usage: bench/hostile/run.sh [ROUNDS [SEED]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/kiln" --version >/dev/null
exec "$("$root/kiln" --jdk-home)/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$root/bench/hostile/Hostile.java" \
  "$root/kiln" "${1:-100}" "${2:-1}"
