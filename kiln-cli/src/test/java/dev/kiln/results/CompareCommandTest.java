package dev.kiln.results;

import static dev.kiln.results.Compared.TWO;
import static dev.kiln.results.Compared.json;
import static dev.kiln.results.Compared.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.model.run.Course;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code kiln compare} of experiments: which runs of which folders are compared, and whether that is fair. */
class CompareCommandTest {
    @TempDir
    private Path dir;

    /** In two folders as in one: a side that peaks at two thirds of the other does not reach 90 % of what both are held against. */
    @Test
    void bothSidesAreHeldAgainstTheHigherPeak() {
        Path low = dir.resolve("low");
        Path high = dir.resolve("high");
        new RecordedRuns(low).variant(List.of("app"), "app", 6, 10, 820);
        new RecordedRuns(high).variant(List.of("app"), "app", 6, 30, 1222);

        JsonNode against = json("compare", low.toString(), high.toString(), "--one-session", "--json", "-")
                .at("/comparisons/0");

        assertThat(metric(against, "t90").at("/a/reached").asInt()).isZero();
        assertThat(metric(against, "t90").at("/b/reached").asInt()).isEqualTo(6);
        assertThat(metric(against, "t90").get("meaning").asString()).isEqualTo("better");
        assertThat(metric(against, "warm-up-cost").at("/a/centre").asDouble())
                .isCloseTo(60 - 55 * 820 / 1222.0, within(1.0));
        assertThat(metric(against, "warm-up-cost").get("meaning").asString()).isEqualTo("better");
    }

    @Test
    void variantsOfAFolderArePairedByBlock() {
        Path folder = dir.resolve("demo");
        new RecordedRuns(folder).variant(TWO, "platform", 6, 70, 3000).variant(TWO, "virtual", 6, 20, 3300);

        JsonNode against = json("compare", folder.toString(), "--json", "-").at("/comparisons/0");

        assertThat(Kiln.run("compare", folder.toString(), "--markdown").out())
                .contains(
                        "- a figure is the mean of the runs (the geometric mean where the change is a ratio) \u00b1 their standard"
                                + " deviation\n- a time that not all runs reached is the median, and how many reached it\n");
        assertThat(against.get("name").asString()).isEqualTo("virtual");
        JsonNode peak = metric(against, "peak");
        assertThat(peak.get("paired").asBoolean()).isTrue();
        assertThat(peak.get("estimate").asDouble()).isCloseTo(1.1, within(0.01));
        assertThat(peak.get("verdict").asString()).isEqualTo("higher");
        assertThat(peak.get("meaning").asString()).isEqualTo("better");
        assertThat(peak.at("/crossCheck/method").asString()).isEqualTo("permutation within blocks");
        assertThat(metric(against, "t90").get("form").asString()).isEqualTo("difference");
        assertThat(metric(against, "t90").at("/a/reached").asInt()).isZero();
        assertThat(metric(against, "t90").get("meaning").asString()).isEqualTo("better");
        assertThat(metric(against, "warm-up-cost").get("form").asString()).isEqualTo("difference");
        assertThat(metric(against, "p99").at("/a/centre").asDouble()).isCloseTo(33.3, within(1.0));
        assertThat(metric(against, "max").at("/a/centre").asDouble()).isCloseTo(100, within(3.0));
        assertThat(against.get("metrics").findValuesAsString("metric"))
                .containsExactly(
                        "peak",
                        "t90",
                        "warm-up-cost",
                        "throughput",
                        "warm-up-requests",
                        "errors",
                        "startup",
                        "first-response",
                        "p50",
                        "p75",
                        "p95",
                        "p99",
                        "mean",
                        "max",
                        "rss",
                        "compilations",
                        "osr-compilations");
    }

    @Test
    void aVariantIsNamedBehindAColon() {
        Path first = dir.resolve("first");
        Path second = dir.resolve("second");
        new RecordedRuns(first).variant(TWO, "platform", 4, 10, 3000).variant(TWO, "virtual", 4, 10, 3300);
        new RecordedRuns(second).variant(List.of("virtual"), "virtual", 4, 10, 3310);

        JsonNode result = json("compare", first + ":virtual", second.toString(), "--json", "-");
        assertThat(result.at("/baseline/name").asString())
                .as("both are called virtual")
                .isEqualTo("virtual (first)");
        assertThat(result.at("/comparisons/0/name").asString()).isEqualTo("virtual (second)");
        assertThat(metric(result.at("/comparisons/0"), "peak").get("paired").asBoolean())
                .isFalse();

        Kiln several = Kiln.run("compare", first.toString(), second.toString());
        assertThat(several.exit()).isEqualTo(2);
        assertThat(several.err()).contains("has several variants").contains(first + ":platform");
        Kiln slip = Kiln.run("compare", first + ":virtul", second.toString());
        assertThat(slip.err()).contains("did you mean 'virtual'?");
    }

