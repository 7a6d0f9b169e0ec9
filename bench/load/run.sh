#!/usr/bin/env bash
# Kiln's load driver beside wrk, in turns, on two CPUs: the servers on the first, the driver under test on the second.
# Prints medians and ratios as Markdown. Usage: run.sh [rounds] [seconds]; 5 rounds of 4 s take about 3.5 minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

rounds=${1:-5}
seconds=${2:-4}
server_cpu=${SERVER_CPU:-0}
load_cpu=${LOAD_CPU:-1}
connections=100
jar=../../lab/target/kiln.jar

missing=()
for tool in wrk nginx taskset; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if ((${#missing[@]})); then
  echo "missing: ${missing[*]}; on Debian: apt-get install wrk nginx-light util-linux" >&2
  exit 3
fi
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
if ! "$java" --version 2>/dev/null | head -1 | grep -Eq ' (2[5-9]|[3-9][0-9])'; then
  echo "needs a JDK 25: set JAVA_HOME" >&2
  exit 3
fi
if [[ ! -f $jar ]]; then
  echo "build first: ./mvnw -pl lab -am package" >&2
  exit 2
fi

scratch=$(mktemp -d)
pids=()
stop() {
  for pid in "${pids[@]}"; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$scratch"
}
trap stop EXIT

# --- the servers -------------------------------------------------------------------------------------------------------------
is_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)) && is_open "$port"; do :; done
  echo "$port"
}
await_port() {
  for _ in $(seq 100); do
    is_open "$1" && return
    sleep 0.1
  done
  echo "nothing listens on port $1" >&2
  exit 3
}

nginx_port=$(free_port)
head -c 4900 /dev/zero | tr '\0' x >"$scratch/big.txt"
cat >"$scratch/nginx.conf" <<EOF
daemon off;
worker_processes 1;
pid $scratch/nginx.pid;
error_log $scratch/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path $scratch;
  proxy_temp_path $scratch;
  fastcgi_temp_path $scratch;
  uwsgi_temp_path $scratch;
  scgi_temp_path $scratch;
  server {
    listen 127.0.0.1:$nginx_port;
    root $scratch;
    location = /small { return 200 "Hello, kiln!"; }
  }
}
EOF
chmod 755 "$scratch"
taskset -c "$server_cpu" nginx -p "$scratch" -c "$scratch/nginx.conf" 2>"$scratch/nginx.out" &
pids+=($!)
await_port "$nginx_port"

delay_port=$(free_port)
taskset -c "$server_cpu" "$java" -XX:+UseSerialGC DelayServer.java "$delay_port" 33 12 >/dev/null &
pids+=($!)
await_port "$delay_port"

# --- the two drivers ---------------------------------------------------------------------------------------------------------
coproc DRIVER { exec "$java" -cp "$jar" Drive.java taskset -c "$load_cpu" 2>"$scratch/driver.err"; }
pids+=("$DRIVER_PID")
read -r ready <&"${DRIVER[0]}"
[[ $ready == ready ]]
grep WarmUp "$scratch/driver.err" >&2

# Both print: requests/s, CPU ns/request; the driver also its JIT share, errors and greatest lag in us.
with_driver() {
  echo "$1 $connections $2" >&"${DRIVER[1]}"
  read -r line <&"${DRIVER[0]}"
  echo "$line"
}
with_wrk() {
  local TIMEFORMAT='cpu %U %S'
  { time taskset -c "$load_cpu" wrk -t1 -c"$connections" -d"$2" "$1"; } 2>&1 | awk '
    /requests in/ { n = $1 } /^Requests\/sec/ { rate = $2 } /^cpu/ { cpu = $2 + $3 }
    END { printf "%.0f %.0f\n", rate, cpu * 1e9 / n }'
}

# --- A B A B -----------------------------------------------------------------------------------------------------------------
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
column() { awk -v c="$2" '{ print $c }' "$1"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

compare() {
  local name=$1 url=$2 time=$3 wrk=$scratch/wrk.txt kiln=$scratch/kiln.txt
  : >"$wrk" && : >"$kiln"
  for _ in $(seq "$rounds"); do
    with_wrk "$url" "$time" >>"$wrk"
    with_driver "$url" "$time" >>"$kiln"
  done
  local wrk_rate wrk_cpu kiln_rate kiln_cpu jit errors paired_rate paired_cpu
  wrk_rate=$(column "$wrk" 1 | median)
  wrk_cpu=$(column "$wrk" 2 | median)
  kiln_rate=$(column "$kiln" 1 | median)
  kiln_cpu=$(column "$kiln" 2 | median)
  jit=$(column "$kiln" 3 | sort -n | tail -1 | awk '{ printf "%.2f %%", $1 * 100 }')
  errors=$(column "$kiln" 4 | awk '{ s += $1 } END { print s }')
  paired_rate=$(paste -d' ' "$kiln" "$wrk" | awk '{ print $1 / $6 }' | median)
  paired_cpu=$(paste -d' ' "$kiln" "$wrk" | awk '{ print $2 / $7 }' | median)
  echo "| $name | $wrk_rate | $kiln_rate | $(ratio "$paired_rate" 1) | $wrk_cpu | $kiln_cpu | $(ratio "$paired_cpu" 1) | $jit | $errors |"
}

echo "| target | wrk req/s | Kiln req/s | ratio | wrk ns/req | Kiln ns/req | ratio | JIT, at most | errors |"
echo "|---|---|---|---|---|---|---|---|---|"
compare "nginx, 12-byte body, full speed" "http://127.0.0.1:$nginx_port/small" "$seconds"
compare "nginx, 4.9 KB body, full speed" "http://127.0.0.1:$nginx_port/big.txt" "$seconds"
compare "server with a delay, about 3,000 req/s" "http://127.0.0.1:$delay_port/" $((2 * seconds))
echo
echo "Medians of $rounds rounds; ratios are medians over rounds of Kiln / wrk, each pair run one after the other."
cat "$scratch/driver.err" >"${DRIVER_LOG:-/dev/null}"
