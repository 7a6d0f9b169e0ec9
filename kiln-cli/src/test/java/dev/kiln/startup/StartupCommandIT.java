package dev.kiln.startup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.StudyFile;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartSample;
import dev.kiln.testing.FullRun;
import dev.kiln.testing.SmallProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real programs, started by Kiln in a process of its own: it moves itself to other CPUs than the programs'. */
class StartupCommandIT {
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final String JAVA = JdkFinder.current().java().toString();
    private static final String SERVER =
            JAVA + " -cp '" + CLASS_PATH + "' dev.kiln.fixtures.CurveServer --port ${port}";

    @TempDir
    private Path directory;

    /** What Kiln answered. */
    private record Answer(int exit, String out, String err) {}

    private Process kiln(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                CLASS_PATH,
                "dev.kiln.cli.Main",
                "startup"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        return builder.start();
    }

    private Answer startup(String... arguments) throws Exception {
        Process process = kiln(arguments);
        assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
        return new Answer(
                process.exitValue(),
                Files.readString(directory.resolve("out")),
                Files.readString(directory.resolve("err")));
    }

    private StartupEvidence evidence() throws IOException {
        try (Stream<Path> folders = Files.list(directory.resolve("results"))) {
            return StudyFile.STARTUP.read(folders.findFirst().orElseThrow());
        }
    }

    @Test
    void oneFolderIsWhatWasRecordedAndNoCommand() throws Exception {
        Path earlier = Files.createDirectory(directory.resolve("earlier"));
        Files.writeString(earlier.resolve("startup.json"), "{\"format\": 1, \"sam");

        Answer answer = startup(earlier.toString());

        assertThat(answer.exit()).as(answer.err()).isEqualTo(2);
        assertThat(answer.err()).contains("startup.json").doesNotContain("are compared");
    }

