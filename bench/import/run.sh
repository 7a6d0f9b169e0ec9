#!/usr/bin/env bash
# How fast are result files turned into evidence? On one CPU, in turn with peers that read the same file: wc -l counts lines,
# awk adds up a column, Python's csv reader splits rows and does nothing with them.
# Usage: run.sh [MB] [ROUNDS]   KILN_JAR and JDK name others than this tree's and Kiln's own.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mb=${1:-400}
rounds=${2:-3}
jdk=${JDK:-$("$root/kiln" --jdk-home)}
classpath=${KILN_CLASSPATH:-$root/kiln-cli/target/kiln.jar}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kind in series pidstat; do
  mkdir "$work/$kind"
  "$jdk/bin/java" "$root/bench/import/Make.java" "$kind" "$work/$kind/load.get.0.series.csv" "$mb"
done
mv "$work/pidstat/load.get.0.series.csv" "$work/pidstat/pidstat.log"

timed() { # name file command...
  local name=$1 file=$2 begin end
  shift 2
  begin=$(date +%s%N)
  taskset -c 0 "$@" >/dev/null 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
  end=$(date +%s%N)
  awk -v n="$name" -v b="$(stat -c %s "$file")" -v t=$((end - begin)) 'BEGIN {printf "%-28s %8.0f MB/s\n", n, b / t * 1000}'
}

for ((i = 0; i < rounds; i++)); do
  for kind in series pidstat; do
    file=$(echo "$work/$kind"/*)
    cat "$file" >/dev/null
    rm -rf "$work/out"
    sync # what was written before must not be written out on this one's time
    timed "$kind: kiln import" "$file" /usr/bin/time -f "  %U s user, %S s system, peak memory %M KB" -o "$work/memory" "$jdk/bin/java" \
      -XX:+UseSerialGC -Xmx64m -cp "$classpath" dev.kiln.cli.Main import "$file" --evidence-only --results "$work/out"
    tail -1 "$work/memory"
    timed "$kind: wc -l" "$file" wc -l "$file"
    if [ "$kind" = series ]; then
      timed "$kind: awk, one column" "$file" awk -F, '{s += $3} END {print s}' "$file"
      timed "$kind: Python csv" "$file" python3 -c 'import csv,sys
for row in csv.reader(open(sys.argv[1])): pass' "$file"
    else
      timed "$kind: awk, one column" "$file" awk '{s += $5} END {print s}' "$file"
      timed "$kind: Python split" "$file" python3 -c 'import sys
for row in open(sys.argv[1]): row.split()' "$file"
    fi
  done
done
