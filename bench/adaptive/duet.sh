#!/usr/bin/env bash
# Whether a duet decides sooner than runs that follow one another, and as truly: a service against itself, so the truth is a
# ratio of 1. Each experiment has 4 blocks of a duet, then 4 of runs in turn; half of the experiments have a neighbour that
# takes both CPUs in bursts of 1 to 4 s. Takes about 10 minutes an experiment.
# Usage: bench/adaptive/duet.sh [EXPERIMENTS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
here=bench/adaptive

./kiln --version >/dev/null # builds if need be
java=$(./kiln --jdk-home)/bin/java
work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
neighbour=
stop() { if [ -n "$neighbour" ]; then kill -- "-$neighbour" 2>/dev/null || true; neighbour=; fi; }
trap 'stop; rm -rf "$work"' EXIT
sed "s|FIXTURES|$PWD/fixtures/target/classes|" "$here/duet.yaml" >"$work/duet.yaml"

bursts() { # seed -> for ever, on every CPU at once
  RANDOM=$1
  while :; do
    sleep $((RANDOM % 8 + 1))
    for _ in $(seq "$(nproc)"); do timeout --foreground $((RANDOM % 4 + 1)) sh -c 'while :; do :; done' & done
    wait
  done
}

measure() { # name, flags... -> "ratio lo hi seconds"
  local name=$1
  shift
  ./kiln run "$work/duet.yaml" "$@" --results "$work/$name" >"$work/$name.log" 2>&1 || [ $? -eq 1 ] \
    || cat "$work/$name.log" >&2
  "$java" -cp kiln-cli/target/kiln.jar "$here/Duet.java" "$work/$name"
}

for i in $(seq "${1:-10}"); do
  for machine in quiet neighbour; do
    for how in duet turns; do
      if [ "$machine" = neighbour ]; then
        set -m
        bursts "$i" &
        neighbour=$!
        set +m
      fi
      flags=(--seed "$i")
      [ "$how" = turns ] || flags+=(--duet)
      read -r ratio lo hi seconds < <(measure "$machine-$how-$i" "${flags[@]}")
      stop
      echo "$machine $how $ratio $lo $hi $seconds" | tee -a "$work/all"
    done
  done
done

awk '{ k = $1 " " $2; n[k]++; t[k] += $6
       if ($3 != "NaN") { m[k]++; w[k] += $5 / $4 - 1; c[k] += $4 <= 1 && 1 <= $5 } }
     END { printf "%-18s %11s %9s %9s %9s\n", "", "experiments", "answered", "width, %", "covered"
           for (k in n) printf "%-18s %11d %9d %9.1f %9d  %.0f s each\n", k, n[k], m[k], m[k] ? 100 * w[k] / m[k] : 0, c[k], t[k] / n[k] }' \
  "$work/all" | sort
