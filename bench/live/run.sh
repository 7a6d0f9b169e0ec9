#!/usr/bin/env bash
# What does a viewer of a live page cost the lab? kiln serve follows a run for so many viewers; its own CPU time is the cost,
# compiling and collecting included. --live does the same work inside of kiln run.
# Usage: run.sh [VIEWERS] [RUNS]   needs curl; KILN names another than this tree's.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kiln=${KILN:-$here/../../kiln}
java=${JAVA:-$("$kiln" --jdk-home)/bin/java}
viewers=${1:-1}
runs=${2:-3}
work=$(mktemp -d)
pids=()
end() {
  kill "${pids[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT

mkdir "$work/results"
"$kiln" serve "$work/results" --listen 127.0.0.1:0 >"$work/serve" 2>&1 &
serve=$!
pids+=("$serve")
"$kiln" run --results "$work/results" --runs "$runs" --protocol load=60s,pause=10s,load=20s --connections 20 \
  --url 'http://localhost:${port}/' -- "$java" "$here/../load/DelayServer.java" '${port}' 5 200 >"$work/run" 2>&1 &
run=$!
pids+=("$run")
until folder=$(cd "$work/results" && ls -d run-* 2>/dev/null) && [ -n "$(ls "$work/results/$folder")" ]; do sleep 0.2; done
url=$(grep -o 'http://[^ ]*' "$work/serve" | head -1)

cpu() { # of the server, in clock ticks
  awk '{print $14 + $15}' "/proc/$serve/stat"
}
for ((i = 0; i < viewers; i++)); do
  # A stream ends after four minutes; browsers ask for the rest, and so does curl.
  (while kill -0 "$run" 2>/dev/null; do curl -sN "${url%/}/live/$folder" >>"$work/events.$i" || true; done) &
  pids+=("$!")
done
start=$(date +%s%N)
before=$(cpu)
slice=$before
n=0
while kill -0 "$run" 2>/dev/null; do
  sleep 1
  n=$((n + 1))
  if ((n % 60 == 0)); then
    now=$(cpu)
    awk -v t=$((now - slice)) -v hz="$(getconf CLK_TCK)" -v n="$n" \
      'BEGIN {printf "seconds %3d to %3d: %.2f %% of a CPU\n", n - 60, n, 100 * t / hz / 60}'
    slice=$now
  fi
done
awk -v t=$(($(cpu) - before)) -v hz="$(getconf CLK_TCK)" -v ns=$(($(date +%s%N) - start)) -v v="$viewers" \
  'BEGIN {printf "%d viewer(s), %.0f s: %.2f CPU seconds, %.2f %% of a CPU\n", v, ns / 1e9, t / hz, 100 * t / hz / (ns / 1e9)}'
grep -c '^event: second' "$work/events.0" | sed 's/^/seconds that the first viewer was told: /'
