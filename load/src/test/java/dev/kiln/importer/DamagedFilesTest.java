package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.Mutations;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.hyperfoil.HyperfoilRun;
import dev.kiln.importer.program.H2loadLog;
import dev.kiln.importer.sysstat.Pidstat;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged files end in an error that names the file, or in a named gap; never in more than was in them, and never in a crash.
 */
class DamagedFilesTest {
    private static final int ROUNDS = Mutations.some(300);

    /** Whole imports of each sample: they write files. */
    private static final int IMPORTS = 25;

    private static final List<String> SAMPLES = List.of(
            "wrk-4.1.0-latency-non2xx.txt",
            "h2load-1.52.0.log",
            "vegeta-12.13.0.csv",
            "ghz-0.93.0-timeout.json",
            "gatling-3.15.1-simulation.log",
            "pidstat-12.6.1.log",
            "pidstat-12.6.1-oneline.log",
            "mpstat-12.6.1.txt",
            "vmstat-4.0.2-t.txt",
            "jmh-1.37.json");

    @TempDir
    private Path folder;

    @Test
    void anyDamageIsAnErrorOrAGap() throws IOException {
        Random random = new Random(42);
        for (String sample : SAMPLES) {
            byte[] whole = Recorded.bytes(sample);
            for (int round = 0; round < ROUNDS; round++) {
                byte[] damaged = damage(whole, random);
                Path file = Files.write(folder.resolve("damaged-" + sample), damaged);
                try {
                    read(
                            file,
                            Formats.of(Recorded.sample(sample), Optional.empty())
                                    .orElseThrow());
                } catch (KilnException e) {
                    assertThat(e.getMessage())
                            .as("%s, round %d", sample, round)
                            .containsAnyOf("damaged-", "before the first one", "several JVMs", "some.log");
                }
            }
        }
    }

    /** Through the whole import, for the formats whose samples are made here. */
    @Test
    void noDamageCrashesTheImport() throws IOException {
        Random random = new Random(7);
        Map<String, String> samples = Texts.all();
        for (Map.Entry<String, String> sample : samples.entrySet()) {
            byte[] whole = sample.getValue().getBytes(StandardCharsets.UTF_8);
            for (int round = 0; round < IMPORTS; round++) {
                Path run = Files.createDirectories(folder.resolve("in").resolve(sample.getKey() + "-" + round));
                Path file = Files.write(run.resolve(sample.getKey()), damage(whole, random));
                Path out = folder.resolve("out").resolve(sample.getKey() + round);
                Importer importer = new Importer("test", Texts.options(), line -> {});
                try {
                    importer.run(List.of(file), "x", () -> out);
                } catch (KilnException e) {
                    assertThat(e.getMessage())
                            .as("%s, round %d", sample.getKey(), round)
                            .containsAnyOf(sample.getKey(), "phase ", "before the first one", "several JVMs", "no run");
                }
            }
        }
    }

