#!/usr/bin/env bash
# How fast, and in how much memory, a large flight recording is digested, beside the JDK's `jfr print --json` of the same
# events to nowhere. Makes the recording first, with Kiln's settings and allocations beside them. The two take turns;
# medians are printed. Takes three to five minutes and changes nothing.
# Usage: bench/flight/run.sh [rounds] [megabytes] [heap of the digest]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

rounds=${1:-3}
megabytes=${2:-500}
heap=${3:-512m}
classpath="kiln-cli/target/kiln.jar"
here=bench/flight
events=Compilation,CompilerQueueUtilization,Deoptimization,GCPhasePause,GarbageCollection,CodeCacheFull,JITRestart
events=$events,ContainerCPUThrottling,ActiveRecording,ExecutionSample,CPUTimeSample

[ -d kiln-cli/target/classes ] || { echo "build first: ./mvnw -q -pl kiln-cli -am package" >&2; exit 3; }
bin=$(./kiln --jdk-home)/bin/

work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

"${bin}javac" -d "$work/classes" -cp "$classpath" "$here/Churn.java" "$here/Digest.java"
# Kiln's settings, samples as often as can be, and the allocations that fill most large recordings.
sed -e 's|<setting name="period">20 ms</setting>|<setting name="period">1 ms</setting>|' \
  -e 's|</configuration>|<event name="jdk.ObjectAllocationInNewTLAB"><setting name="enabled">true</setting><setting name="stackTrace">true</setting></event><event name="jdk.ObjectAllocationOutsideTLAB"><setting name="enabled">true</setting><setting name="stackTrace">true</setting></event><event name="jdk.ClassLoad"><setting name="enabled">true</setting><setting name="threshold">0 ms</setting><setting name="stackTrace">true</setting></event></configuration>|' \
  watch/src/main/resources/dev/kiln/jvm/flight/flight.jfc >"$work/flight.jfc"
mkdir "$work/flight"
"${bin}java" -Xmx256m -XX:TLABSize=4k -XX:MinTLABSize=4k -XX:-ResizeTLAB -XX:MaxMetaspaceSize=256m \
  -XX:FlightRecorderOptions=repository="$work/flight" \
  -XX:StartFlightRecording=settings="$work/flight.jfc",filename="$work/big.jfr",maxsize=4g \
  -cp "$work/classes" Churn "$work/flight" "$megabytes" >"$work/churn.log" 2>&1 || { cat "$work/churn.log" >&2; exit 1; }
if grep -q Exception "$work/churn.log"; then cat "$work/churn.log" >&2; exit 1; fi
ls -l "$work/big.jfr" | awk '{ printf "recording: %.0f MB\n", $5 / 1048576 }'

TIMEFORMAT='%R %U %S'
for round in $(seq "$rounds"); do
  { time "${bin}java" "-Xmx$heap" -cp "$work/classes:$classpath" Digest "$work/big.jfr" >>"$work/found"; } 2>>"$work/kiln"
  { time "${bin}jfr" print --json --events "$events" "$work/big.jfr" >/dev/null; } 2>>"$work/jfr"
done

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
wall() { grep -E '^[0-9.]+ [0-9.]+ [0-9.]+$' "$work/$1" | awk '{ print $1 }' | median; }
cpu() { grep -E '^[0-9.]+ [0-9.]+ [0-9.]+$' "$work/$1" | awk '{ print $2 + $3 }' | median; }
grep -vE '^[0-9.]+ [0-9.]+ [0-9.]+$' "$work/kiln" | sort -u || true
awk 'END { printf "found: %d compilations, %d samples told apart, %d pauses\n", $3, $4, $5 }' "$work/found"
awk -v h="$heap" '{ if ($1 > m) m = $1; k = $2 } END { printf "heap of the digest: -Xmx%s, at most %d MB in use with garbage, %d MB kept\n", h, m, k }' "$work/found"
echo "digest            $(wall kiln) s, $(cpu kiln) s of CPU"
echo "jfr print --json  $(wall jfr) s, $(cpu jfr) s of CPU"
awk -v a="$(wall kiln)" -v b="$(wall jfr)" -v c="$(cpu kiln)" -v d="$(cpu jfr)" \
  'BEGIN { printf "digest to jfr print: %.2f of the time, %.2f of the CPU time\n", a / b, c / d }'
