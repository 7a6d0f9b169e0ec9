#!/usr/bin/env bash
# What each question of the JIT costs the JVM that answers and Kiln that asks, beside jcmd in the same run: a busy JVM
# that compiles much, of each JDK given, on the first CPU; who asks on the last. Takes two minutes per JDK, changes nothing.
# The collector is one whose work is not the VM thread's, for that thread is measured.
# Usage: [THREADS=4] bench/jit-probe/run.sh [calls] [seconds] [JDK_HOME...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

calls=${1:-40}
seconds=${2:-20}
shift $(($# < 2 ? $# : 2))
classpath="kiln-cli/target/kiln.jar"
here=bench/jit-probe
threads=${THREADS:-4} # more than the CPU can run; 0: an idle JVM

[ -d kiln-cli/target/lib ] || { echo "build first: ./mvnw -q -pl kiln-cli -am package" >&2; exit 3; }
own=$(./kiln --jdk-home)
java=$own/bin/java
[ $# -gt 0 ] || set -- "$own"

work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
target=
cleanup() {
  [ -z "$target" ] || kill "$target" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

last=$(($(nproc) - 1))
for jdk in "$@"; do
  "$jdk/bin/java" --version | head -1
  taskset -c 0 "$jdk/bin/java" -Xmx1g -XX:+UseParallelGC "$here/Target.java" "$threads" >"$work/ready" &
  target=$!
  until grep -q ready "$work/ready"; do sleep 0.2; done
  sleep 3 # its compilers are at work now
  taskset -c "$last" "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$classpath" "$here/Measure.java" \
    "$target" "$calls" "$jdk" "$seconds" "$work/$(basename "$jdk")"
  kill "$target"
  wait "$target" 2>/dev/null || true
  target=
  : >"$work/ready"
done
