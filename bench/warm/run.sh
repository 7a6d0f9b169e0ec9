#!/usr/bin/env bash
# How much of its peak a service serves in the first 30 s of full load, after kiln warm and without it.
#   bench/warm/run.sh [TRIALS]
# Spring Boot on CPU 0; PostgreSQL, kiln and wrk on CPU 1. Needs wrk, PostgreSQL's server, and the service built:
# ./kiln run experiments/first-look.yaml --runs 1 builds Quarkus, and mvn in workloads/fruits-spring builds this one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
trials=${1:-10}
java=$(./kiln --jdk-home)/bin/java
work=$(mktemp -d)
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$work"
  as=(runuser -u postgres --)
fi
pid=
end() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  "${as[@]}" "$bin/pg_ctl" -D "$work/pg" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT

[ -f workloads/fruits-spring/target/app/fruits-spring.jar ] ||
  (cd workloads/fruits-spring && mvn -q -DskipTests clean package)
"${as[@]}" "$bin/initdb" -D "$work/pg" -U postgres -A trust >/dev/null
taskset -c 1 "${as[@]}" "$bin/pg_ctl" -D "$work/pg" -w -l "$work/pg.log" \
  -o "-p 54329 -k $work -c fsync=off -c listen_addresses=127.0.0.1" start >/dev/null
"${as[@]}" "$bin/createdb" -h 127.0.0.1 -p 54329 -U postgres fruits
"${as[@]}" "$bin/psql" -q -h 127.0.0.1 -p 54329 -U postgres fruits <workloads/fruits.sql >/dev/null

export SERVER_PORT=18099 SPRING_DATASOURCE_USERNAME=postgres SPRING_DATASOURCE_PASSWORD=x
export SPRING_DATASOURCE_URL=jdbc:postgresql://127.0.0.1:54329/fruits
url=http://127.0.0.1:18099/fruits
load() { taskset -c 1 wrk -t1 -c50 -d"$1" --timeout 10s "$url" | awk '/Requests\/sec/ { print $2 }'; }

one() {
  local first next third peak
  (cd workloads/fruits-spring && exec taskset -c 0 "$java" -Xmx512m -XX:+UseSerialGC -jar target/app/fruits-spring.jar) >"$work/app.log" 2>&1 &
  pid=$!
  until curl -sf -o /dev/null "$url"; do sleep 0.2; done
  [ "$1" = cold ] || taskset -c 1 ./kiln warm "$pid" --url "$url" | head -1
  first=$(load 10s) next=$(load 10s) third=$(load 10s)
  load 20s >/dev/null
  sleep 8
  peak=$(load 12s)
  awk -v a="$first" -v b="$next" -v c="$third" -v p="$peak" -v how="$1" \
    'BEGIN { printf "%s: 0-10 s %.0f, 10-20 s %.0f, 20-30 s %.0f, peak %.0f requests/s; first 30 s over peak %.2f\n", how, a, b, c, p, (a + b + c) / 3 / p }'
  kill "$pid"
  wait "$pid" 2>/dev/null || true
  pid=
}

one cold
for ((i = 0; i < trials; i++)); do one warm; done
