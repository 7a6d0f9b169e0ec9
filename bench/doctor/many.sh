#!/usr/bin/env bash
# Whether the cost of watching every JVM of a machine grows with their number and no faster: 100, 300 and 1,000 JVMs, on a fake
# /proc in memory. Takes about a minute and a half and changes nothing.
# Usage: bench/doctor/many.sh [rounds] [jvms...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

rounds=${1:-3}
shift || true
[ $# -gt 0 ] || set -- 100 300 1000
jdk=$(./kiln --jdk-home)
work=$(mktemp -d /dev/shm/kiln-bench.XXXXXX)
trap 'rm -rf "$work"' EXIT
"$jdk/bin/java" -XX:+UseSerialGC -cp "kiln-cli/target/kiln.jar" bench/doctor/Many.java "$work" "$rounds" "$@"
