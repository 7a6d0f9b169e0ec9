package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What other collectors, event loops and a start that nobody saw look like, and no cause is. */
class OtherServicesTest {
    private static final CpuAssignment FOUR_CPUS =
            new CpuAssignment(List.of(0, 2, 3, 4), List.of(1), List.of(1), true, List.of());

    /** @param cpu of all collector threads */
    private static Service collectingBeside(String collector, double cpu) {
        Service service = Service.healthy();
        service.made.flags = List.of(collector);
        service.collections = 12;
        service.collectionShare = 0.4;
        service.safepointShare = 0.002;
        for (int t = 0; t <= 105; t++) {
            service.made.threads.add(new ThreadSample(
                    t * SECOND, 60, "ZWorker#0", ThreadRole.GC, nanos(cpu * t), 0, 0, t, t, ThreadState.NOT_RECORDED));
        }
        return service;
    }

    /** Shenandoah's counters of collections have its work beside the program. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseShenandoahGC", "-XX:+UseZGC"})
    void workBesideTheProgramIsNoStop(String collector) {
        Service service = collectingBeside(collector, 0.3);

        assertThat(service.held()).isEmpty();
        assertThat(service.first("gc"))
                .startsWith("0.2 % of the time went into collections")
                .contains("its threads wanted 30 % of the CPUs");
        assertThat(service.finding("gc").state())
                .as("it may take CPU, and let threads wait for memory")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.finding("heap-too-small").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(collectingBeside(collector, 0.01).finding("gc").state())
                .as("it hardly collects")
                .isEqualTo(FindingState.RULED_OUT);
    }

    /** ZGC chooses 60 % of the CPUs, and Shenandoah half. */
    @ParameterizedTest
    @CsvSource({"-XX:+UseZGC, 3", "-XX:+UseShenandoahGC, 2"})
    void threadsOfACollectorThatWorksBesideAreFewerThanTheCpus(String collector, int threads) {
        Service service = Service.healthy();
        service.made.on(FOUR_CPUS);
        service.made.flags = List.of(collector);
        service.made.inForce = List.of("-XX:ParallelGCThreads=" + threads, "-XX:CICompilerCount=3");

        assertThat(service.finding("processor-count").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** In a container of two CPUs HotSpot has two compiler threads, whatever the machine has. */
    @Test
    void whetherCompilerThreadsUnderALimitOfOthersAreFewIsNotKnown() {
        Service limited = Service.healthy();
        limited.made.on(FOUR_CPUS);
        limited.made.flags = List.of("-XX:CICompilerCount=2");
        limited.periods = 10;
        Service free = Service.healthy();
        free.made.on(FOUR_CPUS);
        free.made.flags = limited.made.flags;
        Service unseen = Service.healthy();
        unseen.made.on(FOUR_CPUS);
        unseen.made.flags = limited.made.flags;
        unseen.made.attached = Optional.of(new Attached("1", 1, nanos(90_000), nanos(5000)));
        unseen.cgroup = false;

        for (Service service : List.of(limited, unseen)) {
            assertThat(service.finding("compilation-limited").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
            assertThat(service.first("compilation-limited"))
                    .startsWith(
                            "-XX:CICompilerCount=2 is in force, and a CPU limit or -XX:ActiveProcessorCount is too, or may be");
        }
        assertThat(free.finding("compilation-limited").state()).isEqualTo(FindingState.CONFIRMED);
    }

    /** Threads of a collector that have no work left look for some of the others', and yield meanwhile. */
    @Test
    void threadsOfTheCollectorThatYieldAreNoSpinningPool() {
        Service service = Service.healthy();
        for (int t = 0; t <= 105; t++) {
            service.made.threads.add(new ThreadSample(
                    t * SECOND,
                    60,
                    "GC Thread#0",
                    ThreadRole.GC,
                    nanos(0.4 * t),
                    nanos(0.1 * t),
                    0,
                    10L * t,
                    20_000L * t,
                    ThreadState.NOT_RECORDED));
        }

        assertThat(service.held()).doesNotContain("spinning");
    }

    private static Service eventLoop(double cpu) {
        Service service = Service.of(seconds(60, 1000), 1000);
        service.made.on(FOUR_CPUS);
        service.pool = "vert.x-eventloo";
        service.workerCpu = cpu;
        service.workerWait = 0;
        service.targetCpu = 1.05;
        service.targetWait = 0;
        service.database = false;
        return service;
    }

    /** It leaves three of four CPUs idle, and waits for nothing. */
    @Test
    void aSingleEventLoopThatIsFullIsNoDatabase() {
        Service full = eventLoop(0.99);

        assertThat(full.finding("database-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(full.first("database-limit")).contains("but its thread vert.x-eventloo ran for 99 % of the time");
        assertThat(eventLoop(0.5).held()).contains("database-limit");
    }

    /** One thread runs for 60 % of the time and waits for a CPU for the rest; the event loop runs for 95 %. */
    @Test
    void aThreadThatRunsAndWaitsForACpuDoesNotHideOneThatIsFull() {
        Service both = eventLoop(0.95);
        both.targetCpu = 1.6;
        for (int t = 0; t <= 105; t++) {
            both.made.threads.add(new ThreadSample(
                    t * SECOND,
                    70,
                    "poller",
                    ThreadRole.WORKER,
                    nanos(0.6 * t),
                    nanos(0.4 * t),
                    0,
                    t,
                    t,
                    ThreadState.NOT_RECORDED));
        }

        assertThat(both.finding("database-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(both.first("database-limit")).contains("but its thread vert.x-eventloo ran for 95 % of the time");
    }

    /** It wanted a CPU all the time, and got one for 60 % of it. */
    @Test
    void aSingleEventLoopThatWaitsForItsCpuIsFull() {
        Service full = eventLoop(0.6);
        full.workerWait = 0.4;

        assertThat(full.finding("database-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(full.first("database-limit"))
                .contains("its thread vert.x-eventloo ran for 60 % of the time, and waited for a CPU for 40 %:");
    }

    /** Its kernel shows the name of the program for each of them. */
    @Test
    void threadsOfAJvmWithoutNamesMayBeC2s() {
        Service unnamed = Service.healthy();
        unnamed.threads = false;
        for (int t = 0; t <= 105; t++) {
            unnamed.made.thread(t, 7, "java", ThreadRole.OTHER, 0.5 * t, 0.1 * t);
            unnamed.made.thread(t, 8, "java", ThreadRole.OTHER, 0.01 * t, 0.9 * t);
        }
        Service other = Service.healthy();
        other.threads = false;
        other.made.threads.addAll(unnamed.made.threads);
        other.made.flags = List.of();

        assertThat(unnamed.finding("c2-starved").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(unnamed.first("c2-starved")).endsWith("HotSpot gives them to the kernel from Java 9 on");
        assertThat(other.finding("c2-starved").state()).as("no JVM").isEqualTo(FindingState.RULED_OUT);
    }

    /** The JVM counts from its start, which may be days ago. */
    @Test
    void aCodeCacheThatWasFullBeforeItWasWatchedIsNotFull() {
        Service before = Service.healthy();
        before.codeFull = 3;
        before.made.attached = Optional.of(new Attached("1", 1, nanos(90_000), nanos(5000)));
        Service now = Service.healthy();
        now.codeFull = 3;

        assertThat(before.finding("code-cache-full").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(before.first("code-cache-full")).endsWith("what compilation lost by that is not known");
        assertThat(now.held()).containsExactly("code-cache-full");
    }
}
