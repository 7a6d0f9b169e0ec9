#!/usr/bin/env bash
# Forecasts made at 10, 20 and 30 s of recorded runs, beside what came. Reads evidence only; measures nothing.
# Usage: bench/forecast/run.sh RESULTS...   folders that kiln run wrote
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
java=${KILN_JAVA_HOME:+$KILN_JAVA_HOME/bin/}java

[ $# -gt 0 ] || { echo "usage: bench/forecast/run.sh RESULTS..." >&2; exit 2; }
[ -d "$root/lab/target/lib" ] || { echo "build first: ./mvnw -q -pl lab -am package" >&2; exit 3; }
"$java" --version | grep -qE '^[a-z]+ (2[5-9]|[3-9][0-9])' || { echo "needs JDK 25: set KILN_JAVA_HOME" >&2; exit 3; }
exec "$java" -cp "$root/lab/target/classes:$root/lab/target/lib/*" "$here/Forecasts.java" "$@"
