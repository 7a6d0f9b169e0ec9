package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.K6Summary;
import dev.kiln.importer.program.ToolJson;
import dev.kiln.importer.program.VegetaReport;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Totals of load generators, laid out as their own sources write them. */
class TotalsTest extends ProgramFiles {
    /** 2026-06-02T09:00:00Z. */
    private static final long BEGIN = 1_780_390_800_000_000_000L;

    private static final String BOMBARDIER = """
            {"spec":{"numberOfConnections":125,"testType":"timed","testDurationSeconds":10,"method":"GET",
            "url":"http://127.0.0.1:8080/","body":"","stream":false,"timeoutSeconds":2,"client":"fasthttp"},
            "result":{"bytesRead":1000,"bytesWritten":1000,"timeTakenSeconds":10.005,"req1xx":0,"req2xx":50000,"req3xx":3,
            "req4xx":4,"req5xx":5,"others":20,"errors":[{"description":"dial tcp 127.0.0.1:8080: connect: connection refused",
            "count":7},{"description":"timeout","count":6},{"description":"EOF","count":7}],"latency":{"mean":2000.5,
            "stddev":1000.1,"max":30000,"percentiles":{"50":1800,"75":2000,"90":3000,"99":9900}},
            "rps":{"mean":5000.1,"stddev":100.0,"max":6000.0,"percentiles":{"50":5000.000000}}}}
            """;

    private static final String AUTOCANNON = """
            {"url":"http://127.0.0.1:8080","connections":25,"sampleInt":1000,"pipelining":1,"duration":10.05,"samples":10,
            "start":"2026-06-02T09:00:00.000Z","finish":"2026-06-02T09:00:10.050Z","errors":16,"timeouts":10,"mismatches":2,
            "non2xx":30,"resets":0,"1xx":0,"2xx":1000,"3xx":0,"4xx":10,"5xx":20,"statusCodeStats":{"200":{"count":1000}},
            "latency":{"average":2.5,"p50":2,"p99":9,"max":44,"totalCount":1030},
            "requests":{"average":103,"total":1030,"sent":1056},"throughput":{"average":1000}}
            """;

    private static final String FORTIO = """
            {"RunType":"HTTP","Labels":"shop","StartTime":"2026-06-02T11:00:00.5+02:00","RequestedQPS":"100",
            "RequestedDuration":"10s","ActualQPS":99.9,"ActualDuration":10010000000,"NumThreads":4,"Version":"1.66.0",
            "DurationHistogram":{"Count":1000,"Min":0.0004,"Max":0.03,"Sum":2.0,"Avg":0.002,"StdDev":0.001,
            "Data":[{"Start":0.0004,"End":0.001,"Percent":10,"Count":100}],"Percentiles":[{"Percentile":50,"Value":0.0018},
            {"Percentile":90,"Value":0.003},{"Percentile":99,"Value":0.0099}]},"Exactly":0,
            "RetCodes":{"-1":5,"200":980,"301":5,"503":10},"URL":"http://127.0.0.1:8080/"}
            """;

    private static final String VEGETA = """
            Requests      [total, rate, throughput]         1000, 100.10, 97.98
            Duration      [total, attack, wait]             1m0.012s, 1m0s, 12.13ms
            Latencies     [min, mean, 50, 90, 95, 99, max]  400.1µs, 2ms, 1.8ms, 3ms, 4ms, 9.9ms, 1.03s
            Bytes In      [total, mean]                     12000, 12.00
            Bytes Out     [total, mean]                     0, 0.00
            Success       [ratio]                           98.00%
            Status Codes  [code:count]                      0:5  200:980  301:5  503:10 \s
            Error Set:
            503 Service Unavailable
            Get "http://127.0.0.1:8080/": EOF
            """;

    private static final String VEGETA_JSON = """
            {"latencies":{"total":2000000000,"mean":2000000,"50th":1800000,"90th":3000000,"95th":4000000,"99th":9900000,
            "max":30000000,"min":400000},"bytes_in":{"total":12000,"mean":12},"bytes_out":{"total":0,"mean":0},
            "earliest":"2026-06-02T09:00:00Z","latest":"2026-06-02T09:00:09.99Z","end":"2026-06-02T09:00:10Z",
            "duration":9990000000,"wait":10000000,"requests":1000,"rate":100.1,"throughput":98,"success":0.98,
            "status_codes":{"0":5,"200":980,"301":5,"503":10},"errors":["EOF"]}
            """;

