package dev.kiln.jvm.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.Mutations;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.flight.FlightRecording.Digested;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings that are cut off, overwritten, rotten or none, and such of other times. */
class DamagedRecordingIT {
    @TempDir
    private static Path shared;

    private static byte[] sound = new byte[0];

    @TempDir
    private Path folder;

    static Stream<Jdk> jdks() {
        return ChurnRecording.jdks();
    }

    private static Instant zero(Path recording) {
        return FlightRecording.begin(recording).orElseThrow();
    }

    /** One recording for all tests that only look at its bytes. */
    private static synchronized byte[] sound() throws Exception {
        if (sound.length == 0) {
            sound = Files.readAllBytes(ChurnRecording.of(JdkFinder.current(), shared, 1_500));
        }
        return sound.clone();
    }

    private static int count(FlightDigest digest) {
        return digest.compilations().stream()
                .mapToInt(FlightCompilations::count)
                .sum();
    }

    @Test
    void timesCountFromAnyZero() throws Exception {
        Path recording = Files.write(folder.resolve("sound.jfr"), sound());
        Instant begin = zero(recording);
        FlightDigest own = FlightRecording.digest(recording, begin).digest();
        FlightDigest later =
                FlightRecording.digest(recording, begin.minusSeconds(10)).digest();
        FlightDigest epoch = FlightRecording.digest(recording, Instant.EPOCH).digest();
        assertThat(later.collector().pauses().getFirst().timeNanos())
                .isEqualTo(own.collector().pauses().getFirst().timeNanos() + 10_000_000_000L);
        assertThat(count(later)).isEqualTo(count(own)).isEqualTo(count(epoch));
        assertThat(Instant.EPOCH.plusNanos(epoch.collector().pauses().getFirst().timeNanos()))
                .isAfterOrEqualTo(begin);

        Digested none = FlightRecording.digest(recording, begin.plusSeconds(3600));
        assertThat(none.digest()).isEqualTo(FlightDigest.EMPTY);
        assertThat(none.gaps()).anyMatch(gap -> gap.contains("from before the launch"));
    }

    /** What kill -9 leaves: the repository's chunk, which the JDK's own tools refuse as "stuck in locked stream state". */
    @ParameterizedTest
    @MethodSource("jdks")
    void aKilledJvmLeavesAllUpToItsLastFlush(Jdk jdk) throws Exception {
        Process process = ChurnRecording.start(jdk, folder, 60_000, FlightRecorder.prepare(folder));
        Path chunk;
        try {
            chunk = flushed(process);
        } finally {
            process.destroyForcibly().waitFor();
        }
        Digested digested = FlightRecording.digest(chunk, zero(chunk));
        assertThat(count(digested.digest())).isGreaterThan(10);
        assertThat(digested.digest().collector().pauses()).isNotEmpty();
        assertThat(digested.gaps()).noneMatch(gap -> gap.contains("could not be read"));
    }

    private Path flushed(Process process) throws Exception {
        while (process.isAlive()) {
            try (Stream<Path> files = Files.walk(folder.resolve(FlightRecorder.REPOSITORY))) {
                List<Path> chunks = files.filter(file -> file.toString().endsWith(".jfr"))
                        .filter(file -> file.toFile().length() > 100_000)
                        .toList();
                if (!chunks.isEmpty()
                        && FlightRecording.digest(chunks.getFirst(), Instant.EPOCH)
                                        .digest()
                                        .collector()
                                        .pauses()
                                        .size()
                                > 3) {
                    return chunks.getFirst();
                }
            } catch (java.nio.file.NoSuchFileException e) {
                // Not yet.
            }
            Thread.sleep(100);
        }
        throw new AssertionError(Files.readString(folder.resolve("out")));
    }

