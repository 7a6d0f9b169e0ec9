package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseServices.changes;
import static dev.kiln.explain.cause.CauseServices.limited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.WaitKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** CPU that a limit, a neighbour or spinning threads take from the target. */
class CpuTakenTest {
    @Test
    void aThrottledCgroupIsNotCalledStarved() {
        Service service = Service.healthy().starved();
        service.targetWait = 20;
        service.periods = 10;
        service.throttledPeriods = 6;

        assertThat(service.held()).containsExactly("cgroup-throttling");
        Finding finding = service.finding("cgroup-throttling");
        assertThat(finding.weight()).isCloseTo(0.6, within(1e-9));
        assertThat(finding.evidence())
                .containsExactly(new Finding.Proof(
                        "the cgroup's CPU limit cut 180 of 300 periods short (60 %), 9.0 s of waiting in 30 s",
                        Optional.of(new Finding.Moment(30, 60))));
        assertThat(service.first("c2-starved"))
                .endsWith("under a CPU limit every thread waits; measure without the limit");
        assertThat(service.finding("c2-starved").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.finding("too-many-runnable").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(changes(service, "cgroup-throttling").stream()
                        .flatMap(change -> change.modifiers().stream())
                        .map(Modifier::name))
                .as("what favours C2 may help within the limit")
                .containsExactly("compiler-priority", "virtual-threads");
        assertThat(finding.remedies())
                .as("no JVM counts fewer CPUs than the one that this has")
                .noneMatch(remedy -> remedy.how().contains("ActiveProcessorCount"));
    }

    @Test
    void aQuotaOfKilnsOwnCanBeBoostedUpToTheTargetsCpus() {
        assertThat(boosts(Treatment.NONE)).isEmpty();
        assertThat(boosts(limited(new Modifier.CpuQuota(0.5)))).containsExactly("cpu-boost: 1 to 0.5 until-warm");
    }

    private static List<String> boosts(Treatment treatment) {
        Service service = Service.healthy();
        service.periods = 10;
        service.throttledPeriods = 6;
        service.made.treatment = treatment;
        return changes(service, "cgroup-throttling").stream()
                .flatMap(change -> change.modifiers().stream())
                .map(Modifier::text)
                .toList();
    }

    @Test
    void aLimitThatIsSeldomReachedIsNoCause() {
        Service seldom = Service.healthy();
        seldom.periods = 10;
        seldom.throttledPeriods = 0.4;
        Service often = Service.healthy();
        often.periods = 10;
        often.throttledPeriods = 0.5;

        assertThat(seldom.held()).isEmpty();
        assertThat(often.held()).containsExactly("cgroup-throttling");
        assertThat(Service.healthy().first("cgroup-throttling")).isEqualTo("no CPU limit was in force");
    }

    @Test
    void spinningIsToldFromPreemptionAndFromCarriers() {
        Service spinning = Service.healthy();
        spinning.workerInvoluntary = 20_000;
        Service preempted = Service.healthy();
        preempted.workerInvoluntary = 2_000;
        Service waiting = Service.healthy();
        waiting.workerInvoluntary = 20_000;
        waiting.workerWait = 21;
        Service carriers = Service.healthy();
        carriers.workerInvoluntary = 20_000;
        carriers.pool = "ForkJoinPool-1-";
        // The program has made a pool of its own first.
        Service laterCarriers = Service.healthy();
        laterCarriers.workerInvoluntary = 20_000;
        laterCarriers.pool = "ForkJoinPool-2-";
        // It has no virtual threads, so that this is a pool of the program.
        Service older = Service.healthy();
        older.made.version = "17.0.15";
        older.workerInvoluntary = 20_000;
        older.pool = "ForkJoinPool-1-";

        // Each request wakes another thread, which preempts the one that woke it.
        Service passingOn = Service.healthy();
        passingOn.workerInvoluntary = 20_000;
        passingOn.workerVoluntary = 18_000;

        assertThat(passingOn.held()).isEmpty();
        assertThat(spinning.held()).containsExactly("spinning");
        assertThat(spinning.first("spinning"))
                .isEqualTo(
                        "http-nio-8080-e: 20,000 involuntary switches a second (voluntary: 500), each after 0.040 ms of CPU and"
                                + " followed by 0.010 ms of waiting");
        assertThat(preempted.held()).isEmpty();
        assertThat(waiting.held()).doesNotContain("spinning");
        assertThat(carriers.held()).isEmpty();
        assertThat(laterCarriers.held()).isEmpty();
        assertThat(older.held()).containsExactly("spinning");
    }

    private static Service carriers() {
        Service service = Service.healthy();
        service.workerCpu = 0.6;
        service.workerInvoluntary = 20_000;
        service.pool = "ForkJoinPool-1-";
        return service;
    }

    /** A pool of the program may have the name, and spin. */
    @Test
    void carriersAreNoSpinnersOnlyIfThereAreVirtualThreads() {
        Service virtual = carriers();
        virtual.made.blocked.add(
                new BlockedSample(64_000_000_000L, "", true, 9, WaitKind.SOCKET, "app.Api.call:3", "read", ""));

        Service own = carriers();
        own.made.blocked.add(
                new BlockedSample(64_000_000_000L, "http", false, 9, WaitKind.SOCKET, "app.Api.call:3", "read", ""));

        assertThat(own.finding("spinning").state())
                .as("a dump finds no virtual thread")
                .isEqualTo(FindingState.CONFIRMED);
        assertThat(carriers().finding("spinning").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(virtual.finding("spinning").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void stealAndOtherProgramsAreNeighbours() {
        Service stolen = Service.healthy();
        stolen.stolen = t -> 0.051 * t;
        Service little = Service.healthy();
        little.stolen = t -> 0.049 * t;
        Service crowded = Service.healthy();
        crowded.targetBusy = 0.99;
        crowded.targetCpu = 0.73;

        assertThat(stolen.held()).containsExactly("noisy-neighbour");
        assertThat(stolen.finding("noisy-neighbour").title()).startsWith("possible interference");
        assertThat(stolen.finding("noisy-neighbour").explains()).isEmpty();
        assertThat(stolen.finding("noisy-neighbour").evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "the hypervisor took 5.1 % of the target's CPUs, other programs 2.0 % of a CPU there",
                        "Kiln cannot tell whether throughput fell with it: fewer than 3 seconds with it, or"
                                + " without it");
        assertThat(little.held()).isEmpty();
        assertThat(crowded.held()).containsExactly("noisy-neighbour");
    }

    /** In seconds 50 to 55 since launch a hypervisor takes 40 % of the target's CPU. */
    @Test
    void aNeighbourExplainsAFallOnlyIfThroughputFellWithIt() {
        double[] level = HandMade.seconds(60, 1000);
        double[] fell = level.clone();
        for (int i = 0; i < 60; i++) {
            level[i] += i % 3 * 10;
            fell[i] = level[i] * (i >= 40 && i < 45 ? 0.6 : 1);
        }
        Finding with = robbed(fell).finding("noisy-neighbour");
        Finding without = robbed(level).finding("noisy-neighbour");

        assertThat(with.explains()).contains(Finding.Effect.FALL, Finding.Effect.BELOW_PEAK);
        assertThat(with.title()).isEqualTo("a noisy neighbour takes CPU");
        assertThat(with.evidence().getLast().text())
                .startsWith("throughput differed by -39.7 %")
                .endsWith("between the 5 seconds in which others took CPU and the other 25 seconds");
        assertThat(without.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(without.explains()).isEmpty();
        assertThat(without.evidence().getLast().text()).endsWith("seconds: a fall is not shown");
    }

    private static Service robbed(double[] warmup) {
        Service service = Service.of(warmup, 1000);
        service.stolen = t -> 0.4 * Math.clamp(t - 50, 0, 5);
        return service;
    }

    /** The other guests may take the load generator's CPU: that is no matter of the target. */
    @Test
    void whatIsTakenFromTheLabIsNoNeighbourOfTheTarget() {
        Service service = Service.healthy();
        service.made.on(new CpuAssignment(List.of(1), List.of(0), List.of(0), true, List.of()));
        service.stolen = t -> 0.3 * t;
        service.targetBusy = 0.4;
        service.labBusy = 0.92;

        assertThat(service.finding("noisy-neighbour").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.finding("generator-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("generator-limit")).endsWith("the hypervisor took CPU from it in every second");
    }
}
