package dev.kiln.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.build.Outcome.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With a program that is asked as Kiln is, and ends as Kiln can. Other tests start Kiln itself. */
class GateStepTest {
    @TempDir
    Path folder;

    private Path launcher;

    @BeforeEach
    void kiln() throws IOException {
        launcher = ends(0);
    }

    /** It notes its words, makes an experiment of them if it is to run one, and says two things. */
    private Path ends(int code) throws IOException {
        return RealKiln.script(folder.resolve("kiln"), """
                cd %s
                echo "$*" >>asked
                case $1$2 in
                run*|gate--until-decided) mkdir -p results/shop-1 && echo page >results/shop-1/report.html ;;
                esac
                echo "said"
                echo "complained" >&2
                exit %d
                """.formatted(folder, code));
    }

    private GateStep step(Optional<String> tolerance, Optional<String> baseline, String... arguments) {
        return step(Path.of("shop.yaml"), tolerance, baseline, arguments);
    }

    private GateStep step(Path experiment, Optional<String> tolerance, Optional<String> baseline, String... arguments) {
        return new GateStep(
                experiment,
                tolerance.map(Path::of),
                baseline,
                folder.resolve("results"),
                launcher.toString(),
                List.of(arguments));
    }

    private List<String> asked() throws IOException {
        return Files.readAllLines(folder.resolve("asked"));
    }

    @Test
    void anExperimentWithGatesOfItsOwnIsRun() throws Exception {
        List<String> said = new ArrayList<>();
        Outcome outcome =
                step(Optional.empty(), Optional.empty(), "--runs", "4").run(said::add);

        assertThat(asked()).containsExactly("run shop.yaml --fail-undecided --results " + folder + "/results --runs 4");
        assertThat(said).containsExactlyInAnyOrder("said", "complained");
        assertThat(outcome.verdict()).isEqualTo(Verdict.PASSED);
        assertThat(outcome.report()).contains(folder.resolve("results/shop-1/report.html"));
    }

