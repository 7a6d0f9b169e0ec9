package dev.kiln.explain.budget;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.budget.BudgetKit.budget;
import static dev.kiln.explain.budget.BudgetKit.millis;
import static dev.kiln.explain.budget.BudgetKit.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.load.Latency.Histogrammed;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A load of 1,000 requests a second from second 10 to 70 on 100 connections: a request takes 100 ms. */
class BudgetReaderTest {
    @Test
    void thePartsOfAClosedLoopSumToItsConnectionsOverItsThroughput() {
        Service service = Service.healthy();
        service.workerCpu = 0.8;
        service.workerWait = 20;
        service.collectionShare = 0.005;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.requestsPerSecond()).isCloseTo(1000, within(1.0));
        assertThat(budget.responseMillis()).isCloseTo(100, within(0.1));
        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(0.8, within(0.01));
        assertThat(millis(budget, BudgetPart.CPU_WAIT)).isCloseTo(20, within(0.1));
        // All threads stand for 1 % of the time, half of it for collections.
        assertThat(millis(budget, BudgetPart.COLLECTION)).isCloseTo(0.5, within(0.01));
        assertThat(millis(budget, BudgetPart.SAFEPOINT)).isCloseTo(0.5, within(0.01));
        assertThat(millis(budget, BudgetPart.REST)).isCloseTo(78.2, within(0.2));
        assertThat(sum(budget)).isCloseTo(budget.responseMillis(), within(1e-6));
        assertThat(budget.restIsLarge()).isTrue();
    }

    @Test
    void aThreadThatWorksWithoutLoadAsWellDoesNotServe() {
        Service service = Service.healthy();
        RunEvidence quiet = withThread(service, 0.5);

        assertThat(millis(budget(quiet, 55, 70), BudgetPart.RUNNING)).isCloseTo(0.8, within(0.01));
    }

    /** Adds a thread that uses this much CPU all the time. */
    private static RunEvidence withThread(Service service, double cpu) {
        for (int t = 0; t <= 105; t++) {
            service.made.thread(t, 7, "indexer", ThreadRole.OTHER, cpu * t, 0);
        }
        return service.evidence();
    }

    @Test
    void theCompilersDoNotServe() {
        Service service = Service.healthy();
        service.c2Cpu = 0.6;
        service.c2Wait = 0.3;
        service.workerWait = 0;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(0.8, within(0.01));
        assertThat(millis(budget, BudgetPart.CPU_WAIT)).isCloseTo(0, within(0.01));
    }

    @Test
    void aCpuLimitStopsAllRequestsAlike() {
        Service service = Service.healthy();
        // Ten periods a second, of which five are cut by 50 ms: a quarter of the time.
        service.periods = 10;
        service.throttledPeriods = 5;

        assertThat(millis(budget(service.evidence(), 55, 70), BudgetPart.CPU_LIMIT))
                .isCloseTo(25, within(0.1));
    }

    @Test
    void theLimitOfOneCpuIsNotSpreadOverAllOfTheMachine() {
        Service service = Service.healthy();
        service.made.on(new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()));
        // Each of ten periods a second is cut by 50 ms, and the target runs for the other half of the time.
        service.periods = 10;
        service.throttledPeriods = 10;
        service.workerCpu = 0.49;

        assertThat(millis(budget(service.evidence(), 55, 70), BudgetPart.CPU_LIMIT))
                .isCloseTo(50, within(0.5));
    }

    @Test
    void aLimitStopsAProcessForNoLongerThanThePeriodsThatItCuts() {
        Service service = Service.healthy();
        service.made.on(new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()));
        // A tenth of the periods is cut, on both CPUs.
        service.periods = 10;
        service.throttledPeriods = 1;
        service.cutSeconds = 0.2;
        service.workerCpu = 0.1;

        assertThat(millis(budget(service.evidence(), 55, 70), BudgetPart.CPU_LIMIT))
                .isCloseTo(10, within(1.0));
    }

    @Test
    void theKernelsShareIsApart() {
        Service service = Service.healthy();
        service.parts = false;
        for (int t = 0; t <= 105; t++) {
            service.made.parts.add(new PartSample(
                    t * SECOND,
                    "target",
                    nanos(0.9 * t),
                    0,
                    Optional.of(new PartSample.Modes(nanos(0.6 * t), nanos(0.3 * t)))));
        }

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(millis(budget, BudgetPart.KERNEL)).isCloseTo(0.3, within(0.01));
        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(0.5, within(0.01));
    }

    @Test
    void withARateTheMeanOfTheMeasuredLatenciesIsDivided() {
        Service service = Service.healthy();
        service.made.rate = OptionalDouble.of(1000);
        for (int t = 10; t < 70; t++) {
            service.made.latency.add(new LatencyInterval(
                    "warmup",
                    t * SECOND,
                    (t + 1) * SECOND,
                    new Quantiles(1000, 1, 1, 1),
                    0,
                    Optional.of(new Histogrammed(2_500_000, 1, 1))));
        }

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.responseMillis()).isCloseTo(2.5, within(1e-6));
        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(0.8, within(0.01));
        assertThat(sum(budget)).isCloseTo(2.5, within(1e-6));
    }

    @Test
    void moreWaitingThanThereIsTimeGivesWay() {
        Service service = Service.healthy();
        service.workerCpu = 1;
        service.workerWait = 150;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(1, within(0.01));
        assertThat(millis(budget, BudgetPart.REST)).isCloseTo(0, within(1e-6));
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
    }

    @Test
    void whatWasNotRecordedIsMissingAndNotZero() {
        Service service = Service.healthy().threadsAlone();

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.missing())
                .contains(BudgetPart.COLLECTION, BudgetPart.SAFEPOINT, BudgetPart.CPU_LIMIT, BudgetPart.KERNEL);
        assertThat(budget.of(BudgetPart.COLLECTION)).isEmpty();
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
    }

    @Test
    void withoutThreadsThereIsNoBudget() {
        Service service = Service.healthy();
        service.threads = false;

        assertThat(new BudgetReader(service.evidence(), new ThreadTimes(List.of(), true)).of(new Window(0, nanos(10))))
                .isEmpty();
    }

    @Test
    void samplesOfARecordingDivideWhatRuns() {
        Service service = Service.healthy();
        List<TierShare> tiers = IntStream.range(0, 105)
                .mapToObj(t -> new TierShare(t * SECOND, 10, 20, 40, 20, 10))
                .toList();
        service.made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(tiers, List.of(), List.of(), List.of()),
                List.of()));

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.code())
                .extracting(RunningCode.CodeTime::kind)
                .containsExactly("interpreted", "c1", "c2", "native");
        assertThat(budget.code().get(2).millis()).isCloseTo(0.6 * millis(budget, BudgetPart.RUNNING), within(1e-6));
    }

    @Test
    void theWayToASafepointIsAStopOfTheJvm() {
        Service service = Service.healthy();
        service.workerCpu = 0.8;
        service.workerWait = 20;
        service.collectionShare = 0.005;
        service.toSafepointShare = 0.04;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.toSafepointMillis()).hasValueCloseTo(4.0, within(0.01));
        assertThat(millis(budget, BudgetPart.SAFEPOINT)).isCloseTo(4.5, within(0.01));
        assertThat(sum(budget)).isCloseTo(budget.responseMillis(), within(1e-6));
    }

    /** Threads that are on their way to one run, or wait for a CPU. */
    @Test
    void theWayToASafepointHasNoTimeOfAnotherPart() {
        Service service = Service.healthy();
        service.workerCpu = 1;
        service.workerWait = 96.5;
        service.toSafepointShare = 0.04;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(millis(budget, BudgetPart.CPU_WAIT)).isCloseTo(96.5, within(0.1));
        assertThat(budget.toSafepointMillis().orElse(0)).isCloseTo(1.5, within(0.1));
        assertThat(millis(budget, BudgetPart.REST)).isCloseTo(0, within(1e-6));
        assertThat(budget(Service.healthy().evidence(), 55, 70).toSafepointMillis())
                .as("as earlier versions recorded it")
                .isEmpty();
    }

    @Test
    void looksAtThreadsTellHowLongARequestIsInAnUninterruptibleSleep() {
        Service service = Service.healthy();
        for (int tid = 1; tid <= 20; tid++) {
            for (int t = 0; t <= 105; t++) {
                service.made.threads.add(new ThreadSample(
                        t * SECOND,
                        5000 + tid,
                        "http",
                        ThreadRole.WORKER,
                        0,
                        0,
                        0,
                        0,
                        0,
                        (t + tid) % 4 == 0 ? ThreadState.UNINTERRUPTIBLE : ThreadState.SLEEPING));
            }
        }

        assertThat(budget(service.evidence(), 55, 70).uninterruptibleMillis()).hasValueCloseTo(5.0, within(0.01));
        assertThat(budget(Service.healthy().evidence(), 55, 70).uninterruptibleMillis())
                .isEmpty();
    }

    @Test
    void aRunHasTheBudgetsOfItsBeginningItsEndAndItsReference() {
        Service service = Service.of(seconds(60, 500), 1000);

        Budgets budgets = RunDigest.of(service.evidence(), AnalysisConfig.defaults())
                .observation()
                .budgets();

        assertThat(budgets.beginning().orElseThrow().responseMillis()).isCloseTo(200, within(0.5));
        assertThat(budgets.end().orElseThrow().responseMillis()).isCloseTo(200, within(0.5));
        assertThat(budgets.reference().orElseThrow().responseMillis()).isCloseTo(100, within(0.5));
        assertThat(budgets.curve().seconds())
                .hasSize(80)
                .allSatisfy(second -> assertThat(sum(second.budget()))
                        .isCloseTo(second.budget().responseMillis(), within(1e-6)));
    }
}
