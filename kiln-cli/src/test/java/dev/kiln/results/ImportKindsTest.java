package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.cli.Kiln;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Figures of result files as programs publish them, recomputed by hand. */
class ImportKindsTest {
    private static final long BEGIN = 1_780_390_800;

    @TempDir
    private Path folder;

    private int results;

    /** What was imported and what was said. */
    private record Imported(JsonNode result, Kiln kiln) {
        JsonNode run() {
            return run(0);
        }

        JsonNode run(int variant) {
            return result.path("variants").path(variant).path("runs").path(0);
        }

        JsonNode phase(int index) {
            return run().path("phases").path(index);
        }

        double throughput() {
            return phase(0).path("throughput").asDouble();
        }

        double cpu(String thread) {
            for (JsonNode of : run().path("observed").path("threads")) {
                if (of.path("name").asString("").equals(thread)) {
                    return of.path("cpuShare").asDouble();
                }
            }
            return Double.NaN;
        }
    }

    private Imported imported(String... args) throws IOException {
        Path json = folder.resolve("result-" + ++results + ".json");
        List<String> all = new ArrayList<>(List.of("import"));
        all.addAll(List.of(args));
        all.addAll(List.of("--results", folder.resolve("out").toString(), "--json", json.toString()));
        Kiln kiln = Kiln.run(all.toArray(String[]::new));
        assertThat(json).as(kiln.out() + kiln.err()).exists();
        return new Imported(JsonMapper.shared().readTree(json), kiln);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static String wrk(int seconds, String length, long requests, String rate) {
        return """
                Running %ds test @ http://127.0.0.1:8080/orders
                  2 threads and 20 connections
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency     2.10ms    1.00ms  30.00ms   90.00%%
                    Req/Sec     2.50k   100.00     3.00k    75.00%%
                  %d requests in %s, 10.00MB read
                Requests/sec:   %s
                Transfer/sec:      1.00MB
                """.formatted(seconds, requests, length, rate);
    }

    @Test
    void theLastLineOfWrkMayLackItsEnd() throws IOException {
        Imported run =
                imported(file("w.txt", wrk(30, "30.05s", 150_250, "5000.00").stripTrailing()));

        assertThat(run.phase(0).path("requests").asLong()).isEqualTo(150_250);
        assertThat(run.throughput()).isCloseTo(5000, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({"1.00m, 301400, 5000.00, 60.28", "1.51h, 54360, 10.00, 5436"})
    void wrksOwnRateTellsAnExactLength(String told, long requests, String rate, double seconds) throws IOException {
        Imported run = imported(file("w.txt", wrk(60, told, requests, rate)));

        assertThat(run.throughput()).isCloseTo(Double.parseDouble(rate), within(1e-6));
        assertThat(run.phase(0).path("durationSeconds").asDouble()).isCloseTo(seconds, within(1e-3));
    }

    @Test
    void testsOfDifferentLengthsCostWhatTheirOwnLengthsSay() throws IOException {
        Imported run =
                imported(file("w.txt", wrk(30, "30.05s", 150_250, "5000.00") + wrk(60, "60.06s", 540_540, "9000.00")));

        // 30.05 s at 5,000 of 9,000.
        assertThat(run.run().path("deficitSeconds").asDouble()).isCloseTo(30.05 * 4 / 9, within(1e-3));
        assertThat(run.run().path("timeToReferencePeak").path("50").isNull()).isTrue();
        assertThat(run.run().path("timeToReferencePeakInterval").isEmpty()).isTrue();
        assertThat(run.kiln().out()).contains("only totals were kept").doesNotContain("did not reach");
    }

    @Test
    void threeTestsCostWhatEachOfThemSays() throws IOException {
        Imported run = imported(file(
                "w.txt",
                wrk(10, "10.00s", 30_000, "3000.00")
                        + wrk(30, "30.00s", 180_000, "6000.00")
                        + wrk(60, "60.00s", 540_000, "9000.00")));

        assertThat(run.run().path("deficitSeconds").asDouble()).isCloseTo(10 * 6 / 9.0 + 30 * 3 / 9.0, within(1e-3));
    }

    @Test
    void aTotalIsAsManySecondsAsItTook() throws IOException {
        Imported run = imported(file(
                "w.txt",
                wrk(30, "30.00s", 150_000, "5000.00")
                        .replace("Requests/sec", "  Non-2xx or 3xx responses: 5000\nRequests/sec")));

        assertThat(run.kiln().out()).contains("30 of 30 seconds of load had more errors");
    }

    private static String requests(long... starts) {
        StringBuilder log = new StringBuilder();
        for (long start : starts) {
            for (int i = 0; i < 240; i++) {
                log.append(start * 1_000_000 + i * 50_000L).append("\t200\t4000\n");
            }
        }
        return log.toString();
    }

    @Test
    void tenSecondsWithoutARequestInFlightEndALoad() throws IOException {
        Imported two = imported(file("h.log", requests(BEGIN, BEGIN + 120)));
        Imported one = imported(file("o.log", requests(BEGIN, BEGIN + 21)));

        assertThat(two.run().path("phases")).hasSize(3);
        assertThat(two.throughput()).isCloseTo(20, within(0.1));
        assertThat(two.phase(1).path("load").asBoolean()).isFalse();
        assertThat(two.phase(1).path("durationSeconds").asDouble()).isCloseTo(108.046, within(1e-3));
        assertThat(two.phase(2).path("requests").asLong()).isEqualTo(240);
        assertThat(one.run().path("phases")).hasSize(1);
    }

    @Test
    void aRequestInFlightKeepsALoadTogether() throws IOException {
        String slow = BEGIN * 1_000_000 + 11_900_000L + "\t200\t20000000\n";
        // Programs write a request down when it has ended.
        String later = requests(BEGIN + 30);
        int line = later.indexOf('\n') + 1;

        Imported run =
                imported(file("h.log", requests(BEGIN) + later.substring(0, line) + slow + later.substring(line)));

        assertThat(run.run().path("phases")).hasSize(1);
        assertThat(run.phase(0).path("requests").asLong()).isEqualTo(481);
    }

    private static String jmh(String mode, int threads, double score, String unit, String params, String data) {
        return """
                {"jmhVersion":"1.37","benchmark":"a.B.c","mode":"%s","threads":%d,"forks":1,"measurementTime":"10 s",
                "params":{%s},"primaryMetric":{"score":%s,"scoreUnit":"%s",%s}}
                """.formatted(mode, threads, params, score, unit, data);
    }

    private static String raw(double score) {
        return "\"rawData\":[[" + (score + ",").repeat(11) + score + "]]";
    }

    @Test
    void jmhsMeanTimeIsThatOfEachThread() throws IOException {
        Imported run = imported(file("j.json", "[" + jmh("avgt", 4, 2, "ms/op", "", raw(2)) + "]"));

        assertThat(run.throughput()).isCloseTo(2000, within(1e-6));
    }

    @Test
    void jmhsModesWithoutARateAreNamed() throws IOException {
        String sample = jmh("sample", 1, 2, "ms/op", "", "\"rawDataHistogram\":[]");
        Imported run = imported(file("j.json", "[" + sample + "," + jmh("thrpt", 1, 2, "ops/ms", "", raw(2)) + "]"));
        Kiln alone = Kiln.run("import", file("s.json", "[" + sample + "]"));

        assertThat(run.result().path("variants")).hasSize(1);
        assertThat(run.kiln().err()).contains("a.B.c is in JMH's mode 'sample', which has no rate");
        assertThat(alone.exit()).isEqualTo(2);
        assertThat(alone.err()).contains("JMH's mode 'sample'");
    }

    @Test
    void jmhsParametersMayHoldAnything() throws IOException {
        String longest = "x".repeat(300);
        Imported run = imported(file(
                "j.json",
                "[" + jmh("thrpt", 1, 2, "ops/ms", "\"op\":\"<\"", raw(2)) + ","
                        + jmh("thrpt", 1, 2, "ops/ms", "\"op\":\">\"", raw(3)) + ","
                        + jmh("thrpt", 1, 2, "ops/ms", "\"op\":\"" + longest + "\"", raw(4)) + "]"));

        assertThat(run.result().path("variants")).hasSize(3);
        for (JsonNode variant : run.result().path("variants")) {
            assertThat(variant.path("name").asString("")).matches("[A-Za-z0-9._=+-]{1,100}");
        }
        assertThat(run.run(0).path("provenance").path("sources").toString()).contains("a.B.c-op=<");
        assertThat(run.run(1).path("provenance").path("sources").toString()).contains("a.B.c-op=>");
        assertThat(run.run(2).path("provenance").path("sources").toString()).contains(longest);
    }

    @Test
    void aDocumentOfHyperfoilWithTotalsAloneIsATotal() throws IOException {
        Imported run = imported(file("all.json", """
                {"$schema":"http://hyperfoil.io/run-schema/v3.0","version":"0.27.1","stats":[{"name":"steady","total":
                {"start":1780390820000,"end":1780390880000,"summary":{"startTime":1780390820000,"endTime":1780390880000,
                "maxResponseTime":23855103,"percentileResponseTime":{"50.0":737279,"99.0":2080767},"requestCount":6000,
                "responseCount":6000,"invalid":0,"connectionErrors":0,"requestTimeouts":0,"internalErrors":0,
                "extensions":{"http":{"status_2xx":6000,"status_3xx":0,"status_4xx":0,"status_5xx":0,"status_other":0}}}}}]}
                """));

        assertThat(run.phase(0).path("requests").asLong()).isEqualTo(6000);
        assertThat(run.phase(0).path("durationSeconds").asDouble()).isEqualTo(60);
        assertThat(run.phase(0).path("p50Millis").asDouble()).isEqualTo(0.737);
        assertThat(run.phase(0).path("p99Millis").asDouble()).isEqualTo(2.081);
    }

    @Test
    void k6TellsP99OnlyWhereItWasAsked() throws IOException {
        Imported run = imported(file("k.json", """
                {"metrics":{"http_reqs":{"values":{"count":150000,"rate":5000.0}},
                "http_req_failed":{"values":{"rate":0,"passes":0,"fails":150000}},
                "http_req_duration":{"values":{"avg":2.1,"min":1.0,"med":2.0,"max":30.0,"p(90)":3.0,"p(95)":4.0}}}}
                """));

        assertThat(run.phase(0).path("p50Millis").asDouble()).isEqualTo(2);
        assertThat(run.phase(0).path("maxMillis").asDouble()).isEqualTo(30);
        assertThat(run.phase(0).path("p99Millis").isNull()).isTrue();
    }

    private static String k6(long millis, long requests, double rate) {
        return """
                {"state":{"testRunDurationMs":%d},
                "metrics":{"http_reqs":{"type":"counter","values":{"count":%d,"rate":%s}},
                "http_req_failed":{"type":"rate","values":{"rate":0,"passes":0,"fails":%d}},
                "http_req_duration":{"type":"trend","values":{"avg":2.1,"min":1,"med":2,"max":30,"p(95)":4}}}}
                """.formatted(millis, requests, rate, requests);
    }

    /** Each is one total: how long it took is its own, and when within it anything was reached nobody knows. */
    @Test
    void summariesOfDifferentLengthsAreRunsOfTheirOwnLengths() throws IOException {
        Imported both = imported(
                file("shop-1.json", k6(30_050, 150_250, 5000)), file("shop-2.json", k6(60_060, 540_540, 9000)));

        assertThat(both.kiln().exit()).as(both.kiln().err()).isZero();
        JsonNode runs = both.result().at("/variants/0/runs");
        assertThat(both.result().path("variants")).hasSize(1);
        assertThat(runs).hasSize(2);
        double[] seconds = {30.05, 60.06};
        double[] rates = {5000, 9000};
        for (int i = 0; i < 2; i++) {
            JsonNode phase = runs.path(i).path("phases").path(0);
            assertThat(phase.path("durationSeconds").asDouble()).isCloseTo(seconds[i], within(1e-6));
            assertThat(phase.path("throughput").asDouble()).isCloseTo(rates[i], within(1e-6));
            assertThat(runs.path(i).path("timeToPeak").isEmpty()).isTrue();
            assertThat(runs.path(i).path("timeToOwnEnd").isEmpty()).isTrue();
            assertThat(runs.path(i).path("deficitSeconds").isNull()).isTrue();
        }
        assertThat(both.kiln().out()).contains("only totals were kept").doesNotContain("did not reach");
    }

    @Test
    void recordingsAndLogsOfOldVersionsAreRefusedByTheirName() throws IOException {
        byte[] recording = new byte[64];
        System.arraycopy(new byte[] {'F', 'L', 'R', 0, 0, 0, 0, 9}, 0, recording, 0, 8);
        Path jfr = Files.write(folder.resolve("old.jfr"), recording);
        String gatling = file("simulation.log", """
                example.OrderSim\tordersim\tRUN\t1448222481647\t \t2.0
                Users\t1-0\tUSER\tSTART\t1448222481663\t0
                """);

        assertThat(Kiln.run("import", jfr.toString()).err()).contains("a flight recording of version 0.9");
        assertThat(Kiln.run("import", gatling).err()).contains("a text log of Gatling '2.0'");
    }

    private String load() throws IOException {
        StringBuilder csv = new StringBuilder("time,requests\n");
        for (int i = 0; i < 21; i++) {
            csv.append(BEGIN + i).append(",100\n");
        }
        return file("load.csv", csv.toString());
    }

    /** Each row: the time as the log prints it, then its columns. */
    private static String pidstat(String head, String header, String decimal, String end, List<String> times) {
        StringBuilder log = new StringBuilder(head);
        for (String time : times) {
            log.append(header.replace("TIME", time));
            for (String row : List.of(
                    "4242 - 100.00 java",
                    "- 4242 0.00 |__java",
                    "- 4251 20.00 |__C2 CompilerThre",
                    "- 4260 80.00 |__http-nio-8080-e")) {
                String[] cells = row.split(" ", 4);
                log.append(String.format(
                        Locale.ROOT,
                        "%s  1000 %s %s %s %s %s\n",
                        time,
                        cells[0],
                        cells[1],
                        cells[2].replace(".", decimal),
                        "0.00".replace(".", decimal),
                        cells[3]));
            }
            log.append('\n');
        }
        return log.append(end).toString();
    }

    private static final String COLUMNS = "   UID      TGID       TID    %usr   %wait  Command\n";

    private static List<String> times(String form) {
        List<String> times = new ArrayList<>();
        for (int i = 1; i <= 21; i++) {
            times.add(form.replace("%02d", String.format(Locale.ROOT, "%02d", i)));
        }
        return times;
    }

    private Imported withLog(String log) throws IOException {
        return imported(load(), file("pidstat.log", log), "--zone", "UTC", "--map", "time=time:s,requests=requests");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "02.06.2026 | 09:00:%02d | , | Durchschn.:",
                "2026年06月02日 | 09时00分%02d秒 | . | 平均时间:",
                "2026年06月02日 | 09時00分%02d秒 | . | 平均値:",
                "2026년 06월 02일 | 09시 00분 %02d초 | . | 평균:",
                "02/06/26 | 09:00:%02d | , | Moyenne :",
                "02.06.2026 | 09.00.%02d | , | Keskiarvo:",
                "2026-06-02 | 上午 09时00分%02d秒 | . | 平均时间:",
                "06/02/2026 | 09:00:%02d AM | . | Average:"
            })
    void pidstatIsReadInAnyLanguage(String date, String form, String decimal, String mean) throws IOException {
        Imported run = withLog(pidstat(
                "Linux 5.14.0 (host) \t" + date + " \t_x86_64_\t(4 CPU)\n\n",
                "TIME" + COLUMNS,
                decimal,
                mean + COLUMNS + mean + "  1000      4242         -    80.00     0.00  java\n",
                times(form)));

        assertThat(run.kiln().err()).doesNotContain("left out");
        assertThat(run.cpu("http-nio-8080-e")).isCloseTo(0.8, within(1e-9));
        assertThat(run.run().path("observed").path("c2CpuShare").asDouble()).isCloseTo(0.2, within(1e-9));
    }

    @Test
    void pidstatOfOldOneLineFormsIsRead() throws IOException {
        String log = pidstat(
                        "Linux 3.10.0 (host) \t06/02/2026 \t_x86_64_\t(4 CPU)\n\n",
                        "#      Time   UID      TGID       TID    %usr   %CPU  Command\n",
                        ".",
                        "",
                        times(" 17803908%02d"))
                .replace(" - ", " 0 ");

        Imported run = withLog(log);

        assertThat(run.cpu("http-nio-8080-e")).isCloseTo(0.8, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"$ pidstat -u -w -t -h -p 4242 1\n", "[root@host ~]# pidstat -u -w -t 1\n"})
    void whatWasPastedWithALogIsPassedOver(String prompt) throws IOException {
        Imported run = withLog(prompt
                + pidstat(
                        "Linux 5.14.0 (host) \t06/02/2026 \t_x86_64_\t(4 CPU)\n\n",
                        "# Time  UID      TGID       TID    %usr   %wait  Command\n",
                        ".",
                        "^C\n",
                        times("17803908%02d")));

        assertThat(run.run().path("observed").path("c2CpuShare").asDouble()).isCloseTo(0.2, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"479136209706741632.00", "-nan", "99999999.00"})
    void oneImpossibleFigureIsLeftOutAndNamed(String figure) throws IOException {
        String log = pidstat(
                "Linux 5.14.0 (host) \t06/02/2026 \t_x86_64_\t(4 CPU)\n\n",
                "# Time  UID      TGID       TID    %usr   %wait  Command\n",
                ".",
                "",
                times("17803908%02d"));
        int at = log.indexOf("80.00", log.indexOf("1780390805"));
        Imported run = withLog(log.substring(0, at) + figure + log.substring(at + 5));

        assertThat(run.run().path("observed").path("c2CpuShare").asDouble()).isCloseTo(0.2, within(1e-9));
        assertThat(run.kiln().out().replaceAll("\\s+", " ")).contains("found '" + figure + "' for USR");
    }

    @Test
    void sharesOfThreadsAreOfTheTimeInWhichTheyWereSampled() throws IOException {
        String log = pidstat(
                        "Linux 5.14.0 (host) \t06/02/2026 \t_x86_64_\t(4 CPU)\n\n",
                        "# Time  UID      TGID       TID    %usr   %wait  Command\n",
                        ".",
                        "",
                        times("17803908%02d"))
                .replace("80.00 0.00 |__http", "100.00 0.00 |__http");

        Imported run = withLog(log);

        // The second half of 21 s begins between two samples.
        assertThat(run.cpu("http-nio-8080-e")).isCloseTo(1, within(1e-9));
        assertThat(run.run().path("observed").path("c2CpuShare").asDouble()).isCloseTo(0.2, within(1e-9));
    }
}