    /** Such as a service that Kiln started, and the same one that a compose file gave one CPU. */
    @Test
    void aMachineThatGivesATargetFewerCpusIsNoOtherHost() throws IOException {
        List<String> all = List.of("platform", "virtual");
        Path started = dir.resolve("started");
        Path composed = dir.resolve("composed");
        for (Path each : List.of(started, composed)) {
            new RecordedRuns(each).variant(all, "platform", 5, 40, 3000).variant(all, "virtual", 5, 10, 3300);
        }
        try (Stream<Path> files = Files.walk(composed)) {
            for (Path info : files.filter(file -> file.endsWith("run.json")).toList()) {
                String text = Files.readString(info);
                assertThat(text).contains("\"cpus\" : 4");
                Files.writeString(info, text.replace("\"cpus\" : 4", "\"cpus\" : 1"));
            }
        }

        Kiln told = Kiln.run("compare", started.toString(), composed.toString());

        assertThat(told.out()).startsWith("Different CPUs\n").contains("EPYC, 4 CPUs, ", "EPYC, 1 CPU, ");
    }

    @Test
    void twoExperimentsOnDifferentJdksSayWhichTheyHad() throws IOException {
        List<String> all = List.of("platform", "virtual");
        Path old = dir.resolve("old");
        Path fresh = dir.resolve("new");
        Map<String, Path> folders = Map.of("17.0.15+6", old, "25.0.3+9", fresh);
        for (Map.Entry<String, Path> each : folders.entrySet()) {
            Path folder = each.getValue();
            new RecordedRuns(folder).variant(all, "platform", 5, 40, 3000).variant(all, "virtual", 5, 10, 3300);
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path info : files.filter(file -> file.endsWith("run.json")).toList()) {
                    Files.writeString(
                            info,
                            Files.readString(info)
                                    .replaceFirst(
                                            "\"jvm\" : null",
                                            "\"jvm\" : {\"home\": \"/opt/java\", \"version\": \"" + each.getKey()
                                                    + "\", \"vendor\": \"Debian\", \"flags\": []}"));
                }
            }
        }

        Kiln told = Kiln.run("compare", old.toString(), fresh.toString());

        assertThat(told.out().lines().limit(3))
                .satisfiesExactly(
                        title -> assertThat(title).isEqualTo("One host"),
                        before -> assertThat(before).contains("/old: ").endsWith("; JDK: Debian 17.0.15+6 (/opt/java)"),
                        after -> assertThat(after).contains("/new: ").endsWith("; JDK: Debian 25.0.3+9 (/opt/java)"));
    }

    /** Such as one study on two kernels. */
    @Test
    void twoExperimentsAreComparedVariantByVariant() {
        Path old = dir.resolve("old");
        Path fresh = dir.resolve("new");
        List<String> all = List.of("platform", "virtual", "leyden");
        new RecordedRuns(old).variant(all, "platform", 5, 40, 3000).variant(all, "virtual", 5, 10, 3300);
        new RecordedRuns(fresh, 60, 100, "Xeon", Course.Outcome.COMPLETED)
                .variant(all, "platform", 5, 20, 3010)
                .variant(all, "virtual", 5, 10, 3310)
                .variant(all, "leyden", 5, 10, 2000);

        Kiln told = Kiln.run("compare", old.toString(), fresh.toString());
        assertThat(told.exit()).as(told.err()).isZero();
        assertThat(told.out())
                .startsWith("Different hosts\n  " + old + ": EPYC")
                .contains("platform (new) against platform (old), 5 against 5 runs")
                .contains("virtual (new) against virtual (old), 5 against 5 runs")
                .contains("change, at 97.5 %,", "CPUs of the target: 1 bound", "CPUs of the target: 2 bound")
                .doesNotContain("NOT A FAIR COMPARISON");
        assertThat(told.err()).contains("left out: leyden is only in " + fresh);
        Kiln asJson = Kiln.run("compare", old.toString(), fresh.toString(), "--json", "-", "--primary", "t90");
        JsonNode result = new JsonMapper().readTree(asJson.out());
        assertThat(result.get("pairs")).hasSize(2);
        assertThat(metric(result.at("/pairs/0/comparisons/0"), "t90")
                        .get("verdict")
                        .asString())
                .as("two hosts are two sessions")
                .isEqualTo("two sessions");
        assertThat(metric(result.at("/pairs/0/comparisons/0"), "t90")
                        .get("confidence")
                        .asDouble())
                .isEqualTo(0.975);
        assertThat(result.at("/pairs/0/confidence").asDouble()).isEqualTo(0.975);
        assertThat(result.at("/pairs/0/constants/confidence").asDouble())
                .as("what --set would set")
                .isEqualTo(0.95);
        assertThat(Kiln.run("compare", old.toString(), fresh.toString(), "--verbose")
                        .out()
                        .replaceAll("\\s+", " "))
                .contains("all pairs hold together at 95 %", " 97.5 % ")
                .containsPattern("confidence.0[.]95,");
        Kiln csv = Kiln.run("compare", old.toString(), fresh.toString(), "--csv");
        assertThat(csv.out().lines().filter(line -> line.startsWith("baseline,")))
                .hasSize(1);
    }

    @Test
    void differentLoadsAndHostsAreComparedOnlyWhenAskedFor() {
        Path first = dir.resolve("first");
        Path second = dir.resolve("second");
        new RecordedRuns(first).variant(List.of("a"), "a", 4, 10, 3000);
        new RecordedRuns(second, 90, 50, "Xeon", Course.Outcome.COMPLETED).variant(List.of("b"), "b", 4, 10, 3000);

        Kiln refused = Kiln.run("compare", first.toString(), second.toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .contains("different protocols: load 60 s")
                .contains("different load: GET /fruits, 100 connections (a) against GET /fruits, 50 connections (b)")
                .contains("different hosts: EPYC")
                .contains("--allow-different");

        Kiln marked = Kiln.run("compare", first.toString(), second.toString(), "--allow-different");
        assertThat(marked.exit()).isZero();
        assertThat(marked.out()).contains("NOT A FAIR COMPARISON: different protocols");
        assertThat(json("compare", first.toString(), second.toString(), "--allow-different", "--json", "-")
                        .at("/comparisons/0/fair")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void runsThatWereInterruptedAreLeftOutAndNamed() {
        Path folder = dir.resolve("demo");
        new RecordedRuns(folder, 60, 100, "EPYC", Course.Outcome.INTERRUPTED)
                .variant(TWO, "platform", 5, 10, 3000)
                .variant(TWO, "virtual", 5, 10, 3300);

        Kiln ran = Kiln.run("compare", folder.toString(), "--json", "-");

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).isEqualTo("""
                        kiln: left out: platform run 5: interrupted (run it again)
                        kiln: left out: virtual run 5: interrupted (run it again)
                        """);
        JsonNode result = JsonMapper.shared().readTree(ran.out());
        assertThat(metric(result.at("/comparisons/0"), "peak").at("/a/runs").asInt())
                .isEqualTo(4);
        assertThat(result.get("footnotes").toString()).contains("platform: run 5 is left out: interrupted");
    }

    @Test
    void aMetricThatWasNotRecordedIsNotCalledUnknown() {
        Path folder = dir.resolve("demo");
        new RecordedRuns(folder).variant(TWO, "platform", 2, 10, 3000).variant(TWO, "virtual", 2, 10, 3300);

        Kiln ran = Kiln.run("compare", folder.toString(), "--primary", "cpu-per-request");

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("kiln: --primary: not all of these have cpu-per-request; they have peak, t90,");
        assertThat(Kiln.run("compare", folder.toString(), "--primary", "pek").err())
                .startsWith("kiln: --primary: unknown metric 'pek'");
    }

    @Test
    void aRunThatIsLeftOutIsAProblem() throws IOException {
        Path folder = dir.resolve("demo");
        new RecordedRuns(folder).variant(TWO, "platform", 5, 10, 3000).variant(TWO, "virtual", 5, 10, 3300);
        assertThat(Kiln.run("compare", folder.toString()).exit()).isZero();

        Files.writeString(folder.resolve("virtual/5/run.json"), "{");
        Kiln unreadable = Kiln.run("compare", folder + ":platform", folder + ":virtual");
        assertThat(unreadable.err()).startsWith("kiln: left out: ").contains("virtual/5/run.json");
        assertThat(unreadable.exit()).isEqualTo(1);
    }

    @Test
    void whatCannotBeComparedIsSaid() throws IOException {
        String a = file("a.csv", "peak\n1\n2\n");
        assertThat(Kiln.run("compare", a).err()).contains("has only one configuration, a");
        assertThat(Kiln.run("compare", a, file("b.csv", "other\n1\n2\n")).err()).contains("no metric in common");
        assertThat(Kiln.run("compare", a, a, "--primary", "pek").err()).contains("did you mean 'peak'?");
        assertThat(Kiln.run("compare", a, "nowhere").err()).contains("no such folder or file: nowhere");
        assertThat(Kiln.run("compare", a, a, "--effect", "0").exit()).isEqualTo(2);
    }

    /** A copy, or another way to it, is no other night. */
    @Test
    void aCopyOfAnExperimentIsTheSameSession() throws IOException {
        Path first = dir.resolve("first");
        new RecordedRuns(first).variant(TWO, "platform", 4, 10, 3000).variant(TWO, "virtual", 4, 10, 3300);
        Path link = Files.createSymbolicLink(dir.resolve("link"), first);
        Path copy = dir.resolve("copy");
        try (Stream<Path> all = Files.walk(first)) {
            for (Path one : all.toList()) {
                Files.copy(one, copy.resolve(first.relativize(one)));
            }
        }
        for (Path other : List.of(link, copy)) {
            assertThat(Kiln.run("compare", first + ":platform", other + ":virtual")
                            .out())
                    .doesNotContain("two sessions");
        }
    }

    @Test
    @Timeout(60)
    void aNamedPipeIsReadOnceBesideAFolder() throws IOException, InterruptedException {
        Path folder = dir.resolve("first");
        new RecordedRuns(folder).variant(TWO, "platform", 4, 10, 3000);
        Path pipe = dir.resolve("pipe");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                Files.writeString(pipe, "variant,peak\nb,3100\nb,3110\nb,3105\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        Kiln ran = Kiln.run("compare", folder + ":platform", pipe.toString());
        writer.join();

        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("3 against 4 runs");
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }
}
