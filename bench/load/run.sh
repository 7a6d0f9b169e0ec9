#!/usr/bin/env bash
# Kiln's load driver beside wrk and h2load, in turns, on two CPUs: the servers on the first, the driver under test on the
# second. Prints medians and ratios as Markdown. Usage: run.sh [rounds] [seconds]; 5 rounds of 4 s take about 8 minutes.
# run.sh ramps [seconds]: whether a rate that changes is sent as asked, second by second; exit code 1 where one is not.
# run.sh loops [rounds] [seconds]: one event loop beside two. On two CPUs the server would be the limit, so each loop gets a
# fifth of a CPU from a cgroup: they are slow CPUs, and the server is a fast one. Needs root and cgroups of version 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

only=
case ${1:-} in
  ramps | loops)
    only=$1
    shift
    ;;
esac
ramp_seconds=${1:-20}
rounds=${1:-5}
seconds=${2:-4}
server_cpu=${SERVER_CPU:-0}
load_cpu=${LOAD_CPU:-1}
jar=../../kiln-cli/target/kiln.jar

missing=()
tools=(nginx openssl taskset)
[[ $only == ramps ]] || tools+=(wrk h2load)
for tool in "${tools[@]}"; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if ((${#missing[@]})); then
  echo "missing: ${missing[*]}; on Debian: apt-get install wrk nghttp2-client nginx-light openssl util-linux" >&2
  exit 3
fi
java=$(../../kiln --jdk-home)/bin/java # builds if need be

scratch=$(mktemp -d)
pids=()
slow=()
stop() {
  for pid in "${pids[@]}"; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$scratch"
  # The drivers end once their input does.
  for group in "${slow[@]}"; do
    for _ in $(seq 50); do
      rmdir "$group" 2>/dev/null && break
      sleep 0.1
    done
  done
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
tls_port=$(free_port)
h2_port=$(free_port)
h2c_port=$(free_port)
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost \
  -keyout "$scratch/key.pem" -out "$scratch/cert.pem" 2>"$scratch/openssl.out"
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
  # One cipher for all clients, or the comparison would be of ciphers.
  ssl_certificate $scratch/cert.pem;
  ssl_certificate_key $scratch/key.pem;
  ssl_protocols TLSv1.3;
  ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;
  server {
    listen 127.0.0.1:$nginx_port;
    listen 127.0.0.1:$tls_port ssl;
    listen 127.0.0.1:$h2_port ssl http2;
    listen 127.0.0.1:$h2c_port http2;
    root $scratch;
    location = /small { return 200 "Hello, kiln!"; }
    location = /login {
      default_type application/json;
      add_header Set-Cookie "sid=\$request_id; Path=/";
      return 200 '{"user":"u-17","token":"\$request_id"}';
    }
    location = /item { return 200 "Hello, kiln!"; }
    location = /logout { return 200 "Hello, kiln!"; }
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
coproc DRIVER { exec "$java" -Dkiln.driver.aot="$scratch/driver.aot" -cp "$jar" Drive.java taskset -c "$load_cpu" 2>"$scratch/driver.err"; }
pids+=("$DRIVER_PID")
read -r ready <&"${DRIVER[0]}"
[[ $ready == ready ]]

# All print: requests/s, CPU ns/request; the driver also its JIT share, errors and greatest lag in us.
with_driver() {
  echo "$*" >&"${DRIVER[1]}"
  read -r line <&"${DRIVER[0]}"
  echo "$line"
}
with_wrk() {
  local TIMEFORMAT='cpu %U %S'
  { time taskset -c "$load_cpu" wrk -t1 -c"$2" -d"$3" "$1"; } 2>&1 | awk '
    /requests in/ { n = $1 } /^Requests\/sec/ { rate = $2 } /^cpu/ { cpu = $2 + $3 }
    END { printf "%.0f %.0f\n", rate, cpu * 1e9 / n }'
}
with_h2load() {
  local TIMEFORMAT='cpu %U %S'
  { time taskset -c "$load_cpu" h2load -t1 -c"$2" -D"$3" -m"${4#streams=}" "$1"; } 2>&1 | awk '
    /^requests:/ { n = $8 } /^finished in/ { rate = $4 } /^cpu/ { cpu = $2 + $3 }
    END { printf "%.0f %.0f\n", rate, cpu * 1e9 / n }'
}

# --- ramps -------------------------------------------------------------------------------------------------------------------
# A second counts from 100 requests on: of fewer, one is over a per cent.
ramp() {
  local name=$1
  shift
  echo "## $name"
  # Not in a pipe: a subshell does not have the driver's lines.
  with_driver "$@" >"$scratch/seconds.txt"
  tr ' ' '\n' <"$scratch/seconds.txt" | awk -F: '
    BEGIN { print "| second | asked | sent | deviation |"; print "|---|---|---|---|" }
    {
      d = $1 ? ($2 - $1) / $1 * 100 : 0
      printf "| %d | %d | %d | %+.2f %% |\n", NR - 1, $1, $2, d
      if ($1 >= 100) { counted++; if (d < 0) d = -d; if (d > most) most = d }
    }
    END {
      kept = counted && most <= 1
      printf "\nGreatest deviation of the %d seconds with at least 100 requests: %.2f %%: %s\n\n", counted, most, kept ? "kept" : "missed"
      exit !kept
    }'
}
if [[ $only == ramps ]]; then
  plain=http://127.0.0.1:$nginx_port
  kept=0
  ramp "ramp=0-2000rps/${ramp_seconds}s" "$plain/small" 100 "$ramp_seconds" ramp=0-2000 || kept=1
  ramp "ramp=2000-0rps/${ramp_seconds}s" "$plain/small" 100 "$ramp_seconds" ramp=2000-0 || kept=1
  ramp "steps=500-2000rps/4x$((ramp_seconds / 4))s" "$plain/small" 100 "$((ramp_seconds / 4 * 4))" steps=500-2000/4 || kept=1
  ramp "ramp=0-2000rps/${ramp_seconds}s over HTTP/2" "https://127.0.0.1:$h2_port/small" 10 "$ramp_seconds" streams=10 ramp=0-2000 || kept=1
  cat "$scratch/driver.err" >"${DRIVER_LOG:-/dev/null}"
  exit $kept
fi

# --- A B A B -----------------------------------------------------------------------------------------------------------------
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
column() { awk -v c="$2" '{ print $c }' "$1"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

# Name, the other tool, and what both are told.
compare() {
  local name=$1 peer=$2 other=$scratch/other.txt kiln=$scratch/kiln.txt
  shift 2
  : >"$other" && : >"$kiln"
  for _ in $(seq "$rounds"); do
    "with_$peer" "$@" >>"$other"
    with_driver "$@" >>"$kiln"
  done
  row "$name" "$peer" "$other" "$kiln"
}
# Kiln's driver beside itself: name, what the other is, a word for each, and what both are told.
compare_itself() {
  local name=$1 peer=$2 one=$scratch/other.txt two=$scratch/kiln.txt words=("$3" "$4")
  shift 4
  : >"$one" && : >"$two"
  for _ in $(seq "$rounds"); do
    with_driver "$@" ${words[0]} >>"$one"
    with_driver "$@" ${words[1]} >>"$two"
  done
  row "$name" "itself, $peer" "$one" "$two"
}
# The loops that there are get a fifth of a CPU each. One that a session adds inherits from the thread that makes it.
slow_loops() {
  local pid tid group
  for pid in $(pgrep -P "$DRIVER_PID"); do
    for group in first other; do
      slow+=("/sys/fs/cgroup/cpu/kiln-bench-$pid-$group")
      mkdir "${slow[-1]}"
      echo 10000 >"${slow[-1]}/cpu.cfs_period_us"
      echo 2000 >"${slow[-1]}/cpu.cfs_quota_us"
    done
    echo "$pid" >"${slow[-1]}/cgroup.procs"
    for tid in /proc/"$pid"/task/*; do
      case $(<"$tid/comm") in
        kiln-load) echo "${tid##*/}" >"${slow[-2]}/tasks" ;;
        # Or they would take the second loop's time.
        C[12]* | GC* | VM*) echo "${tid##*/}" >/sys/fs/cgroup/cpu/tasks ;;
      esac
    done
  done
}
row() {
  local jit errors paired_rate paired_cpu
  jit=$(column "$4" 3 | sort -n | tail -1 | awk '{ printf "%.2f %%", $1 * 100 }')
  errors=$(column "$4" 4 | awk '{ s += $1 } END { print s }')
  paired_rate=$(paste -d' ' <(cut -d' ' -f1,2 "$4") "$3" | awk '{ print $1 / $3 }' | median)
  paired_cpu=$(paste -d' ' <(cut -d' ' -f1,2 "$4") "$3" | awk '{ print $2 / $4 }' | median)
  echo "| $1 | $2 | $(column "$3" 1 | median) | $(column "$4" 1 | median) | $(ratio "$paired_rate" 1) |" \
    "$(column "$3" 2 | median) | $(column "$4" 2 | median) | $(ratio "$paired_cpu" 1) | $jit | $errors |"
}

echo "| target | peer | its req/s | Kiln req/s | ratio | its ns/req | Kiln ns/req | ratio | JIT, at most | errors |"
echo "|---|---|---|---|---|---|---|---|---|---|"
plain=http://127.0.0.1:$nginx_port
tls=https://127.0.0.1:$tls_port
if [[ $only == loops ]]; then
  if [[ ! -w /sys/fs/cgroup/cpu/cpu.shares ]]; then
    echo "needs root and the CPU controller of cgroups version 1" >&2
    exit 3
  fi
  one="cpus=$load_cpu" two="cpus=$server_cpu,$load_cpu" h2=https://127.0.0.1:$h2_port
  # Each driver warms up with all of its CPUs.
  for words in "$plain/small 100 1" "$tls/small 100 1" "$h2/small 10 1 streams=10" "$plain/small 100 1 feed"; do
    with_driver $words "$one" >/dev/null
    with_driver $words "$two" >/dev/null
  done
  slow_loops
  compare_itself "two event loops, 12-byte body" "one event loop" "$one" "$two" "$plain/small" 100 "$seconds"
  compare_itself "two event loops, TLS 1.3" "one event loop" "$one" "$two" "$tls/small" 100 "$seconds"
  compare_itself "two event loops, HTTP/2, 10 connections of 10 streams" "one event loop" "$one" "$two" "$h2/small" 10 "$seconds" streams=10
  compare_itself "two event loops, feed" "one event loop" "$one" "$two" "$plain/small" 100 "$seconds" feed
  grep -o "loops=\[[0-9., ]*\]" "$scratch/driver.err" | sort | uniq -c | sort -rn | head -20
  exit
fi
compare "12-byte body" wrk "$plain/small" 100 "$seconds"
compare "4.9 KB body" wrk "$plain/big.txt" 100 "$seconds"
compare "server with a delay, about 3,000 req/s" wrk "http://127.0.0.1:$delay_port/" 100 $((2 * seconds))
compare "TLS 1.3, 12-byte body" wrk "$tls/small" 100 "$seconds"
compare "TLS 1.3, 4.9 KB body" wrk "$tls/big.txt" 100 "$seconds"
compare "HTTP/2 over TLS, 10 connections of 10 streams" h2load "https://127.0.0.1:$h2_port/small" 10 "$seconds" streams=10
compare "HTTP/2 over TLS, 10 connections of 100 streams" h2load "https://127.0.0.1:$h2_port/small" 10 "$seconds" streams=100
compare "HTTP/2 in plain text, 10 connections of 100 streams" h2load "http://127.0.0.1:$h2c_port/small" 10 "$seconds" streams=100
compare_itself "feed, HTTP/1.1" "fixed requests" "" feed "$plain/small" 100 "$seconds"
compare_itself "feed, HTTP/2 over TLS, 10 connections of 100 streams" "fixed requests" "" feed "https://127.0.0.1:$h2_port/small" 10 "$seconds" streams=100
compare_itself "session of three calls, HTTP/1.1" "a mix of the same" calls session "$plain" 100 "$seconds"
compare_itself "session of three calls, HTTP/2 over TLS, 10 connections of 100 streams" "a mix of the same" calls session "https://127.0.0.1:$h2_port" 10 "$seconds" streams=100
echo
echo "Medians of $rounds rounds; ratios are medians over rounds of Kiln / peer, each pair run one after the other."
grep -o '\[[A-Z0-9, ]*\] \[[0-9, ]*\] WarmUp.*' "$scratch/driver.err" | sed 's/^/- /'
cat "$scratch/driver.err" >"${DRIVER_LOG:-/dev/null}"
