#!/usr/bin/env bash
# What does Kiln say of services that its authors did not write? Runs each of services.tsv once, with the command of its own
# documentation, and prints Markdown. pidstat looks at the same threads. Two CPUs, root; a service takes five minutes.
# Usage: run.sh [--from DIR] [--out DIR] [--services A,B] [--protocol P] [--cpus C] [--get yes]   needs jq, pidstat
#   --from DIR  where the services are: NAME.jar, or a folder NAME with the unpacked distribution (bench/strangers/from)
#   --get yes   first copies those that are missing from Maven's repository
#   --out DIR   where runs go and stay: what has a result there is not run again (bench/strangers/out)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
from=$here/from out=$here/out only='' protocol=load=240s,pause=15s,load=20s cpus=target=0,load=1 get=''
while [ $# -gt 0 ]; do
  case $1 in
    --from) from=$2 ;;
    --out) out=$2 ;;
    --services) only=$2 ;;
    --protocol) protocol=$2 ;;
    --cpus) cpus=$2 ;;
    --get) get=$2 ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
  shift 2
done
. "$here/services.sh"
kiln=${KILN:-$root/kiln}
mkdir -p "$out"

one() {
  local name=$1 result=$out/$1.json looks
  if [ ! -e "$result" ]; then
    pidstat -t -u -w -G java 10 >"$out/$name.pidstat" &
    looks=$!
    "$kiln" run "${request[@]}" --connections 50 --cpus "$cpus" --protocol "$protocol" --runs 1 --results "$out/$name" --json "$result" \
      -- "${command[@]}" >"$out/$name.txt" 2>&1 || true
    kill "$looks" || true
  fi
  [ -e "$result" ] || { echo "| $name | | | | $(tail -1 "$out/$name.txt") | | |"; return; }
  jq -r --arg name "$name" '.variants[0].runs[-1] |
    def tenths: if . == null then "-" else . * 10 | round / 10 | tostring end;
    def time: if . == null then "-" else "\(.seconds | tenths) (\(.lo | tenths) to \(.hi | tenths))" end;
    "| \($name) | \(.timeToReferencePeakInterval["90"] | time)"
      + " | \(.endOverPeak | if . == null then "-" else "\(.ratio) (\(.lo) to \(.hi))" end)"
      + " | \(.referencePeak.value | tenths) | \(.verdict)"
      + " | \([.findings[]? | select(.state == "held") | .id + (if .explains == [] then " (as much at the peak)" else "" end)] | join(", ")) | \(.invalidReasons | join("; ")) |"' "$result"
}

echo '| service | T90, s | end over peak | peak, req/s | verdict | causes, the largest first | not valid because |'
echo '|---|---|---|--:|---|---|---|'
each_service one
