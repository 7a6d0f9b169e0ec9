# Keeps of run.json what verdicts, C2's starvation and forecasts need, and nothing that names a machine, a path or a request.
if .provenance != null or .remote != null or (.attached // null) != null or .duet != null or .jvm == null then
  error("only a run of a JVM that Kiln launched on the same machine, alone, belongs in the corpus")
else . end
| .experiment = $name | .variants = ["baseline"] | .variant = "baseline" | .run = 1 | .block = 1
| .launchMonotonicNanos = 0
| .launchEpochMillis = (.launchEpochMillis / 86400000 | floor * 86400000)
| .command = ["java"] | .environment = {}
| .jvm.home = "jdk" | .jvm.flags |= map(select(test("^-X") and (test("/") | not)))
| .jvm.inForce |= ((. // []) | map(select(test("/") | not)))
| .host.kernel |= (capture("^(?<v>[0-9]+[.][0-9]+)").v // "") | .host.settings = {}
| .cpus.notes = []
| .load.calls |= map(.url = "http://localhost/" | .headers = {} | .body = null | .bodyContains = null)
| .outcomeDetail = null | .notes = []
| .notRecorded = [{
    what: "threads other than C1's and C2's, memory, collections, heap, classes, thread dumps and response times",
    why: "the corpus leaves them out"
  }]
| del(.typed, .restarted, .loadFrom)
