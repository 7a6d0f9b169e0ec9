package dev.kiln.jvm.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.FlightDigest.ThrowableCount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackSamplesTest {
    private static final int ROUNDS = 100;

    @TempDir
    private Path folder = Path.of("");

    private Path recorded(long millis) throws IOException {
        Path file = folder.resolve("profile.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            recording.start();
            long end = System.nanoTime() + millis * 1_000_000;
            while (System.nanoTime() - end < 0) {
                // Is sampled.
            }
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    /** The lookups are JDK code that a program calls; the loop around them is the program's own. */
    @Test
    void samplesAreCountedByTheFamilyOfTheirCode() throws IOException {
        long millis = 200;
        List<FamilySamples> rows;
        Path file;
        do {
            file = folder.resolve("lookups-" + millis + ".jfr");
            try (Recording recording = new Recording()) {
                recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
                recording.enable("jdk.ExceptionStatistics").withPeriod(Duration.ofMillis(100));
                recording.start();
                long end = System.nanoTime() + millis * 1_000_000;
                while (System.nanoTime() - end < 0) {
                    lookUp();
                }
                recording.stop();
                recording.dump(file);
            }
            millis *= 2;
            rows = FlightRecording.digest(file, Instant.EPOCH).digest().families();
        } while (rows.stream().noneMatch(row -> row.family().equals(Optional.of(CodeFamily.REFLECTION))));

        assertThat(rows)
                .filteredOn(row -> row.family().equals(Optional.of(CodeFamily.REFLECTION)))
                .extracting(FamilySamples::frame)
                .contains("dev.kiln.jvm.flight.StackSamplesTest.lookUp");
        // Samples of code that is not Java's are in no family, nor in the sum.
        assertThat(rows.stream().mapToLong(FamilySamples::samples).sum()).isBetween(1L, samples(file));
        List<ThrowableCount> thrown =
                FlightRecording.digest(file, Instant.EPOCH).digest().throwables();
        assertThat(thrown.getLast().count()).isGreaterThan(thrown.getFirst().count());
    }

    private static void lookUp() {
        try {
            String.class.getMethod("indexOf", String.class, int.class);
            String.class.getMethod("none");
        } catch (NoSuchMethodException e) {
            // One is not there.
        }
    }

    /** As the JDK's other reader tells. */
    private static long samples(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.ExecutionSample"))
                .filter(event -> event.getStackTrace() != null)
                .count();
    }

    @Test
    void everySampleFromAMomentOnIsCounted() throws IOException {
        long millis = 200;
        Path file = recorded(millis);
        while (samples(file) == 0) {
            millis *= 2;
            file = recorded(millis);
        }
        assertThat(StackSamples.read(file, Instant.EPOCH).total()).isEqualTo(samples(file));
        assertThat(StackSamples.read(file, Instant.now()).total()).isZero();
    }

    /** Stacks of JDK 17 and 21 could not be held against each other: one has a frame more below the same work. */
    @Test
    void aThreadOfAnyJdkBeginsWithTheSameFrames() throws Exception {
        long millis = 200;
        Map<String, Long> counts;
        do {
            long spun = millis;
            FutureTask<Path> recorder = new FutureTask<>(() -> recorded(spun));
            new Thread(recorder).start();
            counts = StackSamples.read(recorder.get(), Instant.EPOCH).samples();
            millis *= 2;
        } while (counts.keySet().stream().noneMatch(stack -> stack.contains("StackSamplesTest.recorded")));
        assertThat(counts.keySet().stream().filter(stack -> stack.contains("StackSamplesTest.recorded")))
                .allMatch(stack -> stack.startsWith("java.lang.Thread.run;java.util.concurrent.FutureTask.run;"));
    }

    /** The JDK's reader answers that one with an error, not an exception. */
    @Test
    void theNameOfATypeThatIsNoNameIsTold() throws IOException {
        String whole = Files.readString(recorded(200), StandardCharsets.ISO_8859_1);
        Path file = Files.writeString(
                folder.resolve("rotten.jfr"),
                whole.replace("jdk.NativeLibrary", "jdk.Nativ6#8FOary"),
                StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> StackSamples.read(file, Instant.EPOCH))
                .isInstanceOf(KilnException.class)
                .hasMessage("cannot read " + file + ": jdk.Nativ6#8FOary is not a valid Java type");
    }

    @Test
    void damageOfAnyKindIsTold() throws IOException {
        byte[] sound = Files.readAllBytes(recorded(200));
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] rotten = sound.clone();
            int from = random.nextInt(rotten.length - 64);
            for (int i = 0; i < 1 + random.nextInt(64); i++) {
                rotten[from + i] = (byte) random.nextInt(256);
            }
            Path file = Files.write(folder.resolve("rotten.jfr"), rotten);
            try {
                assertThat(StackSamples.read(file, Instant.EPOCH).total()).isNotNegative();
            } catch (KilnException e) {
                assertThat(e).hasMessageStartingWith("cannot read " + file + ": ");
            }
        }
        Path cut = Files.write(folder.resolve("cut.jfr"), Arrays.copyOf(sound, sound.length / 2));
        assertThatThrownBy(() -> StackSamples.read(cut, Instant.EPOCH))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("cut off");
        Path empty = Files.createFile(folder.resolve("empty.jfr"));
        assertThatThrownBy(() -> StackSamples.read(empty, Instant.EPOCH))
                .hasMessage("cannot read " + empty + ": it is empty");
        Path absent = folder.resolve("absent.jfr");
        assertThatThrownBy(() -> StackSamples.read(absent, Instant.EPOCH))
                .hasMessage("cannot read " + absent + ": no such file or folder");
    }
}
