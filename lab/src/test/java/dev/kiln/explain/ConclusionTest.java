package dev.kiln.explain;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.Phase;
import dev.kiln.model.RunInfo.Outcome;
import dev.kiln.model.ThreadRole;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConclusionTest {
    /** C2 from the middle of the warm-up (second 40) to its end (second 70). */
    private static HandMade platform(double c2Cpu, double c2Wait) {
        return measured("platform", 1000, seconds(60, 500))
                .thread(1, 7, "C2 CompilerThread0", ThreadRole.C2, 0, 0)
                .thread(40, 7, "C2 CompilerThread0", ThreadRole.C2, 1, 2)
                .thread(70, 7, "C2 CompilerThread0", ThreadRole.C2, 1 + 30 * c2Cpu, 2 + 30 * c2Wait);
    }

    private static HandMade virtual() {
        return measured("virtual", 1000, then(seconds(12, 500), seconds(48, 1000)));
    }

    @Test
    void theBestIsNamedBeforeTheWorstAndWhatHeldThatBack() {
        assertThat(assess(platform(0.03, 0.97), virtual()).conclusion())
                .isEqualTo("virtual reached 90 % of its peak (1,000 req/s) 12 s after the first request; "
                        + "platform did not reach 90 % of its peak (1,000 req/s) within 60 s of load: "
                        + "it ended the warm-up at 500 req/s, 50 % of it, "
                        + "while its C2 compiler got 3 % of a CPU and waited for one 97 % of the time.");
    }

    @Test
    void aLevelThatWasReachedTooLateToBeSustainedWasNotStayedAt() {
        assertThat(assess(measured("late", 1000, then(seconds(50, 500), new double[] {
                            700, 700, 700, 1000, 1000, 1000, 1000, 1000, 1000, 1000
                        })))
                        .conclusion())
                .startsWith("late did not stay at 90 % of its peak (1,000 req/s) within 60 s of load: it ended the"
                        + " warm-up at 910 req/s, 91 % of it");
    }

    @Test
    void aWarmUpThatEndedEarlyLastedAsLongAsItWasRecorded() {
        HandMade early = measured("early", 1000, seconds(60, 500));
        early.planned.set(0, new Phase.Load("warmup", Duration.ofSeconds(300), Optional.of(Duration.ofSeconds(60))));

        assertThat(assess(early).conclusion())
                .startsWith("early did not reach 90 % of its peak (1,000 req/s) within 60 s of load");
    }

    @Test
    void aCompilerThatWaitsLittleOrSeldomIsNotBlamed() {
        String end = "it ended the warm-up at 500 req/s, 50 % of it.";

        assertThat(assess(platform(0.1, 0.4)).conclusion()).endsWith(end);
        assertThat(assess(platform(0.9, 0.6)).conclusion()).endsWith(end);
        assertThat(assess(measured("no JVM", 1000, seconds(60, 500))).conclusion())
                .endsWith(end);
    }

    @Test
    void moreWaitingThreadsThanOneAreNotMoreThanAllTheTime() {
        assertThat(assess(platform(0.05, 2.9)).conclusion())
                .endsWith("got 5 % of a CPU and waited for one 100 % of the time.");
    }

    @Test
    void ofThreeTheBestAndTheWorst() {
        String text = assess(
                        measured("slow", 1000, then(seconds(40, 500), seconds(40, 1000))),
                        measured("fast", 1000, then(seconds(5, 500), seconds(55, 1000))),
                        virtual())
                .conclusion();

        assertThat(text)
                .isEqualTo("fast reached 90 % of its peak (1,000 req/s) 5 s after the first request; "
                        + "slow reached 90 % of its peak (1,000 req/s) 40 s after the first request"
                        + " (best and worst of 3).");
    }

    @Test
    void aTimeThatNoiseHidesIsAbout() {
        // The step lies in the tail, so the tail varies by more than half of what tells 90 % from the peak.
        assertThat(assess(measured("slow", 1000, then(seconds(40, 500), seconds(20, 1000))))
                        .conclusion())
                .isEqualTo("slow reached 90 % of its peak (1,000 req/s) about 40 s after the first request.");
    }

    @Test
    void timesOfCyclesAreOfLoad() {
        assertThat(assess(AssessmentTest.cycles()).conclusion())
                .isEqualTo("a reached 90 % of its peak (1,000 req/s) 30 s into the load.");
    }

    @Test
    void aWarmUpTooShortToTellIsNotSaidToHaveFailed() {
        assertThat(assess(measured("a", 1000, seconds(6, 500))).conclusion())
                .isEqualTo("6 s of warm-up are too few to tell when a reached 90 % of its peak (1,000 req/s): "
                        + "it takes 10 whole seconds at the least.");
    }

    @Test
    void aPeakThatWasNotSteadyIsALowerBound() {
        double[] measured = new double[20];
        for (int i = 0; i < measured.length; i++) {
            measured[i] = 50 + 100 * i;
        }
        HandMade climbing = new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 100))
                .pause("pause", 15)
                .load("measure", 85, measured);

        assertThat(assess(climbing).conclusion()).contains("90 % of its peak (at least 1,000 req/s)");
    }

    @Test
    void withoutLoadAfterAPauseThereIsNoReference() {
        assertThat(assess(new HandMade("a", 1).load("warmup", 10, seconds(60, 500)))
                        .conclusion())
                .isEqualTo("a has no reference peak: the protocol has no load after a pause.");
    }

    @Test
    void withoutAValidRunTheReasonIsTheConclusion() {
        HandMade killed = new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 500))
                .planned("measure", 20)
                .ended(Outcome.RUNNING, "");

        assertThat(assess(killed).conclusion())
                .isEqualTo("No run is valid, so nothing can be said of a peak: "
                        + "its end was not recorded: Kiln was killed, or could write no more.");
    }

    @Test
    void theMedianRunSpeaksAndInvalidOnesAreSilent() {
        HandMade second = new HandMade("virtual", 2)
                .load("warmup", 10, then(seconds(20, 500), seconds(40, 1000)))
                .pause("pause", 15)
                .load("measure", 85, seconds(20, 1000));
        HandMade failed = new HandMade("virtual", 3)
                .load("warmup", 10, seconds(60, 100))
                .pause("pause", 15)
                .load("measure", 85, seconds(20, 100))
                .ended(Outcome.LAB_FAILED, "PostgreSQL died");

        assertThat(assess(virtual(), second, failed).conclusion())
                .isEqualTo("virtual reached 90 % of its peak (1,000 req/s) 16 s after the first request.");
    }
}
