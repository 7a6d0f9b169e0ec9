package dev.kiln.importer;

import dev.kiln.importer.format.Format.Head;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** OtherForms are files of known programs in forms that Kiln does not read. Each names the one that it does. */
final class OtherForms {
    /** An OtherForm is recognised as a format is; instead is what to do. */
    private record OtherForm(String words, Predicate<Head> recognises, String instead) {}

    /** Some programs write totals that do not say what failed, or lay them out anew when they like. */
    private static final String ANOTHER =
            "send the load with a program that writes each request, such as h2load --log-file or oha --output-format csv";

    private static final List<OtherForm> ALL = List.of(
            new OtherForm(
                    "a page of HTML",
                    head -> head.text()
                            .stripLeading()
                            .toLowerCase(Locale.ROOT)
                            .matches("(?s)<(?:!doctype html|html)\\b.*"),
                    "import the file of results that its program writes beside it"),
            new OtherForm(
                    "a document of a spreadsheet",
                    head -> head.text().startsWith("PK\u0003\u0004")
                            && (head.text().contains("[Content_Types].xml")
                                    || head.text().contains("opendocument.spreadsheet")),
                    "save the sheet as CSV"),
            new OtherForm(
                    "a database of SQLite",
                    head -> head.text().startsWith("SQLite format 3\0"),
                    "write a table of it as CSV with sqlite3 -csv -header, and import that with --map"),
            new OtherForm(
                    "a summary of rewrk",
                    head -> head.line(30, line -> line.matches("\\s*Benchmarking \\d+ connections @ .* for .*"))
                            || head.json("\"requests_total\":", "\"requests_avg\":"),
                    ANOTHER),
            new OtherForm(
                    "a summary of plow",
                    head -> (head.line(60, line -> line.matches("\\s+Elapsed\\s+\\S+"))
                                    && head.line(60, line -> line.matches("\\s+RPS\\s+[\\d.]+")))
                            || head.json("\"Summary\":{", "\"Elapsed\":", "\"RPS\":"),
                    ANOTHER),
            new OtherForm(
                    "a summary of cassowary",
                    head -> head.line(60, line -> line.matches("\\s*Total Req\\.+: .*")),
                    ANOTHER),
            new OtherForm(
                    "a summary of ddosify or anteon",
                    head -> head.json("\"success_perc\":", "\"fail_perc\":")
                            || head.line(Integer.MAX_VALUE, line -> line.matches("Success Count:\\s+\\d+ .*")),
                    ANOTHER),
            new OtherForm(
                    "a summary of siege",
                    head -> head.json("\"transactions\":", "\"availability\":")
                            || head.line(Integer.MAX_VALUE, line -> line.matches("Transactions:\\s+\\d+ hits\\s*")),
                    ANOTHER),
            new OtherForm(
                    "what JMeter prints of a test",
                    head -> head.line(
                            Integer.MAX_VALUE, line -> line.matches(".*\\bsummary [+=]\\s+\\d+ in .* Avg: .*")),
                    "import its JTL, which jmeter -l writes"),
            new OtherForm(
                    "a table of totals of Taurus",
                    head -> head.first(line -> line.startsWith("label,avg_ct,")),
                    "import its kpi.jtl"),
            new OtherForm(
                    "hyperfine's table of means",
                    head -> head.first(line ->
                            line.startsWith("command,mean,stddev,") || line.matches("\\| Command \\| Mean \\[.*")),
                    "hyperfine --export-json writes what kiln compare reads"),
            new OtherForm(
                    "a summary of Rally or OpenSearch Benchmark",
                    head -> head.line(
                            Integer.MAX_VALUE,
                            line -> line.matches(
                                    "(?:\\|\\s*)?Metric\\s*[,|]\\s*Task\\s*[,|]\\s*Value\\s*[,|]\\s*Unit.*")),
                    "make a CSV of the requests of each second from its metrics store, and import that with --map"),
            new OtherForm(
                    "what YCSB prints of a test",
                    head -> head.line(
                            Integer.MAX_VALUE,
                            line -> line.matches(".* \\d+ sec: \\d+ operations;.*") || line.startsWith("[OVERALL], ")),
                    "make a CSV of its totals, (echo time,all; sed -n 's/.* \\([0-9]*\\) sec: \\([0-9]*\\) operations;.*/\\1,\\2/p' FILE),"
                            + " and import it with --map time=time:s,requests=all:total"),
            new OtherForm(
                    "a list of percentiles, or a histogram",
                    head -> head.line(
                            10,
                            line -> line.matches(
                                    "\\s*Value(?:\\(\\w+\\))?\\s+Percentile\\s+TotalCount\\s.*|Bucket\\s.*Histogram\\s*")),
                    "it has no time; import what the load generator itself wrote"),
            new OtherForm(
                    "a log of histograms of HdrHistogram",
                    head -> head.line(5, line -> line.contains("[Histogram log format version")),
                    "make a CSV of it with HistogramLogProcessor -csv, and import that with --map"
                            + " time=Timestamp:s,requests=Int_Count"),
            new OtherForm(
                    "what Prometheus counted at one moment",
                    head -> head.line(3, line -> line.matches("# (?:HELP|TYPE) .*"))
                            || head.json("\"resultType\":\"vector\""),
                    "ask Prometheus for a range of time: /api/v1/query_range"),
            new OtherForm(
                    "what promtool prints of a range",
                    head -> head.text().matches("(?s).{0,4000}\\} =>.*@\\[\\d.*")
                            || head.dense().startsWith("[{\"metric\":{"),
                    "take the JSON of /api/v1/query_range in its place, of which Kiln says how to make a CSV"),
            new OtherForm(
                    "InfluxDB's line protocol",
                    head -> head.first(line ->
                            line.matches("[^\\s,=]+(?:,[^\\s,=]+=[^\\s,=]+)* [^\\s,=]+=-?\\d\\S*(?: \\d{10,19})?")),
                    "ask InfluxDB for the series as CSV, and import that with --map"),
            new OtherForm(
                    "an access log",
                    head -> head.first(line -> line.matches(
                            "\\S+ \\S+ .*\\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}\\] \".*")),
                    "count its good answers of each second in a table with the columns time and requests"),
            new OtherForm(
                    "a table of CloudWatch",
                    head -> head.first(line -> line.startsWith("Label,")) && head.line(2, line -> line.startsWith(",")),
                    "leave out the lines above the first time, and name the columns time and requests"),
            new OtherForm(
                    "Locust's history without total counts",
                    head -> head.first(line -> line.replace("\"", "")
                            .matches("Timestamp,User [Cc]ount,Type,Name,Requests/s,Failures/s.*")),
                    "subtract Failures/s from Requests/s, which has them too, and import it with"
                            + " --map 'time=Timestamp:s,requests=Requests/s:rate,errors=Failures/s:rate where Name=Aggregated'"),
            new OtherForm(
                    "statistics of CloudWatch",
                    head -> head.json("\"Datapoints\":[{", "\"Timestamp\":"),
                    "make a CSV of them, jq -r '\"time,n\", (.Datapoints | sort_by(.Timestamp)[] | [.Timestamp, .Sum] | @csv)',"
                            + " and import it with --map time=time:iso,requests=n,bin=60s, if 60 s was the period"),
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
