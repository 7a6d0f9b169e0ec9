#!/usr/bin/env bash
# Forecasts of when C2 is done, held against recorded runs, one service left out. Reads evidence only; measures nothing.
# Usage: bench/forecast/run.sh SERVICE=FOLDER...   an experiment that kiln run wrote, or a variant in it; three services or more
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
java=${KILN_JAVA_HOME:+$KILN_JAVA_HOME/bin/}java

[ $# -gt 0 ] || { echo "usage: bench/forecast/run.sh SERVICE=FOLDER..." >&2; exit 2; }
[ -d "$root/lab/target/test-classes" ] && [ -d "$root/lab/target/lib" ] || { echo "build first: ./mvnw -q -pl lab -am package" >&2; exit 3; }
"$java" --version | grep -qE '^[a-z]+ (2[5-9]|[3-9][0-9])' || { echo "needs JDK 25: set KILN_JAVA_HOME" >&2; exit 3; }
exec "$java" -cp "$root/lab/target/test-classes:$root/lab/target/classes:$root/lab/target/lib/*" dev.kiln.explain.ForecastScores "$@"
