package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.ResponseTimes;
import dev.kiln.explain.ResponseTimes.Settled;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Latency.Beginning;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.Sending.Slo;
import dev.kiln.model.load.Shape;
import dev.kiln.model.run.Course.Unserved;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** A service that is offered 300 requests per second: 60 s of load from second 10 on, a pause, and 20 s of load. */
class ResponseTimesTest {
    private static final int WARMUP = 60;
    private final Random noise = new Random(7);

    private HandMade offered(double rate, double served, IntToDoubleFunction p99Millis) {
        HandMade made = HandMade.measured("a", served, seconds(WARMUP, served));
        made.rate = OptionalDouble.of(rate);
        for (int i = 0; i < WARMUP; i++) {
            second(made, "warmup", 10 + i, served, p99Millis.applyAsDouble(i));
        }
        for (int i = 0; i < 20; i++) {
            second(made, "measure", 85 + i, served, p99Millis.applyAsDouble(WARMUP));
        }
        return made;
    }

    private void second(HandMade made, String phase, int at, double count, double millis) {
        long p99 = Math.round(millis * 1e6 * Math.exp(0.1 * noise.nextGaussian()));
        made.latency.add(new LatencyInterval(
                phase, at * SECOND, (at + 1) * SECOND, new Quantiles(Math.round(count), p99 / 4, p99, 2 * p99)));
    }

