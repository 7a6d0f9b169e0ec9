#!/usr/bin/env bash
# How often do nights that differ by chance look like a change? Nights whose truth is known, judged by kiln compare, gate and
# history; prints Markdown.
# Usage: run.sh [SEED [PAIRS [HISTORIES [NIGHTS [CHANGE_AT]]]]]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
seed=${1:-1} pairs=${2:-400} histories=${3:-15} nights=${4:-100} at=${5:-40}
jdk=${JDK:-$("$root/kiln" --jdk-home)}
[ -f "$root/kiln-cli/target/kiln.jar" ] || { echo "build first: ./kiln --version" >&2; exit 3; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Its manifest names what it needs.
lib="$root/kiln-cli/target/kiln.jar"
"$jdk/bin/javac" -d "$work" -cp "$lib" "$here/Sessions.java"
printf 'Seed %s, %s pairs, %s histories of %s nights:\n\n' "$seed" "$pairs" "$histories" "$nights"
"$jdk/bin/java" --enable-native-access=ALL-UNNAMED -Dkiln.root="$root" -cp "$work:$lib" Sessions "$work" "$seed" "$pairs" "$histories" "$nights" "$at"
