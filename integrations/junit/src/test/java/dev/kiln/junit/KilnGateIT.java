package dev.kiln.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.build.Outcome;
import dev.kiln.build.RealKiln;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests of a user, run by JUnit, with Kiln itself and a service whose capacity is known. */
@Isolated("measures")
final class KilnGateIT {
    private static final String AT = "target/it/";
    private static final String RESULTS = AT + "results";
    private static final String KILN = AT + "kiln";

    /** What a user writes. */
    static final class ServiceTest {
        static final List<Outcome> TOLD = new ArrayList<>();

        /** Its own gate decides. */
        @KilnGate(experiment = AT + "gated.yaml", results = RESULTS, launcher = KILN, arguments = "--no-repeat")
        void passes(Outcome outcome) {
            TOLD.add(outcome);
        }

        @KilnGate(
                experiment = AT + "twice.yaml",
                tolerance = AT + "tolerances.yaml",
                baseline = AT + "before.csv",
                results = RESULTS,
                launcher = KILN)
        void isSlowerThanBefore(Outcome outcome) {
            TOLD.add(outcome);
        }

        @KilnGate(experiment = AT + "none.yaml", results = RESULTS, launcher = KILN)
        void hasNoExperiment(Outcome outcome) {
            TOLD.add(outcome);
        }

        /** The file's own gate is undecided with one run a side. */
        @KilnGate(
                experiment = AT + "gated.yaml",
                results = RESULTS,
                launcher = KILN,
                arguments = {"--no-repeat", "--runs", "1"})
        void hasOneRunASide(Outcome outcome) {
            TOLD.add(outcome);
        }

        @KilnGate(
                experiment = AT + "once.yaml",
                tolerance = AT + "tolerances.yaml",
                launcher = AT + "undecided",
                failUndecided = true)
        void mustBeDecided(Outcome outcome) {
            TOLD.add(outcome);
        }

        /** With a program that ends as a gate does whose runs are too few. */
        @KilnGate(experiment = AT + "once.yaml", tolerance = AT + "tolerances.yaml", launcher = AT + "undecided")
        void hasTooFewRuns(Outcome outcome) {
            TOLD.add(outcome);
        }
    }

    @BeforeAll
    static void scene() throws IOException {
        Path folder = Files.createDirectories(Path.of(AT));
        RealKiln.launcher(folder);
        RealKiln.script(folder.resolve("undecided"), "echo INCONCLUSIVE; exit 4");
        RealKiln.experiment(folder.resolve("once.yaml"), 1);
        RealKiln.gated(folder.resolve("gated.yaml"));
        RealKiln.experiment(folder.resolve("twice.yaml"), 2);
        Files.writeString(folder.resolve("tolerances.yaml"), "peak: 5\n");
        Files.writeString(folder.resolve("before.csv"), "peak\n8010\n8000\n7990\n");
    }

    private static TestExecutionResult result(String method) {
        Map<String, TestExecutionResult> results = new LinkedHashMap<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectMethod(
                                        ServiceTest.class, method, Outcome.class.getName()))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                if (test.isTest()) {
                                    results.put(test.getDisplayName(), result);
                                }
                            }
                        });
        assertThat(results).hasSize(1);
        return results.values().iterator().next();
    }

    private static String message(TestExecutionResult result) {
        return result.getThrowable().map(Throwable::getMessage).orElse("");
    }

    @Test
    void aGateThatPassesIsATestThatPassesAndKnowsTheReport() {
        ServiceTest.TOLD.clear();
        TestExecutionResult result = result("passes");

        RealKiln.assumeQuiet(message(result));
        assertThat(result.getStatus()).as(message(result)).isEqualTo(Status.SUCCESSFUL);
        assertThat(ServiceTest.TOLD).hasSize(1);
        assertThat(ServiceTest.TOLD.get(0).report())
                .hasValueSatisfying(report -> assertThat(report).isNotEmptyFile());
    }

    /** 400 requests a second against 8,000. */
    @EnabledIfSystemProperty(
            named = "kiln.fullRun",
            matches = "true",
            disabledReason = "it is of the full run: ./mvnw verify -P full")
    @Test
    void aServiceThatGotWorseIsATestThatFailsWithTheTableOfTheGate() {
        ServiceTest.TOLD.clear();
        TestExecutionResult result = result("isSlowerThanBefore");

        RealKiln.assumeQuiet(message(result));
        assertThat(result.getStatus()).as(message(result)).isEqualTo(Status.FAILED);
        assertThat(message(result))
                .startsWith("kiln gate --baseline " + AT + "before.csv")
                .contains("ended with exit code 1", "peak, req/s", "FAIL: ", "Report: ", "/report.html");
        assertThat(ServiceTest.TOLD).isEmpty();
    }

    @Test
    void whatIsWrongWithAFileIsToldInKilnsWords() {
        TestExecutionResult result = result("hasNoExperiment");

        assertThat(result.getStatus()).isEqualTo(Status.FAILED);
        assertThat(message(result)).contains("ended with exit code 2", AT + "none.yaml");
    }

    @Test
    void tooFewRunsAbortTheTest() {
        TestExecutionResult result = result("hasTooFewRuns");

        assertThat(result.getStatus()).isEqualTo(Status.ABORTED);
        assertThat(message(result))
                .startsWith("The gate is undecided: there is not enough data.")
                .contains("ended with exit code 4", "INCONCLUSIVE");
    }

    @EnabledIfSystemProperty(
            named = "kiln.fullRun",
            matches = "true",
            disabledReason = "it is of the full run: ./mvnw verify -P full")
    @Test
    void aGateOfTheFileThatIsUndecidedAbortsTheTestToo() {
        TestExecutionResult result = result("hasOneRunASide");

        RealKiln.assumeQuiet(message(result));
        assertThat(result.getStatus()).as(message(result)).isEqualTo(Status.ABORTED);
        assertThat(message(result)).startsWith("The gate is undecided: there is not enough data.");
    }

    @Test
    void whereADecisionIsAskedForTooFewRunsFailTheTest() {
        TestExecutionResult result = result("mustBeDecided");

        assertThat(result.getStatus()).isEqualTo(Status.FAILED);
        assertThat(message(result)).startsWith("The gate is undecided: there is not enough data.");
    }
}
