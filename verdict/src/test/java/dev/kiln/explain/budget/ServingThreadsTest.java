package dev.kiln.explain.budget;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.budget.BudgetKit.budget;
import static dev.kiln.explain.budget.BudgetKit.millis;
import static dev.kiln.explain.budget.BudgetKit.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.Service;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.WaitKind;
import org.junit.jupiter.api.Test;

/** Threads that are as busy in the pause as under load. A request takes 100 ms. */
class ServingThreadsTest {
    /** Its workers hardly run; one more thread runs for nine tenths of the time, also while nothing is sent. */
    private static Service busyThroughout(String thread) {
        Service service = Service.healthy();
        service.workerCpu = 0.01;
        service.workerWait = 0;
        for (int t = 0; t <= 105; t++) {
            service.made.thread(t, 7, thread, ThreadRole.WORKER, 0.9 * t, 0);
        }
        return service;
    }

    private static Service withVirtualThreads(Service service) {
        service.made.blocked.add(
                new BlockedSample(64 * SECOND, "", true, 460, WaitKind.RUNNABLE, "app.Pool.take:3", "", ""));
        return service;
    }

    /** As virtual threads that yield to each other, whatever the load. */
    @Test
    void carriersServeWhoeverRunsOnThemInThePause() {
        Budget carriers =
                budget(withVirtualThreads(busyThroughout("ForkJoinPool-1-")).evidence(), 55, 70);

        assertThat(millis(carriers, BudgetPart.RUNNING)).isCloseTo(0.91, within(0.01));
        assertThat(millis(
                        budget(
                                withVirtualThreads(busyThroughout("ForkJoi..rker-1"))
                                        .evidence(),
                                55,
                                70),
                        BudgetPart.RUNNING))
                .as("as JDK 26 names it")
                .isCloseTo(0.91, within(0.01));
    }

    /** Nobody knows whether it works for a request that never ends. */
    @Test
    void whatRunsIsNotKnownWhereOnlyThreadsOfTheBackgroundDo() {
        Service service = busyThroughout("indexer");
        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.missing()).contains(BudgetPart.RUNNING, BudgetPart.KERNEL, BudgetPart.CPU_WAIT);
        assertThat(millis(budget, BudgetPart.REST)).isGreaterThan(95);
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
        assertThat(service.finding("own-warm-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.finding("page-faults").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** As a log of compilers alone: that no other thread ran was not seen. */
    @Test
    void whatRunsIsNotKnownWhereOnlyThreadsOfTheJvmWereRecorded() {
        Service service = Service.healthy();
        service.evidence();
        service.made.threads.removeIf(thread -> !thread.role().isOfJvm());
        RunEvidence compilers = service.made.evidence();

        assertThat(compilers.threads()).isNotEmpty();
        assertThat(budget(compilers, 55, 70).missing())
                .contains(BudgetPart.RUNNING, BudgetPart.KERNEL, BudgetPart.CPU_WAIT);
        assertThat(service.made.digest().findings())
                .filteredOn(finding -> finding.id().equals("own-warm-up"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.state()).isEqualTo(FindingState.NOT_OBSERVABLE));
    }

    @Test
    void aThreadOfTheBackgroundBesideThoseThatServeIsNone() {
        Service service = busyThroughout("indexer");
        service.workerCpu = 0.1;

        assertThat(millis(budget(service.evidence(), 55, 70), BudgetPart.RUNNING))
                .isCloseTo(0.1, within(0.01));
    }

    /** A pool of that name is the program's own where thread dumps find no virtual thread. */
    @Test
    void aPoolWithoutVirtualThreadsCarriesNone() {
        Service service = busyThroughout("ForkJoinPool-1-");
        service.workerCpu = 0.1;
        service.made.blocked.add(
                new BlockedSample(64 * SECOND, "http", false, 1, WaitKind.RUNNABLE, "app.Api.get:3", "", ""));

        assertThat(millis(budget(service.evidence(), 55, 70), BudgetPart.RUNNING))
                .isCloseTo(0.1, within(0.01));
    }
}
