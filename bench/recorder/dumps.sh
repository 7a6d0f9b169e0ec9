#!/usr/bin/env bash
# What thread dumps cost a target: the same service with and without them, in turns. The bound is 1 % of its throughput at the
# peak, and of its CPU time a request. Exit status 0 where both are shown to be within it, 1 where one is shown to be beyond it,
# 4 or 5 where these runs cannot tell.
# Usage: bench/recorder/dumps.sh [runs of each] [threads of the target beside those that serve] [folder of results]
# Those threads have stacks of 45 frames. A run takes about 75 s. Needs quiet CPUs: Kiln waits for them, and repeats what other
# programs spoil. KILN and FIXTURES name others than this tree's.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

runs=${1:-10}
threads=${2:-100}
work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
results=$(realpath -m -- "${3:-$work/results}")
kiln=${KILN:-$root/kiln}
java=$("$root/kiln" --jdk-home)/bin/java
fixtures=$(realpath -m -- "${FIXTURES:-$root/fixtures/target/classes}")
[ -d "$fixtures" ] || { echo "$fixtures: no such folder; build first: ./mvnw -q -pl fixtures package" >&2; exit 3; }

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

# A run that is no good is left out: the others may do.
status=0
"$kiln" run "$work/dumps.yaml" --results "$results" >&2 || status=$?
[ "$status" -le 1 ] || exit "$status"
# A folder that was given may have earlier experiments, whose runs are of another session.
experiment=$(ls -dt "$results"/dumps-*/ | sed -n 1p)
"$kiln" gate --one-session --allow-different --baseline "${experiment%/}:without" --tolerance "$work/bound.yaml" "${experiment%/}:with"
