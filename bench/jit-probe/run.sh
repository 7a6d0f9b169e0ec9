#!/usr/bin/env bash
# What each question of the JIT costs the JVM that answers and Kiln that asks, beside jcmd in the same run: a busy JVM
# that compiles much, of each JDK given, on the first CPU; who asks on the last. Takes a minute per JDK, changes nothing.
# Usage: bench/jit-probe/run.sh [calls] [seconds] [JDK_HOME...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

calls=${1:-40}
seconds=${2:-20}
shift $(($# < 2 ? $# : 2))
java=${KILN_JAVA_HOME:+$KILN_JAVA_HOME/bin/}java
classpath="lab/target/classes:lab/target/lib/*"
here=bench/jit-probe

[ -d lab/target/lib ] || { echo "build first: ./mvnw -q -pl lab -am package" >&2; exit 3; }
"$java" --version | grep -qE '^[a-z]+ (2[5-9]|[3-9][0-9])' || { echo "needs JDK 25: set KILN_JAVA_HOME" >&2; exit 3; }
[ $# -gt 0 ] || set -- "$(dirname "$(dirname "$(readlink -f "$(command -v "$java")")")")"

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
  taskset -c 0 "$jdk/bin/java" -Xmx1g -XX:+UseSerialGC "$here/Target.java" 4 >"$work/ready" &
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
