#!/usr/bin/env bash
# What the manifests deploy/kubernetes.yaml and deploy/readiness-gate.yaml add to a pod: the CPU time and memory of
# kiln doctor --metrics, from its start and while it watches, and the CPU time of one look of the container "gate". The target is
# a Java program with 200 threads that each run a hundred times a second. CPU times are the kernel's, in ns (schedstat), of all
# threads. Takes 100 s and the seconds that are given; changes nothing.
# Usage: bench/doctor/gate.sh [seconds] [threads]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=${1:-60}
threads=${2:-200}
classpath=${KILN_CLASSPATH:-kiln-cli/target/kiln.jar}
java=${KILN_JAVA:-$(./kiln --jdk-home)/bin/java}
port=${PORT:-19404}
looks=20

work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
target='' doctor=''
cleanup() {
  for pid in $doctor $target; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT

cpu_of() { cat /proc/"$1"/task/*/schedstat 2>/dev/null | awk '{ s += $1 } END { printf "%.0f", s }'; }
last=$(($(nproc) - 1))
taskset -c 0 "$java" -XX:+UseSerialGC bench/recorder/Target.java "$threads" >"$work/target" &
target=$!
until grep -q ready "$work/target"; do sleep 0.2; done
sleep 10 # its own warm-up
# As the image starts it (deploy/dist.sh), but without an AOT cache: its start costs more here.
taskset -c "$last" "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms4m --enable-native-access=ALL-UNNAMED -cp "$classpath" \
  dev.kiln.cli.Main doctor "$target" --metrics ":$port" >"$work/doctor" 2>&1 &
doctor=$!
sleep 60
start=$(cpu_of "$doctor")
sleep "$seconds"
now=$(cpu_of "$doctor")
awk -v s="$start" -v n="$now" -v t="$seconds" -v kb="$(awk '/VmRSS/ { print $2 }' "/proc/$doctor/status")" 'BEGIN {
  printf "doctor: %.2f s of CPU in its first 60 s, then %.2f %% of a CPU; %.0f MB resident\n", s / 1e9, (n - s) / t / 1e7, kb / 1024 }'
echo "doctor answers $(curl -s -o /dev/null -w '%{http_code}' "http://localhost:$port/ready") at /ready"
age() { curl -s "http://localhost:$port/metrics" | sed -n 's/^kiln_jvm_age_seconds \([0-9]*\).*/\1/p'; }
[ -n "$(age)" ]
before=$(cpu_of "$doctor")
TIMEFORMAT='%U %S'
{ time for _ in $(seq "$looks"); do age >/dev/null; done; } 2>"$work/looks"
awk -v n="$looks" -v d="$(($(cpu_of "$doctor") - before))" '{
  printf "gate: %.1f ms of CPU for a look, every 5 s; %.1f ms of it more in the doctor\n", 1000 * ($1 + $2) / n, d / n / 1e6 }' "$work/looks"
