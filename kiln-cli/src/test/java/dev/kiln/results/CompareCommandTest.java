package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.Locales;
import dev.kiln.stats.Goldens;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompareCommandTest {
    private static final List<String> TWO = List.of("platform", "virtual");

    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"leyden_springboot_x86", "synthetic_n3", "synthetic_n4", "synthetic_n5", "synthetic_n6"})
    void singleColumnsGiveTheGoldenRatio(String group) throws IOException {
        JsonNode golden = Goldens.resource("compare").get(group);
        String a = file("a.csv", column(golden.get("a")));
        String b = file("b.json", golden.get("b").toString());

        JsonNode metric = json("compare", a, b, "--one-session", "--json", "-").at("/comparisons/0/metrics/0");

        for (String key : List.of("lo", "hi", "p")) {
            assertThat(metric.get(key).asDouble())
                    .isCloseTo(golden.at("/welch_log/" + key).asDouble(), within(1e-6));
        }
        assertThat(metric.get("estimate").asDouble())
                .isCloseTo(golden.at("/welch_log/ratio").asDouble(), within(1e-9));
        assertThat(metric.at("/crossCheck/p").asDouble())
                .isCloseTo(golden.at("/hodges_lehmann/exact_p").asDouble(), within(1e-6));
        assertThat(metric.get("verdict").asString().equals("exploratory")).isEqualTo(group.equals("synthetic_n3"));
    }

    /** Twelve nights before say how much nights differ; one of them is the baseline, and says nothing of itself. */
    @Test
    void earlierSessionsDecideWhatADifferenceOfTwoIsWorth() throws IOException {
        StringBuilder rows = new StringBuilder("session,peak\n");
        for (int night = 0; night < 12; night++) {
            for (int run = 0; run < 3; run++) {
                rows.append("n")
                        .append(night)
                        .append(',')
                        .append(1000 + 25 * (night % 5) + run)
                        .append('\n');
            }
        }
        String nights = file("nights.csv", rows.toString());
        String a = file("a.csv", "session,peak\nn11,1026\nn11,1025\nn11,1027\nn11,1026\n");
        String b = file("b.csv", "session,peak\nn12,980\nn12,981\nn12,979\nn12,980\n");
        String half = file("half.csv", "session,peak\nn13,500\nn13,501\nn13,502\nn13,503\n");

        Kiln unknown = Kiln.run("compare", a, b);
        assertThat(unknown.out())
                .contains("4 against 4 runs; two sessions; how much sessions differ is not known")
                .containsPattern("Peak: no conclusion, because b and a are of two sessions, and how much sessions")
                .containsPattern("\\(95 %\\s+interval of these two")
                .doesNotContain("lower, worse");
        Kiln known = Kiln.run("compare", a, b, "--sessions", nights);
        assertThat(known.out()).contains("no difference shown").containsPattern("11\\s+earlier\\s+ones\\s+say");
        assertThat(Kiln.run("compare", a, half, "--sessions", nights).out()).contains("lower, worse");
        assertThat(Kiln.run("compare", a, b, "--one-session").out()).contains("lower, worse");
        assertThat(Kiln.run("compare", a, b, "--one-session", "--sessions", nights)
                        .exit())
                .isEqualTo(2);
        Kiln none = Kiln.run("compare", a, b, "--sessions", file("bare.csv", "peak\n1\n"));
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.err()).contains("bare.csv:1: no column session");
    }

    @Test
    void threeRunsAreExploratoryAndSayWhatIsNeeded() throws IOException {
        Kiln ran = Kiln.run(
                "compare",
                "--one-session",
                file("a.csv", "8068.7\n7909.2\n8436.2\n"),
                file("b.csv", "7359.4\n7701.2\n7578.2\n"));

        assertThat(ran.exit()).isZero();
        assertThat(ran.out())
                .contains(
                        "3 against 3 runs\n\nToo few runs to tell b from a: at least 4 runs a side can show a difference;")
                .containsPattern("to show a change of 5 %\\s+takes \\d+ runs\\s+a side")
                .containsOnlyOnce("a difference")
                .doesNotContain("exploratory:");
        assertThat(ran.out().lines()).as("no page of notes").hasSizeLessThan(14);
    }

    /** A newcomer reads figures and a sentence; how they were come by is there for who asks. */
    @Test
    void whatTheConclusionRestsOnIsToldOnlyWhereItIsAskedFor() throws IOException {
        String a = file("a.csv", "peak\n100\n101\n102\n103\n");
        String b = file("b.csv", "peak\n110\n111\n112\n113\n");

        String brief = Kiln.run("compare", a, b, "--one-session").out();
        assertThat(brief)
                .contains(
                        "101 \u00b1 1",
                        "111 \u00b1 1",
                        "9.9 % higher, better",
                        "Peak: b is 9.9 % higher than a, better (95 % interval +")
                .contains("--verbose")
                .doesNotContain("Mann-Whitney", "binSeconds", "runs for 5 %", "1.099");
        String verbose = Kiln.run("compare", a, b, "--one-session", "--verbose").out();
        assertThat(verbose)
                .contains("101 \u00b1 1", "exact p", "Mann-Whitney", "binSeconds", "1.099", "runs for 5 %", "0.029");
        assertThat(Kiln.run("compare", a, b, "--one-session", "--markdown", "--verbose")
                        .out())
                .contains("| exact p |");
    }

    /** A change of more than the whole is told as a multiple, and so is its interval. */
    @Test
    void aMultipleIsNoPercentage() throws IOException {
        String a = file("a.csv", "rss [MiB]\n100\n101\n102\n103\n");
        String b = file("b.csv", "rss [MiB]\n300\n303\n306\n309\n");

        assertThat(Kiln.run("compare", a, b, "--one-session").out())
                .containsPattern("3\\.00 times as high, worse +2\\.\\d\\d to 3\\.\\d\\d times")
                .containsPattern("RSS: b is 3\\.00 times as high as a, worse");
    }

    /** Of two comparisons under Holm, the first that is shown has a wider interval than the other. */
    @Test
    void anIntervalOfAnotherLevelSaysSo() throws IOException {
        StringBuilder rows = new StringBuilder("variant,peak\n");
        for (int run = 0; run < 6; run++) {
            rows.append("a,").append(100 + run).append("\nb,").append(200 + run).append("\nc,");
            rows.append(151 + 2 * run).append('\n');
        }
        String table = file("abc.csv", rows.toString());

        String told = Kiln.run("compare", table, "--markdown").out();
        assertThat(told)
                .contains("| change | interval |", "- the interval is that of the change, at 95 %\n")
                .containsOnlyOnce(" (97.5 %) |")
                .contains("- an interval that names its level is not at 95 %, because peak is tested in 2 comparisons"
                        + " (Holm)\n");
        assertThat(Kiln.run("compare", table, "--markdown", "--verbose").out())
                .containsOnlyOnce(" (97.5 %) |")
                .contains("because peak is tested in 2 comparisons (Holm)", "its interval (95 %) ");
        assertThat(Kiln.run(
                                "compare",
                                file("a.csv", "100\n101\n102\n103\n"),
                                file("b.csv", "110\n111\n112\n113\n"),
                                "--markdown")
                        .out())
                .doesNotContain("names its level");
    }

    @Test
    void oneRunASideHasARatioAndNoInterval() throws IOException {
        JsonNode metric = json("compare", file("a.csv", "10\n"), file("b.csv", "12\n"), "--json", "-")
                .at("/comparisons/0/metrics/0");

        assertThat(metric.get("estimate").asDouble()).isCloseTo(1.2, within(1e-12));
        assertThat(metric.get("lo").isNull()).isTrue();
        assertThat(metric.get("verdict").asString()).isEqualTo("not enough runs");
    }

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

    @Test
    void aTableFromThePipeIsReadOnce() throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("variant,ms\na,10\na,11\na,12\n".getBytes(StandardCharsets.UTF_8)));
        try {
            Kiln ran = Kiln.run("compare", "-", file("b.csv", "variant,ms\nb,20\nb,21\nb,22\n"));
            assertThat(ran.exit()).as(ran.err()).isZero();
            assertThat(ran.out()).startsWith("b against a, 3 against 3 runs");
        } finally {
            System.setIn(before);
        }
    }

    /** Such as one study on two kernels. */
    @Test
    void twoExperimentsAreComparedVariantByVariant() {
        Path old = dir.resolve("old");
        Path fresh = dir.resolve("new");
        List<String> all = List.of("platform", "virtual", "leyden");
        new RecordedRuns(old).variant(all, "platform", 5, 40, 3000).variant(all, "virtual", 5, 10, 3300);
        new RecordedRuns(fresh, 60, 100, "Xeon", RunInfo.Outcome.COMPLETED)
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
        Kiln csv = Kiln.run("compare", old.toString(), fresh.toString(), "--csv");
        assertThat(csv.out().lines().filter(line -> line.startsWith("baseline,")))
                .hasSize(1);
    }

    @Test
    void differentLoadsAndHostsAreComparedOnlyWhenAskedFor() {
        Path first = dir.resolve("first");
        Path second = dir.resolve("second");
        new RecordedRuns(first).variant(List.of("a"), "a", 4, 10, 3000);
        new RecordedRuns(second, 90, 50, "Xeon", RunInfo.Outcome.COMPLETED).variant(List.of("b"), "b", 4, 10, 3000);

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
        new RecordedRuns(folder, 60, 100, "EPYC", RunInfo.Outcome.INTERRUPTED)
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
    void differentUnitsAreConvertedOnlyWhenAskedFor() throws IOException {
        String a = file("a.csv", "startup_ms\n500\n510\n505\n498\n");
        String b = file("b.csv", "startup [s]\n0.5\n0.51\n0.505\n0.498\n");

        Kiln refused = Kiln.run("compare", a, b);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("different units: startup in ms (a) against s (b)");
        JsonNode metric =
                json("compare", a, b, "--allow-different", "--json", "-").at("/comparisons/0/metrics/0");
        assertThat(metric.get("estimate").asDouble()).isCloseTo(1, within(1e-12));
    }

    /** Kiln's metric had the name before; what a table's author counted is another thing. */
    @Test
    void aTablesOwnRequestsAreNotThoseOfAWarmup() throws IOException {
        Path folder = dir.resolve("kilns");
        new RecordedRuns(folder).variant(List.of("app"), "app", 4, 10, 3000);
        String table = file("t.csv", "peak,requests\n3000,5\n3010,6\n3005,7\n2990,8\n");

        JsonNode against = json("compare", folder.toString(), table, "--allow-different", "--json", "-")
                .at("/comparisons/0");

        assertThat(against.get("metrics").findValuesAsString("metric")).containsExactly("peak");
    }

    /** Of many variants, some differ by chance: Holm on the primary metric. */
    @Test
    void manyVariantsInATableAreCounted() throws IOException {
        String table = file(
                "t.csv",
                "variant,peak\na,100\na,101\na,102\na,103\nb,104\nb,105\nb,106\nb,103.5\nc,100\nc,102\nc,101\nc,103\n");

        JsonNode result = json("compare", table, "--json", "-");

        JsonNode b = metric(result.at("/comparisons/0"), "peak");
        assertThat(b.get("p").asDouble()).isBetween(0.001, 0.05);
        assertThat(b.get("pAdjusted").asDouble()).isCloseTo(2 * b.get("p").asDouble(), within(1e-12));
        assertThat(result.at("/comparisons/1/metrics/0/verdict").asString()).isEqualTo("no difference shown");
    }

    @Test
    void aTableWithBlocksIsPaired() throws IOException {
        String table = file(
                "t.json",
                "[{\"variant\":\"a\",\"block\":1,\"peak\":100},{\"variant\":\"b\",\"block\":1,\"peak\":103},"
                        + "{\"variant\":\"a\",\"block\":2,\"peak\":200},{\"variant\":\"b\",\"block\":2,\"peak\":207},"
                        + "{\"variant\":\"a\",\"block\":3,\"peak\":300},{\"variant\":\"b\",\"block\":3,\"peak\":309}]");

        JsonNode peak = json("compare", table, "--json", "-").at("/comparisons/0/metrics/0");

        assertThat(peak.get("paired").asBoolean()).isTrue();
        assertThat(peak.get("hi").asDouble()).isBetween(1.03, 1.05);
        assertThat(peak.get("verdict").asString()).isEqualTo("exploratory");
    }

    @Test
    void moreCpuForARequestIsWorse() throws IOException {
        JsonNode metric = json(
                        "compare",
                        "--one-session",
                        file("a.csv", "cpu-per-request_ms\n0.40\n0.41\n0.40\n0.39\n"),
                        file("b.csv", "cpuPerRequest [us]\n500\n510\n490\n500\n"),
                        "--allow-different",
                        "--json",
                        "-")
                .at("/comparisons/0/metrics/0");

        assertThat(metric.get("metric").asString()).isEqualTo("cpu-per-request");
        assertThat(metric.get("estimate").asDouble()).isCloseTo(1.25, within(0.01));
        assertThat(metric.get("meaning").asString()).isEqualTo("worse");
    }

    @Test
    void partsOfTheTimeOfARequestAreMetricsOfATableToo() throws IOException {
        JsonNode metric = json(
                        "compare",
                        "--one-session",
                        file("a.csv", "blocked-per-request\n40\n41\n40\n39\n"),
                        file("b.csv", "blockedPerRequest\n50\n51\n49\n50\n"),
                        "--json",
                        "-")
                .at("/comparisons/0/metrics/0");

        assertThat(metric.get("metric").asString()).isEqualTo("blocked-per-request");
        assertThat(metric.get("estimate").asDouble()).as("a difference").isCloseTo(10, within(0.01));
        assertThat(metric.get("meaning").asString()).isEqualTo("worse");
    }

    @Test
    void aBudgetThatIsNotKnownCannotBeCompared() {
        String runs = dir.resolve("r").toString();
        new RecordedRuns(dir.resolve("r")).variant(TWO, "platform", 3, 9, 1000).variant(TWO, "virtual", 3, 9, 1000);

        Kiln asked = Kiln.run("compare", runs, "--request-time");
        assertThat(asked.exit()).isEqualTo(2);
        assertThat(asked.err())
                .contains("--request-time: of these runs it is not known where the time of a request went");
        Kiln primary = Kiln.run("compare", runs, "--primary", "cpu-wait-per-request");
        assertThat(primary.exit()).isEqualTo(2);
        assertThat(primary.err()).contains("--primary: not all of these have cpu-wait-per-request");
    }

    @Test
    void aZeroMakesADifferenceOfARatio() throws IOException {
        JsonNode metric = json(
                        "compare",
                        "--one-session",
                        file("a.csv", "c2Wait\n0\n0\n0\n1\n"),
                        file("b.csv", "c2Wait\n90\n91\n95\n93\n"),
                        "--json",
                        "-")
                .at("/comparisons/0/metrics/0");

        assertThat(metric.get("form").asString()).isEqualTo("difference");
        assertThat(metric.get("estimate").asDouble()).isCloseTo(92, within(1e-9));
        assertThat(metric.get("meaning").asString()).isEqualTo("worse");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "peak~NaN | :2: peak: found 'NaN', expected a finite number",
                "peak~-1 | :2: peak: found -1, expected a number that is not negative",
                "peak~ | :1: there is a header and no row",
                "variant~a | :1: no column with a metric",
                "[1, {\"a\": 2}] | :1: found keys [a], expected those of the first row: []",
                "{\"a\": [1, 2], \"b\": [1]} | :1: b: found 1 values, expected 2",
                "{\"schemaVersion\": 1} | :1: not a table",
                "[1, | :1: not JSON: it goes wrong at column 4",
                "[1, 2 | :1: not JSON: it ends in the middle, as if it had been cut short",
                "[1 x | :1: not JSON: it goes wrong at column 4",
                "{\"a~b\": [1]} | :1: not JSON: it goes wrong at column 4",
                "[{\"peak\": null}] | :1: peak: found nothing, expected a finite number",
            })
    void badTablesAreOneMessageWithItsPlace(String text, String complaint) throws IOException {
        String bad = file("bad.csv", text.replace('~', '\n'));

        Kiln ran = Kiln.run("compare", file("good.csv", "1\n2\n"), bad);

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("kiln: " + bad + complaint);
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

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "tr-TR", "de-DE", "ar-EG-u-nu-arab"})
    void theFormsThatScriptsDependOnAreTheSameEverywhere(String locale) throws IOException {
        String before = "../docs/examples/before.csv";
        String after = "../docs/examples/after.csv";

        assertThat(Locales.under(locale, () -> Kiln.run("compare", before, after, "--json", "-"))
                        .out())
                .isEqualTo(golden("compare.golden.json"));
        assertThat(Locales.under(locale, () -> Kiln.run("compare", before, after, "--csv"))
                        .out())
                .isEqualTo(golden("compare.golden.csv"));
        assertThat(Locales.under(locale, () -> Kiln.run("compare", before, after, "--markdown"))
                        .out())
                .isEqualTo(golden("compare.golden.md"));
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = CompareCommandTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
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

    private static JsonNode json(String... args) {
        Kiln ran = Kiln.run(args);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.exit()).isZero();
        return new JsonMapper().readTree(ran.out());
    }

    private static JsonNode metric(JsonNode against, String id) {
        for (JsonNode metric : against.get("metrics")) {
            if (metric.get("metric").asString().equals(id)) {
                return metric;
            }
        }
        throw new AssertionError("no metric " + id);
    }

    private static String column(JsonNode values) {
        StringBuilder out = new StringBuilder();
        values.forEach(value -> out.append(value).append('\n'));
        return out.toString();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }
}
