package dev.kiln.jvm.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.flight.FlightRecording.Digested;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.testing.FullRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Isolated
class AsyncProfilerIT {
    @TempDir
    private Path folder;

    static Stream<Jdk> jdks() {
        return ChurnRecording.jdks();
    }

    private Digested profiled(Jdk jdk, String... more) throws Exception {
        List<String> flags = Stream.concat(
                        AsyncProfiler.prepare(folder, folder.resolve("cache")).stream(), Stream.of(more))
                .toList();
        ChurnRecording.start(jdk, folder, 2_000, flags).waitFor();
        Path recording = folder.resolve(AsyncProfiler.RECORDING);
        assertThat(recording).as(Files.readString(folder.resolve("out"))).exists();
        return FlightRecording.digest(
                recording, FlightRecording.begin(recording).orElseThrow());
    }

    @ParameterizedTest
    @FullRun
    @MethodSource("jdks")
    void namesC1AndC2ByItself(Jdk jdk) throws Exception {
        List<TierShare> c1 = profiled(jdk, "-XX:TieredStopAtLevel=1").digest().tiers();
        int byC1 = c1.stream().mapToInt(TierShare::c1).sum();
        assertThat(byC1).isGreaterThan(20);
        // A native method's wrapper is the work of neither compiler, and the profiler calls it compiled: a sample now
        // and then.
        assertThat(c1.stream().mapToInt(t -> t.c2() + t.inlined()).sum()).isLessThan(byC1 / 10);

        Digested c2 = profiled(jdk, "-XX:-TieredCompilation");
        assertThat(c2.digest().tiers().stream()
                        .mapToInt(t -> t.c2() + t.inlined())
                        .sum())
                .isGreaterThan(20);
        assertThat(c2.digest().tiers()).allMatch(t -> t.c1() == 0);
        assertThat(c2.digest().tiers().stream().mapToInt(TierShare::interpreted).sum())
                .isPositive();
        assertThat(c2.gaps()).isEmpty();
    }

    @Test
    void aPathItCannotBeToldIsRefused() throws Exception {
        Path odd = Files.createDirectory(folder.resolve("a,b"));
        assertThatThrownBy(() -> AsyncProfiler.prepare(odd, folder))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a comma in the path would begin its next option");
    }

    /** Its name and its length are no secret, and the target runs it. */
    @Test
    void anotherLibraryInItsPlaceIsReplaced() throws Exception {
        AsyncProfiler.prepare(folder, folder);
        Path library = unpacked();
        byte[] real = Files.readAllBytes(library);
        Files.write(library, new byte[real.length]);
        AsyncProfiler.prepare(folder, folder);
        assertThat(library).hasBinaryContent(real);

        Path planted = Files.write(folder.resolve("planted"), real);
        Files.delete(library);
        Files.createSymbolicLink(library, planted);
        AsyncProfiler.prepare(folder, folder);
        assertThat(Files.isSymbolicLink(library)).isFalse();
        assertThat(unpacked()).isEqualTo(library);
    }

    private Path unpacked() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("async-profiler"))) {
            return files.reduce((one, other) -> {
                        throw new AssertionError(one + " and " + other);
                    })
                    .orElseThrow();
        }
    }

    @Test
    void isUnpackedOnce() throws Exception {
        assertThat(AsyncProfiler.prepare(folder, folder)).isEqualTo(AsyncProfiler.prepare(folder, folder));
        try (Stream<Path> files = Files.list(folder.resolve("async-profiler"))) {
            assertThat(files).hasSize(1);
        }
    }
}
