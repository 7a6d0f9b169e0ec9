package dev.kiln.explain.budget;

import static dev.kiln.explain.HandMade.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.Service;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budget.StopCounts;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.RunEvidence;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** A load of 1,000 requests a second on 100 connections: a request takes 100 ms. */
class JvmStopsTest {
    private static Budget budget(Service service) {
        RunEvidence evidence = service.evidence();
        return new BudgetReader(evidence, new ThreadTimes(evidence.threads(), true))
                .of(new Window(nanos(55), nanos(70)))
                .orElseThrow();
    }

    private static double millis(Budget budget, BudgetPart part) {
        return budget.of(part).orElse(Double.NaN);
    }

    /** The JVM counts a stop until its own thread, which waits for the CPU, has ended it: others run or wait by then. */
    @Test
    void threadsDoNotStandWhileTheyRunOrWaitForACpu() {
        Service service = Service.healthy();
        service.workerCpu = 0.95;
        service.workerWait = 90;
        service.collectionShare = 0.02;
        service.safepointShare = 0.3;

        Budget budget = budget(service);

        assertThat(millis(budget, BudgetPart.COLLECTION)).isCloseTo(2, within(0.01));
        assertThat(millis(budget, BudgetPart.SAFEPOINT)).isCloseTo(7, within(0.2));
        assertThat(millis(budget, BudgetPart.CPU_WAIT)).isCloseTo(90, within(0.1));
    }

    @Test
    void stopsForCollectionsAreCountedAmongAll() {
        Service service = Service.healthy();
        service.collections = 0.5;

        StopCounts stops = budget(service).stops().orElseThrow();

        assertThat(stops.perSecond()).isCloseTo(1, within(0.01));
        assertThat(stops.forCollections()).isCloseTo(0.5, within(0.05));
        assertThat(stops.areMostlyForCollections()).isFalse();
        assertThat(new StopCounts(100, 92, OptionalDouble.empty()).areMostlyForCollections())
                .isTrue();
        assertThat(new StopCounts(0, 0, OptionalDouble.empty()).areMostlyForCollections())
                .isFalse();
    }
}
