package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.PinnedProcess;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a recorder reads of a real JVM from outside. */
@Timeout(300)
class RecorderIT extends OnABench {
    /** Keycloak's script and many others keep a shell around their JVM. */
    @Test
    void theJvmBehindAScriptIsRecorded() throws Exception {
        String busy = String.join(" ", RecorderBench.busy(JdkFinder.current()));
        PinnedProcess target = bench.launch(List.of("sh", "-c", busy + "; true"));
        Recording.RecordingResult result = bench.record(
                target,
                RecorderBench.asking(target),
                run -> !run.compiler().isEmpty()
                        && run.memory().stream().anyMatch(row -> row.rssBytes() > 20_000_000)
                        && hasC2(run));

        RunEvidence evidence = bench.read();
        assertThat(evidence.threads()).extracting(ThreadSample::role).contains(ThreadRole.C2);
        assertThat(evidence.compiler()).isNotEmpty();
        assertThat(evidence.memory().getLast().rssBytes()).isGreaterThan(20_000_000);
        assertThat(result.jvm()).isPresent();
        assertThat(result.notRecorded())
                .extracting(NotRecorded::why)
                .anyMatch(why -> why.startsWith("only its JVM is recorded in detail, process "));
    }

    private static boolean hasC2(RunEvidence run) {
        return run.threads().stream().anyMatch(thread -> thread.role() == ThreadRole.C2);
    }

    private static boolean sleeps(ThreadSample thread) {
        return thread.name().equals("VM Periodic Tas") && thread.state() == ThreadState.SLEEPING;
    }

    /** All that a JVM shows has been seen, however slow the machine is. */
    private static boolean isWhole(RunEvidence run) {
        Set<String> parts = run.parts().stream().map(PartSample::part).collect(Collectors.toSet());
        return hasC2(run)
                && run.threads().stream().anyMatch(RecorderIT::sleeps)
                && run.threads().stream().anyMatch(thread -> thread.name().equals("executor-thread"))
                && run.memory().stream().anyMatch(row -> row.pssBytes() > 0)
                && run.memory()
                        .getLast()
                        .generations()
                        .filter(counted -> counted.full() > 0)
                        .isPresent()
                && !run.classes().isEmpty()
                && !run.compiler().isEmpty()
                && !run.cpus().isEmpty()
                && parts.containsAll(Set.of("target", "kiln"));
    }

    /** Its collections have been counted, and of both kinds where its collector counts them apart. */
    private static boolean hasCollected(RunEvidence run) {
        return !run.memory().isEmpty()
                && run.memory().getLast().safepoints() > 0
                && run.memory()
                        .getLast()
                        .generations()
                        .map(counted -> counted.full() > 0 && counted.young() > 0)
                        .orElse(true);
    }

    @ParameterizedTest
    @MethodSource("dev.kiln.recorder.RecorderBench#jdks")
    void recordsAJvm(Jdk jdk) throws Exception {
        PinnedProcess target = bench.launchBusy(jdk);
        Recording.RecordingResult result = bench.record(target, RecorderBench.spec(target), RecorderIT::isWhole);
        RunEvidence evidence = bench.read();
        assertThat(evidence.gaps()).containsExactly("load.csv: missing", "latency.hlog: missing");
        assertThat(result.failure()).isEmpty();
        assertThat(result.notRecorded())
                .extracting(NotRecorded::what)
                .doesNotContain("JIT, collections and safepoints");
        assertThat(result.jvm().orElseThrow().version()).startsWith(Integer.toString(jdk.feature()));
        assertThat(result.cpuNanos()).isPositive();

        assertThat(evidence.threads()).extracting(ThreadSample::role).contains(ThreadRole.C1, ThreadRole.C2);
        assertThat(evidence.threads())
                .anyMatch(t -> t.role() == ThreadRole.WORKER && t.name().equals("executor-thread"));
        assertThat(evidence.threads()).allMatch(t -> t.timeNanos() >= 0);
        assertCountersOnlyGrow(evidence);
        CompilerSample last = evidence.compiler().getLast();
        assertThat(last.compilations()).isPositive();
        assertThat(last.compileNanos()).isPositive();
        assertThat(last.codeBytes()).isPositive();
        assertThat(evidence.memory().getLast().rssBytes()).isGreaterThan(10 << 20);
        assertThat(evidence.memory()).anyMatch(m -> m.pssBytes() > 0);
        assertThat(evidence.memory().getLast().faults().orElseThrow().minor())
                .as("a page each that is resident and not the page cache's, a few MiB at least")
                .isGreaterThan(1000);
        assertThat(evidence.memory().getLast().collections()).isPositive();
        assertThat(evidence.memory().getLast().generations().orElseThrow().full())
                .as("System.gc()")
                .isPositive();
        assertThat(evidence.memory().getLast().safepoints()).isPositive();
        assertThat(evidence.memory().getLast().toSafepointNanos().orElseThrow()).isPositive();
        assertThat(evidence.threads()).extracting(ThreadSample::state).doesNotContain(ThreadState.NOT_RECORDED);
        assertThat(evidence.threads())
                .filteredOn(t -> t.name().equals("VM Periodic Tas"))
                .as("it sleeps but for a few microseconds")
                .extracting(ThreadSample::state)
                .contains(ThreadState.SLEEPING);
        assertThat(evidence.classes().getLast().loaded()).isGreaterThan(400);
        assertThat(evidence.classes().getLast().loadNanos()).isPositive();
        assertThat(evidence.cpus())
                .isNotEmpty()
                .allMatch(cpu -> cpu.softirqNanos().isPresent());
        assertThat(evidence.parts()).extracting(PartSample::part).contains("target", "kiln");
    }

