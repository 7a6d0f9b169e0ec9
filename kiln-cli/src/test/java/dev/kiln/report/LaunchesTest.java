package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.SweepResult;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.Typed;
import dev.kiln.model.run.Treatment;
import dev.kiln.report.html.HtmlReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LaunchesTest {
    private static final List<String> FRONT =
            List.of("setsid sh -c enter kiln /sys/fs/cgroup/kiln-1 -- /usr/bin/taskset -c 0 setpriv --pdeathsig KILL --"
                    .split(" ", -1));
    private static final String OTHER_JDK = "/usr/lib/jvm/java-21";

    private static RunInfo info(
            Typed typed, List<String> launched, Map<String, String> environment, Treatment treatment, String jdk) {
        RunInfo sample = SampleInfo.info();
        return new RunInfo(
                sample.kilnVersion(),
                sample.which(),
                new RunInfo.Launch(
                        0,
                        0,
                        launched,
                        environment,
                        treatment,
                        Optional.empty(),
                        Optional.of(typed),
                        Optional.empty(),
                        Optional.empty(),
                        1),
                new Machine(
                        Optional.of(new JvmInfo(
                                jdk, jdk.endsWith("21") ? "21.0.8" : "25.0.3", "Vendor", List.of(), List.of())),
                        sample.host(),
                        sample.cpus(),
                        Optional.empty()),
                sample.plan(),
                sample.course(),
                sample.limits());
    }

    private static List<String> launched(String... words) {
        return Stream.concat(FRONT.stream(), Stream.of(words)).toList();
    }

    private static ExperimentResult result() {
        SequencedMap<String, RunInfo> launches = new LinkedHashMap<>();
        launches.put(
                "platform threads",
                info(
                        new Typed(
                                List.of("java", "-Xmx1g", "-jar", "my app.jar", "--port=${port}"),
                                Map.of("PASSWORD", "hunter2")),
                        launched("java", "-Xmx1g", "-XX:+Watch", "-jar", "my app.jar", "--port=8123"),
                        Map.of("PASSWORD", "hunter2", "JAVA_TOOL_OPTIONS", "-Dx"),
                        Treatment.NONE,
                        "/usr/lib/jvm/java-25"));
        launches.put(
                "virtual threads",
                info(
                        new Typed(
                                List.of(OTHER_JDK + "/bin/java", "-Dvt=true", "-jar", "my app.jar", "--port=${port}"),
                                Map.of("PASSWORD", "hunter2", "MODE", "virtual")),
                        launched(OTHER_JDK + "/bin/java", "-Dvt=true", "-jar", "my app.jar", "--port=8124"),
                        Map.of("PASSWORD", "hunter2", "MODE", "virtual"),
                        new Treatment(List.of("cpu-quota: 1.5"), List.of("flight-recorder"), Optional.empty()),
                        OTHER_JDK));
        return result(launches, Optional.empty());
    }

    private static ExperimentResult result(SequencedMap<String, RunInfo> launches, Optional<SweepResult> sweep) {
        ExperimentResult sample = Samples.platformAgainstVirtual(1);
        return new ExperimentResult(
                sample.name(),
                sample.protocol(),
                sample.variants(),
                new ExperimentResult.Answers(sample.conclusion(), sample.footnotes(), List.of()),
                new ExperimentResult.LaunchFacts(sample.how(), launches),
                sweep,
                sample.config());
    }

    private static RunInfo plain(String... command) {
        return info(
                new Typed(List.of(command), Map.of()),
                launched(command),
                Map.of(),
                Treatment.NONE,
                "/usr/lib/jvm/java-25");
    }

    private static SequencedMap<String, RunInfo> both(RunInfo platform, RunInfo virtual) {
        SequencedMap<String, RunInfo> launches = new LinkedHashMap<>();
        launches.put("platform threads", platform);
        launches.put("virtual threads", virtual);
        return launches;
    }

    @Test
    void theOrderOfWordsIsADifference() {
        ExperimentResult result = result(
                both(plain("java", "-Dx=1", "-Dx=2", "Main"), plain("java", "-Dx=2", "-Dx=1", "Main")),
                Optional.empty());
        assertThat(Launches.differences(result, "virtual threads")).contains(List.of("the order of its words"));
    }

    /** Of a program that Kiln did not launch, or did so before it kept what was typed. */
    @Test
    void ofAnUnknownLaunchNoDifferenceIsTold() {
        ExperimentResult result = result(both(SampleInfo.info(), plain("java", "Main")), Optional.empty());
        assertThat(Launches.differences(result, "virtual threads")).isEmpty();
        assertThat(HtmlReport.render(result)).contains("<dt>Command</dt>").doesNotContain("<dt>Differs</dt>");
    }

    @Test
    void equalLaunchesDifferInNoWordAndLevelsOfASweepAreNotHeldAgainstOneAnother() {
        SequencedMap<String, RunInfo> equal = both(plain("java", "Main"), plain("java", "Main"));
        assertThat(HtmlReport.render(result(equal, Optional.empty())))
                .contains("<dt>Differs</dt><dd>in no word of its command, environment, JDK or modifiers</dd>");
        assertThat(HtmlReport.render(
                        result(equal, Optional.of(new SweepResult(List.of(), Optional.empty(), List.of())))))
                .contains("<dt>Command</dt>")
                .doesNotContain("<dt>Differs</dt>");
    }

    /** Such as a script's name that became another one when it was launched. */
    @Test
    void ofACommandWithoutTheProgramNothingIsKilns() {
        RunInfo info = info(
                new Typed(List.of("${run.dir}/app"), Map.of()),
                launched("/tmp/run-1/app", "--port=8123"),
                Map.of(),
                Treatment.NONE,
                "/usr/lib/jvm/java-25");
        assertThat(Launches.aroundIt(info))
                .containsExactly(
                        "in the cgroup /sys/fs/cgroup/kiln-1",
                        "on CPU 0",
                        "in a session of its own that ends with Kiln");
    }

    private static List<String> differing(ExperimentResult result) {
        return Differing.of(result).orElseThrow().stream()
                .map(one -> one.key() + ": " + String.join(" | ", one.values()))
                .toList();
    }

    @Test
    void whatDiffersIsNamedWithTheValueOfEachVariant() {
        assertThat(differing(result()))
                .containsExactly(
                        "JDK: Vendor 25.0.3 | Vendor 21.0.8",
                        "-Xmx: 1g | \u2013",
                        "PASSWORD: *** | ***",
                        "cpu-quota: \u2013 | 1.5",
                        "watched by: \u2013 | flight-recorder",
                        "vt: \u2013 | true",
                        "MODE: \u2013 | virtual");
        SequencedMap<String, RunInfo> infos = both(
                plain("java", "-XX:+UseZGC", "-Xmx1g", "-jar", "a.jar", "--mode=x", "-verbose"),
                plain("java", "-XX:-UseZGC", "-Xmx2g", "-jar", "b.jar", "--mode=y"));
        assertThat(differing(result(infos, Optional.empty())))
                .containsExactly(
                        "-XX:UseZGC: on | off",
                        "-Xmx: 1g | 2g",
                        "arguments: a.jar | b.jar",
                        "--mode: x | y",
                        "-verbose: yes | \u2013");
    }

    @Test
    void virtualThreadsAreAnotherKindOfThreads() {
        RunInfo platform = plain("java", "Main");
        RunInfo virtual = info(
                new Typed(List.of("java", "Main"), Map.of()),
                launched("java", "Main"),
                Map.of(),
                new Treatment(List.of("virtual-threads"), List.of(), Optional.empty()),
                "/usr/lib/jvm/java-25");
        ExperimentResult result = result(both(platform, virtual), Optional.empty());

        assertThat(differing(result)).containsExactly("threads: platform | virtual");
        assertThat(HtmlReport.render(result))
                .contains("<dt>What differs</dt><dd><div><b>threads</b>: <span class=\"value\"><span class=\"swatch\""
                        + " style=\"--c:var(--v0)\"></span>platform</span> | <span class=\"value\"><span class=\"swatch\""
                        + " style=\"--c:var(--v1)\"></span>virtual</span></div></dd>");
        assertThat(HtmlReport.render(result(both(platform, platform), Optional.empty())))
                .contains("<dt>What differs</dt><dd>nothing in their commands, environment, JDK or modifiers</dd>");
    }

    /** Two passwords look alike; that they are is not said. */
    @Test
    void ofHiddenValuesNobodyIsToldThatTheyAreAlike() {
        ExperimentResult result = result(
                both(plain("java", "-Ddb.password=one", "Main"), plain("java", "-Ddb.password=two", "Main")),
                Optional.empty());
        assertThat(HtmlReport.render(result))
                .contains("<dt>What differs</dt><dd>nothing in their commands, environment, JDK or modifiers"
                        + "<div><small>hidden, so not compared: db.password</small></div></dd>");
    }

    @Test
    void ofOneVariantAndOfUnknownLaunchesNothingIsSaidToDiffer() {
        ExperimentResult unknown = result(both(SampleInfo.info(), SampleInfo.info()), Optional.empty());
        ExperimentResult one = new ExperimentResult(
                "one",
                unknown.protocol(),
                unknown.variants().subList(0, 1),
                unknown.answers(),
                unknown.facts(),
                Optional.empty(),
                unknown.config());

        assertThat(Differing.of(unknown)).isEmpty();
        assertThat(Differing.of(one)).isEmpty();
        assertThat(Differing.of(Samples.platformAgainstVirtual(1)))
                .as("the launch of one of two is known")
                .isEmpty();
        assertThat(HtmlReport.render(one)).contains("<dl class=\"facts\">").doesNotContain("What differs");
    }

    private static RunInfo launch(String variant) {
        return Optional.ofNullable(result().launches().get(variant)).orElseThrow();
    }

    @Test
    void whatDiffersFromTheFirstVariant() {
        assertThat(Launches.differences(result(), "virtual threads"))
                .contains(List.of(
                        "JDK: Vendor 21.0.8 (/usr/lib/jvm/java-21) instead of Vendor 25.0.3 (/usr/lib/jvm/java-25)",
                        "+ -Dvt=true",
                        "\u2212 -Xmx1g",
                        "+ MODE=virtual",
                        "+ with cpu-quota: 1.5",
                        "+ watched by flight-recorder"));
        assertThat(Launches.differences(result(), "platform threads")).contains(List.of());
        assertThat(Launches.jdks(result()))
                .containsExactly(
                        "JDK of platform threads: Vendor 25.0.3 (/usr/lib/jvm/java-25)",
                        "JDK of virtual threads: Vendor 21.0.8 (/usr/lib/jvm/java-21)");
    }

    @Test
    void theCommandIsAsTypedAndWhatKilnAddedIsApart() {
        RunInfo info = launch("platform threads");
        assertThat(Launches.command(info)).contains("PASSWORD='***' java -Xmx1g -jar 'my app.jar' '--port=${port}'");
        assertThat(Launches.aroundIt(info))
                .containsExactly(
                        "in the cgroup /sys/fs/cgroup/kiln-1",
                        "on CPU 0",
                        "in a session of its own that ends with Kiln",
                        "JVM flags: -XX:+Watch",
                        "environment: JAVA_TOOL_OPTIONS=-Dx");
        assertThat(Launches.aroundIt(launch("virtual threads")))
                .containsExactly(
                        "in the cgroup /sys/fs/cgroup/kiln-1",
                        "on CPU 0",
                        "in a session of its own that ends with Kiln");
        // Of evidence that is older, or another program's, nothing is told.
        assertThat(Launches.command(SampleInfo.info())).isEmpty();
    }

    @Test
    void theReportHasThemForEachVariant() {
        String html = HtmlReport.render(result());
        assertThat(html)
                .contains(
                        "<section id=\"variants\">",
                        "from platform threads in<div><code>JDK: Vendor 21.0.8",
                        "<pre><code>PASSWORD=&#39;***&#39; java <span class=\"word\">-Xmx1g</span>"
                                + " <span class=\"word\">-jar</span> &#39;my app.jar&#39;",
                        "Vendor 21.0.8 (/usr/lib/jvm/java-21): virtual threads")
                .doesNotContain("hunter2");
        assertThat(HtmlReport.render(Samples.platformAgainstVirtual(1))).doesNotContain("id=\"variants\"");
    }
}
