package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseServices.changes;
import static dev.kiln.explain.cause.CauseServices.limited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Course.OutOfMemory;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.WaitKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A heap or a memory that is too small, and what collections were for. */
class MemoryCausesTest {
    @Test
    void aSmallHeapIsToldFromACostlyCollector() {
        Service heap = Service.healthy();
        heap.collectionShare = 0.3;
        heap.made.flags = List.of("-Xmx32m");
        Service frequent = Service.healthy();
        frequent.collectionShare = 0.081;
        frequent.collections = 10;
        Service collector = Service.healthy();
        collector.collectionShare = 0.081;
        Service cheap = Service.healthy();
        cheap.collectionShare = 0.079;
        cheap.collections = 20;

        assertThat(heap.held()).containsExactly("heap-too-small");
        assertThat(heap.finding("heap-too-small").weight()).isCloseTo(0.3, within(1e-9));
        assertThat(heap.first("heap-too-small"))
                .isEqualTo("30.0 % of the time went into collections, 3.0 a second, with -Xmx32m");
        assertThat(heap.first("gc")).endsWith(": the heap's size is the cause");
        assertThat(frequent.held()).containsExactly("heap-too-small");
        assertThat(collector.held()).containsExactly("gc");
        assertThat(collector.first("gc")).isEqualTo("8.1 % of the time went into collections, 3.0 a second");
        assertThat(cheap.held()).isEmpty();
    }

    private static Service ranOut(OutOfMemory... errors) {
        Service service = Service.healthy();
        service.made.flags = List.of("-Xmx16m");
        service.made.outOfMemory = Set.of(errors);
        return service;
    }

    @Test
    void aFullHeapInTheLogOfATargetThatFailedIsTheHeapsFault() {
        Service ended = ranOut(OutOfMemory.HEAP);
        ended.made.ended(Outcome.TARGET_FAILED, "the target exited with code 1");
        Service lived = ranOut(OutOfMemory.HEAP, OutOfMemory.GC_OVERHEAD);
        lived.made.spoil("warmup", 60, 900, 0);
        Service hardly = ranOut(OutOfMemory.HEAP);
        hardly.made.spoil("warmup", 60, 3, 0);

        assertThat(ended.held()).containsExactly("heap-too-small");
        assertThat(ended.first("heap-too-small"))
                .isEqualTo("its log says java.lang.OutOfMemoryError: Java heap space, with -Xmx16m");
        assertThat(ended.finding("heap-too-small")
                        .remedies()
                        .getFirst()
                        .change()
                        .orElseThrow()
                        .jvmFlags())
                .containsExactly("-Xmx32m");
        assertThat(hardly.finding("heap-too-small").state())
                .as("three requests of thousands may have failed by anything")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(lived.held()).containsExactly("heap-too-small");
        assertThat(lived.first("heap-too-small"))
                .isEqualTo("its log says java.lang.OutOfMemoryError: Java heap space and java.lang.OutOfMemoryError:"
                        + " GC overhead limit exceeded, with -Xmx16m");
    }

    /** One request in the background may have wanted too much; but a heap that was full is not ruled out. */
    @Test
    void aFullHeapIsNoCauseWhereNothingFailedAndNoOtherMemoryIsTheHeap() {
        Service nothingFailed = ranOut(OutOfMemory.HEAP);
        Service other = ranOut(OutOfMemory.METASPACE, OutOfMemory.DIRECT_MEMORY, OutOfMemory.NATIVE_THREAD);
        other.made.ended(Outcome.TARGET_FAILED, "the target exited with code 1");

        assertThat(nothingFailed.held()).isEmpty();
        assertThat(nothingFailed.finding("heap-too-small").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(other.held()).isEmpty();
        assertThat(other.finding("heap-too-small").state()).isEqualTo(FindingState.RULED_OUT);
    }

    private static Service collecting(String cause) {
        Service service = Service.healthy();
        service.collections = 4;
        service.collectionShare = 0.2;
        service.collectionShareAfter = 0;
        service.collectedFor = cause;
        return service;
    }

    @Test
    void collectionsThatTheProgramAsksForAreNoFaultOfTheHeap() {
        Service asked = collecting("System.gc()");
        asked.fullShare = 0.19;
        asked.made.flags = List.of("-XX:+UseG1GC");

        assertThat(asked.held()).containsExactly("explicit-gc");
        Finding finding = asked.finding("explicit-gc");
        assertThat(finding.weight()).isCloseTo(0.2, within(1e-9));
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "20.0 % of the time went into collections, 4.0 a second; 19.0 % into full ones, 4.0 a second",
                        "20.0 % of the time for System.gc(), 4.0 a second");
        assertThat(changes(asked, "explicit-gc"))
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:+ExplicitGCInvokesConcurrent"), List.of("-XX:+DisableExplicitGC"));
        assertThat(asked.first("gc")).isEqualTo("0.0 % of the time went into collections, 0.0 a second");
        assertThat(changes(collecting("JvmtiEnv ForceGarbageCollection"), "explicit-gc"))
                .as("a collector that does not know the other flag")
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:+DisableExplicitGC"));
    }

