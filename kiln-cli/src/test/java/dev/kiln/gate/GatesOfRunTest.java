package dev.kiln.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.RecordedRuns;
import dev.kiln.gate.GateFollowUp.GatesOfRun;
import dev.kiln.model.experiment.GateSpec;
import dev.kiln.model.experiment.GateSpec.Pair;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.model.run.Course;
import dev.kiln.report.TerminalStyle;
import dev.kiln.stats.Gate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatesOfRunTest {
    private static final List<String> VARIANTS = List.of("jdk17", "jdk21", "jdk25", "jdk11");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();

    private Gate.Verdict verdict(Pair... pairs) {
        GateSpec gate = new GateSpec(
                "5-10-100000-Async", List.of(new Tolerance("peak", -5, false, "e.yaml:1")), List.of(pairs));
        return new GatesOfRun(
                        gate,
                        new PrintWriter(out, true),
                        new PrintWriter(new StringWriter()),
                        new TerminalStyle(100, false, false))
                .print(folder);
    }

    @Test
    void eachPairHasItsTableAndOneThatFailsIsTold() {
        new RecordedRuns(folder)
                .variant(VARIANTS, "jdk17", 5, 5, 745)
                .variant(VARIANTS, "jdk21", 5, 5, 637)
                .variant(VARIANTS, "jdk25", 5, 5, 744);

        assertThat(verdict(new Pair("jdk25", "jdk17"))).isEqualTo(Gate.Verdict.PASS);
        assertThat(out.toString())
                .contains("5-10-100000-Async: jdk25 against jdk17")
                .containsPattern("5-10-100000-Async peak.*PASS");
        assertThat(verdict(new Pair("jdk21", "jdk17"), new Pair("jdk25", "jdk17")))
                .isEqualTo(Gate.Verdict.FAIL);
        assertThat(out.toString()).containsPattern("5-10-100000-Async peak.*-14\\.\\d %.*FAIL");
    }

    /** A JDK that was not found, and one whose service never answered, keep no other pair from being told. */
    @Test
    void aPairThatCannotBeHeldIsNamed() {
        new RecordedRuns(folder).variant(VARIANTS, "jdk17", 3, 5, 745).variant(VARIANTS, "jdk25", 3, 5, 744);
        new RecordedRuns(folder, 60, 100, "EPYC", Course.Outcome.TARGET_FAILED).variant(VARIANTS, "jdk11", 1, 5, 700);

        assertThat(verdict(new Pair("jdk21", "jdk17"), new Pair("jdk11", "jdk17"), new Pair("jdk25", "jdk17")))
                .as("the invalid run decides nothing")
                .isEqualTo(Gate.Verdict.INCONCLUSIVE);
        assertThat(out.toString())
                .contains("jdk21 against jdk17: not run")
                .containsPattern("jdk11 against jdk17: .*no run is valid")
                .containsPattern("5-10-100000-Async peak");
        assertThat(verdict(new Pair("jdk21", "jdk17"), new Pair("jdk25", "jdk17")))
                .as("one that was left out says nothing")
                .isEqualTo(Gate.Verdict.PASS);
        assertThat(verdict(new Pair("jdk21", "jdk17"))).as("nothing was held").isEqualTo(Gate.Verdict.INCONCLUSIVE);
    }

    @Test
    void oneRunASideIsUndecided() {
        new RecordedRuns(folder).variant(VARIANTS, "jdk17", 1, 5, 745).variant(VARIANTS, "jdk25", 1, 5, 744);

        assertThat(GateCommand.code(verdict(new Pair("jdk25", "jdk17")))).isIn(4, 5);
    }
}
