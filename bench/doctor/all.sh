#!/usr/bin/env bash
# What watching every JVM of a machine costs: the doctor's own CPU time and that of the watched JVMs, with 50 JVMs that do next to
# nothing. Windows with and without the doctor alternate. CPU times are the kernel's (schedstat), of all threads.
# Takes about rounds * 2 * seconds + 60 s and changes nothing.
# Usage: bench/doctor/all.sh [jvms] [rounds] [seconds]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

jvms=${1:-50} rounds=${2:-3} seconds=${3:-60}
jdk=$(./kiln --jdk-home)
work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
pids=() doctor=''
cleanup() {
  for pid in $doctor "${pids[@]}"; do kill -CONT "$pid" 2>/dev/null && kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT

cpu_of() { for pid in "$@"; do cat /proc/"$pid"/task/*/schedstat 2>/dev/null || true; done | awk '{ s += $1 } END { printf "%.0f", s }'; }

"$jdk/bin/javac" -d "$work" bench/recorder/Target.java
for _ in $(seq "$jvms"); do
  # Four threads that each run a hundred times a second.
  "$jdk/bin/java" -XX:+UseSerialGC -Xmx32m -Xss256k -XX:TieredStopAtLevel=1 -cp "$work" Target 4 >"$work/target" 2>&1 &
  pids+=($!)
done
sleep 20
./kiln doctor --all --metrics :0 >"$work/doctor" 2>&1 &
doctor=$!
# Its own start, and one round, so that it is warm.
sleep 45
for _ in $(seq "$rounds"); do
  d=$(cpu_of "$doctor") t=$(cpu_of "${pids[@]}")
  sleep "$seconds"
  echo "$(($(cpu_of "$doctor") - d)) $(($(cpu_of "${pids[@]}") - t))" >>"$work/with"
  kill -STOP "$doctor"
  t=$(cpu_of "${pids[@]}")
  sleep "$seconds"
  echo "0 $(($(cpu_of "${pids[@]}") - t))" >>"$work/without"
  kill -CONT "$doctor"
done
median() { awk -v c="$1" '{ print $c }' "$2" | sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
awk -v d="$(median 1 "$work/with")" -v w="$(median 2 "$work/with")" -v o="$(median 2 "$work/without")" -v s="$seconds" -v n="$jvms" 'BEGIN {
  printf "%d JVMs, per cent of a CPU, medians:\n", n
  printf "  kiln doctor --all          %.2f\n  for each JVM               %.3f\n", d / s / 1e7, d / s / 1e7 / n
  printf "  all JVMs, watched          %.2f\n  all JVMs, not watched      %.2f\n", w / s / 1e7, o / s / 1e7
}'
grep VmRSS /proc/"$doctor"/status | awk '{ printf "  doctor, resident memory    %.0f MB\n", $2 / 1000 }'
