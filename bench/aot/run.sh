#!/usr/bin/env bash
# Is the answer of kiln aot check right? Good caches of three services must be accepted, and each planted mismatch be named.
# Usage: run.sh   needs jq; KILN and JDK name others than this tree's, OTHER_JDK another build of a JDK 25 or later.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
kiln=${KILN:-$root/kiln}
jdk=${JDK:-$("$root/kiln" --jdk-home)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
port=18473
export SERVER_PORT=$port QUARKUS_HTTP_PORT=$port RELAY_SERVICE=http://127.0.0.1:1

feature() {
  "$1/bin/java" -version 2>&1 | sed -n '1s/[^"]*"\([0-9]*\).*/\1/p'
}

train() { # cache, options and jar
  "$kiln" aot train --out "$1" --ready "port:$port" -- "${java:-$jdk/bin/java}" "${@:2}" >/dev/null 2>"$work/err" || cat "$work/err" >&2
}

asked=0 right=0
check() { # service, what was done, what must be told, options and jar
  local told
  told=$("$kiln" aot check --json - -- "$jdk/bin/java" "${@:4}" 2>/dev/null |
    jq -r 'if .accepted then ["accepted"] else [] end + [.reasons[].id] | join(" ")') || true
  asked=$((asked + 1))
  [ "$told" != "$3" ] || right=$((right + 1))
  printf '| %s | %s | %s | %s |\n' "$1" "$2" "${told:-nothing}" "$([ "$told" = "$3" ] && echo yes || echo "no: $3")"
}

echo "| service | done | told | right |"
echo "|---|---|---|---|"
for service in start-spring start-quarkus relay; do
  case $service in
    start-quarkus) jar=$root/workloads/$service/target/quarkus-app/quarkus-run.jar ;;
    *) jar=$root/workloads/$service/target/app/$service.jar ;;
  esac
  [ -e "$jar" ] || "$root/mvnw" -q -f "$root/workloads/$service/pom.xml" -DskipTests clean package
  for collector in Serial Parallel G1; do
    options=(-Xmx256m "-XX:+Use${collector}GC")
    train "$work/$service-$collector.aot" "${options[@]}" -jar "$jar"
    check $service "the same, $collector" accepted "-XX:AOTCache=$work/$service-$collector.aot" "${options[@]}" -jar "$jar"
  done
  train "$work/$service-jfr.aot" -Xmx256m -XX:+UseSerialGC --add-modules=jdk.jfr -jar "$jar"
  check $service "the same, with a recorder" accepted "-XX:AOTCache=$work/$service-jfr.aot" -Xmx256m -XX:+UseSerialGC \
    -XX:StartFlightRecording -jar "$jar"

  good=$work/$service-Serial.aot
  planted() { check $service "$1" "$2" "-XX:AOTCache=$good" -Xmx256m "${@:3}" -jar "$jar"; }
  planted "Z" pointers -XX:+UseZGC
  planted "compact headers" object-headers -XX:+UseSerialGC "-XX:$("$jdk/bin/java" -XX:+PrintFlagsFinal -version 2>/dev/null |
    awk '/UseCompactObjectHeaders/ {print $4 == "true" ? "-" : "+"}')UseCompactObjectHeaders"
  planted "alignment" alignment -XX:+UseSerialGC -XX:ObjectAlignmentInBytes=16
  planted "a module more" modules -XX:+UseSerialGC --add-modules=jdk.httpserver
  planted "--add-opens" modules -XX:+UseSerialGC --add-opens=java.base/java.lang=ALL-UNNAMED
  planted "a recorder" flight-recorder -XX:+UseSerialGC -XX:StartFlightRecording
  planted "an agent" agent -XX:+UseSerialGC -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0
  planted "no sharing" switched-off -XX:+UseSerialGC -Xshare:off
  planted "no cache wanted" no-cache -XX:+UseSerialGC -XX:AOTMode=off

  file() { check $service "$1" "$2" "-XX:AOTCache=$3" -Xmx256m -XX:+UseSerialGC -jar "$jar"; }
  head -c 5000000 "$good" >"$work/half.aot"
  file "cut off" damaged "$work/half.aot"
  cp "$good" "$work/flipped.aot"
  printf '\x55' | dd of="$work/flipped.aot" bs=1 seek=$(($(stat -c %s "$good") / 3)) conv=notrunc 2>/dev/null
  cmp -s "$good" "$work/flipped.aot" || file "a byte changed" damaged "$work/flipped.aot"
  head -c 100000 /dev/zero | tr "\0" x >"$work/text.aot"
  file "a text" no-cache-format "$work/text.aot"
  file "no file" no-file "$work/none.aot"
  if [ -n "${OTHER_JDK:-}" ]; then
    java=$OTHER_JDK/bin/java train "$work/$service-other.aot" -Xmx256m -XX:+UseSerialGC -jar "$jar"
    file "another JDK's" "$([ "$(feature "$jdk")" = "$(feature "$OTHER_JDK")" ] && echo jdk-build || echo no-cache-format)" \
      "$work/$service-other.aot"
  fi
  mkdir -p "$work/$service"
  cp -rp "$(dirname "$jar")/." "$work/$service/"
  touch "$work/$service/$(basename "$jar")"
  check $service "the jar is newer" changed-jar "-XX:AOTCache=$good" -Xmx256m -XX:+UseSerialGC -jar "$work/$service/$(basename "$jar")"
done
echo
echo "$right of $asked answers are right ($("$jdk/bin/java" --version | head -1))."
[ "$right" = "$asked" ]
