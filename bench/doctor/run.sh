#!/usr/bin/env bash
# What steady watching costs the watched JVM and the doctor itself, beside pidstat, on a Java target with 200 threads that
# each run a hundred times a second. Windows with and without the doctor alternate; medians are printed. CPU times are the
# kernel's, in ns (schedstat), of all threads. Takes about (2 * rounds + 1) * seconds + 60 s and changes nothing.
# Usage: bench/doctor/run.sh [rounds] [seconds] [threads]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

rounds=${1:-3}
seconds=${2:-15}
threads=${3:-200}
classpath=${KILN_CLASSPATH:-kiln-cli/target/kiln.jar}

java=$(./kiln --jdk-home)/bin/java
command -v pidstat >/dev/null || { echo "pidstat is missing: apt-get install sysstat" >&2; exit 3; }

work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
target='' doctor=''
cleanup() {
  for pid in $doctor $target; do kill -CONT "$pid" 2>/dev/null && kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT

# CPU of all living threads, in ns.
cpu_of() { cat /proc/"$1"/task/*/schedstat 2>/dev/null | awk '{ s += $1 } END { printf "%.0f", s }'; }
# The target's threads that work for whoever attaches: the listener, and the VM thread for safepoints.
served_of() {
  local sum=0 task
  for task in /proc/"$1"/task/*; do
    case $(cat "$task/comm" 2>/dev/null) in
      'Attach Listener' | 'VM Thread') sum=$((sum + $(awk '{ print $1 }' "$task/schedstat"))) ;;
    esac
  done
  echo "$sum"
}
last=$(($(nproc) - 1))
: >"$work/target"
taskset -c 0 "$java" -XX:+UseSerialGC bench/recorder/Target.java "$threads" >"$work/target" &
target=$!
until grep -q ready "$work/target"; do sleep 0.2; done
sleep 10 # its own warm-up
taskset -c "$last" "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$classpath" \
  dev.kiln.cli.Main doctor "$target" --watch >"$work/doctor" 2>&1 &
doctor=$!
sleep 40 # so that the doctor's own start and warm-up are over, and the JVM has its attach listener

for _ in $(seq "$rounds"); do
  kill -CONT "$doctor"
  d=$(cpu_of "$doctor") t=$(cpu_of "$target") s=$(served_of "$target")
  sleep "$seconds"
  echo "$(($(cpu_of "$doctor") - d)) $(($(cpu_of "$target") - t)) $(($(served_of "$target") - s))" >>"$work/with"
  kill -STOP "$doctor"
  t=$(cpu_of "$target") s=$(served_of "$target")
  sleep "$seconds"
  echo "$(($(cpu_of "$target") - t)) $(($(served_of "$target") - s))" >>"$work/without"
done
TIMEFORMAT='%U %S'
{ time LC_ALL=C taskset -c "$last" pidstat -t -u -w -p "$target" 1 "$seconds" >"$work/pidstat.out"; } 2>"$work/pidstat"

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
share() { awk -v f="$2" '{ print $f }' "$work/$1" | median | awk -v s="$seconds" '{ printf "%.3f", $1 / s / 1e7 }'; }
echo "threads of the target: $(find "/proc/$target/task" -mindepth 1 -maxdepth 1 | wc -l), rounds: $rounds, seconds each: $seconds"
echo "% of a CPU, medians:"
echo "  doctor, steady watching                           $(share with 1)"
echo "  pidstat -t -u -w 1                                $(awk -v s="$seconds" '{ printf "%.3f", ($1 + $2) * 100 / s }' "$work/pidstat")"
echo "  target's attach listener and VM thread, watched   $(share with 3)"
echo "  the same, not watched                             $(share without 2)"
echo "  whole target, watched                             $(share with 2)"
echo "  whole target, not watched                         $(share without 1)"