    private static final String K6 = """
                 data_received..................: 1.3 MB 31 kB/s
               ✓ http_req_duration..............: avg=2ms min=400µs med=1.85ms max=1m2s p(90)=3ms p(95)=4ms p(99)=9.9ms
                   { expected_response:true }...: avg=2ms min=400µs med=1.7ms max=1s p(90)=3ms p(95)=4ms p(99)=8ms
                 http_req_failed................: 1.00%  ✓ 600       ✗ 59400
                 http_reqs......................: 60000  1000.000000/s
                 iterations.....................: 60000  1000.000000/s
            """;

    private static final String K6_FULL = """
                 execution: local
                    script: test.js
              █ TOTAL RESULTS

                HTTP
                http_req_duration..............: avg=2ms min=1ms med=1.85ms max=40ms p(90)=3ms p(95)=4ms
                http_req_failed................: 0.20%  12 out of 6000
                http_reqs......................: 6000   100/s

              █ SCENARIO: default

                HTTP
                http_req_duration..............: avg=2ms min=1ms med=9ms max=40ms p(90)=3ms p(95)=4ms
                http_req_failed................: 0.20%  12 out of 6000
                http_reqs......................: 6000   100/s
            """;

    private LoadSource only(Format format, String text) throws IOException {
        return all(format, text).getFirst();
    }

    private List<LoadSource> all(Format format, String text) throws IOException {
        Path file = file("a.out", text);
        assertThat(format(file)).isEqualTo(format);
        return ((Format.Loads) format.content()).of().apply(file, Texts.options());
    }

    private static void assertTotals(LoadSource load, long begin, long nanos, long good, LoadBin.Errors errors) {
        Recorded run = Recorded.of(load);
        assertThat(load.dated()).isEqualTo(begin > 0);
        assertThat(load.span().fromNanos()).isEqualTo(begin);
        assertThat(load.span().length()).isEqualTo(nanos);
        assertThat(run.ends).containsExactly(begin + nanos);
        assertThat(run.completed()).isEqualTo(good);
        assertThat(run.rows).extracting(row -> row.errors()).containsExactly(errors);
    }

    @Test
    void bombardiersFailuresAreAmongTheOthers() throws IOException {
        LoadSource load = only(ToolJson.BOMBARDIER, BOMBARDIER);

        assertTotals(load, 0, 10_005_000_000L, 50_000, new LoadBin.Errors(7, 7, 6, 12, 0));
        assertThat(Recorded.of(load).totals).containsExactly(new Quantiles(50_032, 1_800_000, 9_900_000, 30_000_000));
    }

    @Test
    void bombardierHasQuantilesOnlyWhereTheyWereAskedFor() throws IOException {
        String without = BOMBARDIER.replace(",\"percentiles\":{\"50\":1800,\"75\":2000,\"90\":3000,\"99\":9900}", "");

        assertThat(Recorded.of(only(ToolJson.BOMBARDIER, without)).totals).isEmpty();
    }

    @Test
    void autocannonCountsTimeoutsAsErrorsToo() throws IOException {
        LoadSource load = only(ToolJson.AUTOCANNON, AUTOCANNON);

        assertTotals(load, BEGIN, 10_050_000_000L, 998, new LoadBin.Errors(0, 6, 10, 30, 2));
        assertThat(Recorded.of(load).totals).containsExactly(new Quantiles(1030, 2_000_000, 9_000_000, 44_000_000));
        // autocannon writes whole ms.
        assertThat(Recorded.of(only(ToolJson.AUTOCANNON, AUTOCANNON.replace("\"p50\":2", "\"p50\":0"))).totals)
                .isEmpty();
    }

    @Test
    void fortioKnowsWhenItBegan() throws IOException {
        LoadSource load = only(ToolJson.FORTIO, FORTIO);

        assertTotals(load, BEGIN + SECOND / 2, 10_010_000_000L, 980, new LoadBin.Errors(0, 5, 0, 15, 0));
        assertThat(Recorded.of(load).totals).containsExactly(new Quantiles(1000, 1_800_000, 9_900_000, 30_000_000));
    }

    @Test
    void aTestOfFortioThatIsNotOfHttpIsRefused() {
        assertThatThrownBy(() -> only(ToolJson.FORTIO, FORTIO.replace("\"HTTP\"", "\"GRPC Health\"")))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("found a test of fortio of the type 'GRPC Health'");
    }