    private static ExperimentResult judged(HandMade... runs) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        for (HandMade run : runs) {
            assessment.add(run.evidence());
        }
        return assessment.result("test");
    }

    private static RunResult run(ExperimentResult result) {
        return result.variants().getFirst().runs().getFirst();
    }

    /** Half a second until second 30, then 20 ms. */
    @Test
    void theTimeToTheLevelIsTheStepsAndNoPeakIsTold() {
        ExperimentResult result = judged(offered(300, 300, second -> second < 30 ? 500 : 20));
        RunResult run = run(result);
        ResponseTimes times = run.responses().orElseThrow();
        Settled p99 = times.p99().orElseThrow();

        assertThat(times.allServed()).isTrue();
        assertThat(p99.levelMillis().value()).isCloseTo(20, within(1.0));
        assertThat(p99.levelMillis().lo()).isLessThan(20);
        assertThat(p99.levelMillis().hi()).isGreaterThan(20);
        assertThat(p99.ofMeasured()).isTrue();
        assertThat(p99.time().seconds()).hasValueCloseTo(30.0, within(1.0));
        assertThat(p99.time().lo().orElseThrow()).isLessThanOrEqualTo(30);
        assertThat(p99.time().hi().orElseThrow()).isGreaterThanOrEqualTo(30);
        assertThat(p99.twiceSeconds()).isEqualTo(30);
        Settled p50 = times.p50().orElseThrow();
        assertThat(p50.levelMillis().value()).isCloseTo(5, within(0.3));
        assertThat(RunFigures.of(Metric.P50_LEVEL_TIME, run).orElseThrow())
                .isEqualTo(p50.time().seconds().orElseThrow());
        assertThat(times.drainedSeconds()).hasValue(0);

        assertThat(run.series().peak()).isEmpty();
        assertThat(RunFigures.of(Metric.T90, run)).isEmpty();
        assertThat(RunFigures.of(Metric.P99_LEVEL_TIME, run)).hasValueCloseTo(30.0, within(1.0));
        assertThat(run.explanation().verdict())
                .isEqualTo(new Verdict.Served("all 300 requests per second offered", "a higher rate"));
        assertThat(result.conclusion())
                .matches("a served all 300 requests per second it was offered; its p99 came to its level of 20 ms"
                        + " after 30 s(?: \\(\\d+-\\d+\\))?, and was above twice that for 30 s\\.");
    }

    /** From 0 to 300 in the warm-up: less than 300 is all that was offered. */
    @Test
    void aRampIsServedIfEachSecondsShareWas() {
        HandMade made = offered(300, 300, second -> 20);
        Phase.Load load = (Phase.Load) made.planned.getFirst();
        made.planned.set(
                0,
                new Phase.Load(
                        load.name(),
                        load.duration(),
                        Optional.empty(),
                        Optional.of(Shape.ramp(Shape.Of.RATE, 600, 0)),
                        Optional.empty()));
        assertThat(run(judged(made)).responses().orElseThrow().allServed()).isTrue();

        made.planned.set(
                0,
                new Phase.Load(
                        load.name(),
                        load.duration(),
                        Optional.empty(),
                        Optional.of(Shape.ramp(Shape.Of.RATE, 0, 600)),
                        Optional.empty()));
        ExperimentResult half = judged(made);
        assertThat(run(half).responses().orElseThrow().allServed()).isFalse();
        assertThat(half.footnotes())
                .anyMatch(note -> note.startsWith("the load changed in phase warmup (0 to 600 requests per second)"));
    }

    /** From 500 to 100 requests per second, as they were recorded: throughput that falls is no service that slows down. */
    @Test
    void aRecordingIsServedIfWhatWasDueWas() {
        HandMade made = replayed();
        ExperimentResult result = judged(made);
        RunResult run = run(result);

        assertThat(run.responses().orElseThrow().allServed()).isTrue();
        assertThat(run.responses().orElseThrow().rate()).hasValueCloseTo(300.0, within(1.0));
        assertThat(run.explanation().verdict())
                .isEqualTo(new Verdict.Served(
                        "all requests replayed from access.log (about 300 per second)", "a higher speed"));
        assertThat(result.conclusion())
                .startsWith("a served all requests replayed from access.log (about 300 per second); its p99 came to");
        assertThat(result.footnotes())
                .anyMatch(note -> note.equals("replayed from access.log: throughput follows the recording, so response"
                        + " times show the warm-up; 1 of 9 lines is no request"));

        HandMade failing = replayed();
        for (int second = 60; second < 70; second++) {
            failing.spoil("warmup", second, 500, 0);
        }
        assertThat(run(judged(failing)).responses().orElseThrow().allServed()).isFalse();
    }

    /** Users who think for longer than they wait send the same, whether the service is warm or not. */
    @Test
    void usersWhoThinkAreServedIfTheyWaitForLess() {
        HandMade made = offered(300, 300, second -> second < 30 ? 500 : 20);
        made.rate = OptionalDouble.empty();
        made.think = Duration.ofSeconds(1);
        made.connections = 320;
        ExperimentResult result = judged(made);

        assertThat(run(result).explanation().verdict())
                .isEqualTo(new Verdict.Served(
                        "the requests of users who mostly think (at most 320 per second)",
                        "more connections or shorter think times"));
        assertThat(result.conclusion())
                .startsWith(
                        "a served the requests of users who mostly think (at most 320 per second); its p99 came to");

        made.connections = 700;
        assertThat(run(judged(made)).responses().orElseThrow().allServed())
                .as("they wait for most of the time, and throughput tells for how long")
                .isFalse();
    }

    private HandMade replayed() {
        double[] falling = new double[WARMUP];
        Arrays.setAll(falling, second -> 500 - 400.0 * second / (WARMUP - 1));
        HandMade made = HandMade.measured("a", 480, falling);
        made.rate = OptionalDouble.of(1000);
        made.replay = Optional.of(new Replay(
                "access.log", 60_000, Duration.ofSeconds(60), 1, Optional.of("1 of 9 lines is no request"), "00ff"));
        for (int i = 0; i < WARMUP; i++) {
            second(made, "warmup", 10 + i, falling[i], i < 30 ? 500 : 20);
        }
        for (int i = 0; i < 20; i++) {
            second(made, "measure", 85 + i, 480, 20);
        }
        return made;
    }

    @Test
    void aRateThatIsNotServedHasAPeak() {
        RunResult run = run(judged(offered(1000, 400, second -> 900)));

        assertThat(run.responses().orElseThrow().allServed()).isFalse();
        assertThat(run.series().peak()).isPresent();
    }

    /** Then throughput tells: 180 of 300 in the warm-up is below what it can do. */
    @Test
    void aRateThatIsServedAfterThePauseAloneIsALowerBoundOfThePeak() {
        HandMade made = HandMade.measured("a", 300, seconds(WARMUP, 180));
        made.rate = OptionalDouble.of(300);
        RunResult run = run(judged(made));

        assertThat(run.responses().orElseThrow().allServed()).isFalse();
        assertThat(run.series().peak().orElseThrow().bounds()).containsExactly(Peak.PeakBound.OFFERED);
        assertThat(run.explanation().verdict()).isInstanceOf(Verdict.BelowPeak.class);
    }

    @Test
    void theClosedLoopHasNone() {
        assertThat(run(judged(HandMade.measured("a", 300, seconds(WARMUP, 300))))
                        .responses())
                .isEmpty();
    }

    /** With 40 requests, the 99th percentile of a second is its slowest request. */
    @Test
    void fewRequestsASecondHaveAMedianOnly() {
        ResponseTimes times = run(judged(offered(40, 40, second -> second < 20 ? 100 : 20)))
                .responses()
                .orElseThrow();

        assertThat(times.p99()).isEmpty();
        assertThat(times.p50().orElseThrow().time().lo().orElseThrow()).isLessThanOrEqualTo(20);
        assertThat(times.p50().orElseThrow().time().hi().orElseThrow()).isGreaterThanOrEqualTo(20);
        assertThat(times.p50().orElseThrow().time().seconds()).hasValueCloseTo(20.0, within(3.0));
    }

    @Test
    void aLevelThatIsNotReachedIsSaid() {
        HandMade made = offered(300, 300, second -> second < WARMUP ? 200 : 20);
        ExperimentResult result = judged(made);

        assertThat(run(result)
                        .responses()
                        .orElseThrow()
                        .p99()
                        .orElseThrow()
                        .time()
                        .never())
                .isTrue();
        assertThat(result.conclusion()).contains("its p99 did not come to its level of 20 ms within 60 s");
    }

    @Test
    void aLatencyToKeepIsMetFromASecondOn() {
        HandMade made = HandMade.measured("a", 300, seconds(WARMUP, 300));
        made.rate = OptionalDouble.of(300);
        made.slo = Optional.of(new Slo(99, Duration.ofMillis(200)));
        for (int i = 0; i < WARMUP; i++) {
            // 3 of 300 may be slower.
            long beyond = i < 25 ? 60 : i == 40 ? 4 : 3;
            made.latency.add(new LatencyInterval(
                    "warmup",
                    (10 + i) * SECOND,
                    (11 + i) * SECOND,
                    new Quantiles(300, 5_000_000, 20_000_000, 30_000_000),
                    beyond,
                    Optional.empty()));
        }
        made.spoil("warmup", 11, 7, 0);
        made.unserved("warmup", new Unserved(2, 5, 1, 8));

        ExperimentResult result = judged(made);
        RunResult run = run(result);
        ResponseTimes.Kept kept = run.responses().orElseThrow().kept().orElseThrow();

        assertThat(kept.metFrom().seconds()).hasValue(25);
        assertThat(kept.missedAfter()).isEqualTo(1);
        assertThat(result.conclusion()).contains(" was met from second 25 on, but for 1 s");
        assertThat(kept.requestsBeyond()).isEqualTo(25 * 60 + 34 * 3 + 4 + 7 + 2 + 5);
        assertThat(run.responses().orElseThrow().unserved()).contains(new Unserved(2, 5, 1, 8));
        assertThat(RunFigures.of(Metric.SLO_MET, run)).hasValue(25);
        assertThat(RunFigures.of(Metric.UNSERVED, run)).hasValue(7);
    }

    /** 300 requests a second over 100 connections: 250 in the backlog are 150 that wait. */
    @Test
    void aBacklogIsDrainedWhenNothingWaitsForAConnection() {
        HandMade made = new HandMade("a", 1);
        made.rate = OptionalDouble.of(300);
        made.backlog = 250;
        made.load("warmup", 10, seconds(20, 300));
        made.backlog = 3;
        made.load("later", 30, seconds(40, 300)).pause("pause", 5).load("measure", 75, seconds(20, 300));

        assertThat(run(judged(made)).responses().orElseThrow().drainedSeconds()).hasValue(20);
    }

    @Test
    void whatNeverGetsAnAnswerIsSlowerThanAllOthers() {
        Beginning thousand = new Beginning(10, 1000, List.of(10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L));

        assertThat(thousand.p99Nanos(0)).hasValue(10);
        // 0.99 of 1,005 are 995 of those with an answer: 99.5 %.
        assertThat(thousand.p99Nanos(5)).hasValue(15);
        assertThat(thousand.p99Nanos(10)).hasValue(20);
        assertThat(thousand.p99Nanos(11)).hasValue(Double.POSITIVE_INFINITY);
        assertThat(new Beginning(10, 0, Collections.nCopies(11, 0L)).p99Nanos(0))
                .isEmpty();
    }
}
