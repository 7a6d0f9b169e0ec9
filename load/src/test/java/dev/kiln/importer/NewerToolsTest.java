package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.H2loadSummary;
import dev.kiln.importer.program.Oha;
import dev.kiln.importer.program.ToolJson;
import dev.kiln.importer.program.VegetaReport;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What later versions of load generators write, several documents in one file, and programs whose files Kiln only names. */
class NewerToolsTest extends ProgramFiles {
    /** The layout of nghttp2 1.70. */
    private static final String H2LOAD = """
            {"version":"v1","metadata":{"generator":"h2load nghttp2/1.70.0"},"measurements":{"duration":30.0123456,\
            "request_per_second":4994.61131,"bytes_per_second":1048576,"requests":{"total":150520,"started":150520,\
            "done":150500,"succeeded":149910,"failed":590,"errored":20,"timeout":5},"status_codes":{"2xx":149900,"3xx":10,\
            "4xx":0,"5xx":570},"traffic":{"total":1,"headers":1,"headers_decompressed":1,"data":1},"performance":{\
            "request":{"min":4.2e-05,"max":0.03001,"median":0.0018,"p95":0.004,"p99":0.0099,"mean":0.002,"sd":0.001,\
            "within_sd":90.1,"samples":[4.2e-05,0.0018]},"connect":{"min":1,"max":1,"median":1,"p95":1,"p99":1}}}}
            """;

    private List<LoadSource> all(Format format, String text) throws IOException {
        Path file = file("a.out", text);
        assertThat(format(file)).isEqualTo(format);
        return ((Format.Loads) format.content()).of().apply(file, Texts.options());
    }

    @Test
    void h2loadsDocumentHasTotalsAndQuantiles() throws IOException {
        LoadSource load = all(ToolJson.H2LOAD, H2LOAD).getFirst();
        Recorded run = Recorded.of(load);

        assertThat(load.span().length()).isEqualTo(30_012_345_600L);
        assertThat(run.completed()).isEqualTo(149_900);
        assertThat(run.rows).extracting(row -> row.errors()).containsExactly(new LoadBin.Errors(0, 15, 5, 580, 0));
        assertThat(run.totals).containsExactly(new Quantiles(150_480, 1_800_000, 9_900_000, 30_010_000));
    }

    @Test
    void h2loadsSummaryMayHaveQuantiles() throws IOException {
        String head = """
                finished in 10.00s, 1000.50 req/s, 1.00MB/s
                requests: 10005 total, 10005 started, 10005 done, 10000 succeeded, 5 failed, 0 errored, 0 timeout
                status codes: 10000 2xx, 0 3xx, 0 4xx, 5 5xx
                """;
        String before = head + "time for request:       30us      2.39ms       157us        63us    87.68%\n";
        String now = head
                + "                 min         max         median      p95         p99         mean        sd\n"
                + "request     :       30us      2.39ms       150us       234us      1.58ms       160us        63us    87.68%\n";

        assertThat(Recorded.of(all(H2loadSummary.FORMAT, before).getFirst()).totals)
                .isEmpty();
        assertThat(Recorded.of(all(H2loadSummary.FORMAT, now).getFirst()).totals)
                .containsExactly(new Quantiles(10_005, 150_000, 1_580_000, 2_390_000));
    }

