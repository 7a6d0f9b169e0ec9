#!/usr/bin/env bash
# Attacks Kiln with folders, files and names of somebody else, and counts what did not hold. Prints Markdown.
# 40 rounds of fuzzing by default; name more for longer. Exit status 1 where something hung, failed, or wrote
# outside.
# Usage: bench/hostile/run.sh [ROUNDS [SEED]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/kiln" --version >/dev/null
exec "$("$root/kiln" --jdk-home)/bin/java" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED "-Dkiln.root=$root" \
  -cp "$root/kiln-cli/target/kiln.jar" "$root/bench/hostile/Hostile.java" "$root/kiln" "${1:-40}" "${2:-1}"
