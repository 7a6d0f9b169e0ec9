package dev.kiln.results;

import static dev.kiln.cli.ForeignFiles.PIDSTAT_START;
import static dev.kiln.cli.ForeignFiles.pidstat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.cli.ForeignFiles;
import dev.kiln.cli.Kiln;
import dev.kiln.evidence.RunReader;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An import tells of real files what was published of them, or what can be told at all. */
class PublishedImportTest extends ImportedRuns {
    /** Published series of 120 s warm-up, 30 s pause, 30 s load; never part of this repository. */
    private static final Path PUBLIC = Path.of("..", "..", "shared", "public-runs");

    /** Requests per second of the load phase, as published. */
    private static final Map<String, Double> PUBLISHED = Map.of(
            "spring4-jvm 1", 7956.06,
            "spring4-jvm 3", 7835.48,
            "spring4-leyden 1", 3062.82,
            "spring4-virtual 1", 10065.94,
            "quarkus3-jvm 1", 14893.57,
            "quarkus3-jvm 3", 14830.26,
            "quarkus3-leyden 1", 13817.11,
            "quarkus3-native 1", 5447.88);

    @Test
    void aWholeLabBecomesOneExperiment() throws IOException {
        for (int run = 0; run < 2; run++) {
            ForeignFiles.hyperfoil(
                    folder.resolve("lab/hyperfoil/spring-jvm-" + run + "/run/0000"), ForeignFiles.LOAD_START, 3000);
            Files.writeString(folder.resolve("lab/pidstat-spring-jvm-" + run + ".log"), pidstat(PIDSTAT_START, 180));
        }
        Files.writeString(
                folder.resolve("lab/metrics.json"),
                "{\"results\":{\"spring-jvm\":{\"startup\":{\"timings\":[9300.5,9400]},\"load\":{\"rss\":[500,510.5]}}}}");
        Path json = folder.resolve("result.json");
        Kiln kiln = Kiln.run(
                "import",
                folder.resolve("lab").toString(),
                "--results",
                folder.resolve("out").toString(),
                "--json",
                json.toString());

        assertThat(kiln.err()).contains("imported spring-jvm 1").contains("imported spring-jvm 2");
        assertThat(kiln.exit()).as(kiln.out() + kiln.err()).isZero();
        JsonNode runs =
                JsonMapper.shared().readTree(json).path("variants").path(0).path("runs");
        assertThat(runs).hasSize(2);
        assertThat(runs.path(0).path("startSeconds").asDouble()).isCloseTo(9.3005, within(1e-3));
        assertThat(runs.path(0).path("block").asInt()).as("not interleaved").isZero();
        assertThat(runs.path(0).path("provenance").path("alignmentSeconds").asDouble())
                .isEqualTo(1);
        assertThat(runs.path(0).path("provenance").path("byStart").asBoolean()).isTrue();
        assertThat(runs.path(0).path("observed").path("c2CpuShare").asDouble()).isCloseTo(0.4, within(1e-6));
        assertThat(runs.path(0).path("observed").path("c2WaitShare").asDouble())
                .as("of 120 % that pidstat printed for one thread: it has no more than the time beside its CPU")
                .isCloseTo(0.6, within(1e-6));
        assertThat(kiln.out().replaceAll("\\s+", " "))
                .contains("bins of 1 s by the start of requests")
                .contains("the time zone of pidstat is UTC-04:00");
        Path out = folder.resolve("out");
        assertThat(Kiln.run("report", out.toString()).exit()).isZero();
        assertThat(Kiln.run("compare", out.toString(), out.toString()).err()).doesNotContain("a bug in Kiln");
        assertThat(Kiln.run("explain", out.toString()).err()).doesNotContain("a bug in Kiln");
    }

