#!/usr/bin/env bash
# How much lab time an adaptive experiment saves against the fixed `blog` protocol at the same width: the fixed one runs
# first, and the width of its interval, 1 % at least, is what the adaptive one is asked for. The target answers by a given
# curve, so the machine's noise does not decide. Takes about 17 minutes.
# Usage: bench/adaptive/run.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
here=bench/adaptive

./kiln --version >/dev/null # builds if need be
java=$(./kiln --jdk-home)/bin/java
work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

measure() { # name -> "valid runs, width %, seconds of runs"
  ./kiln run "$work/$1.yaml" --results "$work/$1" >"$work/$1.log" 2>&1 || [ $? -eq 1 ] || cat "$work/$1.log" >&2
  "$java" -cp "kiln-cli/target/kiln.jar" "$here/Width.java" "$work/$1"
}

fill() { sed -e "s|FIXTURES|$PWD/fixtures/target/classes|" -e "${2:-}" "$here/$1.yaml" >"$work/$1.yaml"; }

fill fixed
read -r fixed_runs fixed_width fixed_seconds < <(measure fixed)
asked=$(awk -v w="$fixed_width" 'BEGIN { print w < 1 ? 1 : w }')
fill adaptive "s/WIDTH/$asked/"
read -r runs width seconds < <(measure adaptive)

printf '%-10s %5s %9s %9s\n' "" runs 'width, %' 'lab, s' fixed "$fixed_runs" "$fixed_width" "$fixed_seconds" \
  adaptive "$runs" "$width" "$seconds"
awk -v a="$seconds" -v f="$fixed_seconds" 'BEGIN { printf "adaptive / fixed lab time: %.2f\n", a / f }'
grep -E '^after|req/s, end|virtual ' "$work/adaptive.log" || true