    @Test
    void twoVariantsRunUntilTheirGateIsDecided() throws Exception {
        Outcome outcome = step(Optional.of("tolerances.yaml"), Optional.empty(), "--no-repeat")
                .run(line -> {});

        assertThat(asked())
                .containsExactly("gate --until-decided shop.yaml --tolerance tolerances.yaml --results " + folder
                        + "/results --no-repeat");
        assertThat(outcome.verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    void whatWasRecordedIsHeldAgainstTheBaseline() throws Exception {
        Files.createDirectories(folder.resolve("results/earlier"));
        Outcome outcome = step(Optional.of("tolerances.yaml"), Optional.of("results/main"), "--runs", "4")
                .run(line -> {});

        assertThat(asked())
                .containsExactly(
                        "run shop.yaml --results " + folder + "/results --runs 4",
                        "gate --baseline results/main --tolerance tolerances.yaml " + folder + "/results/shop-1");
        assertThat(outcome.report()).contains(folder.resolve("results/shop-1/report.html"));
    }

    @Test
    void aRunThatFailsIsNotJudged() throws Exception {
        launcher = ends(3);
        Outcome outcome = step(Optional.of("tolerances.yaml"), Optional.of("results/main"))
                .run(line -> {});

        assertThat(asked()).hasSize(1);
        assertThat(outcome.verdict()).isEqualTo(Verdict.FAILED);
    }

    @ParameterizedTest
    @CsvSource({"1, FAILED", "2, FAILED", "3, FAILED", "4, UNDECIDED", "5, UNDECIDED", "70, FAILED", "143, FAILED"})
    void theExitCodeDecides(int code, Verdict verdict) throws Exception {
        launcher = ends(code);
        Outcome outcome = step(Optional.of("tolerances.yaml"), Optional.empty()).run(line -> {});

        assertThat(outcome.verdict()).isEqualTo(verdict);
        assertThat(outcome.exitCode()).isEqualTo(code);
        assertThat(outcome.told())
                .startsWith(
                        verdict == Verdict.UNDECIDED
                                ? "The gate is undecided: there is not enough data."
                                : "kiln gate ");
        assertThat(outcome.message())
                .startsWith("kiln gate --until-decided shop.yaml ")
                .contains("\nended with exit code " + code + ":\n", "\nsaid", "\ncomplained")
                .endsWith("\nReport: " + folder.resolve("results/shop-1/report.html"));
    }

    @Test
    void ofAllThatItSaidTheMessageHasTheEnd() throws Exception {
        launcher = RealKiln.script(folder.resolve("kiln"), "seq 1 100; exit 1");
        Outcome outcome = step(Optional.empty(), Optional.empty()).run(line -> {});

        assertThat(outcome.message())
                .contains("\n71\n")
                .doesNotContain("\n70\n", "Report")
                .endsWith("\n100");
        assertThat(outcome.report()).isEmpty();
    }

    @Test
    void aLauncherThatIsNotThereIsToldWithWhatToDo() {
        launcher = folder.resolve("no-such-kiln");
        assertThatThrownBy(() -> step(Optional.empty(), Optional.empty()).run(line -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot start Kiln as '" + launcher + "'")
                .hasMessageContaining("Install a release of Kiln");
        assertThat(GateStep.launcher("/opt/kiln/bin/kiln")).isEqualTo("/opt/kiln/bin/kiln");
        assertThat(GateStep.launcher("")).isEqualTo(System.getenv().getOrDefault("KILN", "kiln"));
    }

    @Test
    void aBaselineNeedsATolerance() {
        assertThatThrownBy(() -> step(Optional.empty(), Optional.of("results/main")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("results/main");
    }

    /** Nothing would be decided, and the build would pass. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "target: {command: sleep 1}\n# gate: of later\n",
                "variants:\n  gate: {jdk: 21}\n",
                "gates: none\n"
            })
    void withoutAToleranceTheExperimentNeedsAGateOfItsOwn(String text) throws Exception {
        Path experiment = Files.writeString(folder.resolve("shop.yaml"), text);

        assertThatThrownBy(() ->
                        step(experiment, Optional.empty(), Optional.empty()).run(line -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(experiment + " has no gate:, and there is no tolerance; name the file");
        assertThat(folder.resolve("asked")).doesNotExist();

        step(experiment, Optional.of("tolerances.yaml"), Optional.empty()).run(line -> {});
        assertThat(asked()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "target: {}\ngate:\n  tolerance: {peak: 5}\n",
                "{\n  \"gate\": {\"tolerance\": {\"peak\": 5}}\n}\n"
            })
    void aGateOfTheExperimentsOwnIsEnough(String text) throws Exception {
        Path experiment = Files.writeString(folder.resolve("shop.yaml"), text);

        step(experiment, Optional.empty(), Optional.empty()).run(line -> {});

        assertThat(asked()).singleElement().asString().startsWith("run " + experiment);
    }

    /** As where a build's own limit of time ends its test. */
    @Test
    @Timeout(60)
    void anInterruptionEndsKilnToo() throws Exception {
        launcher = RealKiln.script(folder.resolve("kiln"), "echo $$; exec sleep 600");
        AtomicLong pid = new AtomicLong();
        AtomicReference<Throwable> thrown = new AtomicReference<>(new AssertionError("it was not interrupted"));
        Thread build = new Thread(() -> {
            try {
                step(Optional.empty(), Optional.empty()).run(line -> pid.set(Long.parseLong(line)));
            } catch (IOException | InterruptedException e) {
                thrown.set(e);
            }
        });
        build.start();
        while (pid.get() == 0) {
            Thread.sleep(10);
        }
        build.interrupt();
        build.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(ProcessHandle.of(pid.get()).filter(ProcessHandle::isAlive)).isEmpty();
    }
}
