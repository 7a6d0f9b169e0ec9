#!/usr/bin/env bash
# Start-up of `kiln --version` through the launcher, and of a command that reads an experiment, with and without the
# AOT cache. Interleaved; medians and their ratio.
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

version=$(mktemp) with=$(mktemp) without=$(mktemp) bare=$(mktemp)
trap 'rm -f "$version" "$with" "$without" "$bare"' EXIT
# What the launcher itself gives the JVM, less the cache.
plain=("$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms32m --enable-native-access=ALL-UNNAMED "-Dkiln.root=$root"
  -jar "$root/kiln-cli/target/kiln.jar")
demo=$root/experiments/demo.yaml
for ((i = 0; i < runs; i++)); do
  millis "$root/kiln" --version >>"$version"
  millis "$root/kiln" plan "$demo" >>"$with"
  millis "${plain[@]}" plan "$demo" >>"$without"
  millis "$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -version >>"$bare"
done
v=$(median <"$version") w=$(median <"$with") o=$(median <"$without") b=$(median <"$bare")
printf '%-48s %6s ms\n' "./kiln --version" "$v" "./kiln plan demo.yaml (with the AOT cache)" "$w" \
  "the same without the cache" "$o" "java -version" "$b"
awk -v w="$w" -v o="$o" 'BEGIN {printf "with the cache / without: %.2f\n", w/o}'
[ "${v%.*}" -lt 300 ] || { echo "over 300 ms" >&2; exit 1; }
