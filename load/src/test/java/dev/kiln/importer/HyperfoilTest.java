package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.hyperfoil.HyperfoilJson;
import dev.kiln.importer.hyperfoil.HyperfoilRun;
import dev.kiln.importer.hyperfoil.HyperfoilRun.HyperfoilName;
import dev.kiln.importer.hyperfoil.HyperfoilTotals;
import dev.kiln.importer.hyperfoil.SeriesReader;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HyperfoilTest {
    private static final String HEADER =
            "Start,End,Requests,Responses,Mean,StdDev,Min,p50.0,p90.0,p99.0,p99.9,p99.99,Max,ConnectionErrors,"
                    + "RequestTimeouts,InternalErrors,Invalid,BlockedTime,http.2xx,http.3xx,http.4xx,http.5xx,http.CacheHits,"
                    + "http.OtherStatus\n";
    private static final String TOTAL = "Phase,Metric," + HEADER.strip() + ",MinSessions,MaxSessions\n";

    @TempDir
    private Path folder;

    @Test
    void phasesComeFromFilesInTheOrderOfTime() throws IOException {
        series("loadTest.get.2.series.csv", 200_000, 3, 50);
        series("warmup_000.get.1.series.csv", 100_000, 4, 10);
        Recorded run = Recorded.of(HyperfoilRun.of(files(), List.of()).orElseThrow());

        assertThat(run.phases).containsExactly("warmup_000", "loadTest");
        assertThat(run.completed()).isEqualTo(4 * 10 + 3 * 50);
    }

    @Test
    void theTotalTellsTheExactEndAndQuantilesAndName() throws IOException {
        series("warmup_000.get.1.series.csv", 100_000, 4, 10);
        String total = TOTAL
                + "warmup/000,get,99998,104011,40,40,1,1,1,2000000,3,9000000,4,5,9500000,0,0,0,0,0,40,0,0,0,0,0,0,100\n";
        LoadSource run = HyperfoilRun.of(files(), totals(total)).orElseThrow();
        Recorded recorded = Recorded.of(run);

        assertThat(recorded.phases).containsExactly("warmup/000");
        assertThat(run.span()).isEqualTo(new Span(99_998_000_000L, 104_011_000_000L));
        assertThat(recorded.ends).containsExactly(104_011_000_000L);
        assertThat(recorded.totals).containsExactly(new Quantiles(40, 2_000_000, 9_000_000, 9_500_000));
        assertThat(recorded.gaps).isEmpty();
    }

    @Test
    void requestsMissingFromTheSeriesAreNamed() throws IOException {
        series("warmup.get.1.series.csv", 100_000, 4, 10);
        String total = TOTAL + "warmup,get,100000,104000,55,55,1,1,1,2,3,9,4,5,9,0,0,0,0,0,55,0,0,0,0,0,0,100\n";

        assertThat(Recorded.of(HyperfoilRun.of(files(), totals(total)).orElseThrow()).gaps)
                .containsExactly("phase warmup: the series has 40 of the 55 requests in total.csv");
    }

    @Test
    void metricsAreAddedUpAndAgentsLeftAside() throws IOException {
        series("load.get.1.series.csv", 100_000, 3, 10);
        series("load.post.2.series.csv", 100_000, 3, 5);
        series("load.get.1.agent.one.series.csv", 100_000, 3, 10);
        Recorded run = Recorded.of(HyperfoilRun.of(files(), List.of()).orElseThrow());

        assertThat(run.rows).hasSize(3);
        assertThat(run.completed()).isEqualTo(45);
        assertThat(run.rows.getFirst().latencies().p50Nanos())
                .as("cannot be joined")
                .isEqualTo(-1);
    }

    @Test
    void namesTellPhaseMetricAndAgent() {
        assertThat(HyperfoilName.of("loadTest.get.0.series.csv", List.of()))
                .isEqualTo(new HyperfoilName("loadTest", "get", Optional.empty()));
        assertThat(HyperfoilName.of("warmup_000.get_all.12.agent.1.series.csv", List.of()))
                .isEqualTo(new HyperfoilName("warmup_000", "get_all", Optional.of("1")));
        assertThat(HyperfoilName.of("warmup_000.v1.2.get.12.agent.node-a.lab.series.csv", List.of("warmup/000")))
                .isEqualTo(new HyperfoilName("warmup/000", "v1.2.get", Optional.of("node-a.lab")));
    }

    @Test
    void cyclesOfAWarmUpArePhasesOfTheirOwn() throws IOException {
        series("warmup_000.get.0.series.csv", 100_000, 3, 10);
        series("warmup_001.get.1.series.csv", 103_000, 3, 20);
        series("loadTest.get.2.series.csv", 130_000, 3, 30);

        assertThat(Recorded.of(HyperfoilRun.of(files(), List.of()).orElseThrow()).phases)
                .containsExactly("warmup_000", "warmup_001", "loadTest");
    }

    @Test
    void aBadStatusCountsOnceEvenIfItIsInvalidToo() {
        LoadRow row = new SeriesReader(
                        Recorded.lines(HEADER + "1000,2000,10,9,1,1,1,5,6,7,8,9,10,1,2,0,3,0,6,0,2,0,0,0\n"), "p")
                .next()
                .orElseThrow();

        assertThat(row.completed()).isEqualTo(5);
        assertThat(row.errors().non2xx()).isEqualTo(2);
        assertThat(row.errors().badBody()).isEqualTo(1);
        assertThat(row.errors().reset()).isEqualTo(1);
        assertThat(row.errors().timeout()).isEqualTo(2);
    }

    @Test
    void whatIsNotSoundIsAnErrorWithItsLine() {
        assertThatThrownBy(() ->
                        all(HEADER + row(1000, 5) + "2000,3000,x" + row(1, 1).substring(6)))
                .isInstanceOf(KilnException.class)
                .hasMessage("some.log:3: found 'x' for requests, expected a whole number");
        assertThatThrownBy(() -> all(HEADER + row(2000, 5) + row(1000, 5)))
                .hasMessageContaining("some.log:3: found a row that begins before the one above it ends");
        assertThatThrownBy(() -> all(HEADER + "1000,2000,5\n")).hasMessageContaining("some.log:2: found 3 columns");
        assertThatThrownBy(() -> all("Start,End\n1,2\n")).hasMessageContaining("not the header of a load series");
    }

    @Test
    void aLineCutShortIsLeftOutAndNamed() {
        String text = HEADER + row(1000, 5) + row(2000, 7);
        SeriesReader reader = new SeriesReader(Recorded.lines(text.substring(0, text.length() - 9)), "p");

        assertThat(reader.next()).isPresent();
        assertThat(reader.next()).isEmpty();
        assertThat(reader.cutShort()).contains("some.log:3: the last line is cut short and left out");
    }

    @Test
    void allJsonSaysTheSame() throws IOException {
        String second = "{\"startTime\":%d,\"endTime\":%d,\"maxResponseTime\":9,\"percentileResponseTime\":"
                + "{\"50.0\":3,\"99.0\":7},\"requestCount\":%d,\"responseCount\":%d,\"invalid\":0,\"connectionErrors\":0,"
                + "\"requestTimeouts\":0,\"internalErrors\":0,\"extensions\":{\"http\":{\"status_2xx\":%d,"
                + "\"status_3xx\":0,\"status_4xx\":0,\"status_5xx\":0,\"status_other\":0}}}";
        String json =
                "{\"$schema\":\"http://hyperfoil.io/run-schema/v3.0\",\"version\":\"0.29.2\",\"stats\":[{\"name\":"
                        + "\"warmup/000\",\"total\":{\"start\":998,\"end\":3011,\"summary\":"
                        + second.formatted(998, 3011, 22, 22, 22)
                        + "},\"series\":[" + second.formatted(1000, 2000, 10, 10, 10) + ","
                        + second.formatted(2000, 3000, 12, 12, 12)
                        + "]}]}";
        Path file = Files.writeString(folder.resolve("all.json"), json);
        LoadSource run = HyperfoilJson.of(file);
        Recorded recorded = Recorded.of(run);

        assertThat(run.what()).isEqualTo("Hyperfoil 0.29.2");
        assertThat(recorded.completed()).isEqualTo(22);
        assertThat(run.span()).isEqualTo(new Span(998_000_000L, 3_011_000_000L));
        assertThat(recorded.totals).containsExactly(new Quantiles(22, 3, 7, 9));
        assertThat(Formats.of(file, Optional.empty())).contains(HyperfoilJson.FORMAT);
    }

    private static List<LoadRow> all(String text) {
        SeriesReader reader = new SeriesReader(Recorded.lines(text), "p");
        List<LoadRow> rows = new ArrayList<>();
        for (Optional<LoadRow> row = reader.next(); row.isPresent(); row = reader.next()) {
            rows.add(row.get());
        }
        return rows;
    }

    private static List<HyperfoilTotals.HyperfoilTotal> totals(String text) {
        return HyperfoilTotals.parse(
                new Lines("total.csv", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
    }

    private List<Path> files() throws IOException {
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private void series(String name, long start, int seconds, int requests) throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        for (int i = 0; i < seconds; i++) {
            text.append(row(start + 1000L * i, requests));
        }
        Files.writeString(folder.resolve(name), text);
    }

    private static String row(long start, int requests) {
        return start + "," + (start + 1000) + "," + requests + "," + requests
                + ",3,1,1,2000000,3,9000000,4,5,9500000,0,0,0,0,0," + requests + ",0,0,0,0,0\n";
    }
}
