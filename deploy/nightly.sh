#!/usr/bin/env bash
# Runs an experiment once more, and renews the page of its trend: for a job that runs every night.
# Usage: deploy/nightly.sh EXPERIMENT.yaml RESULTS [OPTIONS of kiln run, such as --jdks 17,21,25]
# RESULTS keeps every night's folder, and trend.html over all of them. KILN is the command, else the one of this folder.
# Exit code: that of kiln run. A commit in COMMIT becomes a label of the night.
set -uo pipefail

if [ $# -lt 2 ]; then
  sed -n '3,5s/^# //p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
experiment=$1 results=$2
shift 2
kiln=${KILN:-$(dirname "${BASH_SOURCE[0]}")/../kiln}
before=$(ls "$results" 2>/dev/null)
"$kiln" run "$experiment" --results "$results" "$@"
code=$?
if [ -n "${COMMIT:-}" ]; then
  for folder in "$results"/*/; do
    name=$(basename "$folder")
    grep -qxF "$name" <<<"$before" || echo "commit=$COMMIT" >"$folder/labels.properties"
  done
fi
"$kiln" history "$results" --html "$results/trend.html" >"$results/trend.txt" || echo "the trend is as it was" >&2
exit "$code"