    /** The JDK asks for them itself: without them the program would run out of direct memory. */
    @Test
    void collectionsForDirectMemoryAreCuredByMoreOfIt() {
        Service service = collecting("System.gc()");
        service.made.blocked.add(new BlockedSample(
                64 * HandMade.SECOND, "http", false, 3, WaitKind.OTHER, "app.Copy.run:9", "direct memory", ""));

        Finding finding = service.finding("explicit-gc");
        assertThat(finding.evidence().get(2).text())
                .startsWith("thread dumps found 3 threads waiting for direct memory");
        assertThat(finding.remedies().getFirst().how()).startsWith("-XX:MaxDirectMemorySize");
        assertThat(changes(service, "explicit-gc")).isEmpty();
    }

    @Test
    void collectionsThatAToolAsksForAreNotTheProgramsDoing() {
        Service service = collecting("Diagnostic Command");

        assertThat(service.held()).containsExactly("explicit-gc");
        assertThat(service.finding("explicit-gc").title()).isEqualTo("collections that a tool asks for");
        assertThat(changes(service, "explicit-gc")).isEmpty();
    }

    /** Below its threshold it is ruled out, whatever the collections were for. */
    @Test
    void whatCollectionsWereForIsNotKnownWithoutTheirCauses() {
        Service cheap = Service.healthy();
        cheap.collectionShare = 0.049;
        Service unknown = Service.healthy();
        unknown.collectionShare = 0.051;
        Service heap = collecting("Allocation Failure");

        assertThat(cheap.finding("explicit-gc").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(unknown.finding("explicit-gc").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(heap.finding("explicit-gc").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void theCauseOfCollectionsDecidesOnTheRemedy() {
        assertThat(changes(collecting("G1 Evacuation Pause"), "gc"))
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:+UseParallelGC"), List.of("-XX:MaxRAMPercentage=50"));
        assertThat(changes(collecting("Metadata GC Threshold"), "gc"))
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:MetaspaceSize=256m"));
        assertThat(changes(collecting("G1 Humongous Allocation"), "gc"))
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:G1HeapRegionSize=32m"), List.of("-XX:MaxRAMPercentage=50"));
        Service much = collecting("Metadata GC Threshold");
        much.collectionShare = 0.3;
        assertThat(much.held()).as("no heap is too small for classes").containsExactly("gc");
        assertThat(much.finding("gc").evidence().getLast().text())
                .isEqualTo("30.0 % of the time for the metaspace's threshold, 4.0 a second");
    }

    /** A service of which only a flight recording tells what was collected. */
    private static Service recorded(FlightDigest.FlightPause... pauses) {
        Service service = Service.healthy();
        service.counters = false;
        service.made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(pauses), List.of()),
                new FlightDigest.FlightSamples(List.of(), List.of(), List.of(), List.of()),
                List.of()));
        return service;
    }

    @Test
    void pausesOfAFlightRecordingTellWhatTheyWereFor() {
        Service service = recorded(
                new FlightDigest.FlightPause(45_000_000_000L, "System.gc()", 2_700_000_000L, "SerialOld"),
                new FlightDigest.FlightPause(50_000_000_000L, "Allocation Failure", 300_000_000L, "DefNew"));

        assertThat(service.held()).containsExactly("explicit-gc");
        assertThat(service.finding("explicit-gc").evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "10.0 % of the time went into collections, 0.1 a second; 9.0 % into full ones, 0.0 a second",
                        "9.0 % of the time for System.gc(), 0.0 a second; 1.0 % of the time for allocation, 0.0 a second");
        assertThat(service.first("gc")).startsWith("1.0 % of the time went into collections");
    }

    @Test
    void pausesOfAFlightRecordingDoWhereCountersAreMissing() {
        Service service = recorded(
                new FlightDigest.FlightPause(50_000_000_000L, "G1 Evacuation Pause", 3_000_000_000L, ""),
                new FlightDigest.FlightPause(5_000_000_000L, "before the window", 9_000_000_000L, ""));
        // Memory is the kernel's, and the JIT's counters are those of the recording: neither counts collections.
        for (int t = 1; t < 70; t++) {
            service.made.memory.add(new MemorySample(
                    HandMade.nanos(t),
                    1 << 20,
                    0,
                    0,
                    0,
                    0,
                    0,
                    OptionalLong.empty(),
                    Optional.empty(),
                    Optional.empty()));
            service.made.compiler.add(new CompilerSample(HandMade.nanos(t), 2L * t, 0, 0, 0, 0, 0));
        }

        assertThat(service.held()).containsExactly("gc");
        assertThat(service.first("gc")).startsWith("10.0 % of the time went into collections, 0.0 a second");
        assertThat(service.finding("code-cache-full").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void memoryIsHeldAgainstItsLimit() {
        Service limited = Service.healthy();
        limited.made.treatment = limited(new Modifier.MemoryLimit(512L << 20));
        limited.rss = 461L << 20;
        Service within = Service.healthy();
        within.made.treatment = limited.made.treatment;
        within.rss = 460L << 20;
        Service machine = Service.healthy();
        machine.rss = 8L << 30;

        assertThat(limited.held()).containsExactly("memory-pressure");
        assertThat(limited.first("memory-pressure")).isEqualTo("at most 461 MiB resident, 90 % of the limit's 512 MiB");
        assertThat(within.held()).isEmpty();
        assertThat(machine.held()).containsExactly("memory-pressure");
        assertThat(machine.first("memory-pressure"))
                .isEqualTo("at most 8,192 MiB resident, 100 % of the machine's 8,192 MiB");
    }

    private static Service full(double faults, double majorFaults) {
        Service service = Service.healthy();
        service.made.treatment = limited(new Modifier.MemoryLimit(512L << 20));
        service.rss = 500L << 20;
        service.rssAfter = 300L << 20;
        service.faults = faults;
        service.majorFaults = majorFaults;
        return service;
    }

    /** A container is often as large as what runs in it: full memory takes no time before pages go to a disk and come back. */
    @Test
    void fullMemoryHeldNothingBackUnlessPagesCameBackFromADisk() {
        Service unharmed = full(100, 0);
        Service unknown = full(Double.NaN, 0);

        assertThat(unharmed.held()).containsExactly("memory-pressure");
        assertThat(unharmed.finding("memory-pressure").explains()).isEmpty();
        assertThat(unharmed.finding("memory-pressure").evidence().getLast().text())
                .isEqualTo("no pages were read back from a disk, so it held nothing back");
        assertThat(full(100, 0.9).finding("memory-pressure").explains()).isEmpty();
        assertThat(full(100, 0.9)
                        .finding("memory-pressure")
                        .evidence()
                        .getLast()
                        .text())
                .isEqualTo("0.90 pages a second were read back from a disk, too few to count");
        assertThat(full(100, 300).finding("memory-pressure").explains()).isNotEmpty();
        assertThat(unknown.finding("memory-pressure").explains()).isEmpty();
        assertThat(unknown.finding("memory-pressure").evidence().getLast().text())
                .startsWith("whether pages were read back from a disk was not recorded");
    }
}