    /** The folder and the time in the last line are not those of the page. */
    @Test
    void printsWhatTheReferenceShows() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/import.md"));
        Matcher block = Pattern.compile("```console\n\\$ ./kiln (import [^\n]*)\n(.*?)Report: ", Pattern.DOTALL)
                .matcher(page);
        int shown = 0;
        for (; block.find(); shown++) {
            List<String> args = new ArrayList<>(
                    List.of(block.group(1).replace("docs/", "../docs/").split(" ", -1)));
            args.addAll(List.of("--results", folder.resolve("out").toString()));
            Kiln kiln = Kiln.run(args.toArray(String[]::new));

            assertThat(kiln.exit()).isZero();
            assertThat(kiln.out().substring(0, kiln.out().indexOf("Report: "))).isEqualTo(block.group(2));
        }
        assertThat(shown).isPositive();
    }

    @Test
    void ofTotalsAloneNothingCanBeTold() throws IOException {
        Path file = Files.writeString(folder.resolve("plain.txt"), """
                Running 30s test @ http://x/
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency     6.46ms    1.93ms  12.34ms   67.66%
                  60018 requests in 30.01s, 19.81MB read
                """);
        Path json = folder.resolve("result.json");
        Kiln kiln = Kiln.run(
                "import", file.toString(), "--results", folder.resolve("out").toString(), "--json", json.toString());

        JsonNode run = JsonMapper.shared()
                .readTree(json)
                .path("variants")
                .path(0)
                .path("runs")
                .path(0);
        assertThat(kiln.exit()).as(kiln.out() + kiln.err()).isZero();
        assertThat(run.path("phases").path(0).path("throughput").asDouble()).isCloseTo(60018 / 30.01, within(0.01));
        assertThat(kiln.out().replaceAll("\\s+", " "))
                .contains("only totals were kept: without a curve there is no time to peak")
                .contains("Only totals were kept: without a curve there is no time to peak")
                .doesNotContain("more seconds");
        assertThat(run.path("verdict").asString()).isEqualTo("cannot tell");
    }

    @Test
    void publishedSeriesGivePublishedThroughputAndAnExpertsVerdicts() {
        assumeTrue(Files.isDirectory(PUBLIC), "the published series are not beside this checkout");
        Path json = folder.resolve("result.json");
        Kiln kiln = Kiln.run(
                "import", PUBLIC.toString(), "--results", folder.resolve("out").toString(), "--json", json.toString());
        Map<String, JsonNode> runs = runs(json);

        assertThat(kiln.err()).doesNotContain("left out");
        assertThat(runs.keySet()).containsExactlyInAnyOrderElementsOf(PUBLISHED.keySet());
        PUBLISHED.forEach((run, throughput) -> {
            JsonNode phases = run(runs, run).path("phases");
            double measured = phases.path(phases.size() - 1).path("throughput").asDouble();
            assertThat(measured / throughput).as(run).isCloseTo(1, within(0.002));
        });
        assertThat(verdict(runs, "spring4-jvm 1")).isEqualTo("below peak");
        String text = kiln.out().replaceAll("\\s+", " ");
        assertThat(text)
                .contains("spring4-leyden: peaked by throughput alone (far below what")
                .contains("quarkus3-jvm: peaked by throughput alone");
        assertThat(verdict(runs, "quarkus3-jvm 1")).isEqualTo("peaked");
        assertThat(run(runs, "spring4-virtual 1")
                        .path("timeToReferencePeak")
                        .path("90")
                        .isNumber())
                .isTrue();
        assertThat(run(runs, "quarkus3-jvm 1")
                        .path("timeToReferencePeak")
                        .path("90")
                        .isNumber())
                .isTrue();
        assertThat(run(runs, "spring4-jvm 1")
                        .path("timeToReferencePeak")
                        .path("90")
                        .isNull())
                .isTrue();
    }

    @Test
    void threadsThatWereHardlySampledRuleNothingOut() {
        assumeTrue(Files.isDirectory(PUBLIC), "the published series are not beside this checkout");
        String out = folder.resolve("out").toString();
        Kiln.run(
                "import",
                PUBLIC.resolve("quarkus3-jvm-0.csv").toString(),
                PUBLIC.resolve("pidstat-quarkus3-jvm-0.excerpt.log").toString(),
                "--results",
                out);
        String text = Kiln.run("explain", out).out();
        String ruledOut = text.contains("Ruled out") ? text.substring(text.indexOf("Ruled out")) : "";

        assertThat(ruledOut.split("Not observable", 2)[0])
                .doesNotContain("c2-backlog")
                .doesNotContain("spinning")
                .doesNotContain("too-many-runnable")
                .doesNotContain("aot");
        assertThat(text.replaceAll("\\s+", " "))
                .contains("the imported files do not say how the JVM was launched, or with which AOT cache");
    }

    @Test
    void aTotalTellsThroughputExactly() throws IOException {
        Path stats = Files.createDirectories(folder.resolve("shop-1/stats"));
        Files.writeString(stats.resolve("warmup.get.0.series.csv"), ForeignFiles.series(1_780_434_089_300L, 90, 3000));
        Files.writeString(stats.resolve("load.get.1.series.csv"), ForeignFiles.series(1_780_434_209_300L, 30, 3010));
        Files.writeString(stats.resolve("total.csv"), """
                Phase,Metric,Start,End,Requests,Responses,p50.0,p99.0,Max
                warmup,get,1780434089287,1780434179302,271800,271800,2,9,9
                load,get,1780434209291,1780434239311,90900,90900,2,9,9
                """);
        Path json = folder.resolve("result.json");
        Kiln kiln = Kiln.run(
                "import",
                folder.resolve("shop-1").toString(),
                "--results",
                folder.resolve("out").toString(),
                "--json",
                json.toString());

        assertThat(kiln.exit()).as(kiln.err()).isZero();
        JsonNode phases = run(runs(json), "shop 1").path("phases");
        assertThat(phases.path(phases.size() - 1).path("throughput").asDouble())
                .isCloseTo(90_900 / 30.020, within(0.01));
    }

    @Test
    void publishedPidstatTellsTheCompilersOfThatSecond() throws IOException {
        assumeTrue(Files.isDirectory(PUBLIC), "the published series are not beside this checkout");
        Kiln.run(
                "import",
                PUBLIC.resolve("spring4-jvm-0.csv").toString(),
                PUBLIC.resolve("pidstat-spring4-jvm-0.excerpt.log").toString(),
                "--results",
                folder.resolve("out").toString());
        List<String> lines = Files.readAllLines(PUBLIC.resolve("pidstat-spring4-jvm-0.excerpt.log"));
        double cpu = 0;
        double wait = 0;
        String last = lines.stream()
                .filter(l -> l.contains("C2 Comp"))
                .reduce((a, b) -> b)
                .orElseThrow()
                .substring(0, 11);
        for (String line : lines) {
            String[] cells = line.strip().split("\\s+", -1);
            if (line.startsWith(last) && line.contains("C2 Comp") && cells.length > 11) {
                cpu += Double.parseDouble(cells[5]) + Double.parseDouble(cells[6]);
                wait += Double.parseDouble(cells[8]);
            }
        }
        List<ThreadSample> c2 =
                RunReader.read(folder.resolve("out").resolve(experiment()).resolve("spring4-jvm/1")).threads().stream()
                        .filter(thread -> thread.role() == ThreadRole.C2)
                        .toList();
        long end = c2.getLast().timeNanos();

        assertThat(wait).isPositive();
        assertThat((sum(c2, end, ThreadSample::cpuNanos) - sum(c2, end - 1_000_000_000L, ThreadSample::cpuNanos)) / 1e7)
                .isCloseTo(cpu, within(1e-6));
        assertThat((sum(c2, end, ThreadSample::waitNanos) - sum(c2, end - 1_000_000_000L, ThreadSample::waitNanos))
                        / 1e7)
                .isCloseTo(wait, within(1e-6));
    }

    /** Of each thread's last sample until then. */
    private static long sum(List<ThreadSample> samples, long until, ToLongFunction<ThreadSample> counter) {
        Map<Integer, Long> last = new LinkedHashMap<>();
        samples.stream()
                .filter(sample -> sample.timeNanos() <= until)
                .forEach(sample -> last.put(sample.tid(), counter.applyAsLong(sample)));
        return last.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String verdict(Map<String, JsonNode> runs, String run) {
        return run(runs, run).path("verdict").asString("");
    }
}
