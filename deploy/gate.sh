#!/usr/bin/env bash
# The gate as a step of any CI: runs kiln gate, keeps what it says in a folder, and ends with 1 only for a FAIL. Too little data to
# decide (exit codes 4 and 5) is said and lets the build go on. What cannot run at all ends as kiln does (2, 3).
#   gate.sh CURRENT BASELINE TOLERANCE [FOLDER]
# CURRENT: a folder of results, folder:variant or a table; or an experiment file of two variants, which is run until its gate
# is decided: then BASELINE is empty. FOLDER (kiln-gate): gate.md, gate.xml (JUnit), gate.json, and the reports.
# SESSIONS: earlier sessions of the same configuration, whose variance decides what a difference of two is worth (none).
# KILN: the program to call (kiln).
set -euo pipefail
[ $# -ge 3 ] || { echo "usage: gate.sh CURRENT BASELINE TOLERANCE [FOLDER]" >&2; exit 2; }
current=$1 baseline=$2 tolerance=$3 folder=${4:-kiln-gate}
kiln=${KILN:-kiln}
mkdir -p "$folder"
rm -f "$folder"/gate.{md,xml,json}
written=(--summary "$folder/gate.md" --junit "$folder/gate.xml" --json "$folder/gate.json")

code=0
case $current in
  *.yaml | *.yml)
    [ -z "$baseline" ] || { echo "gate.sh: the first variant of $current is the baseline: leave BASELINE empty" >&2; exit 2; }
    "$kiln" gate --until-decided "$current" --tolerance "$tolerance" --results "$folder/results" "${written[@]}" || code=$?
    ;;
  *)
    [ -z "${SESSIONS:-}" ] || written+=(--sessions "$SESSIONS")
    "$kiln" gate --baseline "$baseline" --tolerance "$tolerance" "$current" "${written[@]}" || code=$?
    ;;
esac

# Those of folders. A table has none.
for side in "$current" "$baseline"; do
  [ -n "$side" ] || continue
  report=${side%%:*}/report.html
  [ ! -f "$report" ] || cp "$report" "$folder/$(basename "${side%%:*}").html"
done

case $code in
  0) verdict=pass ;;
  1) verdict=fail ;;
  4) verdict=inconclusive ;;
  5) verdict=under-powered ;;
  *) verdict=error ;;
esac
# A run that failed is no verdict.
[ -f "$folder/gate.json" ] || verdict=error
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'verdict=%s\n' "$verdict" >>"$GITHUB_OUTPUT"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f "$folder/gate.md" ] || cat "$folder/gate.md" >>"$GITHUB_STEP_SUMMARY"
case $code in
  4 | 5)
    [ -z "${GITHUB_ACTIONS:-}" ] || echo "::notice title=Kiln gate::$verdict: these runs cannot decide it, so it does not fail the build"
    exit 0
    ;;
esac
exit "$code"