    @Test
    void whatIsLeftOfASeriesIsNeverMoreThanItWas() throws IOException {
        Random random = new Random(11);
        byte[] whole = Texts.series().getBytes(StandardCharsets.UTF_8);
        long all = completed(Files.write(folder.resolve("load.get.0.series.csv"), whole))
                .orElseThrow();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = random.nextBoolean()
                    ? Arrays.copyOf(whole, random.nextInt(whole.length))
                    : lines(whole, random, false);
            Path file = Files.write(folder.resolve("load.get.0.series.csv"), damaged);

            completed(file).ifPresent(left -> assertThat(left).isLessThan(all + 1));
        }
    }

    @Test
    void mixedLineEndsChangeNoSeries() throws IOException {
        String[] lines = Texts.series().split("(?<=\n)", -1);
        StringBuilder mixed = new StringBuilder("\ufeff");
        for (int i = 0; i < lines.length; i++) {
            mixed.append(i % 3 == 0 ? lines[i].replace("\n", "\r\n") : lines[i]);
        }
        Path plain = Files.writeString(folder.resolve("plain.get.0.series.csv"), Texts.series());
        Path other = Files.writeString(folder.resolve("mixed.get.0.series.csv"), mixed);

        assertThat(completed(other)).isEqualTo(completed(plain)).isPresent();
        assertThat(Formats.of(other, Optional.empty())).contains(HyperfoilRun.FORMAT);
    }

    private static Optional<Long> completed(Path file) {
        try {
            return HyperfoilRun.of(List.of(file), List.of())
                    .map(run -> Recorded.of(run).completed());
        } catch (KilnException e) {
            assertThat(e.getMessage()).contains("series.csv:");
            return Optional.empty();
        }
    }

    @Test
    void aLogCutAnywhereTellsNoMoreThanItsWholeLines() throws IOException {
        byte[] whole = Recorded.bytes("h2load-1.52.0.log");
        for (int length = 0; length < 2000; length += 7) {
            byte[] cut = Arrays.copyOf(whole, length);
            Path file = Files.write(folder.resolve("cut.log"), cut);
            long lines = new String(cut, StandardCharsets.US_ASCII)
                    .chars()
                    .filter(c -> c == '\n')
                    .count();

            assertThat(H2loadLog.of(file)
                            .map(load -> Recorded.of(load).completed())
                            .orElse(0L))
                    .isEqualTo(lines);
        }
    }

    @Test
    void carriageReturnsChangeNothing() throws IOException {
        for (String sample : List.of("h2load-1.52.0.log", "pidstat-12.6.1.log")) {
            String text = new String(Recorded.bytes(sample), StandardCharsets.UTF_8);
            Path file = Files.writeString(folder.resolve("crlf.log"), text.replace("\n", "\r\n"));

            assertThat(figures(file)).isEqualTo(figures(Recorded.sample(sample)));
        }
    }

    @Test
    void otherEncodingsAreNamed() throws IOException {
        String text = new String(Recorded.bytes("h2load-1.52.0.log"), StandardCharsets.UTF_8);
        Path utf16 = Files.write(folder.resolve("utf16.log"), text.getBytes(StandardCharsets.UTF_16));
        Path latin =
                Files.write(folder.resolve("latin.log"), (text + "16\u00e9\n").getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> H2loadLog.of(utf16)).hasMessageContaining("utf16.log:1: found UTF-16 text");
        assertThatThrownBy(() -> H2loadLog.of(latin)).hasMessageContaining("latin.log:301");
    }

    @Test
    void aGigabyteWithoutALineEndIsRefusedEarly() {
        InputStream endless = new InputStream() {
            private long left = 1L << 30;

            @Override
            public int read() {
                return left-- > 0 ? 'x' : -1;
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                int told = (int) Math.min(length, left);
                Arrays.fill(bytes, from, from + told, (byte) 'x');
                left -= told;
                assertThat(left).as("read no further than needed").isGreaterThan((1L << 30) - (1L << 22));
                return told == 0 ? -1 : told;
            }
        };
        Lines lines = new Lines("one-line.log", endless);

        assertThatThrownBy(lines::next)
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("one-line.log:1: found a line of more than 256 KiB");
    }

    private List<Long> figures(Path file) {
        Format format = Formats.of(file, Optional.empty()).orElseThrow();
        if (format.equals(H2loadLog.FORMAT)) {
            Recorded load = Recorded.of(H2loadLog.of(file).orElseThrow());
            return List.of(load.completed(), load.failed());
        }
        SystemRecorded log =
                SystemRecorded.of(Pidstat.of(file, OptionalInt.empty()).orElseThrow());
        return log.threads.stream()
                .map(thread -> thread.cpuNanos() + thread.waitNanos())
                .toList();
    }

    private static void read(Path file, Format format) {
        switch (format.content()) {
            case Format.Loads loads -> loads.of().apply(file, Texts.options()).forEach(Recorded::of);
            case Format.OneLog log -> log.of().apply(file, Texts.options()).ifPresent(SystemRecorded::of);
            case Format.WholeRuns runs ->
                runs.of()
                        .apply(file, why -> {})
                        .forEach(run -> Recorded.of(run.loads().getFirst()));
            case Format.PartOfRun part -> throw new IllegalArgumentException(format.words());
        }
    }

    private static byte[] damage(byte[] whole, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> Arrays.copyOf(whole, random.nextInt(whole.length));
            case 1 -> bytes(whole, random);
            case 2 -> lines(whole, random, true);
            case 3 -> lines(whole, random, false);
            default -> Arrays.copyOfRange(whole, random.nextInt(whole.length), whole.length);
        };
    }

    private static byte[] bytes(byte[] whole, Random random) {
        byte[] damaged = whole.clone();
        for (int i = 0; i <= random.nextInt(8); i++) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }
        return damaged;
    }

    private static byte[] lines(byte[] whole, Random random, boolean shuffle) {
        List<String> lines = new ArrayList<>(List.of(new String(whole, StandardCharsets.ISO_8859_1).split("(?<=\n)")));
        if (shuffle) {
            Collections.shuffle(lines, random);
        } else {
            TreeSet<Integer> gone = new TreeSet<>();
            for (int i = 0; i < 3; i++) {
                gone.add(random.nextInt(lines.size()));
            }
            gone.descendingSet().forEach(i -> lines.remove((int) i));
        }
        return String.join("", lines).getBytes(StandardCharsets.ISO_8859_1);
    }
}
