package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.report.Cell;
import dev.kiln.report.SummaryTable;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExperimentConclusionTest {
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
                .isEqualTo(
                        "virtual reached 90 % of its peak (1,000 req/s) 12 s after the first request; "
                                + "platform did not reach 90 % of its peak (1,000 req/s) within 60 s of load: "
                                + "it ended at 500 req/s, 50 % of its peak (49-51), false plateau; what held it back: C2 starved of"
                                + " CPU (C2 got 3.0 % of a CPU and waited for one 97.0 % of the time in the last 15 s of the load).");
    }

    /** What kept a service from its peak is known, though it came there in the end. */
    @Test
    void aPeakThatCameLateNamesTheStarvationOnTheWay() {
        ExperimentResult late = assess(starvedUntil(60, then(seconds(40, 500), seconds(20, 1000))));
        assertThat(late.conclusion())
                .isEqualTo("late reached 90 % of its peak (1,000 req/s) 40 s after the first request;"
                        + " meanwhile C2 was starved of CPU, the last time until second 50.");
        assertThat(Headline.of(late).why())
                .containsExactly("late: C2 was starved of CPU, the last time until second 50.");
        assertThat(assess(starvedUntil(40, then(seconds(40, 500), seconds(20, 1000))))
                        .conclusion())
                .as("over before the peak was reached")
                .endsWith("after the first request.");
    }

    /** Where the load after the pause served no more, and C2 was starved in it as well, nothing shows that anything was held back. */
    @Test
    void whatMayHoldAServiceBackIsNotSaidToHaveDoneIt() {
        String conclusion = assess(starvedUntil(106, seconds(60, 1000))).conclusion();
        assertThat(conclusion)
                .contains("; what may hold it back: C2 starved of CPU")
                .doesNotContain("what held it back");
    }

    /** @param second since launch; the load begins at second 10 */
    private static HandMade starvedUntil(int second, double[] warmup) {
        HandMade made = measured("late", 1000, warmup);
        double cpu = 0;
        double wait = 0;
        for (int t = 1; t <= 105; t++) {
            made = made.thread(t, 7, "C2 CompilerThread0", ThreadRole.C2, cpu, wait);
            cpu += t < second ? 0.03 : 0.01;
            wait += t >= 10 && t < second ? 0.97 : 0;
        }
        return made;
    }

    /** A service that is held back peaks low, and soon: against its own peak alone it would look the better one. */
    @Test
    void variantsAreHeldAgainstTheHighestPeakOfAll() {
        HandMade starved = measured("starved", 823, then(seconds(10, 400), seconds(50, 786)));
        HandMade cured = measured("cured", 1222, then(seconds(26, 500), seconds(34, 1222)));
        ExperimentResult result = assess(starved, cured);

        assertThat(result.conclusion())
                .startsWith("cured reached 90 % of its peak (1,220 req/s) 26 s after the first request; "
                        + "starved did not reach 90 % of the highest peak (1,220 req/s, that of cured) within 60 s of load:"
                        + " it ended at 790 req/s, 65 % of that peak and 96 % of its own peak (");
        VariantResult first = result.variants().getFirst();
        assertThat(first.time(90).orElseThrow().seconds()).as("its own").hasValue(10);
        assertThat(first.held().time(90).orElseThrow().never()).isTrue();
        assertThat(first.verdict()).as("of its own peak").isEqualTo("peaked");
        assertThat(Headline.brief(first)).hasValue("90 % of its own peak after 10 s");
        assertThat(Headline.brief(result.variants().getLast())).hasValue("90 % of its peak after 26 s");
        assertThat(result.variants().getLast().higher())
                .as("its own is the highest")
                .isEmpty();
        assertThat(RunFigures.of(Metric.WARMUP_COST, first.held().runs().getFirst())
                        .orElseThrow())
                .isCloseTo(60 - (10 * 400 + 50 * 790) / 1220.0, within(0.1));
        SummaryTable table = SummaryTable.of(result);
        assertThat(table.rows().getFirst().cells())
                .extracting(Cell::text)
                .containsSubsequence("820", "not reached", "24");
        assertThat(table.footnotes())
                .contains(
                        "T90 and warm-up cost of starved are against the highest peak, 1,220 req/s, that of cured. To 90 % of"
                                + " its own peak: starved 10 s.");
    }

    @Test
    void aLowerBoundAsYardstickMakesTimesLowerBounds() {
        HandMade starved = measured("starved", 820, then(seconds(10, 400), seconds(50, 820)));
        HandMade rising = measured("platform", 1000, seconds(60, 500))
                .thread(1, 7, "C2 CompilerThread0", ThreadRole.C2, 0, 0)
                .thread(85, 7, "C2 CompilerThread0", ThreadRole.C2, 1, 2)
                .thread(105, 7, "C2 CompilerThread0", ThreadRole.C2, 1 + 20 * 0.04, 2 + 20 * 0.95);
        ExperimentResult result = assess(starved, rising);

        assertThat(result.variants().getLast().referencePeak().orElseThrow().lowerBound())
                .isTrue();
        assertThat(result.conclusion())
                .contains("starved did not reach 90 % of the highest peak (at least 1,000 req/s, that of platform)");
    }

    @Test
    void aLevelOfTheLastSecondAloneWasNotReached() {
        assertThat(assess(measured("late", 1000, then(seconds(59, 500), seconds(1, 1000))))
                        .conclusion())
                .startsWith(
                        "late cannot be shown to have reached 90 % of its peak (1,000 req/s) within 60 s of load: it"
                                + " ended at 500 req/s, 50 % of its peak (49-51), below peak");
    }

    @Test
    void aWarmUpThatEndedEarlyLastedAsLongAsItWasRecorded() {
        HandMade early = measured("early", 1000, seconds(60, 500));
        early.planned.set(
                0,
                new Phase.Load(
                        "warmup",
                        Duration.ofSeconds(300),
                        Optional.of(Duration.ofSeconds(60)),
                        Optional.empty(),
                        Optional.empty()));

        assertThat(assess(early).conclusion())
                .startsWith("early did not reach 90 % of its peak (1,000 req/s) within 60 s of load");
    }

    @Test
    void aCompilerThatWaitsLittleOrSeldomIsNotBlamed() {
        String end = "it ended at 500 req/s, 50 % of its peak (49-51), below peak.";

        assertThat(assess(platform(0.1, 0.4)).conclusion()).endsWith(end);
        assertThat(assess(platform(0.9, 0.06)).conclusion()).endsWith(end);
        assertThat(assess(measured("no JVM", 1000, seconds(60, 500))).conclusion())
                .endsWith(end);
    }

    @Test
    void moreWaitingThreadsThanOneAreNotMoreThanAllTheTime() {
        HandMade three = platform(0.05, 0.95);
        for (int tid = 8; tid <= 9; tid++) {
            three.thread(1, tid, "C2 CompilerThread0", ThreadRole.C2, 0, 0)
                    .thread(40, tid, "C2 CompilerThread0", ThreadRole.C2, 1, 2)
                    .thread(70, tid, "C2 CompilerThread0", ThreadRole.C2, 1, 2 + 30 * 0.975);
        }
        assertThat(assess(three).conclusion())
                .endsWith(
                        "(C2 got 5.0 % of a CPU and waited for one 97.5 % of the time in the last 15 s of the load).");
    }

    @Test
    void ofThreeTheBestAndTheWorst() {
        String text = assess(
                        measured("slow", 1000, then(seconds(40, 500), seconds(40, 1000))),
                        measured("fast", 1000, then(seconds(5, 500), seconds(55, 1000))),
                        virtual())
                .conclusion();

        assertThat(text)
                .isEqualTo("fast reached 90 % of its peak (1,000 req/s) 5 s (5-9) after the first request; "
                        + "slow reached 90 % of its peak (1,000 req/s) 40 s after the first request"
                        + " (best and worst of 3).");
    }

    /** Where it hung at 90 %, the intervals of its time and of its end are told. */
    @Test
    void aTimeHasItsInterval() {
        Random random = new Random(5);
        double[] hangs = new double[120];
        for (int i = 0; i < hangs.length; i++) {
            hangs[i] = 10_000 * (i < 30 ? 0.5 : i < 60 ? 0.9 : 1) * (1 + 0.03 * random.nextGaussian());
        }

        assertThat(assess(measured("slow", 10_000, hangs)).conclusion())
                .matches(
                        "slow reached 90 % of its peak \\(10,000 req/s\\) \\d+ s \\(30-6\\d\\) after the first request\\.");
    }

    @Test
    void anEndThatNoiseHidesIsOpen() {
        Random random = new Random(3);
        double[] noisy = new double[60];
        for (int i = 0; i < noisy.length; i++) {
            noisy[i] = 930 + 150 * random.nextGaussian();
        }

        assertThat(assess(measured("a", 1000, noisy)).conclusion())
                .contains(" % of its peak (")
                .matches(".*, and Kiln cannot tell whether it was at its peak \\(.* would decide\\)\\.");
    }

    @Test
    void timesOfCyclesAreOfLoad() {
        assertThat(assess(HandMade.cycles()).conclusion())
                .isEqualTo("a reached 90 % of its peak (1,000 req/s) 30 s into the load.");
    }

    @Test
    void aWarmUpTooShortForAnEndSaysWhatWouldDecide() {
        assertThat(assess(measured("a", 1000, seconds(6, 500))).conclusion())
                .isEqualTo("a did not reach 90 % of its peak (1,000 req/s) within 6 s of load, and Kiln cannot"
                        + " tell whether it was at its peak (10 s or more would decide).");
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

        assertThat(assess(climbing).conclusion()).contains("did not reach 90 % of its peak (at least 1,050 req/s)");
    }

    @Test
    void withoutLoadAfterAPauseThereIsNoReference() {
        assertThat(assess(new HandMade("a", 1).load("warmup", 10, seconds(60, 500)))
                        .conclusion())
                .isEqualTo("a: this protocol has no pause; add one, and a load after it, which shows the peak:"
                        + " --protocol load=60s,pause=15s,load=20s, or protocol: load=60s,pause=15s,load=20s in a file;"
                        + " it ended at 500 req/s.");
        assertThat(assess(new HandMade("a", 1)
                                .load("warmup", 10, seconds(60, 500))
                                .pause("pause", 15))
                        .conclusion())
                .as("a pause, and no load after it")
                .startsWith("a: no load after a pause served requests, so the peak is not known");
    }

    @Test
    void aLoadThatDeclinedIsNoReference() {
        double[] declining = new double[20];
        for (int i = 0; i < declining.length; i++) {
            declining[i] = 1000 - 20 * i;
        }

        assertThat(assess(new HandMade("a", 1)
                                .load("warmup", 10, seconds(60, 800))
                                .pause("pause", 15)
                                .load("measure", 85, declining))
                        .conclusion())
                .isEqualTo("a: throughput declined in the load after the pause, so it does"
                        + " not show the peak; it ended at 800 req/s.");
    }

    /** From second 40 on another program has half of the CPU, which is never idle. */
    @Test
    void theMachineIsNamedWhereRequestsPerCpuSecondStayed() {
        HandMade made = measured("a", 500, then(seconds(40, 1000), seconds(20, 500)));
        for (int i = 0; i < 110; i++) {
            made.part(i, "target", i < 50 ? i : 50 + (i - 50) / 2.0).cpu(i, 0, i, 0);
        }

        assertThat(assess(made).conclusion())
                .isEqualTo(
                        "a reached 90 % of its peak (1,000 req/s) 0 s after the first request, and fell below it later: it ended at 500"
                                + " req/s, 50 % of its peak (49-51), slowing (it had served 1,000 req/s for 40 s before); the machine was the"
                                + " reason: the target got less CPU, and served as many requests per"
                                + " CPU-second.");
    }

    /** The other program came in the pause. */
    @Test
    void aLoadAfterThePauseThatServedLessIsToldAsSuch() {
        HandMade made = measured("a", 500, seconds(60, 1000));
        for (int i = 0; i < 110; i++) {
            made.part(i, "target", i < 80 ? i : 80 + (i - 80) / 2.0).cpu(i, 0, i, 0);
        }

        assertThat(assess(made).conclusion())
                .isEqualTo("a: the load after the pause served less than the end of the load before it, so the peak is"
                        + " unknown; it ended at 1,000 req/s; the machine was the reason: the target got less CPU, and"
                        + " served as many requests per CPU-second.");
    }

    /** The level and its share are of the same runs: else a reader's division gives a third figure. */
    @Test
    void theEndOfSeveralRunsIsTheirMedianAndSoIsItsShare() {
        HandMade higher =
                measured("a", 1000, then(seconds(30, 500), seconds(30, 700))).numbered(2);
        HandMade between = measured("a", 1000, seconds(60, 600)).numbered(3);

        assertThat(assess(measured("a", 1000, seconds(60, 500)), higher, between)
                        .conclusion())
                .contains("it ended at 600 req/s, 60 % of its peak (50-70)");
    }

    @Test
    void runsThatDifferAreShownAsSuch() {
        HandMade climbing =
                measured("a", 1000, then(seconds(55, 500), seconds(5, 800))).numbered(2);
        ExperimentResult result = assess(measured("a", 1000, then(seconds(12, 500), seconds(48, 1000))), climbing);
        String verdicts = result.variants().getFirst().verdict();

        assertThat(verdicts).startsWith("1 peaked, 1 ");
        assertThat(result.conclusion()).contains(", and runs differ: " + verdicts);
    }

    @Test
    void withoutAValidRunTheReasonIsTheConclusion() {
        HandMade killed = new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 500))
                .planned("measure", 20)
                .ended(Outcome.RUNNING, "");

        assertThat(assess(killed).conclusion())
                .isEqualTo("No run is valid, so the peak is not known: the end of the run was not recorded: Kiln"
                        + " was killed, or could not write any more, or the run still goes on (if it does not, run it"
                        + " again).");
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
                .isEqualTo("virtual reached 90 % of its peak (1,000 req/s) 16 s (12-20) after the first request"
                        + " (median and range of 2 runs).");
    }
}
