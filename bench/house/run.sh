#!/usr/bin/env bash
# Counts what makes the code of Kiln hard to change: sizes, names, comments, decisions on prose, and how far a change spreads.
# Prints Markdown. Exit status 1 where additions.tsv names a file that is not there.
# Usage: run.sh [--list KIND] [--commits NUMBER] [--log FILE]
#   --list KIND       prints each place of one kind instead, as file:line: comments, names, records, prose, spelling, long-files,
#                     long-methods, small-files, csv
#   --commits NUMBER  only so many of the newest commits
#   --log FILE        what ./mvnw verify printed, for its time
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
jdk=${JDK:-$("$root/kiln" --jdk-home)}
exec "$jdk/bin/java" -XX:+UseSerialGC "$root/bench/house/House.java" "$root" "$@"
