#!/usr/bin/env bash
# Opens a report of 12 variants x 5 runs x 180 s, and the same data in a plain uPlot page, by turns in headless Chromium.
# Takes about a minute. Usage: bench/report/run.sh [rounds]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

rounds=${1:-5}
classes="kiln-cli/target/test-classes:watch/target/test-classes:verdict/target/test-classes:kiln-cli/target/kiln.jar"
uplot=1.6.32

missing=()
for tool in npm node; do command -v "$tool" >/dev/null || missing+=("$tool"); done
command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
if ((${#missing[@]})); then
  echo "missing: ${missing[*]}; on Debian: apt-get install chromium npm" >&2
  exit 3
fi
[ -d kiln-cli/target/test-classes ] && [ -d kiln-cli/target/lib ] || { echo "build first: ./mvnw -q -pl kiln-cli -am package" >&2; exit 3; }
java=$(./kiln --jdk-home)/bin/java

work=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

(cd "$work" && npm pack --silent "uplot@$uplot" >/dev/null 2>&1 && tar xzf "uplot-$uplot.tgz")
"$java" -cp "$classes" dev.kiln.report.SyntheticExperiment "$work/report.html" 12 5
"$java" -cp "$classes" dev.kiln.report.SyntheticExperiment "$work/one.html" 1 1
node - "$work" bench/report/peer.html <<'JS'
const fs = require("fs"), [work, template] = process.argv.slice(2), read = file => fs.readFileSync(file, "utf8");
const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(read(work + "/report.html"))[1];
// What a run lacks is left out of the report; the peer wants every column.
const page = read(template).replace("/*CSS*/", () => read(work + "/package/dist/uPlot.min.css"))
  .replace("/*UPLOT*/", () => read(work + "/package/dist/uPlot.iife.min.js")).replace("/*DATA*/", () => data);
fs.writeFileSync(work + "/peer.html", page);
JS

echo "report of 60 runs: $(stat -c %s "$work/report.html") bytes; of one run: $(stat -c %s "$work/one.html"); uPlot $uplot page: $(stat -c %s "$work/peer.html")"
"$java" -cp "$classes" dev.kiln.report.html.ReportSpeed "$work/report.html" "$work/peer.html" "$rounds"