    @Test
    void documentsOfOneFileAreLoadsOneAfterTheOther() throws IOException {
        String oha = """
                {"summary":{"total":2.5,"slowest":0.02,"requestsPerSec":42.0},"statusCodeDistribution":{"200":100},
                "errorDistribution":{"Connection refused (os error 111)":4,"timeout":2,"aborted due to deadline":9}}
                """;
        String vegeta = """
                {"latencies":{"50th":1,"99th":2,"max":3},"bytes_in":{"total":1},"duration":10000000000,"wait":0,
                "requests":7,"status_codes":{"200":7},"errors":[]}
                """;

        assertThat(all(ToolJson.H2LOAD, H2LOAD + H2LOAD.replace("149900", "100")))
                .extracting(load -> Recorded.of(load).completed())
                .containsExactly(149_900L, 100L);
        assertThat(all(Oha.JSON, oha + oha.replace("100}", "90}")))
                .extracting(load -> Recorded.of(load).completed())
                .containsExactly(100L, 90L);
        assertThat(Recorded.of(all(Oha.JSON, oha).getFirst()).rows)
                .extracting(row -> row.errors())
                .containsExactly(new LoadBin.Errors(4, 0, 2, 0, 0));
        assertThat(all(VegetaReport.FORMAT, vegeta + vegeta)).hasSize(2);
        assertThat(all(ToolJson.H2LOAD, "[" + H2LOAD + "," + H2LOAD + "]")).hasSize(2);
    }

    @Test
    void aSecondDocumentIsNoPartOfASummaryOfOneTest() throws IOException {
        Path file = file("k6.json", "{\"metrics\":{\"http_reqs\":{\"count\":10,\"rate\":1}}}\n".repeat(2));

        assertThatThrownBy(() -> load(file)).hasMessageContaining("k6.json: found 2 JSON documents, expected one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE html>\n<html>|a page of HTML: import the file of results",
                "PK\u0003\u0004....[Content_Types].xml|a document of a spreadsheet: save the sheet as CSV",
                "Benchmarking 60 connections @ http://127.0.0.1:5000 for 5 seconds\n  Latencies:|a summary of rewrk: send",
                "Summary:\n  Elapsed        8.6s\n  Count        969657\n  RPS      112741.713\n|a summary of plow: send",
                "{\"success_perc\":100,\"fail_perc\":0}|a summary of ddosify or anteon: send",
                "{ \"transactions\": 9,\n \"availability\": 100.0 }|a summary of siege: send",
                "2026-06-02 09:00:30,001 INFO o.a.j.r.Summariser: summary +   1500 in 00:00:30 =   50.0/s Avg:    12 Min:     1"
                        + "|what JMeter prints of a test: import its JTL",
                "label,avg_ct,avg_lt,avg_rt|a table of totals of Taurus: import its kpi.jtl",
                "command,mean,stddev,median,user,system,min,max|hyperfine's table of means: hyperfine --export-json",
                "Metric,Task,Value,Unit\nMean Throughput,index,1,docs/s|a summary of Rally or OpenSearch Benchmark: make",
                "2026-06-02 09:00:10:123 10 sec: 100000 operations; 10000 current ops/sec|what YCSB prints of a test: make",
                "       Value     Percentile TotalCount 1/(1-Percentile)\n|a list of percentiles, or a histogram: it has no time",
                "#[Histogram log format version 1.3]\n|a log of histograms of HdrHistogram: make a CSV",
                "# HELP http_requests_total All.\n|what Prometheus counted at one moment: ask",
                "{job=\"shop\"} =>\n100 @[1780390800]|what promtool prints of a range: take",
                "http,host=a count=5i 1780390800000000000|InfluxDB's line protocol: ask",
                "Label,RequestCount\n,Sum\n2026/06/02 09:00:00,100|a table of CloudWatch: leave out the lines above",
                "Timestamp,User Count,Type,Name,Requests/s,Failures/s\n|Locust's history without total counts: subtract",
                "10.0.0.1 - - [02/Jun/2026:09:00:00 +0000] \"GET / HTTP/1.1\" 200 612|an access log: count",
                "{\"Label\":\"RequestCount\",\"Datapoints\":[{\"Timestamp\":\"2026-06-02T09:00:00Z\",\"Sum\":1}]}|statistics of CloudWatch"
            })
    void whatKilnOnlyNamesSaysWhatToDo(String given) throws IOException {
        int bar = given.lastIndexOf('|');
        Path file = file("a.out", given.substring(0, bar));

        assertThatThrownBy(() -> LabFolder.find(List.of(file), Optional.empty()))
                .hasMessageContaining("a.out is " + given.substring(bar + 1));
    }
}