    @FullRun
    @Test
    void threeProgramsInRoundsToTheirEnd() throws Exception {
        Answer answer = startup("sleep 0.2", "sleep 0.6", "sleep 0.02", "--pairs", "7", "--discard", "0", "--verbose");

        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out())
                .contains(
                        "\nRun,A,B,C\n1,",
                        "\nGeomean,",
                        "\nStdev,",
                        "7 rounds; interleaved",
                        "\nRatio B/A ",
                        " (97.5 %, by rounds)\nRatio C/A ",
                        "\nA is ",
                        " times faster than B (",
                        "\nC is ",
                        " times faster than A (",
                        "2 comparisons with A");
        assertThat(evidence().samples())
                .extracting(StartSample::side)
                .containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2);
        assertThat(evidence().samples())
                .allMatch(sample -> sample.cpuNanos().orElse(0) > 0)
                .allMatch(sample -> sample.value() < sample.readyNanos() / 1e6);
        assertThat(evidence().machine().launchNanos()).isBetween(100_000L, 60_000_000_000L);
        // What a launch costs is taken off, and on a crowded machine it may differ by tens of milliseconds.
        assertThat(evidence().samples().stream().filter(s -> s.side() == 1)).allMatch(s -> s.value() > 400);
        try (Stream<Path> folders = Files.list(directory.resolve("results"))) {
            Path folder = folders.findFirst().orElseThrow();
            assertThat(folder.resolve("c-07.log")).exists();
            Answer again = startup("--table", folder.toString(), "--csv");
            assertThat(again.out()).startsWith("Run,A,B,C\n1,").contains("\n7,", "\nGeomean,");
        }
    }

    @FullRun
    @Test
    void theExampleOfTheDocumentationRuns() throws Exception {
        String text = Files.readString(Path.of("../docs/reference/startup.md"));
        Matcher example =
                Pattern.compile("```bash\n\\./kiln startup '(.*)' '(.*)'\n```").matcher(text);
        assertThat(example.find()).isTrue();

        Answer answer = startup(example.group(1), example.group(2));

        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out())
                .contains("mean \u00b1 \u03c3", "10 pairs after 1 discarded; interleaved; page cache warm")
                .doesNotContain("Run,A,B");
    }

    @Test
    void twoJdksToTheNumberThatTheClassSays() throws Exception {
        Jdk old = new JdkFinder().find(new JdkChoice.Version("17", false)).orElse(JdkFinder.current());
        SmallProgram.compile(directory, "Boot", """
                public class Boot {
                    public static void main(String[] args) throws Exception {
                        System.out.println("Booted Boot in " + (500 + Runtime.version().feature()) + " ms");
                        Thread.sleep(60_000);
                    }
                }
                """);
        String run = "/bin/java -Xlog:startuptime -cp " + directory + " Boot";

        Answer answer = startup(
                "-n",
                "old",
                "-n",
                "new",
                "--pairs",
                "1",
                "--log",
                "Booted .* in (\\d+) ms",
                "--verbose",
                old.home() + run,
                JdkFinder.current().home() + run);

        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out())
                .contains("Run,old,new\n1," + (500 + old.feature()) + ","
                        + (500 + Runtime.version().feature()) + "\n")
                .contains("\nRSS MiB Geomean,", "\nGenesis ms Geomean,", "\nCreate VM ms Stdev,");
        assertThat(evidence().samples())
                .allMatch(sample -> sample.rssBytes().orElse(0) > 10 << 20)
                .allMatch(sample -> sample.phases().stream().anyMatch(phase -> named(phase, "Create VM")));
    }

    @Test
    void variantsOfAnExperimentFile() throws Exception {
        Path file = Files.writeString(directory.resolve("starts.yaml"), """
                target:
                  command: [sh, -c, 'echo ready in $MS ms; exec sleep 60']
                  environment: {MS: 10, PORT: '${port}'}
                  readiness: {log: ready in}
                variants:
                  fast:
                  slow: {environment: {MS: 250}}
                  middle: {environment: {MS: 30}}
                load: {url: 'http://localhost:${port}/'}
                """);

        Answer answer = startup(
                file.toString(), "--pairs", "1", "--discard", "0", "--cpus", "0", "--log", "in (\\d+) ms", "--verbose");

        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out())
                .contains("\nRun,fast,slow,middle\n1,10,250,30\n", "1 round; interleaved; page cache warm; CPU 0\n")
                .containsPattern("\nslow: env MS=250 PORT=\\$\\{port} sh -c ");
        Answer wrong = startup(file.toString(), "-n", "x");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("--name beside an experiment file");
    }

    @FullRun
    @Test
    void phasesThatTheJvmWritesToAFile() throws Exception {
        String java = JAVA + " -Xlog:startuptime:file=";

        Answer answer = startup(
                java + "a.log -version", java + "b-%p.log -version", "--pairs", "2", "--discard", "0", "--verbose");

        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out()).contains("\nCreate VM ms Geomean,");
        assertThat(evidence().samples())
                .hasSize(4)
                .allMatch(sample -> sample.phases().stream().anyMatch(phase -> named(phase, "Create VM")));
    }

    private static boolean named(StartPhase phase, String name) {
        return phase.name().equals(name) && phase.nanos() > 0;
    }

    @Test
    void aServiceToItsPortAndToAUrl() throws Exception {
        Answer answer = startup(
                SERVER, SERVER + " --start-delay 400ms", "--pairs", "2", "--discard", "0", "--ready", "port:${port}");

        assertThat(answer.exit()).as(answer.err()).isZero();
        List<StartSample> samples = evidence().samples();
        assertThat(samples.get(1).value()).isGreaterThan(400);
        assertThat(samples).allMatch(sample -> sample.cpuNanos().orElse(0) > 1_000_000);

        Answer http = startup(
                SERVER, SERVER, "--pairs", "1", "--discard", "0", "--ready", "http://localhost:${port}/", "--csv");
        assertThat(http.exit()).as(http.err()).isZero();
        assertThat(http.out()).startsWith("Run,A,B\n1,");
    }

    @Test
    void aStartThatFailsEndsItAndKeepsWhatWasMeasured() throws Exception {
        String second = "sh -c 'echo x >> count; [ $(wc -l < count) -lt 2 ] || { echo no more; exit 7; }'";

        Answer answer = startup("true", second, "--pairs", "3", "--discard", "0", "--verbose");

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.err()).contains("B, pair 2: it exited with code 7", "  no more");
        assertThat(answer.out()).contains("Run,A,B\n1,", "It ended early: B, pair 2");
        assertThat(evidence().samples()).hasSize(3);
        Answer ignored = startup("true", "false", "--pairs", "1", "-i");
        assertThat(ignored.exit()).isZero();
        assertThat(ignored.out()).contains("1 pair");
    }

    @Test
    void whatIsNeverReadyIsToldWithItsLastAttempt() throws Exception {
        Answer answer = startup("sleep 60", "sleep 60", "--log", "in (\\d+) ms", "--ready-timeout", "300ms");

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.err()).contains("it was not ready within 0.3 s", "no line with 'in (\\d+) ms'");
    }

    @Test
    void endingItLeavesNoOrphan() throws Exception {
        String mark = "31." + ProcessHandle.current().pid() + System.nanoTime() % 1000;
        Process process = kiln("sh -c 'sleep " + mark + " & sleep " + mark + "'", "true");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(600);
        while (sleeping(mark) < 2 && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
        assertThat(sleeping(mark)).isGreaterThanOrEqualTo(2);

        process.destroy();
        assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();

        assertThat(process.exitValue()).isEqualTo(143);
        assertThat(sleeping(mark)).isZero();
        assertThat(Files.readString(directory.resolve("err"))).contains("interrupted; what was recorded is in");
    }

    private static long sleeping(String mark) {
        return ProcessHandle.allProcesses()
                .filter(handle -> handle.info().commandLine().orElse("").contains("sleep " + mark))
                .count();
    }
}
