package dev.kiln.jvm.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.flight.FlightRecording.Digested;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.FlightDigest.FlightPause;
import dev.kiln.model.run.FlightDigest.HeapChange;
import dev.kiln.model.run.FlightDigest.QueueUse;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.FlightDigest.Work;
import dev.kiln.model.run.Sample.CompilerSample;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FlightRecordingIT {
    @TempDir
    private Path folder;

    static Stream<Jdk> jdks() {
        return ChurnRecording.jdks();
    }

    private static Instant zero(Path recording) {
        return FlightRecording.begin(recording).orElseThrow();
    }

    private static int samples(FlightDigest digest, Predicate<TierShare> which) {
        return digest.tiers().stream()
                .filter(which)
                .mapToInt(t -> t.interpreted() + t.c1() + t.c2() + t.inlined() + t.nativeCode())
                .sum();
    }

    private static int count(FlightDigest digest) {
        return digest.compilations().stream()
                .mapToInt(FlightCompilations::count)
                .sum();
    }

    /** An allocation is one of many events that Kiln's own settings leave out. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theJdksProfileHasMoreEventsAndStillEveryCompilation(Jdk jdk) throws Exception {
        Path recording = ChurnRecording.of(jdk, folder, 1_500, FlightRecorder.prepareProfile(folder));

        List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
        assertThat(events)
                .extracting(event -> event.getEventType().getName())
                .contains("jdk.ObjectAllocationSample", "jdk.NativeLibrary");
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("jdk.Compilation"))
                .anyMatch(event -> event.getDuration().toMillis() < 50);
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("jdk.ActiveSetting"))
                .anyMatch(event -> event.getString("name").equals("period")
                        && event.getString("value").equals("10 ms"));
    }

    /** Where a recording has both kinds, an execution sample tells of threads that wait for a CPU as if they had one. */
    @ParameterizedTest
    @MethodSource("jdks")
    void samplesByCpuTimeAreTheTiersWhereTheJdkHasThem(Jdk jdk) throws Exception {
        Path recording = ChurnRecording.of(jdk, folder, 1_500, FlightRecorder.prepareCpuTime(folder));
        Map<String, Long> events = RecordingFile.readAllEvents(recording).stream()
                .collect(Collectors.groupingBy(event -> event.getEventType().getName(), Collectors.counting()));
        long byCpuTime = events.getOrDefault("jdk.CPUTimeSample", 0L);
        long executed = events.getOrDefault("jdk.ExecutionSample", 0L);

        Digested digested = FlightRecording.digest(recording, zero(recording));

        boolean has = jdk.feature() >= 25 && System.getProperty("os.name").equals("Linux");
        assertThat(byCpuTime > 0).isEqualTo(has);
        assertThat(digested.byCpuTime()).isEqualTo(has);
        assertThat((long) samples(digested.digest(), t -> true)).isBetween(1L, byCpuTime > 0 ? byCpuTime : executed);
    }

    @ParameterizedTest
    @CsvSource({
        "java.util.HashMap, JDK",
        "jdk.internal.misc.Unsafe, JDK",
        "com.sun.crypto.provider.AESCrypt, JDK",
        "com.sun.mail.smtp.SMTPTransport, com.sun.mail",
        "org.hibernate.engine.spi.SessionImpl, org.hibernate",
        "org.apache.catalina.core.StandardWrapper, org.apache.catalina",
        "com.fasterxml.jackson.core.JsonFactory, com.fasterxml",
        "dev.Fruit, dev",
        "Main, (no package)",
        "'', unknown"
    })
    void aClassNameTellsOfItsLibrary(String type, String library) {
        assertThat(C2Work.library(type)).isEqualTo(library);
    }

    /** The JDK's other reader, which keeps every event, is the judge. */
    @ParameterizedTest
    @MethodSource("jdks")
    void saysWhatTheRecordingHolds(Jdk jdk) throws Exception {
        Path recording = ChurnRecording.of(jdk, folder, 2_500);
        Digested digested = FlightRecording.digest(recording, zero(recording));
        FlightDigest digest = digested.digest();

        Map<String, List<RecordedEvent>> events = RecordingFile.readAllEvents(recording).stream()
                .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
        assertThat(events).doesNotContainKey("jdk.ObjectAllocationSample");
        assertThat(digest.compilations()).allSatisfy(c -> {
            assertThat(c.timeNanos() % 1_000_000_000).isZero();
            assertThat(c.level()).isBetween(1, 4);
            assertThat(c.maxNanos()).isBetween(1L, c.sumNanos());
        });
        assertThat(count(digest))
                .isEqualTo(events.getOrDefault("jdk.Compilation", List.of()).size());
        assertThat(digest.compilations().stream()
                        .mapToLong(FlightCompilations::sumNanos)
                        .sum())
                .isEqualTo(events.getOrDefault("jdk.Compilation", List.of()).stream()
                        .mapToLong(e -> e.getDuration().toNanos())
                        .sum());
        assertThat(digested.counters())
                .extracting(CompilerSample::compilations, CompilerSample::codeBytes)
                .containsExactlyElementsOf(events.getOrDefault("jdk.CompilerStatistics", List.of()).stream()
                        .map(e -> tuple(e.getLong("compileCount"), e.getLong("nmethodCodeSize")))
                        .toList())
                .isNotEmpty();
        assertThat(digest.deoptimizations().stream()
                        .collect(Collectors.groupingBy(
                                FlightDeoptimizations::action, Collectors.summingInt(FlightDeoptimizations::count))))
                .isEqualTo(events.getOrDefault("jdk.Deoptimization", List.of()).stream()
                        .collect(Collectors.groupingBy(e -> e.getString("action"), Collectors.summingInt(e -> 1))))
                .isNotEmpty();
        List<RecordedEvent> byC2 = events.getOrDefault("jdk.Compilation", List.of()).stream()
                .filter(event -> event.getInt("compileLevel") == 4)
                .toList();
        assertThat(byC2).isNotEmpty();
        assertThat(digest.compilers().c2Work().stream()
                        .mapToInt(Work::compilations)
                        .sum())
                .isEqualTo(byC2.size());
        assertThat(digest.compilers().c2Work().stream().mapToLong(Work::nanos).sum())
                .isEqualTo(
                        byC2.stream().mapToLong(e -> e.getDuration().toNanos()).sum());
        assertThat(digest.compilers().c2Work()).allSatisfy(work -> {
            assertThat(work.again()).isLessThan(work.compilations());
            assertThat(work.longestNanos()).isBetween(1L, work.nanos());
        });
        assertNamesTheLongest(digest, events.getOrDefault("jdk.Compilation", List.of()));
        assertThat(digest.collector().pauses()).hasSameSizeAs(events.getOrDefault("jdk.GCPhasePause", List.of()));
        assertThat(digest.collector().pauses()).extracting(FlightPause::cause).contains("Allocation Failure");
        assertThat(digest.collector().pauses())
                .filteredOn(pause -> pause.cause().equals("Allocation Failure"))
                .allMatch(FlightPause::tellsFull);
        List<RecordedEvent> heap = events.getOrDefault("jdk.GCHeapSummary", List.of());
        assertThat(digest.collector().heap())
                .isNotEmpty()
                .extracting(HeapChange::beforeBytes)
                .containsExactlyElementsOf(heapUsed(heap, "Before GC"));
        assertThat(digest.collector().heap())
                .extracting(HeapChange::afterBytes)
                .containsExactlyElementsOf(heapUsed(heap, "After GC"));
        int all = events.getOrDefault("jdk.ExecutionSample", List.of()).size();
        int told = samples(digest, t -> true);
        assertThat(digest.hot()).isNotEmpty().allSatisfy(method -> {
            assertThat(method.timeNanos()).isZero();
            assertThat(method.level()).isBetween(0, 4);
            assertThat(method.c2() == 0 || method.level() > 0)
                    .as("code of C2 was compiled")
                    .isTrue();
        });
        assertThat(digest.hot().stream()
                        .mapToInt(m -> m.interpreted() + m.c1() + m.c2())
                        .sum())
                .isBetween(1, told);
        assertThat(told).isBetween(1, all);
        assertThat(digested.gaps())
                .allMatch(gap -> gap.contains((all - told) + " of "), "tells of the samples left out");
        if (jdk.feature() >= 25) {
            assertThat(digest.queues()).extracting(QueueUse::compiler).contains("C1", "C2");
        }
    }

    /** Beside the program G1 has cycles, which collections fall into: what is used then tells nothing of what was allocated. */
    @ParameterizedTest
    @MethodSource("jdks")
    void ofG1OnlyCollectionsThatStopTheProgramCount(Jdk jdk) throws Exception {
        Path recording = ChurnRecording.of(
                jdk,
                folder,
                2_500,
                "-XX:-UseSerialGC",
                "-XX:+UseG1GC",
                "-XX:InitiatingHeapOccupancyPercent=1",
                "-XX:-G1UseAdaptiveIHOP");
        List<RecordedEvent> all = RecordingFile.readAllEvents(recording);
        Map<Long, String> names = all.stream()
                .filter(event -> event.getEventType().getName().equals("jdk.GarbageCollection"))
                .collect(Collectors.toMap(event -> event.getLong("gcId"), event -> event.getString("name")));
        List<RecordedEvent> stops = all.stream()
                .filter(event -> event.getEventType().getName().equals("jdk.GCHeapSummary"))
                .filter(event -> !"G1Old".equals(names.get(event.getLong("gcId"))))
                .toList();
        assertThat(names).containsValue("G1New");

        assertThat(FlightRecording.digest(recording, zero(recording))
                        .digest()
                        .collector()
                        .heap())
                .extracting(HeapChange::afterBytes)
                .containsExactlyElementsOf(heapUsed(stops, "After GC"))
                .isNotEmpty();
    }

    private static List<Long> heapUsed(List<RecordedEvent> summaries, String when) {
        return summaries.stream()
                .filter(event -> event.getString("when").equals(when))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .map(event -> event.getLong("heapUsed"))
                .toList();
    }

    private static void assertNamesTheLongest(FlightDigest digest, List<RecordedEvent> events) {
        RecordedEvent longest = Collections.max(events, Comparator.comparing(RecordedEvent::getDuration));
        RecordedMethod method = longest.getValue("method");
        assertThat(digest.compilations())
                .filteredOn(row -> row.maxNanos() == longest.getDuration().toNanos())
                .extracting(FlightCompilations::longestMethod)
                .contains(method.getType().getName() + "." + method.getName());
        assertThat(digest.compilations())
                .extracting(FlightCompilations::longestMethod)
                .allMatch(name -> name.matches("[^ ,()/]+[.][^ ,()/]+"));
    }

    /** Of all compiled code the level is known: JFR's frames do not say it, the compilations do. */
    @ParameterizedTest
    @MethodSource("jdks")
    void tellsC1FromC2(Jdk jdk) throws Exception {
        Path c1 = ChurnRecording.of(jdk, folder, 1_500, "-XX:TieredStopAtLevel=1");
        FlightDigest onlyC1 = FlightRecording.digest(c1, zero(c1)).digest();
        assertThat(onlyC1.tiers()).extracting(TierShare::c1).anyMatch(n -> n > 0);
        assertThat(onlyC1.tiers()).allMatch(t -> t.c2() == 0 && t.inlined() == 0);

        Path c2 = ChurnRecording.of(jdk, folder, 1_500, "-XX:-TieredCompilation");
        FlightDigest onlyC2 = FlightRecording.digest(c2, zero(c2)).digest();
        assertThat(onlyC2.tiers()).extracting(t -> t.c2() + t.inlined()).anyMatch(n -> n > 0);
        assertThat(onlyC2.tiers()).allMatch(t -> t.c1() == 0);
    }
}
