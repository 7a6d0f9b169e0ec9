#!/usr/bin/env bash
# What thread dumps cost a target: the same service with and without them, in turns. The bound is 1 % of its throughput at the
# peak, and of its CPU time a request. Exit status 0 where both are shown to be within it, 1 where one is shown to be beyond it,
# 4 or 5 where these runs cannot tell.
# Usage: bench/recorder/dumps.sh [runs of each] [threads of the target beside those that serve] [folder of results]
# A run takes about 75 s. Needs quiet CPUs: Kiln waits for them, and repeats what other programs spoil.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

runs=${1:-10}
threads=${2:-100}
work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
results=${3:-$work/results}
kiln=${KILN:-./kiln}
java=$(./kiln --jdk-home)/bin/java
fixtures=$(readlink -f "${FIXTURES:-fixtures/target/classes}")
[ -d "$fixtures" ] || { echo "build first: ./mvnw -q -pl fixtures package" >&2; exit 3; }

cat >"$work/dumps.yaml" <<YAML
name: dumps
target:
  command: $java -XX:+UseSerialGC -Xmx256m -cp $fixtures dev.kiln.fixtures.faults.FaultServer --port \${port} --work parked:$threads
variants:
  without:
    observe: {thread-dumps: off}
  with: {}
load:
  url: http://localhost:\${port}/
  connections: 20
protocol: [{load: 30s}, {pause: 5s}, {load: 30s}]
runs: $runs
YAML
printf 'peak: 1\ncpu-per-request: 1\n' >"$work/bound.yaml"

"$kiln" run "$work/dumps.yaml" --results "$results" >&2
"$kiln" gate --one-session --allow-different --baseline "$results:without" --tolerance "$work/bound.yaml" "$results:with"
