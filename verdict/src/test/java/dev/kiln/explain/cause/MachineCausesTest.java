package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Treatment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kernel does for requests, and to them. */
class MachineCausesTest {
    /** A service whose requests fill its CPU, and are in the kernel for most of what they cost. */
    private static Service faulting(double perSecond, double served, double after) {
        Service service = Service.of(seconds(60, served), after);
        service.workerWait = 90;
        service.targetSystem = 0.6;
        service.faults = perSecond;
        return service;
    }

    @Test
    void faultsThatTakeTheKernelsTimeAreNamed() {
        Service service = faulting(1_000_000, 800, 1000);
        service.faultsAfter = 100_000;
        service.targetSystemAfter = 0.1;

        assertThat(service.finding("page-faults").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(service.finding("page-faults").explains()).contains(Effect.BELOW_PEAK);
        assertThat(service.first("page-faults"))
                .isEqualTo("a request made 1,250.0 page faults, and was 0.75 of its 1.00 ms of CPU in the kernel: 0.60"
                        + " microseconds for each fault, about what one takes with its unmapping");
        assertThat(service.finding("page-faults").evidence().get(1).text())
                .isEqualTo(
                        "after the pause a request made 100.0 page faults, and was 0.10 of its 0.80 ms of CPU in the kernel");
        assertThat(service.finding("page-faults").remedies()).isNotEmpty();
    }

    @Test
    void asManyFaultsAtThePeakHeldNothingBack() {
        Service service = faulting(1_000_000, 1000, 1000);

        assertThat(service.finding("page-faults").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(service.finding("page-faults").explains()).isEmpty();
        assertThat(service.finding("page-faults").title()).endsWith(", as much at the peak");
    }

    /** The kernel's time is 0.6 s a second. */
    @ParameterizedTest
    @CsvSource({
        "1000000, CONFIRMED",
        "200000, NOT_OBSERVABLE",
        "20000, NOT_OBSERVABLE",
        "1000, RULED_OUT",
        "0, RULED_OUT",
    })
    void whatTheKernelTakesForEachFaultTellsWhetherItIsTheFaults(double perSecond, FindingState state) {
        assertThat(faulting(perSecond, 1000, 1000).finding("page-faults").state())
                .isEqualTo(state);
    }

    @Test
    void faultsOfARequestThatIsSeldomInTheKernelAreRuledOut() {
        Service service = faulting(100_000, 1000, 1000);
        service.targetSystem = 0.06;
        Service waiting = faulting(1_000_000, 1000, 1000);
        waiting.workerWait = 0.2;

        assertThat(service.finding("page-faults").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(waiting.finding("page-faults").state())
                .as("of 100 ms one is on the CPU")
                .isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void faultsThatWereNotRecordedAreNotObservable() {
        Service faults = faulting(Double.NaN, 1000, 1000);
        Service kernel = faulting(1_000_000, 1000, 1000);
        kernel.targetSystem = Double.NaN;

        assertThat(faults.finding("page-faults").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(kernel.finding("page-faults").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void whereMemoryIsFullTheKernelsTimeMayBeThatOfFindingPages() {
        Service service = faulting(1_000_000, 1000, 1000);
        service.rss = Math.round(0.95 * service.made.memoryBytes);
        service.majorFaults = 300;

        assertThat(service.finding("page-faults").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.finding("memory-pressure").evidence())
                .anyMatch(proof -> proof.text().equals("300 pages a second were read back from a disk"));
    }

    /** The container that it runs in may have a limit, which a start by Kiln would have told. */
    @Test
    void theMemoryOfTheMachineRulesOutNothingForAProcessThatOthersStarted() {
        Service service = Service.healthy();
        assertThat(service.finding("memory-pressure").state()).isEqualTo(FindingState.RULED_OUT);
        Service before = Service.healthy();
        before.made.attached = Optional.of(new Attached("1", 1, 60 * SECOND, 0));

        assertThat(before.finding("memory-pressure").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(before.first("memory-pressure"))
                .contains("whether the process has a limit of its own was not recorded");
        Service restarted = Service.healthy();
        restarted.made.restarted =
                Optional.of(new Restarted("shop", 1, List.of("systemctl", "restart", "shop"), SECOND));
        assertThat(restarted.finding("memory-pressure").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void aLimitThatWasReadOfAProcessOfOthersIsItsMemory() {
        assertThat(restarted(256L << 20, 250L << 20).finding("memory-pressure").state())
                .isEqualTo(FindingState.CONFIRMED);
        assertThat(restarted(256L << 20, 250L << 20).first("memory-pressure")).contains("98 % of the limit's 256 MiB");
        Service free = restarted(8L << 30, 250L << 20);
        assertThat(free.finding("memory-pressure").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(free.first("memory-pressure")).contains("of the machine's 8,192 MiB");
    }

    private static Service restarted(long memory, long resident) {
        Service service = Service.healthy();
        service.made.restarted = Optional.of(new Restarted("shop", 1, List.of("podman", "restart", "shop"), SECOND));
        service.made.treatment = new Treatment(
                List.of(),
                new Treatment.TreatmentLimits(OptionalDouble.empty(), OptionalLong.of(memory)),
                List.of(),
                Optional.empty());
        service.rss = resident;
        return service;
    }

    /** Requests wait for the CPU; packets take a share of it. */
    private static Service packets(double share, double served, double after) {
        Service service = Service.of(seconds(60, served), after);
        service.workerWait = 88;
        service.softirq = share;
        return service;
    }

    @Test
    void softirqsThatTakeMoreThanAfterThePauseAreNamed() {
        Service service = packets(0.25, 800, 1000);
        service.softirqAfter = 0.05;

        assertThat(service.finding("softirq").explains()).contains(Effect.BELOW_PEAK);
        assertThat(service.finding("softirq").remedies())
                .as("no network card has the packets of a load that is sent from here")
                .noneMatch(remedy -> remedy.how().contains("smp_affinity"))
                .anyMatch(remedy -> remedy.how().contains("/net/lo/"));
        assertThat(service.first("softirq")).contains("took 25 % of the target's CPUs");
        assertThat(service.finding("softirq").evidence().get(1).text())
                .isEqualTo(
                        "of the 125 ms of a request, 111 ms were on a CPU or waiting for one; after the pause 88.8 of 100"
                                + " ms");
    }

    @Test
    void softirqsThatTakeAsMuchOrHarmNobodyHeldNothingBack() {
        Service same = packets(0.25, 800, 1000);
        Service harmless = packets(0.25, 800, 1000);
        harmless.softirqAfter = 0.05;
        harmless.workerWait = 0.2;

        assertThat(same.finding("softirq").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(same.finding("softirq").evidence().getLast().text())
                .startsWith("it took 25 % of the target's CPUs after the pause as well");
        assertThat(harmless.finding("softirq").explains()).isEmpty();
    }

    @Test
    void fewSoftirqsAreRuledOutAndNoneAtAllAreNotCounted() {
        assertThat(packets(0.05, 800, 1000).finding("softirq").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(packets(0, 800, 1000).finding("softirq").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(packets(Double.NaN, 800, 1000).finding("softirq").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** A card with one queue interrupts one CPU, and the others have next to none. */
    @Test
    void oneCpuFullOfSoftirqsMayBeTheOneThatIsNeeded() {
        Service service = packets(0, 800, 1000);
        service.cpus = false;
        service.made.on(new CpuAssignment(List.of(0, 1, 2, 3, 4, 5, 6, 7), List.of(8), List.of(8), true, List.of()));
        for (int t = 0; t <= 105; t++) {
            for (int cpu = 0; cpu < 8; cpu++) {
                OptionalLong soft = OptionalLong.of(nanos(cpu == 0 ? 0.9 * t : 0.01 * t));
                service.made.cpus.add(new CpuSample(t * SECOND, cpu, nanos(0.95 * t), 0, 0, soft));
            }
        }

        assertThat(service.finding("softirq").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("softirq")).contains("took 12 % of the target's CPUs, but 90 % of one of them");
    }

    @Test
    void softirqsAreNoOtherProgram() {
        Service service = packets(0.4, 1000, 1000);
        service.targetCpu = 0.5;
        service.targetBusy = 0.9;
        Service another = packets(0.01, 1000, 1000);
        another.targetCpu = 0.5;
        another.targetBusy = 0.9;

        assertThat(service.finding("noisy-neighbour").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(another.finding("noisy-neighbour").state()).isEqualTo(FindingState.CONFIRMED);
    }

    @Test
    void aHealthyServiceHasNeither() {
        Service service = Service.healthy();
        service.targetSystem = 0.1;
        service.faults = 2000;
        service.softirq = 0.02;

        assertThat(service.held()).isEmpty();
        assertThat(service.finding("page-faults").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.finding("softirq").state()).isEqualTo(FindingState.RULED_OUT);
    }
}
