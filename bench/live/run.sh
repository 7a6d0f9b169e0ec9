#!/usr/bin/env bash
# What does a viewer of a live page cost the lab? kiln serve follows a run for so many viewers; its own CPU time is the cost,
# compiling and collecting included. --live does the same work inside of kiln run.
# Usage: run.sh [VIEWERS] [RUNS]   0 viewers for the server alone. Needs curl; KILN names another than this tree's.
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
  wait "${pids[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
broken() { # what the command said
  cat "$work/$1" >&2
  exit 1
}

mkdir "$work/results"
"$kiln" serve "$work/results" --listen 127.0.0.1:0 >"$work/serve" 2>&1 &
serve=$!
pids+=("$serve")
until url=$(grep -o 'http://[^ ]*' "$work/serve" | head -1) && [ -n "$url" ]; do
  kill -0 "$serve" 2>/dev/null || broken serve
  sleep 0.2
done
"$kiln" run --results "$work/results" --runs "$runs" --protocol load=60s,pause=10s,load=20s --connections 20 \
  --url 'http://localhost:${port}/' -- "$java" "$here/../load/DelayServer.java" '${port}' 5 200 >"$work/run" 2>&1 &
run=$!
pids+=("$run")
until folder=$(cd "$work/results" && find . -name run.json | cut -d/ -f2 | head -1) && [ -n "$folder" ]; do
  kill -0 "$run" 2>/dev/null || broken run
  sleep 0.2
done

cpu() { # of the server, in clock ticks
  awk '{print $14 + $15}' "/proc/$serve/stat"
}
share() { # ticks, nanoseconds
  awk -v t="$1" -v hz="$(getconf CLK_TCK)" -v ns="$2" \
    'BEGIN {printf "%.2f CPU seconds in %.0f s: %.2f %% of a CPU\n", t / hz, ns / 1e9, 100 * t / hz / (ns / 1e9)}'
}
for ((i = 0; i < viewers; i++)); do
  # A stream ends after four minutes. Browsers then ask for the rest by its number, and so does this.
  : >"$work/events.$i"
  (while kill -0 "$run" 2>/dev/null; do
    last=$({ grep '^id: ' "$work/events.$i" || true; } | tail -n 1 | cut -d' ' -f2)
    curl -sfN -H "Last-Event-ID: ${last:-0}" "${url%/}/live/$folder" >>"$work/events.$i" || true
    sleep 1
  done) &
  pids+=("$!")
done
begin=$(date +%s%N)
first=$(cpu)
since=$begin
ticks=$first
while kill -0 "$run" 2>/dev/null; do
  sleep 1
  now=$(date +%s%N)
  if ((now - since >= 60000000000)); then
    used=$(cpu)
    share $((used - ticks)) $((now - since))
    since=$now
    ticks=$used
  fi
done
wait "$run" || broken run
echo "$viewers viewer(s), in all: $(share $(($(cpu) - first)) $(($(date +%s%N) - begin)))"
((viewers == 0)) || echo "seconds that the first viewer was told: $(grep -c '^event: second' "$work/events.0" || true)"