    @Test
    void vegetasReportsAreLoads() throws IOException {
        List<LoadSource> two =
                all(VegetaReport.FORMAT, "Rate: 100\n\n" + VEGETA + "\n" + VEGETA.replace("200:980", "200:970"));

        assertThat(two).hasSize(2);
        assertTotals(two.getFirst(), 0, 60_012_000_000L, 980, new LoadBin.Errors(0, 5, 0, 15, 0));
        assertThat(Recorded.of(two.getFirst()).totals)
                .containsExactly(new Quantiles(1000, 1_800_000, 9_900_000, 1_030_000_000));
        assertThat(Recorded.of(two.getLast()).completed()).isEqualTo(970);
    }

    @Test
    void vegetasReportInJsonSaysTheSameAndWhen() throws IOException {
        LoadSource load = only(VegetaReport.FORMAT, VEGETA_JSON);

        assertTotals(load, BEGIN, 10 * SECOND, 980, new LoadBin.Errors(0, 5, 0, 15, 0));
        assertThat(Recorded.of(load).totals).containsExactly(new Quantiles(1000, 1_800_000, 9_900_000, 30_000_000));
    }

    @Test
    void aReportThatWasCutShortIsRefused() {
        assertThatThrownBy(() -> only(VegetaReport.FORMAT, VEGETA.substring(0, VEGETA.indexOf("Status"))))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.out:1: this report of vegeta lacks its status codes");
    }

    @Test
    void k6sTextHasTotals() throws IOException {
        List<LoadSource> two = all(K6Summary.TEXT, K6 + K6.replace("60000  1000", "60000  2000"));

        assertThat(two).hasSize(2);
        assertTotals(two.getFirst(), 0, 60 * SECOND, 59_400, new LoadBin.Errors(0, 0, 0, 600, 0));
        assertThat(Recorded.of(two.getFirst()).totals)
                .containsExactly(new Quantiles(60_000, 1_850_000, 9_900_000, 62_000_000_000L));
        assertThat(two.getLast().span().length()).isEqualTo(30 * SECOND);
    }

    /** k6 1.0 and later; its full mode tells the same of each scenario. */
    @Test
    void whatK6SaysOfAScenarioIsNoTestOfItsOwn() throws IOException {
        List<LoadSource> one = all(K6Summary.TEXT, K6_FULL);

        assertThat(one).hasSize(1);
        assertTotals(one.getFirst(), 0, 60 * SECOND, 5988, new LoadBin.Errors(0, 0, 0, 12, 0));
        assertThat(Recorded.of(one.getFirst()).totals).containsExactly(new Quantiles(6000, 1_850_000, 0, 40_000_000));
    }

    @Test
    void k6sNewJsonIsAListOfMetrics() throws IOException {
        LoadSource load = only(K6Summary.JSON, """
                {"config":{"duration":60.5,"execution":"local","script":"test.js"},
                "metadata":{"generatedAt":"2026-06-02T09:01:00Z","k6Version":"1.5.0"},
                "results":{"checks":{"metrics":[{"name":"checks_total","type":"counter","values":{"count":1}}]},"metrics":[
                {"name":"http_req_failed","type":"rate","contains":"default","values":{"matches":600,"rate":0.01,"total":60000}},
                {"name":"http_reqs","type":"counter","contains":"default","values":{"count":60000}},
                {"name":"http_req_duration","type":"trend","contains":"time","values":{"avg":2,"med":1.85,"max":40,"p(95)":4}}]},
                "version":"1.0.0"}
                """);

        assertTotals(load, 0, 60_500_000_000L, 59_400, new LoadBin.Errors(0, 0, 0, 600, 0));
        assertThat(Recorded.of(load).totals).containsExactly(new Quantiles(60_000, 1_850_000, 0, 40_000_000));
        assertThat(Recorded.of(load).gaps).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"TEXT", "JSON"})
    void failuresThatK6DoesNotTellAreNotNone(String form) throws IOException {
        LoadSource load = form.equals("TEXT")
                ? only(K6Summary.TEXT, K6.replaceFirst("http_req_failed.*\\n", "\n"))
                : only(
                        K6Summary.JSON,
                        "{\"metrics\":{\"http_reqs\":{\"count\":60000,\"rate\":1000},\"http_req_duration\":{\"med\":2}}}");

        assertThat(Recorded.of(load).completed()).isEqualTo(60_000);
        assertThat(Recorded.of(load).gaps)
                .singleElement()
                .asString()
                .endsWith("k6 did not say how many requests failed (http_req_failed): all are counted as good");
    }

    @Test
    void aSummaryOfK6WithoutHttpIsRefused() {
        assertThatThrownBy(() -> only(
                        K6Summary.JSON,
                        "{\"metrics\":{\"http_req_duration{a:b}\":{},\"grpc_req_duration\":{\"med\":1}}}"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("this summary of k6 has no http_reqs");
    }
}
