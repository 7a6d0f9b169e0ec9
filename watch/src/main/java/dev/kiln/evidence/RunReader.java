package dev.kiln.evidence;

import dev.kiln.evidence.LoadFile.CallFile;
import dev.kiln.evidence.ReplicaFiles.ProcessFiles;
import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.LoadEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.text.CsvLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** A RunReader reads the evidence of one run, even if it breaks off at any byte. */
public final class RunReader {
    /** 36 years. */
    private static final long MOST_NANOS = 1L << 60;

    private RunReader() {}

    /** Reads all tables of a run, and fails without a run or with a newer format. */
    public static RunEvidence read(Path directory) {
        RunInfo info = info(directory);
        requirePhases(info, directory);
        Gaps gaps = new Gaps();
        JvmEvidence jvm = ProcessFiles.jvm(directory, gaps);
        MachineEvidence machine = ProcessFiles.machine(directory, gaps);
        List<CallBin> calls = CallFile.read(directory, gaps);
        LoadFile.LoadBins load = info.watched() ? new LoadFile.LoadBins(List.of(), List.of()) : load(directory, gaps);
        LatencyLog.Result latency = info.watched() || info.provenance().isPresent()
                ? foreignLatency(directory, info, gaps)
                : latency(directory, info, gaps);
        return ReplicaFiles.with(
                new RunEvidence(
                        info,
                        new LoadEvidence(load.bins(), latency.latencies(), calls, false),
                        jvm,
                        machine,
                        closing(directory, gaps),
                        gaps.end(),
                        List.of()),
                directory);
    }

    /** Refuses a phase longer than any, each second of which would be looked at, and one whose times cannot be reckoned with. */
    private static void requirePhases(RunInfo info, Path directory) {
        for (Course.PhaseTime phase : info.phases()) {
            long begin = phase.startNanos();
            long end = phase.endNanos().orElse(begin);
            if (begin < -MOST_NANOS || begin > MOST_NANOS || end < begin || end > begin + LoadFile.LONGEST_NANOS) {
                throw KilnException.usage(
                        directory.resolve("run.json") + ": phase " + phase.name()
                                + " begins at no time of a run, ends before it begins, or lasts over 366 days",
                        "leave this run out, or restore the file");
            }
        }
    }

