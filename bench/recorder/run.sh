#!/usr/bin/env bash
# What recording costs, beside pidstat, on a Java target with 200 threads. The two take turns, the target on the first
# CPU, they on the last; medians of the rounds are printed. Takes about two minutes and changes nothing.
# Usage: [RECORDER_FLAGS=...] bench/recorder/run.sh [rounds] [seconds] [threads]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

rounds=${1:-5}
seconds=${2:-8}
threads=${3:-200}
classpath="kiln-cli/target/kiln.jar"
here=bench/recorder

command -v pidstat >/dev/null || { echo "pidstat is missing: apt-get install sysstat" >&2; exit 3; }
[ -d kiln-cli/target/lib ] || { echo "build first: ./mvnw -q -pl kiln-cli -am package" >&2; exit 3; }
java=$(./kiln --jdk-home)/bin/java

work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
target=
cleanup() {
  [ -z "$target" ] || kill "$target" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

last=$(($(nproc) - 1))
taskset -c 0 "$java" -XX:+UseSerialGC "$here/Target.java" "$threads" >"$work/target" &
target=$!
until grep -q ready "$work/target"; do sleep 0.2; done
sleep 5 # its own warm-up

TIMEFORMAT='%U %S'
for round in $(seq "$rounds"); do
  # shellcheck disable=SC2086 # several flags
  taskset -c "$last" "$java" -XX:+UseSerialGC ${RECORDER_FLAGS:-} -cp "$classpath" "$here/Measure.java" \
    "$target" "$seconds" "$work/$round" >>"$work/kiln"
  { time LC_ALL=C taskset -c "$last" pidstat -t -u -w -p "$target" 1 "$seconds" >"$work/pidstat.out"; } 2>>"$work/pidstat"
done

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
column() { awk -v c="$1" '{ print $c }' "$work/kiln" | median; }
pidstat_ms=$(awk -v s="$seconds" '{ print ($1 + $2) * 1000 / s }' "$work/pidstat" | median)

echo "threads of the target: $(find "/proc/$target/task" -mindepth 1 -maxdepth 1 | wc -l), rounds: $rounds, seconds each: $seconds"
echo "ms of CPU a second, medians (10 = 1 % of a CPU):"
echo "  recorder's thread, first run       $(column 1)"
echo "  recorder's thread, second run      $(column 3)"
echo "  its whole process, first run       $(column 2)"
echo "  its whole process, second run      $(column 4)"
echo "  pidstat -t -u -w                   $pidstat_ms"
awk -v a="$(column 1)" -v b="$(column 3)" -v p="$pidstat_ms" \
  'BEGIN { printf "recorder to pidstat: %.2f in the first run, %.2f in the second\n", a / p, b / p }'
