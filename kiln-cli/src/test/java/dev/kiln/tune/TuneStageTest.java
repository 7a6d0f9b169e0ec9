package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.cli.RecordedRuns;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.run.Course;
import dev.kiln.tune.Trials.Results;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuneStageTest {
    private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());

    @TempDir
    Path folder = Path.of("");

    /** Somebody else may have written the name in a run.json. */
    @Test
    void noRunOutsideOfTheStageIsRead() throws Exception {
        new RecordedRuns(folder.resolve("outside")).variant(List.of("v"), "v", 1, 1, 1000);
        TuneStage stage = new TuneStage(folder.resolve("1-baseline"));
        new RecordedRuns(stage.folder()).variant(List.of("v"), "v", 1, 1, 1000);
        assertThat(stage.last("v")).isPresent();

        Path facts = stage.folder().resolve("v/1/run.json");
        Files.writeString(facts, Files.readString(facts).replaceFirst("(\"variant\" ?: ?)\"v\"", "$1\"../outside/v\""));
        assertThatThrownBy(() -> stage.last("../outside/v"))
                .isInstanceOf(KilnException.class)
                .hasMessage("no run ../outside/v/1 in " + stage.folder());
    }

    /** The table of the search said that the machine had disturbed them. */
    @Test
    void whyNoRunCountsIsTold() {
        Results results = withLast(Course.Outcome.LAB_FAILED).results("v", List.of(), Map.of(), NOWHERE);

        assertThat(results.of("v")).isPresent();
        assertThat(results.of("w")).isEmpty();
        assertThat(results.failed()).isEmpty();
        assertThat(results.notMeasured("w")).startsWith("no run of w counts: ").doesNotContain("disturbed");
        assertThat(results.notMeasured("x")).isEqualTo("no run of x counts");
    }

    @Test
    void aFlagThatTheJvmDoesNotKnowIsTold() throws Exception {
        TuneStage stage = withLast(Course.Outcome.TARGET_FAILED);
        assertThat(stage.results("v", List.of(), Map.of(), NOWHERE).failed()).containsEntry("w", "the target failed");

        Files.writeString(stage.folder().resolve("w/1/target.log"), """
                starting
                Unrecognized VM option 'AutoCreateSharedArchive'
                Error: Could not create the Java Virtual Machine.
                """);
        assertThat(stage.results("v", List.of(), Map.of(), NOWHERE).failed())
                .containsEntry(
                        "w", "the target failed; its JVM said: Unrecognized VM option 'AutoCreateSharedArchive'");
    }

    /** It counted as a part of each run to come, and two of four screens of a small budget had no time left. */
    @Test
    void theClosingRecordingIsNoPartOfTheRunsToCome() throws Exception {
        TuneStage stage = withLast(Course.Outcome.COMPLETED);
        List<PlannedRun> runs = List.of(
                new PlannedRun(1, 1, Simulated.candidate("v").variant()),
                new PlannedRun(2, 1, Simulated.candidate("w").variant()));
        assertThat(stage.closings(runs)).isZero();

        Path recording = stage.folder().resolve("v/1/closing/recording.jfr");
        Files.createDirectories(recording.getParent());
        Files.writeString(recording, "a recording");
        assertThat(stage.closings(runs)).isEqualTo(9);
    }

    /** A run of the baseline, v, and one of w that ended so. */
    private TuneStage withLast(Course.Outcome outcome) {
        TuneStage stage = new TuneStage(folder.resolve("2-screen"));
        List<String> both = List.of("v", "w");
        new RecordedRuns(stage.folder()).variant(both, "v", 1, 1, 1000);
        new RecordedRuns(stage.folder(), 60, 100, "EPYC", outcome).variant(both, "w", 1, 1, 1000);
        return stage;
    }
}
