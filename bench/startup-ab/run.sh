#!/usr/bin/env bash
# The same two starts measured by kiln startup and by hyperfine, in turn: do they agree?
# Usage: run.sh [ROUNDS]   needs hyperfine and jq; KILN and JDK name others than this tree's and Kiln's own.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
kiln=${KILN:-$root/kiln}
jdk=${JDK:-$("$root/kiln" --jdk-home)}
rounds=${1:-10}
a="$jdk/bin/java -Xshare:off -version"
b="$jdk/bin/java -version"
first=${FIRST:-} # such as "chrt -r 10", where others use the machine too
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$kiln" startup --pairs 1 --results "$work/results" "$a" "$b" >/dev/null 2>&1 # builds if need be, fills the caches

for ((i = 0; i < rounds; i++)); do
  $first "$kiln" startup --cpus 0 --pairs 3 --results "$work/results" --csv "$a" "$b" 2>/dev/null |
    grep -E '^[0-9]+,' >>"$work/kiln"
  for command in a b; do
    $first taskset -c 0 hyperfine -N --style none --warmup 1 --runs 3 --export-json "$work/$command.json" "${!command}" >/dev/null 2>&1
    jq -r '.results[0].times[] * 1000' "$work/$command.json" >>"$work/hyperfine.$command"
  done
done

table() { # columns of one number a line
  echo "Run,$1,$2"
  paste -d, "$3" "$4" | awk '{print NR "," $0}'
}
cut -d, -f2 "$work/kiln" >"$work/kiln.a"
cut -d, -f3 "$work/kiln" >"$work/kiln.b"
for by in hyperfine kiln; do
  table 'CDS off' 'CDS on' "$work/$by.a" "$work/$by.b" >"$work/$by.csv"
  echo "By $by:"
  "$kiln" startup --verbose --table "$work/$by.csv" | grep -E '^(Geomean|Stdev|Ratio)'
done
for command in a b; do
  table hyperfine kiln "$work/hyperfine.$command" "$work/kiln.$command" >"$work/tools.csv"
  echo "${!command##*/}, the tools against each other:"
  "$kiln" startup --verbose --table "$work/tools.csv" | grep -E '^Ratio'
done