    private static void assertCountersOnlyGrow(RunEvidence evidence) {
        Map<Integer, ThreadSample> lastOf = new HashMap<>();
        for (ThreadSample t : evidence.threads()) {
            ThreadSample before = lastOf.put(t.tid(), t);
            if (before != null) {
                assertThat(t.timeNanos()).isGreaterThan(before.timeNanos());
                assertThat(t.cpuNanos()).isGreaterThanOrEqualTo(before.cpuNanos());
                assertThat(t.slices()).isGreaterThanOrEqualTo(before.slices());
            }
        }
        Map<String, PartSample> partBefore = new HashMap<>();
        for (PartSample p : evidence.parts()) {
            PartSample before = partBefore.put(p.part(), p);
            if (before != null) {
                assertThat(p.cpuNanos()).isGreaterThanOrEqualTo(before.cpuNanos());
                assertThat(p.waitNanos()).isGreaterThanOrEqualTo(before.waitNanos());
            }
            assertThat(p.modes().orElseThrow())
                    .satisfies(modes ->
                            assertThat(modes.userNanos() + modes.systemNanos()).isGreaterThanOrEqualTo(p.cpuNanos()));
        }
    }

    private RunEvidence recorded(String collector, Predicate<RunEvidence> there) throws Exception {
        PinnedProcess target =
                bench.launchBusy(JdkFinder.current(), "-Xmx96m", "-Xms96m", "-XX:+Use" + collector + "GC");
        bench.record(target, RecorderBench.spec(target), there);
        return bench.read();
    }

    /** Busy asks for a collection; the JVM names the cause of the last one, except ZGC on JDK 25. */
    @ParameterizedTest
    @CsvSource({"Serial,true", "Parallel,true", "G1,true", "Shenandoah,false"})
    void collectionsAreCountedByTheirCause(String collector, boolean apart) throws Exception {
        RunEvidence run = recorded(
                collector,
                some -> some.collections().stream()
                        .anyMatch(row -> CollectionCause.of(row.cause()) == CollectionCause.SYSTEM_GC));
        List<CollectionSample> seen = run.collections();
        MemorySample last = run.memory().getLast();

        assertThat(seen).extracting(row -> CollectionCause.of(row.cause())).contains(CollectionCause.SYSTEM_GC);
        assertThat(seen).extracting(row -> CollectionCause.of(row.cause())).doesNotContain(CollectionCause.OTHER);
        assertThat(seen).allMatch(row -> row.full().isPresent() == apart);
        assertThat(seen.stream().mapToLong(CollectionSample::collections).sum()).isBetween(1L, last.collections());
        assertThat(seen.stream().mapToLong(CollectionSample::collectionNanos).sum())
                .isBetween(1L, last.collectionNanos());
    }

    /** By what each collector counts. */
    @ParameterizedTest
    @CsvSource({"Serial,true", "Parallel,true", "G1,true", "Shenandoah,false", "Z,false"})
    void fullCollectionsAreCountedApartWhereTheCollectorDoes(String collector, boolean apart) throws Exception {
        MemorySample last =
                recorded(collector, RecorderIT::hasCollected).memory().getLast();

        assertThat(last.safepoints()).isPositive();
        assertThat(last.generations().isPresent()).isEqualTo(apart);
        last.generations().ifPresent(counted -> {
            assertThat(counted.full()).isPositive();
            assertThat(counted.young()).isPositive();
            assertThat(counted.young() + counted.full()).isLessThanOrEqualTo(last.collections());
            assertThat(counted.fullNanos()).isBetween(1L, last.collectionNanos());
        });
    }

    @Test
    void aJvmWithoutPerfDataIsSaidToBeOne() throws Exception {
        PinnedProcess target = bench.launchBusy(JdkFinder.current(), "-XX:-UsePerfData");
        bench.awaitOutput();
        Recording.RecordingResult result = bench.record(
                target,
                RecorderBench.spec(target),
                run -> hasC2(run) && run.memory().size() > 1);
        assertThat(result.notRecorded()).anyMatch(gap -> gap.why().equals("the JVM runs with -XX:-UsePerfData"));
        assertThat(bench.read().threads()).extracting(ThreadSample::role).contains(ThreadRole.C2);
    }
}
