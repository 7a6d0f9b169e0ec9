package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.program.GatlingLog;
import dev.kiln.importer.program.H2loadLog;
import dev.kiln.importer.program.Jmh;
import dev.kiln.importer.program.K6;
import dev.kiln.importer.program.K6Summary;
import dev.kiln.importer.program.MappedCsv;
import dev.kiln.importer.program.Oha;
import dev.kiln.importer.program.Request;
import dev.kiln.importer.program.RequestBins;
import dev.kiln.importer.program.WrkOutput;
import dev.kiln.importer.sysstat.Mpstat;
import dev.kiln.importer.sysstat.Vmstat;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherFormatsTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    @Test
    void wrkTellsTotals() {
        List<LoadSource> plain = WrkOutput.of(Recorded.sample("wrk-4.1.0.txt"));
        Recorded bad = Recorded.of(
                WrkOutput.of(Recorded.sample("wrk-4.1.0-latency-non2xx.txt")).getFirst());

        assertThat(plain).hasSize(1);
        assertThat(plain.getFirst().bins().kind()).isEqualTo(Provenance.SourceKind.TOTAL);
        assertThat(Recorded.of(plain.getFirst()).completed()).isEqualTo(100_389);
        assertThat(plain.getFirst().span().length()).isEqualTo(2 * SECOND);
        assertThat(bad.completed()).isZero();
        assertThat(bad.failed()).isEqualTo(124_391);
        assertThat(bad.totals).containsExactly(new Quantiles(124_391, 117_000, 9_440_000, 21_480_000));
    }

    @Test
    void wrk2TellsQuantilesWithThreeDecimals() {
        LoadSource load = WrkOutput.parse(Recorded.lines("""
                        Running 30s test @ http://127.0.0.1:80/index.html
                          2 threads and 100 connections
                          Thread calibration: mean lat.: 9747 usec, rate sampling interval: 21 msec
                          Thread Stats   Avg      Stdev     Max   +/- Stdev
                            Latency     6.46ms    1.93ms  12.34ms   67.66%
                            Req/Sec     1.05k     1.12k    2.50k    64.84%
                          Latency Distribution (HdrHistogram - Recorded Latency)
                         50.000%    6.67ms
                         99.000%   10.99ms
                        100.000%   12.35ms
                          60018 requests in 30.01s, 19.81MB read
                          Socket errors: connect 3, read 4, write 5, timeout 6
                        Requests/sec:   2000.15
                        """), "w").getFirst();

        Recorded run = Recorded.of(load);

        assertThat(run.completed()).isEqualTo(60_018);
        assertThat(load.span().length()).isEqualTo(30_010_000_000L);
        assertThat(run.rows.getFirst().errors()).isEqualTo(new LoadBin.Errors(3, 9, 6, 0, 0));
        assertThat(run.totals).containsExactly(new Quantiles(60_018, 6_670_000, 10_990_000, 12_340_000));
    }

    @Test
    void aTestOfWrkWithoutTotalsIsAnError() throws IOException {
        Path file = Files.writeString(folder.resolve("w.txt"), "Running 2s test @ http://x/\n  1 threads\n");

        assertThatThrownBy(() -> WrkOutput.of(file))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("w.txt:1");
        assertThat(Formats.of(Recorded.sample("wrk-4.1.0-refused.txt"), Optional.empty()))
                .as("wrk did not run at all")
                .isEmpty();
    }

    @Test
    void h2loadCountsByCompletion() {
        LoadSource load = H2loadLog.of(Recorded.sample("h2load-1.52.0.log")).orElseThrow();
        Recorded run = Recorded.of(load);
        Recorded missing = Recorded.of(
                H2loadLog.of(Recorded.sample("h2load-1.52.0-404.log")).orElseThrow());

        assertThat(run.completed()).isEqualTo(300);
        assertThat(run.latencies).isEqualTo(300);
        assertThat(load.span().fromNanos()).isEqualTo(1795298038553030_000L);
        assertThat(run.rows.getFirst().endNanos() - run.rows.getFirst().startNanos())
                .isEqualTo(100_000_000L);
        // 150 requests a second on each of two connections.
        assertThat(run.rows.get(3).completed()).isBetween(26L, 34L);
        assertThat(missing.failed()).isEqualTo(40);
    }

    @Test
    void gatlingsBinaryLogIsReadWhereItsVersionIsKnown() throws IOException {
        Path log = Recorded.sample("gatling-3.15.1-simulation.log");
        LoadSource load = GatlingLog.of(log).orElseThrow();
        Recorded run = Recorded.of(load);
        byte[] other = Files.readAllBytes(log);
        other[7] = '2';
        Path newer = Files.write(folder.resolve("simulation.log"), other);

        assertThat(run.completed()).isEqualTo(163);
        assertThat(run.failed()).isEqualTo(162);
        assertThat(run.rows.stream().mapToLong(r -> r.errors().non2xx()).sum()).isEqualTo(162);
        assertThat(load.span())
                .isEqualTo(new Span((1795301698740L + 721) * 1_000_000, (1795301698740L + 3658) * 1_000_000));
        assertThat(Formats.of(newer, Optional.empty())).contains(GatlingLog.FORMAT);
        assertThatThrownBy(() -> GatlingLog.of(newer))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("Gatling 3.25.1")
                .hasMessageContaining("3.0 to 3.15 are known");
    }

    @Test
    void whatNobodyListenedToIsRefused() {
        Recorded run = new Recorded();
        RequestBins bins = new RequestBins(run, 0, 100);
        bins.add(new Request(0, 1, Request.RequestOutcome.REFUSED, "here"));
        bins.end(1);
        assertThat(run.rows.getFirst().errors()).isEqualTo(new LoadBin.Errors(1, 0, 0, 0, 0));
    }

    @Test
    void theVersionsOfGatlingThatCanBeReadAreKnownBeforehand() {
        assertThat(Stream.of("2.3.1", "3.0.0", "3.3", "3.12.0", "3.13.1", "3.15.1", "3.15.1-M1", "3.16.0", "4.0", "x")
                        .filter(GatlingLog::reads))
                .containsExactly("3.0.0", "3.3", "3.12.0", "3.13.1", "3.15.1", "3.15.1-M1");
    }

    @Test
    void gatlingsTextLogIsReadByItsVersion() throws IOException {
        // As LogFileDataWriter of 3.3 and of 3.4 to 3.12 writes it.
        String old = """
                ASSERTION\tAAAAAAA
                RUN\tcomputerdatabase.Basic\tbasic\t1600000000000\t \t3.3.1
                USER\tUsers\t1\tSTART\t1600000000100\t1600000000100
                REQUEST\t1\t\thome page\t1600000000100\t1600000000150\tOK\t\s
                REQUEST\t1\tsearch,deep\tget\t1600000000200\t1600000000260\tKO\tstatus.find.is(200), found 503
                GROUP\t1\tsearch\t1600000000200\t1600000000260\t60\tKO
                USER\tUsers\t1\tEND\t1600000000100\t1600000000300
                """;
        String newer = """
                RUN\tcomputerdatabase.Basic\tbasic\t1600000000000\t \t3.11.5
                USER\tUsers\tSTART\t1600000000100
                REQUEST\t\thome page\t1600000000100\t1600000000150\tOK\t\s
                REQUEST\tsearch\tget\t1600000000200\t1600000000260\tKO\ti.n.c.ConnectTimeoutException: connection timed out
                ERROR\tcrash\t1600000000300
                """;

        for (String text : List.of(old, newer)) {
            Path file = Files.writeString(folder.resolve("simulation.log"), text);
            LoadSource load = GatlingLog.of(file).orElseThrow();
            Recorded run = Recorded.of(load);

            assertThat(Formats.of(file, Optional.empty())).contains(GatlingLog.FORMAT);
            assertThat(run.completed()).isEqualTo(1);
            assertThat(run.failed()).isEqualTo(1);
            assertThat(load.span()).isEqualTo(new Span(1600000000100_000_000L, 1600000000260_000_000L));
        }
    }

    @Test
    void aTextLogOfAnotherGatlingIsRefusedWithAWayOut() throws IOException {
        Path file = Files.writeString(folder.resolve("old.log"), "RUN\tsim\tsim\t1600000000000\t \t2.3.0\n");

        assertThat(Formats.of(file, Optional.empty())).contains(GatlingLog.FORMAT);
        assertThatThrownBy(() -> GatlingLog.of(file))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("old.log:1: found a text log of Gatling '2.3.0'")
                .hasMessageContaining("3.0 to 3.15 are known");
    }

    @Test
    void jmhsIterationsAreBins() {
        List<ImportedRun> runs = Jmh.runs(Recorded.sample("jmh-1.37.json"), why -> {});

        assertThat(runs).hasSize(8);
        assertThat(runs.getFirst().variant()).isEqualTo("b.Bench.sin-p=1");
        assertThat(runs.get(1).run()).isEqualTo(2);
        LoadSource load = runs.getFirst().loads().getFirst();
        Recorded first = Recorded.of(load);
        assertThat(load.bins())
                .isEqualTo(new Provenance.SourceBins(200_000_000L, false, Provenance.SourceKind.ITERATION));
        assertThat(first.rows).hasSize(5);
        assertThat(first.rows.getFirst().completed()).isEqualTo(Math.round(33216505.5812342 * 0.2));
        Recorded means = Recorded.of(runs.get(4).loads().getFirst());
        assertThat(runs.get(4).variant()).isEqualTo("b.Bench.cos-p=1-avgt");
        assertThat(means.rows.getFirst().completed()).isEqualTo(Math.round(1e9 / 28.920542408833903 * 0.2));
    }

    @ParameterizedTest
    @CsvSource({"1 min,60", "2 hr,7200", "1 day,86400"})
    void jmhsLongIterationsHaveNamesOfTheirOwn(String told, long seconds) throws IOException {
        String json = Files.readString(Recorded.sample("jmh-1.37.json"));
        Path file = Files.writeString(folder.resolve("long.json"), json.replace("\"200 ms\"", '"' + told + '"'));

        assertThat(Jmh.runs(file, why -> {})
                        .getFirst()
                        .loads()
                        .getFirst()
                        .bins()
                        .nanos())
                .isEqualTo(seconds * SECOND);
    }

    @Test
    void jmhsSlowOperationsAreNotLost() throws IOException {
        String json = Files.readString(Recorded.sample("jmh-1.37.json"));
        Path file = Files.writeString(folder.resolve("slow.json"), json.replace("\"ops/s\"", "\"ops/day\""));

        Recorded first =
                Recorded.of(Jmh.runs(file, why -> {}).getFirst().loads().getFirst());

        // 33,216,505.58 a day are 384.45 a second, and 76.9 in 200 ms: 77 take 200.28 ms.
        assertThat(first.rows.getFirst().completed()).isEqualTo(77);
        assertThat(first.rows.getFirst().endNanos() / 10_000).isEqualTo(20_028);
    }

    @Test
    void ohaAndK6AsTheirDocumentationHasThem() throws IOException {
        Path oha = Files.writeString(
                folder.resolve("oha.json"),
                "{\"summary\":{\"successRate\":1.0,\"total\":2.5,\"slowest\":0.02,\"fastest\":0.001,\"average\":0.002,"
                        + "\"requestsPerSec\":42.0},\"latencyPercentiles\":{\"p50\":0.002,\"p99\":0.01},"
                        + "\"statusCodeDistribution\":{\"200\":100,\"503\":3},\"errorDistribution\":"
                        + "{\"connection refused\":2,\"aborted due to deadline\":9}}");
        Path ohaCsv = Files.writeString(folder.resolve("oha.csv"), """
                request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
                0.001,0,0,0.001,0.002,12,200
                0.004,0,0,0.001,0.003,12,500
                """);
        Path k6 = Files.writeString(
                folder.resolve("k6.csv"),
                "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,"
                        + "service,status,subproto,tls_version,url,extra_tags,metadata\n"
                        + "http_reqs,1595325560,1.000000,,,,true,,GET,http://t,HTTP/1.1,default,,200,,,http://t,,\n"
                        + "http_req_duration,1595325560,221.899000,,,,true,,GET,http://t,HTTP/1.1,default,,200,,,http://t,,\n"
                        + "http_req_duration,1595325561,20.5,,,,false,,GET,http://t,HTTP/1.1,default,,404,,,http://t,,\n"
                        + "http_req_duration,1595325561,0,,refused,1212,false,,GET,http://t,HTTP/1.1,default,,0,,,http://t,,\n");
        Path k6Json = Files.writeString(
                folder.resolve("k6.json"),
                "{\"type\":\"Metric\",\"data\":{\"type\":\"trend\"},\"metric\":\"http_req_duration\"}\n"
                        + "{\"type\":\"Point\",\"data\":{\"time\":\"2017-05-09T14:34:45.625742514+02:00\",\"value\":459.865729,"
                        + "\"tags\":{\"method\":\"GET\",\"status\":\"200\"}},\"metric\":\"http_req_duration\"}\n");
        Path summary = Files.writeString(
                folder.resolve("summary.json"),
                "{\"metrics\":{\"http_reqs\":{\"count\":500,\"rate\":50.0},\"http_req_duration\":{\"med\":2.0,\"max\":30.5,"
                        + "\"p(99)\":9.5},\"http_req_failed\":{\"passes\":5,\"fails\":495,\"value\":0.01}}}");

        assertThat(List.of(oha, ohaCsv, k6, k6Json, summary))
                .extracting(file -> Formats.of(file, Optional.empty()).orElseThrow())
                .containsExactly(Oha.JSON, Oha.CSV, K6.CSV, K6.JSON_LINES, K6Summary.JSON);
        Recorded totals = Recorded.of(Oha.ofJson(oha));
        assertThat(totals.completed()).isEqualTo(100);
        assertThat(totals.rows.getFirst().errors()).isEqualTo(new LoadBin.Errors(2, 0, 0, 3, 0));
        assertThat(Recorded.of(Oha.ofCsv(ohaCsv).orElseThrow()).completed()).isEqualTo(1);
        LoadSource points = K6.ofCsv(k6).orElseThrow();
        assertThat(points.bins().nanos()).isEqualTo(SECOND);
        assertThat(Recorded.of(points).completed()).isEqualTo(1);
        assertThat(Recorded.of(points).failed()).isEqualTo(2);
        assertThat(K6.ofJson(k6Json).orElseThrow().span().toNanos()).isEqualTo(1494333285_625742514L);
        assertThat(Recorded.of(K6Summary.ofJson(summary)).completed()).isEqualTo(495);
        assertThat(K6Summary.ofJson(summary).span().length()).isEqualTo(10 * SECOND);
    }

    @Test
    void mpstatAndVmstatTellOfCpus() {
        SystemLog all = Mpstat.of(Recorded.sample("mpstat-12.6.1.txt")).orElseThrow();
        SystemLog mean = Mpstat.of(Recorded.sample("mpstat-12.6.1-iso.txt")).orElseThrow();
        SystemLog vmstat = Vmstat.of(Recorded.sample("vmstat-4.0.2-t.txt")).orElseThrow();
        SystemRecorded cpus = SystemRecorded.of(all);

        assertThat(cpus.cpus).hasSize(6).extracting(c -> c.cpu()).containsOnly(0, 1);
        assertThat(cpus.cpus.get(4).idleNanos()).isEqualTo((8469 + 7700 + 9000) * 100_000L);
        assertThat(cpus.cpus.get(1).softirqNanos()).hasValue(101 * 100_000L);
        assertThat(SystemRecorded.of(vmstat).cpus.getLast().softirqNanos()).isEmpty();
        assertThat(SystemRecorded.of(mean).gaps)
                .containsExactly("mpstat has only the sum of all CPUs: Kiln shows it as CPU 0");
        // The first row is the mean since boot.
        assertThat(SystemRecorded.of(vmstat).cpus).hasSize(3);
        assertThat(SystemRecorded.of(vmstat).cpus.getLast().idleNanos()).isEqualTo((84 + 85 + 91) * 10_000_000L);
    }

    @Test
    void vmstatWithoutTimesFitsNoLoad() throws IOException {
        Path file = Files.writeString(folder.resolve("v.txt"), """
                procs ---
                 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
                 1  0      0 23252364  13048 898064    0    0  1293   905  580 2086 30  6 62  1  0
                """);

        assertThatThrownBy(() -> Vmstat.of(file)).hasMessageContaining("vmstat -t");
    }

    @Test
    void anyCsvIsReadByItsNamedColumns() throws IOException {
        Path file = Files.writeString(
                folder.resolve("my.csv"),
                "when,stage,rps,med\n1600000000,a,100,2.5\n1600000001,a,150.4,3\n1600000060,b,9,1\n");
        CsvMapping mapping = CsvMapping.parse("time=when:s,phase=stage,requests=rps:rate,p50=med:ms,bin=1s");
        Recorded run = Recorded.of(MappedCsv.of(file, mapping, Texts.options()).orElseThrow());

        assertThat(Formats.of(file, Optional.of(mapping))).contains(MappedCsv.FORMAT);
        assertThat(run.phases).containsExactly("a", "b");
        assertThat(run.rows).extracting(LoadRow::completed).containsExactly(100L, 150L, 9L);
        assertThat(run.rows.getFirst().latencies().p50Nanos()).isEqualTo(2_500_000);
        assertThatThrownBy(() -> CsvMapping.parse("time=when,requests=x")).hasMessageContaining("no unit of time");
    }

    @Test
    void aCommaInQuotesIsNoEndOfACell() throws IOException {
        Path file = Files.writeString(
                folder.resolve("quoted.csv"),
                "\"when\",\"stage, of the test\",rps\n1600000000,\"warm, \"\"cold\"\"\",100\n1600000001,\"b,c\",50\n");
        CsvMapping mapping = CsvMapping.parse("time=when:s,requests=rps:rate,bin=1s");
        Recorded run = Recorded.of(MappedCsv.of(file, mapping, Texts.options()).orElseThrow());

        assertThat(Formats.of(file, Optional.of(mapping))).contains(MappedCsv.FORMAT);
        assertThat(run.rows).extracting(LoadRow::completed).containsExactly(100L, 50L);
    }

    @Test
    void rowsWithoutATimeFollowOneAnother() throws IOException {
        Path file = Files.writeString(folder.resolve("bins.csv"), "stage,n\nwarm,10\nwarm,20\nload,30\n");
        CsvMapping mapping = CsvMapping.parse("phase=stage,requests=n,bin=500ms");
        LoadSource csv = MappedCsv.of(file, mapping, Texts.options()).orElseThrow();
        Recorded run = Recorded.of(csv);

        assertThat(csv.dated()).isFalse();
        assertThat(run.phases).containsExactly("warm", "load");
        assertThat(run.rows).extracting(LoadRow::endNanos).containsExactly(SECOND / 2, SECOND, 3 * SECOND / 2);
        assertThatThrownBy(() -> CsvMapping.parse("requests=n")).hasMessageContaining("how long a row is (bin=1s)");
    }

    @Test
    void aRowDoesNotStandForAHoleBehindIt() throws IOException {
        Path file = Files.writeString(
                folder.resolve("hole.csv"), "t,rps\n1600000000,100\n1600000001,100\n1600000002,100\n1600000060,100\n");
        CsvMapping mapping = CsvMapping.parse("time=t:s,requests=rps:rate");

        assertThat(Recorded.of(MappedCsv.of(file, mapping, Texts.options()).orElseThrow()).rows)
                .extracting(LoadRow::completed)
                .hasSize(61)
                .startsWith(100L, 100L, 100L, 0L)
                .endsWith(0L, 100L);
    }

    @Test
    void anHourWithoutARequestIsAMistakenTime() throws IOException {
        Path file = Files.writeString(folder.resolve("h.log"), "1600000000000000\t200\t5\n1600009000000000\t200\t5\n");
        LoadSource load = H2loadLog.of(file).orElseThrow();

        assertThatThrownBy(() -> Recorded.of(load))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("h.log:2: a request that ended more than an hour after those above it");
    }

    @Test
    void otherTablesOfMpstatArePassedOver() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), """
                Linux 6.1.0 (lab) \t2026-06-02 \t_x86_64_\t(2 CPU)

                17:00:00     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
                17:00:01     all    5.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   95.00
                17:00:01       0   10.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   90.00

                17:00:00     CPU    intr/s
                17:00:01     all    900.00
                17:00:01       0    450.00

                17:00:01     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
                17:00:02     all    5.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   95.00
                17:00:02       0   20.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   80.00
                """);

        assertThat(SystemRecorded.of(Mpstat.of(file).orElseThrow()).cpus)
                .extracting(cpu -> cpu.busyNanos())
                .containsExactly(100_000_000L, 300_000_000L);
    }

    @Test
    void requestsThatComeTooLateAreAnError() {
        List<Request> requests = new ArrayList<>();
        String late = "1600000000000000\t200\t5\n1600000099000000\t200\t5\n1600000010000000\t200\t5\n";
        H2loadLog.parse(Recorded.lines(late), requests::add, gap -> {});
        RequestBins bins = new RequestBins(new Recorded(), requests.getFirst().startNanos(), 100_000_000L);
        bins.add(requests.get(0));
        bins.add(requests.get(1));

        assertThatThrownBy(() -> bins.add(requests.get(2)))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("some.log:3: a request that ended more than 30 s before those above it");
    }
}
