package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kiln.model.load.Latency.Histogrammed;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.Latency.LatencyCounts;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.LoadBin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.Deflater;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.IntCountsHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadFilesTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private final LoadBin first =
            new LoadBin("warm-up", 1_234_567_891L, 1_334_567_891L, 12, 10, new LoadBin.Errors(1, 2, 3, 4, 5), 7, 99);
    private final LoadBin second =
            new LoadBin("warm-up", 1_334_567_891L, 1_434_567_891L, 0, 0, LoadBin.Errors.NONE, 7, 0);

    private Path loadFile() throws IOException {
        Path file = directory.resolve("load.csv");
        try (LoadFile writer = new LoadFile(directory)) {
            writer.write(first);
            writer.write(second);
        }
        return file;
    }

    @Test
    void binsComeBackAsWritten() throws IOException {
        LoadFile.LoadBins read = LoadFile.read(loadFile());
        assertThat(read.bins()).containsExactly(first, second);
        assertThat(read.gaps()).isEmpty();
    }

    @Test
    void theHeaderIsTheDocumentedOne() throws IOException {
        assertThat(Files.readAllLines(loadFile()))
                .startsWith(
                        "phase,start_ns,end_ns,started,completed,refused,reset,timeout,non2xx,bad_body,backlog,lag_ns",
                        "warm-up,1234567891,1334567891,12,10,1,2,3,4,5,7,99");
    }

    @Test
    void aSecondWriterAppendsWithoutAnotherHeader() throws IOException {
        Path file = loadFile();
        try (LoadFile writer = new LoadFile(directory)) {
            writer.write(first);
        }
        assertThat(LoadFile.read(file).bins()).containsExactly(first, second, first);
    }

    @Test
    void aLineCutShortIsAGapAndTheRestIsThere() throws IOException {
        Path file = loadFile();
        byte[] all = Files.readAllBytes(file);
        // A number that is cut short is still a number: only the missing line end tells.
        for (int cut : new int[] {1, 2, 30}) {
            Files.write(file, Arrays.copyOf(all, all.length - cut));
            LoadFile.LoadBins read = LoadFile.read(file);
            assertThat(read.bins()).containsExactly(first);
            assertThat(read.gaps()).containsExactly(file + ":3: the last line is cut short; its bin is lost");
        }
    }

    @Test
    void damageWithinTheFileNamesItsLine() throws IOException {
        Path file = loadFile();
        Files.writeString(file, "warm-up,1,2,x,4,5,6,7,8,9,10,11\nwarm-up,1\n", StandardOpenOption.APPEND);
        LoadFile.LoadBins read = LoadFile.read(file);
        assertThat(read.bins()).containsExactly(first, second);
        assertThat(read.gaps())
                .containsExactly(
                        file + ":4: 'x' is not a number; its bin is lost",
                        file + ":5: 2 columns where 12 were expected; its bin is lost");
    }

    /** One such figure would make a series of as many seconds. */
    @Test
    void aBinAtATimeAtWhichItsPhaseWasNotIsLost() throws IOException {
        Path file = loadFile();
        List<LoadBin> whole = LoadFile.read(file).bins();
        String rest = ",4,4,0,0,0,0,0,0,0\n";
        long day = 86_400_000_000_000L;
        Files.writeString(
                file,
                "late,1000,2000" + rest + "late,500,600" + rest + "late,3000,2500" + rest + "late,3000," + 367 * day
                        + rest + "late,-3000,3000" + rest + "late,3000," + Long.MAX_VALUE + rest + "late,3000,"
                        + 365 * day + rest,
                StandardOpenOption.APPEND);
        LoadFile.LoadBins read = LoadFile.read(file);
        assertThat(read.bins()).startsWith(whole.toArray(LoadBin[]::new)).hasSize(whole.size() + 2);
        assertThat(read.gaps())
                .containsExactly(
                        file + ":5: it begins before its phase, or ends before it begins; its bin is lost",
                        file + ":6: it begins before its phase, or ends before it begins; its bin is lost",
                        file + ":7: it ends over 366 days after its phase began; its bin is lost",
                        file + ":8: '-3000' is negative; its bin is lost",
                        file + ":9: '" + Long.MAX_VALUE + "' is too large; its bin is lost");
    }

    @Test
    void aFileOfAnotherFormatIsSaidToBeOne() throws IOException {
        Path file = directory.resolve("load.csv");
        Files.writeString(file, "time,value\n1,2\n");
        LoadFile.LoadBins read = LoadFile.read(file);
        assertThat(read.bins()).isEmpty();
        assertThat(read.gaps()).singleElement().asString().startsWith(file + ":1: expected the header phase,");
    }

    @Test
    void phaseNamesThatWouldNeedQuotesAreNotValid() {
        assertThat(List.of("warm-up", "measure_1", "Mélange")).allMatch(LoadFile::isValidPhaseName);
        assertThat(List.of("", "a b", "a,b", "a\"", "#a", "a\n")).noneMatch(LoadFile::isValidPhaseName);
    }

    /** 25 bins of 100 ms in a phase that begins at an odd time, then one of another phase. */
    private Path latencyFile() throws IOException {
        Path file = directory.resolve("latency.hlog");
        try (LatencyLog writer = new LatencyLog(directory, 1_700_000_000_123L)) {
            long start = 1_234_567_891L;
            for (int i = 0; i < 25; i++) {
                writer.write("warm-up", start, start + SECOND / 10, histogram(1_000_000L * (i + 1)));
                start += SECOND / 10;
            }
            writer.write("measure", 9 * SECOND, 9 * SECOND + 5, histogram(77_000));
        }
        return file;
    }

    private static EncodableHistogram histogram(long... values) {
        IntCountsHistogram histogram = new IntCountsHistogram(3600 * SECOND, 3);
        for (long value : values) {
            histogram.recordValue(value);
        }
        return histogram;
    }

    @Test
    void latenciesComeBackPerSecondOfThePhase() throws IOException {
        LatencyLog.Result read = LatencyLog.read(latencyFile(), Long.MAX_VALUE);
        assertThat(read.gaps()).isEmpty();
        assertThat(read.latencies().seconds())
                .extracting(LatencyInterval::phase, LatencyInterval::startNanos, LatencyInterval::count)
                .containsExactly(
                        tuple("warm-up", 1_234_567_891L, 10L),
                        tuple("warm-up", 2_234_567_891L, 10L),
                        tuple("warm-up", 3_234_567_891L, 5L),
                        tuple("measure", 9 * SECOND, 1L));
        assertThat(read.latencies().phases())
                .extracting(PhaseLatency::phase, PhaseLatency::count)
                .containsExactly(tuple("warm-up", 25L), tuple("measure", 1L));
        assertThat(read.latencies().phases().getLast().maxNanos())
                .isEqualTo(read.latencies().seconds().getLast().maxNanos());
        LatencyInterval one = read.latencies().seconds().getFirst();
        assertThat(one.endNanos()).isEqualTo(2_234_567_891L);
        assertThat(one.p50Nanos()).isBetween(5_000_000L, 5_005_000L);
        assertThat(one.maxNanos()).isBetween(10_000_000L, 10_010_000L);
        assertThat(read.latencies().seconds().getLast().p99Nanos()).isBetween(77_000L, 77_077L);
    }

    @Test
    void whatNeedsAHistogramIsReadFromIt() throws IOException {
        Latencies read = LatencyLog.read(latencyFile(), Long.MAX_VALUE).latencies();

        Histogrammed first = read.seconds().getFirst().histogram().orElseThrow();
        assertThat(first.meanNanos()).isBetween(5_490_000.0, 5_510_000.0);
        assertThat(first.p95Nanos()).isBetween(10_000_000L, 10_010_000L);
        // 1 to 25 ms, in steps that begin at 1, 1.26, 1.58, 2, 2.51, 3.16, 3.98, 5.01, 6.31, 7.94, 10, 12.6, 15.8 and
        // 20 ms.
        LatencyCounts counts = read.phases().getFirst().more().orElseThrow().counts();
        assertThat(counts.counts()).containsExactly(1L, 0L, 0L, 1L, 1L, 0L, 2L, 1L, 1L, 2L, 3L, 3L, 4L, 6L);
        assertThat(LatencyCounts.beginMillis(counts.first())).isEqualTo(1);
        assertThat(LatencyCounts.step(0)).isZero();
    }

    @Test
    void theToolsOfHdrHistogramReadTheLog() throws IOException {
        List<Double> starts = new ArrayList<>();
        List<String> tags = new ArrayList<>();
        try (HistogramLogReader reader = new HistogramLogReader(latencyFile().toFile())) {
            while (reader.hasNext()) {
                Histogram histogram = (Histogram) reader.nextIntervalHistogram();
                starts.add(histogram.getStartTimeStamp() / 1e3);
                tags.add(histogram.getTag());
            }
            assertThat(reader.getStartTimeSec()).isEqualTo(1_700_000_000.123);
        }
        assertThat(starts).hasSize(26);
        assertThat(starts.getFirst()).isEqualTo(1_700_000_001.357);
        assertThat(tags).startsWith("warm-up").endsWith("measure");
    }

    /** A hundred bytes that ask for gigabytes, and a time of a million digits. */
    @Test
    void aHistogramWithoutBoundsIsLost() throws IOException {
        Path file = latencyFile();
        ByteBuffer head = ByteBuffer.allocate(40).putInt(0x1c849313).putInt(Integer.MAX_VALUE);
        head.putInt(0).putInt(3).putLong(1).putLong(Long.MAX_VALUE).putDouble(1);
        Deflater deflater = new Deflater();
        deflater.setInput(head.array());
        deflater.finish();
        byte[] packed = new byte[200];
        int length = deflater.deflate(packed);
        deflater.end();
        ByteBuffer bomb = ByteBuffer.allocate(8 + length).putInt(0x1c849314).putInt(length);
        bomb.put(packed, 0, length);
        String encoded = Base64.getEncoder().encodeToString(bomb.array());
        int before = LatencyLog.read(file, Long.MAX_VALUE).latencies().seconds().size();
        Files.writeString(
                file,
                "Tag=a,1.0,1.0,1.0," + encoded + "\nTag=a," + "9".repeat(1_000_000) + ",1.0,1.0,x\n",
                StandardOpenOption.APPEND);
        LatencyLog.Result read = LatencyLog.read(file, Long.MAX_VALUE);
        assertThat(read.gaps()).hasSize(2).allMatch(gap -> gap.contains("not a line of a histogram log"));
        assertThat(read.latencies().seconds()).hasSize(before);
    }

    @Test
    void aLogCutShortGivesWhatIsThere() throws IOException {
        Path file = latencyFile();
        byte[] all = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(all, all.length - 3));
        LatencyLog.Result read = LatencyLog.read(file, Long.MAX_VALUE);
        assertThat(read.latencies().seconds()).hasSize(3);
        assertThat(read.gaps()).containsExactly(file + ":31: the last line is cut short; its latencies are lost");
    }

    @Test
    void garbageInALogNamesItsLine() throws IOException {
        Path file = latencyFile();
        Files.writeString(file, "Tag=x,1.0,0.1,1,AAAA\nnot a line\n1.0,0.1,z,!\n", StandardOpenOption.APPEND);
        LatencyLog.Result read = LatencyLog.read(file, Long.MAX_VALUE);
        assertThat(read.latencies().seconds()).hasSize(4);
        assertThat(read.gaps())
                .hasSize(3)
                .allMatch(gap -> gap.endsWith("not a line of a histogram log; its latencies are lost"));
    }
}
