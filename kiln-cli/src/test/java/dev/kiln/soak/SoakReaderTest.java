package dev.kiln.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.evidence.RunWriter;
import dev.kiln.evidence.Samples;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.soak.SoakPlan.SoakSegment;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakReaderTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 3 * SECOND + 7;

    @TempDir
    private Path soak;

    /** Five seconds of 10 requests a bin, the last of them half; memory before and in the load; collections of two sizes. */
    private Path record(int run) throws IOException {
        Path directory = soak.resolve("a").resolve(Integer.toString(run));
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("a", run, 1000));
            writer.append(new MemorySample(
                    SECOND, 999 << 20, 0, 0, 0, 0, 0, OptionalLong.empty(), Optional.empty(), Optional.empty()));
            for (int second = 0; second < 5; second++) {
                long at = START + second * SECOND;
                Optional<Generations> collected = Optional.of(new Generations(20 + 10 * second, 3 + second, second));
                writer.append(new MemorySample(
                        at + 1,
                        (100L + second) << 20,
                        0,
                        0,
                        0,
                        0,
                        0,
                        OptionalLong.empty(),
                        run == 3 ? Optional.empty() : collected,
                        Optional.empty()));
                writer.append(new HeapSample(at + 2, 50 + second, second));
                writer.append(new HeapSample(at + 3, 70, second));
            }
        }
        try (LoadFile bins = new LoadFile(directory);
                LatencyLog latency = new LatencyLog(directory, 1000)) {
            for (int bin = 0; bin < 45; bin++) {
                long from = START + bin * SECOND / 10;
                LoadBin.Errors errors = new LoadBin.Errors(bin == 12 ? 3 : 0, 0, 0, 0, 0);
                bins.write(new LoadBin("soak", from, from + SECOND / 10, 10, 10, errors, 0, 0));
            }
            for (int second = 0; second < 4; second++) {
                Histogram histogram = new Histogram(3);
                histogram.recordValue((second + 1) * 1_000_000L);
                latency.write("soak", START + second * SECOND, START + (second + 1) * SECOND, histogram);
            }
        }
        return directory;
    }

    @Test
    void rowsBecomeWindows() throws IOException {
        record(1);
        SoakSegment segment = SoakReader.read(soak, 2).getFirst();
        assertThat(segment.run()).isEqualTo(1);
        assertThat(segment.load().seconds()).isEqualTo(4.5);
        assertThat(segment.load().requests()).isEqualTo(450);
        assertThat(segment.load().errors()).isEqualTo(3);
        assertThat(segment.windows()).as("the third was cut short").hasSize(2);
        SoakWindow first = segment.windows().getFirst();
        assertThat(first.requests()).isEqualTo(200);
        assertThat(first.errors()).isEqualTo(3);
        assertThat(first.rssBytes()).isEqualTo(((100L << 20) + (101L << 20)) / 2);
        assertThat(first.heapBytes()).isEqualTo(50);
        assertThat(segment.windows().get(1).heapBytes()).isEqualTo(52);
        assertThat(segment.windows().get(1).p99Nanos()).isBetween(4_000_000L, 4_004_000L);
    }

    @Test
    void collectionsAreThoseOfTheLoad() throws IOException {
        record(1);
        record(3);
        List<SoakSegment> segments = SoakReader.read(soak, 2);
        // The last of the five rows lies in the half second that is load still.
        assertThat(segments.getFirst().memory().collections()).contains(new Generations(40, 4, 4));
        assertThat(segments.getFirst().windows()).extracting(SoakWindow::full).containsExactly(1, 2);
        assertThat(segments.getLast().memory().collections()).isEmpty();
        assertThat(segments.getLast().windows()).extracting(SoakWindow::full).containsOnly(0);
    }

    @Test
    void whatACrashCutShortIsLeftOut() throws IOException {
        Path run = record(1);
        for (String file : List.of("load.csv", "memory.csv", "heap.csv", "latency.hlog")) {
            Files.writeString(run.resolve(file), "soak,7500000007,76000", StandardOpenOption.APPEND);
        }
        assertThat(SoakReader.read(soak, 2).getFirst().load().requests()).isEqualTo(450);
        Files.writeString(
                run.resolve("load.csv"), "\nsoak,x,7600000007,1,1,0,0,0,0,0,0,0\n", StandardOpenOption.APPEND);
        assertThat(SoakReader.read(soak, 2).getFirst().load().requests()).isEqualTo(450);
    }

    @Test
    void segmentsComeInTheOrderOfTheirProcesses() throws IOException {
        record(2);
        record(1);
        List<SoakSegment> segments = SoakReader.read(soak, 1);
        assertThat(segments).extracting(SoakSegment::run).containsExactly(1, 2);
        assertThat(SoakReader.seconds(segments)).isEqualTo(9);
        assertThat(SoakReader.next(segments)).isEqualTo(3);
        assertThat(SoakReader.next(List.of())).isEqualTo(1);
        assertThat(SoakReader.read(Files.createDirectory(soak.resolve("empty")), 1))
                .isEmpty();
    }

    @Test
    void aRunWithoutLoadHasNoWindows() {
        try (RunWriter writer = new RunWriter(soak.resolve("a/1"))) {
            writer.write(Samples.info("a", 1, 1000));
        }
        SoakSegment segment = SoakReader.read(soak, 1).getFirst();
        assertThat(segment.windows()).isEmpty();
        assertThat(segment.load().seconds()).isZero();
        assertThat(segment.outcome()).isInstanceOf(Course.Outcome.class);
    }

    @Test
    void thePlanComesBack() {
        SoakPlan plan = new SoakPlan(1, List.of("--duration", "3h", "a b"), "/somewhere", 10_800, 18, 0.001);
        SoakPlan.FILE.write(soak, plan);
        assertThat(SoakPlan.FILE.read(soak)).isEqualTo(plan);
        assertThatThrownBy(() -> SoakPlan.FILE.read(soak.resolve("nowhere"))).hasMessageContaining("no soak in");
    }
}
