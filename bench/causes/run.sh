#!/usr/bin/env bash
# Is the right cause named? Plants each kind of kinds.tsv in a live service and prints what was planted against what was told.
# Prints Markdown. Exit status 1 where a bound is missed.
# Usage: bench/causes/run.sh [--quick] [--kinds A,B] [--jdk 17,25] [--anew] [--out DIR]
#   --quick    JDK 25, a closed loop, no flight recording, and no wait for a quiet machine: its figures decide nothing
#   --anew     makes no run: judges those in the folder again with this Kiln
#   --out DIR  where runs go and stay: what has a result there is not run again (bench/causes/out)
# A run takes about 80 s. All of them: each kind on two JDKs, closed loop and rate, with and without a recording, some 12 hours.
# KILN, FIXTURES and CLASSPATH name others than this tree's.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$here/out options=()
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift ;;
    --kinds | --jdk) options+=("$1" "$2"); shift ;;
    --quick | --anew) options+=("$1") ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
  shift
done
jdk=${JDK:-$("$root/kiln" --jdk-home)}
[ -n "${KILN:-}" ] || "$root/kiln" --version >/dev/null
lib=${CLASSPATH:-$root/kiln-cli/target/lib/*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$jdk/bin/javac" -d "$work" -cp "$lib" "$here"/*.java
mkdir -p "$out"
"$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$work:$lib" Causes "${KILN:-$root/kiln}" \
  "${FIXTURES:-$root/fixtures/target/classes}" "$here/kinds.tsv" "$(readlink -f "$out")" "${options[@]}"
