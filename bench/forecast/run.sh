#!/usr/bin/env bash
# Forecasts of when C2 is done, held against recorded runs, one service left out. Reads evidence only; measures nothing.
# Usage: bench/forecast/run.sh                     the recorded warm-ups of bench/corpus
#        bench/forecast/run.sh SERVICE=FOLDER...   an experiment that kiln run wrote, or a variant in it; three services or more
# JDK and CLASSPATH name others than this tree's; the class path has the test classes of verdict and watch.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

if [ -z "${CLASSPATH:-}" ]; then
  [ -d "$root/watch/target/test-classes" ] && [ -d "$root/kiln-cli/target/lib" ] || { echo "build first: ./mvnw -q -pl kiln-cli -am package" >&2; exit 3; }
  CLASSPATH=$root/watch/target/test-classes:$root/verdict/target/test-classes:$root/kiln-cli/target/kiln.jar
fi
java=${JDK:-$("$root/kiln" --jdk-home)}/bin/java
if [ $# -eq 0 ]; then
  . "$root/bench/corpus/corpus.sh"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  unpack_corpus "$work"
  for service in "$work"/*/; do
    service=${service%/}
    set -- "$@" "${service##*/}=$service"
  done
fi
"$java" --enable-native-access=ALL-UNNAMED -cp "$CLASSPATH" dev.kiln.explain.ForecastScores "$@"
