#!/usr/bin/env bash
# Start-up of `kiln --version`: through the launcher, and without its AOT cache. Interleaved; medians and their ratio.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
runs=${1:-20}

"$root/kiln" --version >/dev/null # builds and trains if need be
jdk=$("$root/kiln" --jdk-home)

millis() {
  local before after
  before=$(date +%s%N)
  "$@" >/dev/null 2>&1
  after=$(date +%s%N)
  echo $(((after - before) / 1000000))
}

median() { sort -n | awk '{a[NR]=$1} END {print (NR%2) ? a[(NR+1)/2] : (a[NR/2]+a[NR/2+1])/2}'; }

with=$(mktemp) without=$(mktemp) bare=$(mktemp)
trap 'rm -f "$with" "$without" "$bare"' EXIT
for ((i = 0; i < runs; i++)); do
  millis "$root/kiln" --version >>"$with"
  millis "$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$root/lab/target/kiln.jar" --version >>"$without"
  millis "$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -version >>"$bare"
done
w=$(median <"$with") o=$(median <"$without") b=$(median <"$bare")
printf '%-42s %6s ms\n' "./kiln --version (launcher and AOT cache)" "$w" "the same jar without the cache" "$o" "java -version" "$b"
awk -v w="$w" -v o="$o" 'BEGIN {printf "ratio %.2f\n", w/o}'
[ "$w" -lt 300 ] || { echo "over 300 ms" >&2; exit 1; }
