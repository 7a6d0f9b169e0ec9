#!/usr/bin/env bash
# Does a search find the cure that trying by hand finds? Each remedy of a starved C2 runs once by hand on services that Kiln's
# authors did not write; then kiln tune searches. Prints Markdown. Two CPUs, root; a service takes an hour and a half.
# Usage: run.sh [--from DIR] [--out DIR] [--searches 3] [--budget 20m] [--services A,B] [--get yes]   needs jq
#   --from DIR  where the services of bench/strangers are: NAME.jar, or the folder NAME (bench/strangers/from)
#   --get yes   first copies those that are missing from Maven's repository
#   --out DIR   where runs go and stay: what has a result there is not run again (bench/tune/out)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
from=$here/../strangers/from out=$here/out searches=3 budget=20m only=plantuml,wiremock,fuseki,zipkin,mockserver get=''
while [ $# -gt 0 ]; do
  case $1 in
    --from) from=$2 ;;
    --out) out=$2 ;;
    --searches) searches=$2 ;;
    --budget) budget=$2 ;;
    --services) only=$2 ;;
    --get) get=$2 ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
  shift 2
done
. "$here/../strangers/services.sh"
kiln=${KILN:-$root/kiln}
mkdir -p "$out"
# Of a variant: how long to 90 % of the peak, what the warm-up cost, the peak.
figures='[(.timeToReferencePeak["90"] // "-"), (.deficitSeconds // "-"), (.referencePeak.value // "-")]
  | map(if type == "number" then . * 10 | round / 10 else . end | tostring) | join(" | ")'

one() {
  local name=$1 coordinates=$2 hand=$out/$1-by-hand search found
  local common=("${request[@]}" --connections 50 --cpus target=0,load=1)
  [ -e "$hand.json" ] || "$kiln" run "${common[@]}" --protocol load=60s,pause=15s,load=20s --runs 1 --results "$hand" --json "$hand.json" \
    --with compiler-priority=compiler-priority --with xbatch=xbatch --with c1=tiered-stop-at-level:1 \
    --with four-compilers=ci-compiler-count:4 -- "${command[@]}" >"$hand.txt" 2>&1 || true
  printf '\n### %s (%s)\n\n| by hand | T90, s | warm-up cost, s | peak, req/s |\n|---|--:|--:|--:|\n' "$name" "$coordinates"
  jq -r ".variants[] | \"| \" + .name + \" | \" + (.runs[-1] | $figures) + \" |\"" "$hand.json"
  printf '\n| search | verdict | with | sentence |\n|--:|---|---|---|\n'
  for search in $(seq "$searches"); do
    found=$out/$name-$search
    [ -e "$found.json" ] || "$kiln" tune "${common[@]}" --budget "$budget" --results "$found" --json "$found.json" \
      -- "${command[@]}" >"$found.txt" 2>&1 || true
    jq -r "\"| $search | \" + .verdict + \" | \" + (.winner.name // \"-\") + \" | \" + .sentence + \" |\"" "$found.json"
  done
}

each_service one
