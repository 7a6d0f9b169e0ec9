#!/usr/bin/env bash
# Adds recorded runs to the corpus: each is thinned to what verdicts, C2's starvation and forecasts need, and stays only if Kiln says the
# same of it as of the whole run. Prints what Kiln says, and what the corpus takes.
# Usage: add.sh SERVICE=RUN...   needs jq, xz and a build: ./kiln --version
#   RUN  the folder of one run of a JVM that Kiln launched here, such as results/run-20260102-030405/baseline/1
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/corpus.sh"
most=$((5 * 1024 * 1024))

[ $# -gt 0 ] || { echo "usage: bench/corpus/add.sh SERVICE=RUN..." >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
all=$work/all
mkdir "$all"
[ ! -e "$corpus" ] || unpack_corpus "$all"
compile_corpus "$work/classes"

table() { # from, to, file, columns in ns, ns between rows, column of a role
  [ ! -e "$1/$3" ] ||
    awk -F, -v OFS=, -v ns="$4" -v every="${5:-0}" -v role="${6:-0}" -f "$here/thin.awk" "$1/$3" "$1/$3" >"$2/$3"
}

thin() { # the run's folder, where to, its name
  mkdir -p "$2"
  jq --arg name "$3" -f "$here/thin.jq" "$1/run.json" >"$2/run.json"
  table "$1" "$2" load.csv 12
  table "$1" "$2" threads.csv "1 5 6" 0 4
  table "$1" "$2" compiler.csv "1 4" 450000000
  table "$1" "$2" jit.csv 1
  table "$1" "$2" cpus.csv 1
  table "$1" "$2" parts.csv "1 3 4"
  table "$1" "$2" cgroup.csv "1 4"
}

platform() { # of a run.json: CPUs or quota, and JDK
  jq -r '.host.cpus as $host | (if .treatment.limits.cpus then "quota\(.treatment.limits.cpus)" 
    else "\(.cpus.target // [] | length | if . == 0 then $host else . end)cpu" end)
    + "-jdk" + (.jvm.version | ltrimstr("1.") | split(".")[0] | split("+")[0])' "$1"
}

for argument; do
  service=${argument%%=*} run=${argument#*=}
  [[ $argument == *=* && $service =~ ^[a-z0-9-]+$ ]] || { echo "found $argument, expected SERVICE=RUN with a service in small letters" >&2; exit 2; }
  [ -e "$run/run.json" ] || { echo "$run has no run.json: name the folder of one run" >&2; exit 2; }
  kind=$service/$(platform "$run/run.json")
  number=1
  while [ -e "$all/$kind-$number" ]; do number=$((number + 1)); done
  name=$kind-$number to=$all/$kind-$number/baseline/1
  thin "$run" "$to" "$name"
  for other in "$all/$service"/*/baseline/1; do
    [ "$other" = "$to" ] || ! cmp -s "$other/load.csv" "$to/load.csv" || { echo "$run is in the corpus already, as ${other#"$all/"}" >&2; exit 2; }
  done
  whole=$(kiln_says "$run")
  says=$(kiln_says "$to")
  [ "$whole" = "$says" ] || { printf '%s does not come to the same once it is thinned:\n  %s\n  %s\n' "$run" "$whole" "$says" >&2; exit 1; }
  [[ $says != invalid* ]] || { echo "$run is not valid: $says" >&2; exit 1; }
  echo "$name: $says"
done

tar --sort=name --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$all" -cf - . | xz -9e -T1 >"$work/corpus.tar.xz"
size=$(wc -c <"$work/corpus.tar.xz")
runs=$(find "$all" -name run.json | wc -l)
[ "$size" -le $most ] || { echo "the corpus would take $size bytes, and at most $most are wanted: nothing was added" >&2; exit 1; }
cp "$work/corpus.tar.xz" "$corpus"
echo "$runs runs of $(ls "$all" | wc -l) services take $size bytes, $((size / runs)) each. Label what is new in bench/corpus/labels.tsv."
