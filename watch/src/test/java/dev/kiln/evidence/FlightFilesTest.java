package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.CodeCacheEvent;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.FlightDigest.FlightPause;
import dev.kiln.model.run.FlightDigest.HeapChange;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.FlightDigest.QueueUse;
import dev.kiln.model.run.FlightDigest.ThrowableCount;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.FlightDigest.Work;
import dev.kiln.model.run.Sample.CgroupSample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightFilesTest {
    private static final FlightDigest DIGEST = new FlightDigest(
            new FlightDigest.FlightJit(
                    List.of(
                            new FlightCompilations(0, 3, 7, 1, 8_000_000, 5_000_000, "a.B.<init>"),
                            new FlightCompilations(1_000_000_000, 4, 1, 0, 9, 9, "")),
                    List.of(new QueueUse(1_000_000_000, "C2", 3012, 4000, 50, 20)),
                    List.of(new FlightDeoptimizations(2_000_000_000, "unstable_if", "none", 3)),
                    List.of(new CodeCacheEvent(3_000_000_000L, "full: CodeHeap 'non-profiled nmethods', again")),
                    List.of(new Work("org.hibernate", 812, 5, 9_000_000_000L, "org.hibernate.A.<init>", 40_000_000))),
            new FlightDigest.FlightCollector(
                    List.of(new FlightPause(2_500_000_001L, "G1 Evacuation Pause", 1_500_000, "G1New")),
                    List.of(new HeapChange(2_500_000_001L, 40L << 20, 3L << 20))),
            new FlightDigest.FlightSamples(
                    List.of(new TierShare(0, 1, 2, 3, 4, 5)),
                    List.of(new HotMethod(10_000_000_000L, "a.B.c", 1, 30, 2, 3, 8_123)),
                    List.of(
                            new FamilySamples(0, Optional.empty(), "", 12),
                            new FamilySamples(0, Optional.of(CodeFamily.CLASS_LOADING), "a.B.<init>", 3)),
                    List.of(new ThrowableCount(1_000_000_000, 812))),
            List.of(new CgroupSample(1_000_000_000, 10, 2, 3_000_000)));

    @TempDir
    private Path directory;

    @BeforeEach
    void aRun() {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
        }
        Samples.load(directory);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        FlightFiles.write(directory, DIGEST);
        assertThat(FlightFiles.exist(directory)).isTrue();
        assertThat(RunReader.read(directory).flight()).contains(DIGEST);
        assertThat(RunReader.read(directory).gaps()).isEmpty();
        FlightFiles.write(directory, FlightDigest.EMPTY);
        assertThat(RunReader.read(directory).flight()).contains(FlightDigest.EMPTY);
    }

    @Test
    void theClosingRecordingIsNoRecordingOfTheRun() throws Exception {
        Files.createDirectory(directory.resolve(FlightFiles.CLOSING));
        FlightFiles.write(directory.resolve(FlightFiles.CLOSING), DIGEST);
        assertThat(RunReader.read(directory).closing()).contains(DIGEST);
        assertThat(RunReader.read(directory).flight()).isEmpty();
        assertThat(RunReader.read(directory).gaps()).isEmpty();
    }

    /** How far a method's code was seen to go is not known. */
    @Test
    void hotMethodsOfEarlierVersionsAreRead() throws Exception {
        FlightFiles.write(directory, DIGEST);
        Files.writeString(
                directory.resolve("flight-hot.csv"),
                "time_ns,method,interpreted,c1,c2,level\n10000000000,a.B.c,1,30,2,3\n");
        assertThat(RunReader.read(directory).flight().orElseThrow().hot())
                .containsExactly(new HotMethod(10_000_000_000L, "a.B.c", 1, 30, 2, 3, 0));
    }

    /** As earlier Kilns digested it. */
    @Test
    void aDigestWithoutMethodsIsRead() throws Exception {
        FlightFiles.write(directory, DIGEST);
        Files.writeString(
                directory.resolve("flight-compilations.csv"),
                "time_ns,level,count,failed,sum_ns,max_ns\n1000000000,4,1,0,9,9\n");
        Files.writeString(directory.resolve("flight-pauses.csv"), "time_ns,cause,duration_ns\n5,System.gc(),7\n");
        Files.writeString(
                directory.resolve("flight-deoptimizations.csv"), "time_ns,reason,count\n2000000000,unstable_if,3\n");
        Files.delete(directory.resolve("flight-heap.csv"));
        Files.delete(directory.resolve("flight-work.csv"));
        Files.delete(directory.resolve("flight-hot.csv"));
        Files.delete(directory.resolve("flight-families.csv"));
        Files.delete(directory.resolve("flight-throwables.csv"));
        Files.delete(directory.resolve("flight-rows.csv"));
        assertThat(RunReader.read(directory).flight().orElseThrow().compilations())
                .containsExactly(DIGEST.compilations().getLast());
        assertThat(RunReader.read(directory).flight().orElseThrow().collector().pauses())
                .containsExactly(new FlightPause(5, "System.gc()", 7, ""));
        assertThat(RunReader.read(directory).flight().orElseThrow().deoptimizations())
                .containsExactly(new FlightDeoptimizations(2_000_000_000, "unstable_if", "", 3));
        assertThat(RunReader.read(directory).flight().orElseThrow().compilers().c2Work())
                .isEmpty();
        assertThat(RunReader.read(directory).gaps()).isEmpty();
    }

    @Test
    void withoutARecordingThereAreNoTablesAndNoGaps() throws Exception {
        assertThat(RunReader.read(directory).flight()).isEmpty();
        assertThat(RunReader.read(directory).gaps()).isEmpty();
        assertThat(FlightFiles.exist(directory)).isFalse();
        try (var files = Files.list(directory)) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("flight"));
        }
    }

    /** A table without rows says that nothing happened, so one that lost its rows must not be read as one. */
    @Test
    void whereATableIsLostOrCutShortThereIsNoDigest() throws Exception {
        FlightFiles.write(directory, DIGEST);
        Path table = directory.resolve("flight-deoptimizations.csv");
        String whole = Files.readString(table);
        String header = whole.substring(0, whole.indexOf('\n') + 1);

        Files.writeString(table, header);
        assertThat(gaps()).containsExactly("flight-deoptimizations.csv: has 0 of 1 rows");
        Files.writeString(table, whole.substring(0, whole.length() - 3));
        assertThat(gaps()).containsExactly("flight-deoptimizations.csv:2: cut short");
        Files.writeString(table, "");
        assertThat(gaps()).containsExactly("flight-deoptimizations.csv: empty");
        Files.delete(table);
        assertThat(gaps()).containsExactly("flight-deoptimizations.csv: missing");
    }

    private List<String> gaps() {
        assertThat(RunReader.read(directory).flight()).isEmpty();
        return RunReader.read(directory).gaps();
    }
}
