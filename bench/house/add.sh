#!/usr/bin/env bash
# Adds one of each kind that add/ has to a copy of the main code, compiles all of it, and looks whether the program has each.
# Prints Markdown: the files that each touched. Exit status 1 where one touches more than additions.tsv says, or is not there.
# Usage: add.sh
#   JDK=FOLDER   compiles and runs (the one that ./kiln finds)
#   LIBS=FOLDER  has Kiln's libraries (those that ./kiln has put together)
# A kind is a folder of add/. Its lines.tsv says what is touched: a new file, a line after another, or a text in place of one.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
jdk=${JDK:-$("$root/kiln" --jdk-home)}
libs=${LIBS:-$root/kiln-cli/target/lib}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/kiln
modules='verdict watch load lab kiln-cli'
kinds='command engine format cause metric modifier-of-flags output-form'

for module in $modules; do
  mkdir -p "$copy/$module/src"
  cp -R "$root/$module/src/main" "$copy/$module/src/main"
done
index() { git -C "$copy" -c user.name=add -c user.email=add@localhost -c core.autocrlf=false "$@"; }
index init -q
index add -A
index commit -q -m before

# Puts $3 after the first line of file $2 that begins with $1.
after() {
  AT=$1 TEXT=$3 awk '{ print } !done && index($0, ENVIRON["AT"]) == 1 { print ENVIRON["TEXT"]; done = 1 }
    END { exit !done }' "$2" >"$work/changed" || return 1
  cat "$work/changed" >"$2"
}

# Puts $3 in place of the first $1 in file $2.
replace() {
  AT=$1 TEXT=$3 awk '{ at = done ? 0 : index($0, ENVIRON["AT"]) }
    at { $0 = substr($0, 1, at - 1) ENVIRON["TEXT"] substr($0, at + length(ENVIRON["AT"])); done = 1 } { print }
    END { exit !done }' "$2" >"$work/changed" || return 1
  cat "$work/changed" >"$2"
}

failed=
fail() {
  echo "add.sh: $*" >&2
  failed=yes
}

add() { # what is touched, from the lines of standard input
  local what file at text
  while IFS=$'\t' read -r what file at text; do
    case $what in
      '#'*) ;;
      new) cp "$here/add/$kind/$at" "$copy/$file" ;;
      after | replace) "$what" "$at" "$copy/$file" "${text//\\n/$'\n'}" || fail "$kind: $file has no '$at'" ;;
      *) fail "$kind: lines.tsv says '$what', expected new, after or replace" ;;
    esac
  done
}

printf '| to add | files | of these, new | lines in the others | listed | which |\n|---|--:|--:|--:|--:|---|\n'
for kind in $kinds; do
  add <"$here/add/$kind/lines.tsv"
  index add -A
  name=${kind//-/ }
  touched=$(index diff --cached --name-only | wc -l)
  new=$(index diff --cached --name-only --diff-filter=A | wc -l)
  lines=$(index diff --cached --numstat --diff-filter=M | awk '{ sum += $1 } END { print sum + 0 }')
  which=$(index diff --cached --name-only | sed 's|.*/||' | sort | paste -sd, | sed 's/,/, /g')
  listed=$(awk -F'\t' -v name="$name" '$1 == name' "$here/additions.tsv" | wc -l)
  echo "| $name | $touched | $new | $lines | $listed | $which |"
  [ "$touched" -le "$listed" ] || fail "$name touches $touched files, and additions.tsv lists $listed"
  index commit -q -m "$name"
done
[ -z "$failed" ] || exit 1

jars=$(find "$libs" -name '*.jar' ! -name 'kiln-*.jar' | paste -sd:)
find "$copy" -name '*.java' >"$work/sources"
"$jdk/bin/javac" -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -proc:none -parameters -nowarn -Xlint:none \
  -d "$work/classes" -cp "$jars" @"$work/sources"

# What the build generates comes from Kiln's own jars, behind the copy's classes.
path=$work/classes
for module in $modules; do path=$path:$copy/$module/src/main/resources; done
path=$path:$jars:$(find "$libs" -name 'kiln-*.jar' | paste -sd:)
run() {
  "$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED "-Dkiln.root=$root" \
    -cp "$path" dev.kiln.cli.Main "$@" 2>&1
}

# Looks for $2 in what the program prints; $1 is what was added.
shows() {
  local kind=$1 text=$2 printed
  shift 2
  printed=$(run "$@") || fail "$kind: $* ended with $?"
  if [[ $printed == *"$text"* ]]; then
    echo "- $kind: \`$*\` prints \`$text\`"
  else
    fail "$kind: $* does not print '$text'. It printed:"$'\n'"$printed"
  fi
}

cd "$work"
# 100 requests a second for 40 s; each tenth takes 30 ms, the others 5.
awk 'BEGIN { print "starttime\tseconds\tctime\tdtime\tttime\twait"
  for (i = 0; i < 4000; i++) { ms = i % 10 ? 5 : 30
    printf "x\t%d\t0\t%d\t%d\t%d\n", 1750000000 + int(i / 100), ms, ms, ms } }' >ab.tsv
cat >experiment.yaml <<'YAML'
target: {command: java -jar app.jar}
load: {url: "http://localhost:8080/", engine: ab}
protocol: load=2s
variants:
  plain: {}
  slow: {with: interpreted}
YAML
: >app.jar
echo
shows command 'Lists the metrics' metrics --help
shows engine 'sent by ab' plan experiment.yaml
shows format 'imported from ab' import ab.tsv --results results
shows cause '"kernel-time"' explain results/* --json
shows metric 'p99-to-p50' metrics
shows metric '1,p99-to-p50,,6.0' history results --csv
shows 'modifier of flags' '-Xint' plan experiment.yaml
run history results --markdown history.md >printed || fail "output form: history ended with $?: $(cat printed)"
if grep -qs '^| imported |.*| p99 over p50 |' history.md; then
  echo "- output form: \`history results --markdown history.md\` writes a row for each series"
else
  fail "output form: history wrote no such table: $(cat history.md)"
fi
[ -z "$failed" ] || exit 1
