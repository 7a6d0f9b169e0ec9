#!/usr/bin/env bash
# How often is an analysis wrong? Series whose truth is known, judged by kiln analyze and by its rivals; prints Markdown.
# Usage: run.sh [--wider | --held-out] [--no-rivals] [--first-edition DIR] [--keep DIR] [SEED [COUNT]]
#        run.sh --known [--wider | --held-out] [SEED [COUNT]]
#        run.sh --known FILE.csv... | FOLDER...
#        run.sh --search [SEED [SESSIONS]] | FOLDER...
#        run.sh --labelled DIR [--keep DIR] [SEED]
#        run.sh --corpus
#   --wider              shapes off the usual road: a rate, outages after the pause, batches, falls, loads of an hour
#   --held-out           other shapes, which no constant may be fitted to
#   --first-edition DIR  a built checkout of Kiln before the second edition of its analysis, as a rival
#   --known              cuts each series where until-known ends the load, and compares both; files are judged as if C2
#                        were quiet throughout, folders of recorded runs by what C1 and C2 did in them
#   --search             searches for the peak of simulated services, five runs a session, by the rule of before and by today's;
#                        searches of recorded runs are judged anew after each of their rounds
#   --keep DIR           writes series, truth and answers there instead of to a folder that goes
#   --labelled DIR       holds Kiln against the labels of public JMH series in place of all that. DIR has clones of two public
#                        repositories of SEALABQualityGroup, in folders of their names: icpe-data-challenge-jmh, steady-state.
#                        --keep gets every fork, a hundred disagreements that SEED draws, and their plots
#   --corpus             holds Kiln against what two readers saw in the recorded warm-ups of bench/corpus, each service left out in turn
# Exit status 1 where Kiln misses a bound (RESULTS.md, docs/reference/statistics.md). Real series with labels by hand, real/*.csv
# and real/truth.json, are judged after the others.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
shapes= rivals="cov-2 cov-5 rciw kld e-divisive" first= work= known= search= labelled= recorded=
while [[ ${1:-} == --* ]]; do
  case $1 in
    --held-out) shapes=held-out ;;
    --wider) shapes=wider ;;
    --no-rivals) rivals= ;;
    --known) known=1 ;;
    --search) search=1 ;;
    --first-edition) first=$2; shift ;;
    --keep) work=$2; shift ;;
    --labelled) labelled=$2; shift ;;
    --corpus) recorded=1 ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
  shift
done
if [ -n "$recorded" ]; then
  . "$root/bench/corpus/corpus.sh"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  unpack_corpus "$work/corpus"
  compile_corpus "$work/classes"
  kiln_says "$root/bench/corpus/labels.tsv" "$work/corpus"
  exit
fi
seed=${1:-1}
count=${2:-1600}
kiln=${KILN:-$root/kiln}
jdk=${JDK:-$("$root/kiln" --jdk-home)}
[ -d "$root/kiln-cli/target/lib" ] || { echo "build first: ./kiln --version" >&2; exit 3; }
[ -n "$work" ] || { work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; }
mkdir -p "$work/classes"
lib="$root/kiln-cli/target/lib/*"
if [ -n "$labelled" ]; then
  for need in icpe-data-challenge-jmh/timeseries steady-state/data/classification; do
    [ -d "$labelled/$need" ] || { echo "$labelled has no $need: clone both repositories into it" >&2; exit 2; }
  done
  "$jdk/bin/javac" -d "$work/classes" -cp "$root/kiln-cli/target/kiln.jar:$lib" "$here"/Labelled*.java
  "$jdk/bin/java" --enable-native-access=ALL-UNNAMED -cp "$work/classes:$root/kiln-cli/target/kiln.jar:$lib" \
    Labelled "$labelled" "$work" "$seed"
  exit
fi
tests="$root/verdict/src/test/java/dev/kiln/stats"
"$jdk/bin/javac" -d "$work/classes" -cp "$lib" "$tests"/{TruthSeries,TruthFamilies,WiderFamilies}.java \
  "$here"/{Simulate,HeldOut,Score,Rivals,Windows,Divisive,Known,Search}.java

if [ -n "$search" ]; then
  case $seed in
    *[!0-9]*) search_args=("$@") ;;
    *) search_args=("$seed" "${2:-200}") ;;
  esac
  "$jdk/bin/java" -cp "$work/classes:$lib" Search "${search_args[@]}"
  exit
fi

if [ -n "$known" ]; then
  case $seed in
    *[!0-9]*) known_args=("$@") ;;
    *) known_args=("$seed" "$count" $shapes) ;;
  esac
  "$jdk/bin/java" -cp "$work/classes:$lib" Known "${known_args[@]}"
  exit
fi

judged() { # folder: answers of all, then their scores
  local folder=$1 answers=$work/answers.${1##*/} scored rival
  mkdir -p "$answers"
  "$kiln" analyze "$folder"/*.csv --json - >"$answers/kiln.json" || return
  scored=("Kiln=$answers/kiln.json")
  for rival in $rivals; do
    "$jdk/bin/java" -cp "$work/classes:$lib" Rivals "$rival" "$folder"/*.csv >"$answers/$rival.json" || return
    scored+=("$rival=$answers/$rival.json")
  done
  if [ -n "$first" ]; then
    "$jdk/bin/java" -cp "$first/lab/target/classes:$first/lab/target/lib/*" "$here/FirstEdition.java" \
      "$folder"/*.csv >"$answers/first.json" || return
    scored+=("first edition=$answers/first.json")
  fi
  "$jdk/bin/java" -cp "$work/classes:$lib" Score "$folder" "${scored[@]}"
}

[ -n "$first" ] || echo "The first edition is left out: name a built checkout with --first-edition." >&2
case $shapes in held-out) title='Held-out shapes, ' ;; wider) title='Shapes off the road, ' ;; *) title= ;; esac
printf '%sseed %s, %s series:\n\n' "$title" "$seed" "$count"
"$jdk/bin/java" -cp "$work/classes:$lib" Simulate "$seed" "$count" "$work/series" $shapes
status=0
judged "$work/series" || status=1
if [ -e "$here/real/truth.json" ]; then
  printf '\nRecorded runs, labelled by hand:\n\n'
  # So few curves of a noisy machine cannot meet a bound on the share without a verdict: they are shown, and decide nothing.
  judged "$here/real" || true
fi
exit $status
