package dev.kiln.importer;

import dev.kiln.importer.format.Format.Head;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** OtherForms are files of known programs in forms that Kiln does not read. Each names the one that it does. */
final class OtherForms {
    /** An OtherForm is recognised as a format is; instead is what to do. */
    private record OtherForm(String words, Predicate<Head> recognises, String instead) {}

    private static final List<OtherForm> ALL = List.of(
            new OtherForm(
                    "a binary file of vegeta",
                    head -> head.text().contains("BytesOut")
                            && head.text().contains("Latency")
                            && head.bytes()[0] < ' ',
                    "import what vegeta encode makes of it"),
            new OtherForm(
                    "Gatling's summary",
                    head -> head.text().contains("\"meanNumberOfRequestsPerSecond\":"),
                    "import its simulation.log"),
            new OtherForm(
                    "a summary of JMeter",
                    head -> head.json("\"sampleCount\":", "\"meanResTime\":")
                            || head.first(line -> line.startsWith("Label,# Samples,")),
                    "import its JTL"),
            new OtherForm(
                    "a table of totals of Locust",
                    head -> head.json("\"num_reqs_per_sec\":")
                            || head.first(
                                    line -> line.replace("\"", "")
                                            .matches(
                                                    "(?:Type|Method),Name,(?:Request Count|# [Rr]equests|Error),.*|Count,Message,Traceback.*")),
                    "import the file that ends with _stats_history.csv, which --csv writes too"),
            new OtherForm(
                    "JMH's table of means",
                    head -> head.first(
                            line -> line.startsWith("\"Benchmark\"") || line.matches("Benchmark\\s.*\\sMode\\s.*")),
                    "import what -rf json writes, or all that JMH printed"),
            new OtherForm(
                    "ghz's summary",
                    head -> head.line(10, line -> line.strip().equals("Summary:"))
                            && head.line(20, line -> line.matches("\\s+Count:\\s+\\d+")),
                    "import what ghz --format json writes"),
            new OtherForm(
                    "ab's table of requests",
                    head -> head.first(line -> line.matches("starttime\\s+seconds\\s+ctime.*")),
                    "sort it by its column seconds, and import it with --map row=request,time=seconds:s,latency=ttime:ms"),
            new OtherForm(
                    "a file of hyperfine",
                    head -> head.json("\"results\":[", "\"command\":", "\"times\":["),
                    "kiln compare reads it"),
            new OtherForm(
                    "a matrix of Prometheus",
                    head -> head.json("\"resultType\":\"matrix\""),
                    "make a CSV of one series, jq -r '\"time,rate\", (.data.result[0].values[] | @csv)', and import it with"
                            + " --map time=time:s,requests=rate:rate"),
            new OtherForm(
                    "a report of artillery",
                    head -> head.json("\"aggregate\":{", "\"counters\":{", "\"http.requests\":"),
                    "make a CSV of its good requests, jq -r '\"time,good\", (.intermediate[] | [.period, ([.counters | to_entries[]"
                            + " | select(.key | startswith(\"http.codes.2\")) | .value] | add // 0)] | @csv)', and import it with --map time=time:ms,requests=good,bin=10s"),
            new OtherForm(
                    "a log of pidstat in JSON",
                    head -> head.json("\"sysstat\":{", "\"task-"),
                    "record it without -o JSON"),
            new OtherForm(
                    "a data file of sar",
                    head -> head.bytes()[0] == (byte) 0x96 && head.bytes()[1] == (byte) 0xd5,
                    "import what sadf -j FILE -- -P ALL makes of it"),
            new OtherForm(
                    "a log of a collector as JDKs before 9 wrote it",
                    head -> head.line(200, line -> line.matches(".*\\d: \\[(?:Full )?GC[ (].*")),
                    "record with JDK 9 or later and -Xlog:gc:file=gc.log:time,uptime,level,tags"),
            new OtherForm(
                    "a log of -Xlog:safepoint",
                    head -> head.line(
                            200,
                            line -> line.matches(
                                    "\\[.*\\] ?(?:Safepoint \".*|Total time for which application threads.*)")),
                    "import what -Xlog:gc:file=gc.log:time,uptime,level,tags writes"));

    private OtherForms() {}

    /** Says what a file is and what to do, as the end of a sentence that begins with its name; empty for an unknown one. */
    static Optional<String> of(Path file) {
        Head head = Head.of(file);
        return head.bytes().length < 2
                ? Optional.empty()
                : ALL.stream()
                        .filter(form -> form.recognises().test(head))
                        .findFirst()
                        .map(form -> "is " + form.words() + ": " + form.instead());
    }
}
