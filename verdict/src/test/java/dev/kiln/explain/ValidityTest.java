package dev.kiln.explain;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidityTest {
    private static HandMade good() {
        return measured("a", 1000, seconds(60, 1000));
    }

    @Test
    void aGoodRunHasNoReason() {
        assertThat(good().digest().invalidReasons()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "RUNNING, '', 'the end of the run was not recorded: Kiln was killed, or could not write any more, or the run still goes on (if it does not, run it again)'",
        "INTERRUPTED, '', interrupted (run it again)",
        "TARGET_FAILED, it exited with code 1, the target failed: it exited with code 1 (target.log has what it printed)",
        "LAB_FAILED, disk full, the lab failed: disk full"
    })
    void aRunThatDidNotCompleteSaysWhy(Outcome outcome, String detail, String reason) {
        assertThat(good().ended(outcome, detail).digest().invalidReasons()).containsExactly(reason);
    }

    @Test
    void theMachineSpoilsARunWithStallsAndStolenTime() {
        assertThat(spoiled(good())).isEmpty();
        assertThat(spoiled(good().spoil("warmup", 61, 0, 201).spoil("warmup", 62, 0, 900)))
                .containsExactly("2 of 80 seconds of load lost over 200 ms to a stall of the load generator");
        HandMade stolen = good();
        for (int second = 10; second <= 105; second++) {
            stolen.cpu(second, 0, 0.9 * second, 0.1 * second).cpu(second, 1, 0.5 * second, 0.4 * second);
        }
        assertThat(spoiled(stolen))
                .as("of the CPU of the target, not of the load's")
                .containsExactly("the hypervisor took 10 % of the target's CPUs away");
    }

    @Test
    void theLabsFailureIsWorthAnotherTryAndTheTargetsIsAResult() {
        assertThat(spoiled(good().ended(Outcome.LAB_FAILED, "PostgreSQL died")))
                .containsExactly("the lab failed: PostgreSQL died");
        assertThat(spoiled(good().ended(Outcome.TARGET_FAILED, "it exited with code 1")))
                .isEmpty();
        HandMade errors = good();
        for (int second = 10; second < 70; second++) {
            errors.spoil("warmup", second, 500, 0);
        }
        assertThat(spoiled(errors)).isEmpty();
    }

    @Test
    void aRunThatWasMadeAgainIsInvalid() {
        HandMade made = good();
        made.repeatedFor = List.of("the hypervisor took 10 % of the target's CPUs away");
        assertThat(made.digest().invalidReasons())
                .containsExactly("the machine disturbed this run, and Kiln repeated it: the hypervisor took 10 % of"
                        + " the target's CPUs away");
    }

    /** The last round is measured; what the rounds before it are is neither warm-up nor peak. */
    @Test
    void theLastRoundOfTheReferenceIsMeasured() {
        HandMade made = new HandMade("a", 1).load("warmup", 10, seconds(60, 400));
        made.reference = Optional.of(new FoundReference(false));
        made.pause("pause-r1", 20).load("reference-1", 90, seconds(15, 900));
        made.pause("pause-r2", 5).load("reference-2", 110, seconds(15, 1000));
        made.planned.subList(1, made.planned.size()).clear();
        made.referenceEnd = Optional.of(FoundReference.End.FOUND);
        assertThat(made.digest().warmup()).hasSize(60).containsOnly(400);
        assertThat(made.digest().measure()).hasSize(15).containsOnly(1000);
        assertThat(made.digest().series(Optional.empty()).peak().orElseThrow().lowerBound())
                .isFalse();
        made.referenceEnd = Optional.of(FoundReference.End.STILL_RISING);
        assertThat(made.digest().series(Optional.empty()).peak().orElseThrow().bounds())
                .containsExactly(Peak.PeakBound.RISING);
    }

    private static List<String> spoiled(HandMade made) {
        return Validity.spoiled(made.evidence(), AnalysisConfig.defaults());
    }

    @Test
    void upToTwoPercentOfBadSecondsAreBorne() {
        HandMade one = good().spoil("warmup", 60, 50, 0);
        assertThat(one.digest().invalidReasons()).isEmpty();

        HandMade two = one.spoil("measure", 90, 50, 0);
        assertThat(two.digest().invalidReasons())
                .containsExactly(
                        "2 of 80 seconds of load had more errors than accepted (most errors were connections refused or cut off:"
                                + " keep the service from starting anew, or lower the load)");
    }

    @Test
    void errorsBelowAPercentAndShortStallsAreNone() {
        HandMade made = good();
        for (int second = 10; second < 70; second++) {
            made.spoil("warmup", second, 10, 200);
        }
        assertThat(made.digest().invalidReasons()).isEmpty();
        assertThat(made.digest().served().errors().orElseThrow().refused()).isEqualTo(600);
    }

    @Test
    void stallsOfTheGeneratorAreCountedApart() {
        HandMade made =
                good().spoil("warmup", 60, 50, 0).spoil("warmup", 61, 0, 201).spoil("warmup", 62, 0, 900);

        assertThat(made.digest().invalidReasons())
                .containsExactly(
                        "1 of 80 seconds of load had more errors than accepted (most errors were connections refused or cut off:"
                                + " keep the service from starting anew, or lower the load)",
                        "2 of 80 seconds of load lost over 200 ms to a stall of the load generator (give the load"
                                + " generator more CPUs)");
    }

    @Test
    void aPhaseWithoutASuccessIsNamed() {
        assertThat(measured("a", 0, seconds(60, 1000)).digest().invalidReasons())
                .containsExactly(
                        "no request succeeded in phase measure (check the URL, which statuses count as success, and"
                                + " what the target printed)");
    }

    @Test
    void aSaturatedLabWasTheLimit() {
        assertThat(busyLab(0.94, 0.9).digest().invalidReasons()).isEmpty();
        assertThat(busyLab(0.97, 0.9).digest().invalidReasons())
                .containsExactly(
                        "load generator and database were the limit: their CPU was 97 % busy at the end of the warm-up,"
                                + " and 0.2 threads of the generator and 0.3 threads of the database waited for it (give them"
                                + " more CPUs (--cpus), or lower the load)");
    }

    @Test
    void otherProgramsAreBlamedForWhatTheyTook() {
        assertThat(busyLab(0.97, 0.5).digest().invalidReasons())
                .containsExactly("other programs took 47 % of a CPU from load generator and database, which"
                        + " needed all of it (end them, and run it again)");
    }

    /** What a backend used is the lab's own, and it is named. */
    @Test
    void aBackendIsAPartOfTheLab() {
        assertThat(busyLab("backend", 0.97, 0.9).digest().invalidReasons())
                .containsExactly(
                        "load generator and backend were the limit: their CPU was 97 % busy at the end of the warm-up,"
                                + " and 0.2 threads of the generator and 0.3 threads of the backend waited for it (give them"
                                + " more CPUs (--cpus), or lower the load)");
    }

    private static HandMade busyLab(double busy, double own) {
        return busyLab("database", busy, own);
    }

    /** @param own what load and the part behind the target used together */
    private static HandMade busyLab(String behind, double busy, double own) {
        return good().cpu(40, 1, 10, 0)
                .cpu(70, 1, 10 + 30 * busy, 0)
                .part(40, "load", 0)
                .part(70, "load", 10 * own)
                .part(40, behind, 0)
                .part(70, behind, 20 * own);
    }

    /** Two CPUs for a generator of one thread: neither of them is full, and it still can send no more. */
    @Test
    void aGeneratorThatMovesBetweenCpusWasTheLimit() {
        HandMade made = good().on(new CpuAssignment(List.of(0), List.of(1, 2), List.of(1, 2), true, List.of()))
                .cpu(40, 1, 10, 0)
                .cpu(70, 1, 26, 0)
                .cpu(40, 2, 10, 0)
                .cpu(70, 2, 25, 0)
                .part(40, "load", 0)
                .part(70, "load", 28.5);

        assertThat(made.digest().invalidReasons())
                .containsExactly(
                        "the load generator was the limit: it used 95 % of the CPU it can use (give it more CPUs"
                                + " (--cpus), or lower the load)");
    }

    /** Together they use more than a CPU, but each could send more. */
    @Test
    void theBusiestOfSeveralLoopsSaysWhetherTheGeneratorWasTheLimit() {
        HandMade made = good().on(new CpuAssignment(List.of(0), List.of(1, 2), List.of(1, 2), true, List.of()))
                .part(40, "load", 0)
                .part(70, "load", 48);

        assertThat(made.loops("warmup", 0.83, 0.79).digest().invalidReasons()).isEmpty();
        assertThat(made.loops("warmup", 0.93, 0.6).digest().invalidReasons())
                .containsExactly(
                        "the load generator was the limit: its 2 event loops used 93 and 60 % of a CPU each (give it"
                                + " more CPUs (--cpus), or lower the load)");
    }

    @Test
    void whatAFindingRulesOutIsNoNote() {
        HandMade made = good().cpu(40, 0, 10, 0)
                .cpu(70, 0, 40, 0.9)
                .part(40, "target", 10)
                .part(70, "target", 37);

        assertThat(made.digest().caveats().notes()).isEmpty();
    }
}
