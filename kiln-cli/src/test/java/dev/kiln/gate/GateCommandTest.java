package dev.kiln.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.model.run.Course;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class GateCommandTest extends GateFiles {
    @Test
    void theReferenceRowsComeOutAsPublished() {
        Kiln ran = Kiln.run("gate", "--table", "../docs/examples/latency.csv");

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out())
                .containsPattern("50 % line, ms +137\\.0 +120\\.0 +14\\.2 % +1\\.0 % .*FAIL")
                .containsPattern("75 % line, ms +179\\.0 +153\\.0 +17\\.0 % +1\\.0 % .*FAIL")
                .containsPattern("95 % line, ms +261\\.0 +215\\.0 +21\\.4 % +1\\.0 % .*FAIL")
                .containsPattern("99 % line, ms +342\\.0 +301\\.0 +13\\.6 % +2\\.0 % .*FAIL")
                .containsPattern("mean, ms +148\\.0 +128\\.0 +15\\.6 % +1\\.0 % .*FAIL")
                .containsPattern("throughput, req/s +637\\.0 +745\\.2 +-14\\.5 % +-5\\.0 % .*FAIL")
                .contains("one figure a side: the point rule");
    }

    @Test
    void theTableHoldsAtItsTolerance() throws IOException {
        String table =
                file("t.csv", "tolerance,metric,note,current,baseline\n1,a,x,101,100\n-5 %,b,,95,100\n±2,c,,98,100\n");

        assertThat(Kiln.run("gate", "--table", table).exit()).isZero();
        String beyond = file("t.csv", "metric,current,baseline,tolerance\na,101.1,100,1\nb,1,1,1\n");
        assertThat(Kiln.run("gate", "--table", beyond).exit()).isEqualTo(1);
    }

    @Test
    void readsTheTableFromTheStandardInput() {
        assertThat(Kiln.piped("metric,current,baseline,tolerance\na,1,1,1\n", "gate", "--table", "-")
                        .exit())
                .isZero();
    }

    @Test
    void whatStopsABuildFirstDecidesTheExitCode() throws IOException {
        assertThat(gate("startup: 5\n").exit()).isZero();
        assertThat(gate("p99: 5\nstartup: 5\n").exit()).isEqualTo(1);
        assertThat(gate("p99: 5\nrss: 0.1\n").exit()).isEqualTo(1);
        assertThat(gate("startup: 5\nrss: 0.1\n").exit()).isEqualTo(5);
        Kiln inconclusive = gate("p99: 11\n");
        assertThat(inconclusive.exit()).isEqualTo(4);
        assertThat(inconclusive.out()).contains("inconclusive at look 1 of 1: the tolerance lies within");
        assertThat(gate("rss: 0.1\n").out())
                .contains("under-powered")
                .containsPattern("\\d+\\s+runs\\s+a\\s+side\\s+can");
    }

    @Test
    void moreLooksMakeAWiderInterval() throws IOException {
        String tolerance = file("t.yaml", "p99: 12\n");

        Kiln one = Kiln.run("gate", "--baseline", BEFORE, "--tolerance", tolerance, AFTER, "--json", "-");
        Kiln three =
                Kiln.run("gate", "--baseline", BEFORE, "--tolerance", tolerance, AFTER, "--looks", "3", "--json", "-");

        assertThat(new JsonMapper().readTree(three.out()).at("/metrics/0/hiPct").asDouble())
                .isGreaterThan(new JsonMapper()
                        .readTree(one.out())
                        .at("/metrics/0/hiPct")
                        .asDouble());
        assertThat(three.out()).contains("\"confidence\" : 0.9666666666666667");
        assertThat(Kiln.run("gate", "--baseline", BEFORE, "--tolerance", tolerance, AFTER, "--looks", "4")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void foldersAreGatedToo() throws IOException {
        Path before = dir.resolve("before");
        Path after = dir.resolve("after");
        new RecordedRuns(before).variant(List.of("app"), "app", 5, 70, 3000);
        new RecordedRuns(after).variant(List.of("app"), "app", 5, 20, 3300);
        String tolerance = file("t.csv", "metric,tolerance\npeak,-10\np99,10\n");

        Kiln ran = Kiln.run("gate", "--baseline", before.toString(), "--tolerance", tolerance, after.toString());
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("PASS: " + after + " against " + before);

        String censored = file("t.yaml", "t90: 10\npeak: 10\n");
        Kiln decided = Kiln.run("gate", "--baseline", before.toString(), "--tolerance", censored, after.toString());
        assertThat(decided.out())
                .as("not within 60 s is at least 60 s, and that decides")
                .containsPattern("T90, s .* > 60\\.0 +<= -70\\.0 % .* <= -6\\d.\\d % .* PASS")
                .containsPattern("t90: the baseline's figure is at least that: 0 of 5 runs got there");
        Kiln back = Kiln.run("gate", "--baseline", after.toString(), "--tolerance", censored, before.toString());
        assertThat(back.out()).containsPattern("T90, s .* >= \\d+.\\d % .* FAIL");
        Kiln missing = Kiln.run(
                "gate",
                "--baseline",
                before.toString(),
                "--tolerance",
                file("a.yaml", "allocation-per-request: 5\n"),
                after.toString());
        assertThat(missing.exit()).isEqualTo(4);
        assertThat(missing.out()).containsPattern("it\\s+takes\\s+a\\s+flight\\s+recording");
        Kiln quantiles = Kiln.run(
                "gate",
                "--baseline",
                before.toString(),
                "--tolerance",
                file("q.yaml", "p75: 50\np95: 50\nmean: 50\nmaximum: 50\nthroughput: -50\nstart: 50\n"),
                after.toString());
        assertThat(quantiles.exit()).isZero();
        assertThat(quantiles.out()).contains("p75 latency, ms", "p95 latency, ms", "mean latency, ms", "6 PASS");
    }

    /** 21 s against never is no pass, whatever sign somebody wrote; and one run is no evidence of anything. */
    @Test
    void aGateCannotBeFooled() throws IOException {
        Path before = dir.resolve("before");
        Path after = dir.resolve("after");
        new RecordedRuns(before).variant(List.of("app"), "app", 1, 20, 3000);
        new RecordedRuns(after).variant(List.of("app"), "app", 1, 70, 1000);
        String contrary = file("t.yaml", "peak: 5\nt90: -10\n");
        Kiln refused = Kiln.run("gate", "--baseline", before.toString(), "--tolerance", contrary, after.toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .startsWith("kiln: " + contrary + ":2: tolerance of t90: found -10, but a lower t90 is better");

        Kiln one = Kiln.run(
                "gate",
                "--baseline",
                before.toString(),
                "--tolerance",
                file("u.yaml", "peak: 5\nt90: 10\n"),
                after.toString());
        assertThat(one.exit()).isEqualTo(4);
        assertThat(one.out())
                .containsPattern("T90, s .* > 60\\.0 .* INCONCLUSIVE")
                .containsPattern("peak, req/s .* -66\\.\\d % +-5\\.0 % .* INCONCLUSIVE")
                .contains("a side has one run")
                .doesNotContain("FAIL:  ", "PASS:  ");
    }

    /** Known before the first run: what a run of an hour cannot mend. */
    @Test
    void anUnknownMetricIsToldBeforeAnythingRuns() throws IOException {
        String tolerance = file("t.yaml", "p99: 5\np77: 5\n");

        Kiln ran = Kiln.run("gate", "--until-decided", "nowhere.yaml", "--tolerance", tolerance);

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).startsWith("kiln: " + tolerance + ":2: unknown metric 'p77'\n  known: peak, ");
    }

    @Test
    void differentHostsAreGatedOnlyWhenAskedFor() throws IOException {
        Path before = dir.resolve("before");
        Path after = dir.resolve("after");
        new RecordedRuns(before).variant(List.of("app"), "app", 4, 20, 3000);
        new RecordedRuns(after, 60, 100, "Xeon", Course.Outcome.COMPLETED).variant(List.of("app"), "app", 4, 20, 3000);
        String tolerance = file("t.yaml", "peak: -20\n");
        String[] args = {"gate", "--baseline", before.toString(), "--tolerance", tolerance, after.toString()};

        Kiln refused = Kiln.run(args);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("different hosts: Xeon");
        Kiln marked = Kiln.run(
                "gate",
                "--baseline",
                before.toString(),
                "--tolerance",
                tolerance,
                after.toString(),
                "--allow-different");
        assertThat(marked.exit()).isZero();
        assertThat(marked.out()).contains("NOT A FAIR COMPARISON: different hosts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "pek: 5 | :1: unknown metric 'pek'~  known: peak, t90, ",
                "peak: -5~peak: 3 | :2: key 'peak' is given twice",
                "peak: 0 | :1: tolerance of peak: found 0, expected one that is not 0",
                "peak: 120 | :1: tolerance of peak: found 120, but nothing loses 100 %, so all would pass",
                "peak: -100 % | :1: tolerance of peak: found -100 %, but nothing loses 100 %",
                "peak: many | :1: tolerance of peak: found 'many', expected a finite number",
                "peak: {a: 1} | :1: peak: found a map",
                "- peak | :1: no tolerances",
                "peak: [ | :1: not YAML",
                "`` | :1: the file is empty",
            })
    void badTolerancesAreOneMessageWithItsPlace(String yaml, String complaint) throws IOException {
        String bad = file("t.yaml", yaml.replace('~', '\n'));

        Kiln ran = Kiln.run("gate", "--baseline", BEFORE, "--tolerance", bad, AFTER);

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("kiln: " + bad + complaint.replace('~', '\n'));
    }

    @Test
    void badTablesAndMissingArgumentsAreNamed() throws IOException {
        String head = "metric,current,baseline,tolerance\n";
        assertThat(Kiln.run("gate", "--table", file("t.csv", head + "a,0,1,1\n"))
                        .err())
                .contains("t.csv:2: a, current: found 0, expected a number above 0");
        assertThat(Kiln.run("gate", "--table", file("t.csv", "metric,current,base,tolerance\na,1,1,1\n"))
                        .err())
                .contains("t.csv:1: no column 'baseline'");
        assertThat(Kiln.run("gate", "--table", file("t.csv", head + "a,1,1,1\n"), AFTER)
                        .exit())
                .isEqualTo(2);
        assertThat(Kiln.run("gate", AFTER).err()).contains("missing: --tolerance");
        assertThat(Kiln.run("gate", "--tolerance", TOLERANCES, AFTER).err()).contains("missing: --baseline");
        assertThat(Kiln.run("gate", "--calibrate").exit()).isEqualTo(2);
    }

    @Test
    void earlierSessionsDecideWhatTwoNightsAreWorth() throws IOException {
        String nights = file("nights.csv", RecordedRuns.nights(2));
        String a = file("a.csv", "session,peak\nn20,1000\nn20,1001\nn20,1002\nn20,1001\n");
        String b = file("b.csv", "session,peak\nn21,999\nn21,1000\nn21,1001\nn21,1002\n");
        List<String> gate = List.of("gate", "--baseline", a, "--tolerance", file("t.yaml", "peak: 5\n"), b);

        Kiln unknown = Kiln.run(gate.toArray(String[]::new));
        Kiln known = Kiln.run(
                Stream.concat(gate.stream(), Stream.of("--sessions", nights)).toArray(String[]::new));
        Kiln one = Kiln.run(
                Stream.concat(gate.stream(), Stream.of("--one-session")).toArray(String[]::new));

        assertThat(unknown.exit()).as(unknown.out()).isNotEqualTo(1).isNotZero();
        assertThat(known.exit()).as(known.out()).isZero();
        assertThat(known.out()).contains("12 earlier sessions differ by");
        assertThat(one.exit()).as(one.out()).isZero();
    }

    @Test
    void sessionsAreUnknownOfTheMetricsAloneThatTheyDoNotHave() throws IOException {
        String nights = file("nights.csv", RecordedRuns.nights(2));
        String a = file("a.csv", "session,peak,rss\nn20,1000,100\nn20,1001,101\nn20,1002,100\n");
        String b = file("b.csv", "session,peak,rss\nn21,999,100\nn21,1000,101\nn21,1001,101\n");

        Kiln ran = Kiln.run(
                "gate", "--baseline", a, "--tolerance", file("t.yaml", "peak: 5\nrss: 5\n"), b, "--sessions", nights);

        assertThat(ran.out().replaceAll("\\s+", " "))
                .contains("; two sessions; how much sessions differ is not known of rss - ");
    }

    /** A change that halves the peak is at 90 % of its own peak sooner. */
    @Test
    void aLowerPeakReachesTheHigherOneNever() throws IOException {
        List<String> both = List.of("before", "after");
        new RecordedRuns(dir.resolve("r")).variant(both, "before", 4, 30, 3000).variant(both, "after", 4, 10, 1500);
        String tolerance = file("t.yaml", "t90: 20\n");

        Kiln ran = Kiln.run(
                "gate",
                "--baseline",
                dir.resolve("r:before").toString(),
                "--tolerance",
                tolerance,
                dir.resolve("r:after").toString());

        assertThat(ran.exit()).as(ran.out()).isEqualTo(1);
        assertThat(ran.out()).containsPattern("T90, s +> 60\\.0 .*FAIL");
    }

    @ParameterizedTest
    @CsvSource({
        "--table x.csv --one-session, --one-session has no effect with --table",
        "--table x.csv --sessions nights, --sessions has no effect with --table",
        "--until-decided x.yaml --tolerance t.yaml --sessions nights, --sessions has no effect with --until-decided",
        "--calibrate --tolerance t.yaml --one-session a.csv, --one-session has no effect with --calibrate"
    })
    void whatSaysNothingIsRefused(String words, String why) {
        Kiln ran = Kiln.run(("gate " + words).split(" "));

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }
}
