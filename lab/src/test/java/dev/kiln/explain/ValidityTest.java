package dev.kiln.explain;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.RunInfo.Outcome;
import java.util.List;
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
        "RUNNING, '', 'its end was not recorded: Kiln was killed, or could write no more'",
        "INTERRUPTED, '', interrupted",
        "TARGET_FAILED, it exited with code 1, the target failed: it exited with code 1",
        "LAB_FAILED, disk full, the lab failed: disk full"
    })
    void aRunThatDidNotCompleteSaysWhy(Outcome outcome, String detail, String reason) {
        assertThat(good().ended(outcome, detail).digest().invalidReasons()).containsExactly(reason);
    }

    @Test
    void upToTwoPercentOfBadSecondsAreBorne() {
        HandMade one = good().spoil("warmup", 60, 50, 0);
        assertThat(one.digest().invalidReasons()).isEmpty();

        HandMade two = one.spoil("measure", 90, 50, 0);
        assertThat(two.digest().invalidReasons())
                .containsExactly("2 of 80 seconds of load had more errors than accepted");
    }

    @Test
    void errorsBelowAPercentAndShortStallsAreNone() {
        HandMade made = good();
        for (int second = 10; second < 70; second++) {
            made.spoil("warmup", second, 10, 200);
        }
        assertThat(made.digest().invalidReasons()).isEmpty();
        assertThat(made.digest().errors().refused()).isEqualTo(600);
    }

    @Test
    void stallsOfTheGeneratorAreCountedApart() {
        HandMade made =
                good().spoil("warmup", 60, 50, 0).spoil("warmup", 61, 0, 201).spoil("warmup", 62, 0, 900);

        assertThat(made.digest().invalidReasons())
                .containsExactly(
                        "1 of 80 seconds of load had more errors than accepted",
                        "2 of 80 seconds of load lost over 200 ms to a stall of the load generator");
    }

    @Test
    void aPhaseWithoutASuccessIsNamed() {
        assertThat(measured("a", 0, seconds(60, 1000)).digest().invalidReasons())
                .containsExactly("no request succeeded in phase measure");
    }

    @Test
    void aSaturatedLabWasTheLimit() {
        assertThat(busyLab(0.94, 0.9).digest().invalidReasons()).isEmpty();
        assertThat(busyLab(0.97, 0.9).digest().invalidReasons())
                .containsExactly(
                        "load generator and database were the limit: their CPU was 97 % busy at the end of the warm-up,"
                                + " and 0.2 threads of the generator and 0.3 threads of the database waited for it");
    }

    @Test
    void otherProgramsAreBlamedForWhatTheyTook() {
        assertThat(busyLab(0.97, 0.5).digest().invalidReasons())
                .containsExactly("other programs took 47 % of a CPU from load generator and database,"
                        + " which had none to spare");
    }

    /** @param own what load and database used together */
    private static HandMade busyLab(double busy, double own) {
        return good().cpu(40, 1, 10, 0)
                .cpu(70, 1, 10 + 30 * busy, 0)
                .part(40, "load", 0)
                .part(70, "load", 10 * own)
                .part(40, "database", 0)
                .part(70, "database", 20 * own);
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
                .containsExactly("the load generator was the limit: it used 95 % of the CPU it can use");
    }

    @Test
    void whatAFindingRulesOutIsNoNote() {
        HandMade made = good().cpu(40, 0, 10, 0)
                .cpu(70, 0, 40, 0.9)
                .part(40, "target", 10)
                .part(70, "target", 37);

        assertThat(made.digest().notes()).isEmpty();
    }
}