    /** Reads the closing recording. A folder that is a link is not the run's. */
    private static Optional<FlightDigest> closing(Path directory, Gaps gaps) {
        Path folder = directory.resolve(FlightFiles.CLOSING);
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) ? FlightFiles.read(folder, gaps) : Optional.empty();
    }

    private static LoadFile.LoadBins load(Path directory, Gaps gaps) {
        gaps.file(LoadFile.NAME);
        try {
            LoadFile.LoadBins read = LoadFile.read(directory.resolve(LoadFile.NAME));
            read.gaps().forEach(gaps::addQuoted);
            return read;
        } catch (IOException e) {
            gaps.unreadable(e);
            return new LoadFile.LoadBins(List.of(), List.of());
        }
    }

    /** Reads what a source other than Kiln has of latencies: quantiles, histograms, or nothing. */
    private static LatencyLog.Result foreignLatency(Path directory, RunInfo info, Gaps gaps) {
        if (LatencyTable.in(directory)) {
            return LatencyTable.read(directory, gaps);
        }
        return Files.exists(directory.resolve(LatencyLog.NAME))
                ? latency(directory, info, gaps)
                : new LatencyLog.Result(Latencies.NONE, List.of());
    }

    private static LatencyLog.Result latency(Path directory, RunInfo info, Gaps gaps) {
        gaps.file(LatencyLog.NAME);
        try {
            LatencyLog.Result read = LatencyLog.read(
                    directory.resolve(LatencyLog.NAME),
                    info.load().slo().map(slo -> slo.limit().toNanos()).orElse(Long.MAX_VALUE));
            read.gaps().forEach(gaps::addQuoted);
            return read;
        } catch (IOException e) {
            gaps.unreadable(e);
            return new LatencyLog.Result(Latencies.NONE, List.of());
        }
    }

    /** Reads {@code run.json} alone, and fails without a run or with a newer format. */
    public static RunInfo info(Path directory) {
        return ProcessFiles.info(directory, "run.json");
    }

    /**
     * A RunTail follows the evidence of a run while it is written: each call of {@link #look} returns what was added since
     * the one before. A table that does not exist yet and a row that cannot be read are skipped; {@link RunReader} reports
     * those.
     */
    public static final class RunTail {
        /** One call reads at most this much of each file, so a long run that is over takes several calls. */
        private static final int MOST_BYTES = 4 << 20;

        private final FollowedLines<LoadBin> load;
        private final FollowedLines<LatencyLog.Entry> latency;
        private final FollowedLines<ThreadSample> compilers;
        private final FollowedLines<JitSample> jit;

        /** An Added holds the new rows. Times are in ns since launch; threads are those of C1 and C2 only. */
        public record Added(
                List<LoadBin> load, List<LatencyLog.Entry> latency, List<ThreadSample> compilers, List<JitSample> jit) {
            public boolean isEmpty() {
                return load.isEmpty() && latency.isEmpty() && compilers.isEmpty() && jit.isEmpty();
            }
        }

        /** @param run its folder */
        public RunTail(Path run) {
            load = new FollowedLines<>(run.resolve(LoadFile.NAME), line -> true, header -> LoadFile.inOrder());
            latency = new FollowedLines<>(
                    run.resolve(LatencyLog.NAME),
                    line -> line.startsWith("Tag="),
                    header -> line -> LatencyLog.parse(line).orElseThrow(IllegalArgumentException::new));
            String c1 = "," + ThreadRole.C1.name() + ",";
            String c2 = "," + ThreadRole.C2.name() + ",";
            compilers = table(run, Table.THREADS, line -> line.contains(c2) || line.contains(c1));
            jit = table(run, Table.JIT, line -> true);
        }

        private static <T> FollowedLines<T> table(Path run, Table<T> table, Predicate<String> wanted) {
            return new FollowedLines<>(run.resolve(table.file()), wanted, header -> {
                List<String> there = CsvLine.cells(header);
                int[] places = table.columns().stream().mapToInt(there::indexOf).toArray();
                return line -> table.toRecord().apply(CsvReader.row(line, there.size(), places));
            });
        }

        public Added look() {
            return new Added(load.added(), latency.added(), compilers.added(), jit.added());
        }

        /** A FollowedLines follows one file and parses its new lines. */
        private static final class FollowedLines<T> {
            private final Path file;
            private final Predicate<String> wanted;
            private final Function<String, Function<String, T>> byHeader;
            private Optional<Function<String, T>> parser = Optional.empty();
            private long read;

            FollowedLines(Path file, Predicate<String> wanted, Function<String, Function<String, T>> byHeader) {
                this.file = file;
                this.wanted = wanted;
                this.byHeader = byHeader;
            }

            List<T> added() {
                List<T> rows = new ArrayList<>();
                for (String line : lines()) {
                    if (parser.isEmpty()) {
                        parser = Optional.of(byHeader.apply(line));
                    } else if (wanted.test(line)) {
                        row(line, parser.get()).ifPresent(rows::add);
                    }
                }
                return rows;
            }

            /** Parses a row, or returns nothing if it is damaged: the report names the damage. */
            private static <T> Optional<T> row(String line, Function<String, T> parser) {
                try {
                    return Optional.of(parser.apply(line));
                } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                    return Optional.empty();
                }
            }

            /** Returns the lines that were added; an incomplete last line waits for the next call. */
            private List<String> lines() {
                try (FileChannel channel = InputFile.open(file)) {
                    long more = Math.min(MOST_BYTES, channel.size() - read);
                    if (more <= 0) {
                        return List.of();
                    }
                    ByteBuffer bytes = ByteBuffer.allocate((int) more);
                    int got = Math.max(0, channel.read(bytes, read));
                    int end = got;
                    while (end > 0 && bytes.get(end - 1) != '\n') {
                        end--;
                    }
                    // No row is that long.
                    read += end == 0 && got == MOST_BYTES ? got : end;
                    return new String(bytes.array(), 0, end, StandardCharsets.UTF_8)
                            .lines()
                            .toList();
                } catch (IOException e) {
                    return List.of();
                }
            }
        }
    }

    /** A RowStream passes on a run's rows one by one, for runs of days; damaged and missing ones are left out. */
    public record RowStream(Path run) {
        public void load(Consumer<LoadBin> bins) {
            lines(
                    LoadFile.NAME,
                    file -> CsvReader.lines(
                            file,
                            (number, line) -> {
                                if (number > 1) {
                                    bin(line).ifPresent(bins);
                                }
                            },
                            (number, line) -> {}));
        }

        private static Optional<LoadBin> bin(String line) {
            try {
                return Optional.of(LoadFile.bin(line));
            } catch (IllegalArgumentException e) {
                // Damaged; the next one counts again.
                return Optional.empty();
            }
        }

        public void latencies(Consumer<LatencyLog.Entry> entries) {
            lines(LatencyLog.NAME, file -> LatencyLog.each(file, entries, gap -> {}));
        }

        public void memory(Consumer<MemorySample> samples) {
            rows(Table.MEMORY, samples);
        }

        public void heap(Consumer<HeapSample> samples) {
            rows(Table.HEAP, samples);
        }

        private <T> void rows(Table<T> table, Consumer<T> rows) {
            if (Files.exists(run.resolve(table.file()))) {
                table.read(run, rows, new Gaps());
            }
        }

        private interface Reading {
            void of(Path file) throws IOException;
        }

        private void lines(String name, Reading reading) {
            Path file = run.resolve(name);
            if (!Files.exists(file)) {
                return;
            }
            try {
                reading.of(file);
            } catch (IOException e) {
                throw KilnException.problem(e, "cannot read " + file, "restore the file, or delete it");
            }
        }
    }
}
