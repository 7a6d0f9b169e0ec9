#!/usr/bin/env bash
# Forecasts of when C2 is done, held against recorded runs, one service left out. Reads evidence only; measures nothing.
# Usage: bench/forecast/run.sh SERVICE=FOLDER...   an experiment that kiln run wrote, or a variant in it; three services or more
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

[ $# -gt 0 ] || { echo "usage: bench/forecast/run.sh SERVICE=FOLDER..." >&2; exit 2; }
[ -d "$root/watch/target/test-classes" ] && [ -d "$root/kiln-cli/target/lib" ] || { echo "build first: ./mvnw -q -pl kiln-cli -am package" >&2; exit 3; }
java=$("$root/kiln" --jdk-home)/bin/java
exec "$java" -cp "$root/watch/target/test-classes:$root/verdict/target/test-classes:$root/kiln-cli/target/kiln.jar" dev.kiln.explain.ForecastScores "$@"