    @Test
    void aChunkCutOffOrOverwrittenCostsThatChunkOnly() throws Exception {
        byte[] chunk = sound();
        Path file = folder.resolve("damaged.jfr");
        Files.write(file, chunk);
        FlightDigest one = FlightRecording.digest(file, zero(file)).digest();

        Files.write(file, joined(chunk, Arrays.copyOf(chunk, chunk.length / 2)));
        Digested cut = FlightRecording.digest(file, zero(file));
        assertThat(cut.digest()).isEqualTo(one);
        assertThat(cut.gaps()).anyMatch(gap -> gap.startsWith("damaged.jfr: ") && gap.contains("cut off"));

        Files.write(file, joined(chunk, chunk));
        Digested twice = FlightRecording.digest(file, zero(file));
        assertThat(count(twice.digest())).isEqualTo(2 * count(one));
        assertThat(twice.gaps()).anyMatch(gap -> gap.contains("once a chunk begins before"));

        byte[] garbage = chunk.clone();
        Arrays.fill(garbage, 0, 100, (byte) 7);
        Files.write(file, joined(chunk, garbage));
        assertThat(FlightRecording.digest(file, zero(file)).digest()).isEqualTo(one);
        Files.write(file, joined(garbage, chunk));
        assertThat(FlightRecording.digest(file, zero(file)).digest()).isEqualTo(one);

        Files.write(file, Arrays.copyOf(chunk, chunk.length - 1));
        Digested none = FlightRecording.digest(file, Instant.EPOCH);
        assertThat(none.digest()).isEqualTo(FlightDigest.EMPTY);
        assertThat(none.gaps()).singleElement().asString().contains("cut off");
    }

    private static byte[] joined(byte[] first, byte[] second) throws Exception {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(first);
        both.write(second);
        return both.toByteArray();
    }

    /** Each chunk of a damaged file is read by itself: with hundred thousands of them that would take hours. */
    @Test
    void aFileOfTinyChunksCostsItsRest() throws Exception {
        ByteBuffer tiny = ByteBuffer.allocate(FlightChunks.HEADER + 4);
        tiny.put("FLR\0".getBytes(StandardCharsets.US_ASCII))
                .putShort((short) 2)
                .putShort((short) 1);
        tiny.putLong(tiny.capacity()).putLong(FlightChunks.HEADER).putLong(FlightChunks.HEADER + 2);
        tiny.put(FlightChunks.HEADER, new byte[] {1, 1, 1, 0});
        ByteBuffer many = ByteBuffer.allocate(20 * FlightChunks.MOST_PARTS * tiny.capacity());
        while (many.hasRemaining()) {
            many.put(tiny.array());
        }
        Path file = Files.write(folder.resolve("tiny.jfr"), many.array());
        assertThat(FlightChunks.scan(file).chunks()).hasSize(FlightChunks.MOST_PARTS);
        assertThat(FlightChunks.scan(file).gaps())
                .singleElement()
                .asString()
                .endsWith("were left out: too many chunks");
        Files.writeString(file, "FLR\0".repeat(1_000_000));
        assertThat(FlightChunks.scan(file).gaps()).hasSize(1);
    }

    /** Bits that have rotted anywhere: there is always an answer, and soon. */
    @Test
    void noDamageIsTooMuch() throws Exception {
        byte[] sound = sound();
        Random random = new Random(7);
        Path file = folder.resolve("rotten.jfr");
        for (int round = 0; round < Mutations.some(150); round++) {
            byte[] rotten = sound.clone();
            int from = random.nextInt(rotten.length - 64);
            for (int i = 0; i < 1 + random.nextInt(64); i++) {
                rotten[from + i] = (byte) random.nextInt(256);
            }
            Files.write(file, rotten);
            assertThat(FlightRecording.digest(file, Instant.EPOCH)).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "FLR", "no recording at all, but long enough to have a header: sixty-eight bytes it is"})
    void whatIsNoRecordingIsAGap(String content) throws Exception {
        Path file = folder.resolve("other.jfr");
        Files.writeString(file, content);
        Digested digested = FlightRecording.digest(file, Instant.EPOCH);
        assertThat(digested.digest()).isEqualTo(FlightDigest.EMPTY);
        assertThat(digested.gaps()).singleElement().asString().startsWith("other.jfr: ");
        assertThat(FlightRecording.digest(folder.resolve("absent.jfr"), Instant.EPOCH)
                        .gaps())
                .containsExactly("absent.jfr: no such file or folder");
    }
}
