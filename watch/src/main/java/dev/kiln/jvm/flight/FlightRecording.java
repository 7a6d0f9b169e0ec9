package dev.kiln.jvm.flight;

import dev.kiln.files.OutputFile;
import dev.kiln.host.process.Scratch;
import dev.kiln.jvm.CompiledCode;
import dev.kiln.jvm.flight.FlightStream.FlightClock;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.OwnerOnly;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.Sample.CompilerSample;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A FlightRecording reads flight recordings ({@code .jfr}) of JDK 11 and later, and of async-profiler, into a digest.
 * It streams the file twice: first compilations, then samples. So memory holds only the digest, the compiled methods
 * and one chunk's constants, however long the recording is.
 */
public final class FlightRecording {
    /**
     * A Digested is a digest and what it lacks.
     *
     * @param begin when the recording began, by its own wall clock; empty if nothing of it could be read
     * @param gaps what could not be read, and what a reader must know about the rest
     * @param counters the JIT's, every second or as often as the recording's settings say
     * @param byCpuTime whether tiers and hot methods are from samples by CPU time, and not from execution samples
     */
    public record Digested(
            FlightDigest digest,
            Optional<Instant> begin,
            List<String> gaps,
            List<CompilerSample> counters,
            boolean byCpuTime) {
        public Digested {
            gaps = List.copyOf(gaps);
            counters = List.copyOf(counters);
        }
    }

    private final FlightChunks chunks;
    private final Instant zero;
    private final Map<String, Integer> before;
    private final List<String> gaps = new ArrayList<>();
    private List<CompilerSample> counters = List.of();
    private boolean byCpuTime;

    private FlightRecording(FlightChunks chunks, Instant zero, Map<String, Integer> before) {
        this.chunks = chunks;
        this.zero = zero;
        this.before = before;
    }

    /** Reads what can be read; a damaged file is a gap, no error. Times are from zero, or ns since 1970. */
    public static Digested digest(Path file, Instant zero) {
        return digest(file, zero, Map.of());
    }

    /** Reads a recording of a JVM with compiled methods, by {@link CompiledCode}'s names, and levels. */
    public static Digested digest(Path file, Instant zero, Map<String, Integer> before) {
        String name = file.getFileName() + ": ";
        try {
            FlightChunks chunks = FlightChunks.scan(file);
            FlightRecording recording = new FlightRecording(chunks, zero, before);
            FlightDigest digest = recording.digest(file);
            List<String> told = new ArrayList<>(chunks.gaps());
            told.addAll(recording.gaps);
            return new Digested(
                    digest,
                    chunks.begin(),
                    told.stream().map(name::concat).toList(),
                    recording.counters,
                    recording.byCpuTime);
        } catch (IOException e) {
            return new Digested(FlightDigest.EMPTY, Optional.empty(), List.of(name + IoReason.of(e)), List.of(), false);
        }
    }

    /** Returns when the recording began, by its own wall clock; empty if the file cannot be read. */
    public static Optional<Instant> begin(Path file) {
        return scanned(file).flatMap(FlightChunks::begin);
    }

    /** Returns when the last chunk of the recording ended; empty if the file cannot be read. */
    public static Optional<Instant> end(Path file) {
        return scanned(file)
                .flatMap(chunks -> chunks.chunks().stream()
                        .map(chunk -> chunk.start().plusNanos(Math.max(0, chunk.durationNanos())))
                        .max(Instant::compareTo));
    }

    private static Optional<FlightChunks> scanned(Path file) {
        try {
            return Optional.of(FlightChunks.scan(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private FlightDigest digest(Path file) throws IOException {
        if (chunks.chunks().isEmpty() && chunks.gaps().isEmpty()) {
            gaps.add("empty");
        }
        if (chunks.chunks().isEmpty()) {
            return FlightDigest.EMPTY;
        }
        if (chunks.sound()) {
            int count = chunks.chunks().size();
            Optional<FlightDigest> whole = digest(wire -> FlightStream.read(file, count, wire));
            if (whole.isPresent()) {
                return whole.get();
            }
        }
        return chunkByChunk();
    }

    /** Copies each chunk to a file of its own, because after a damaged chunk the reader would lose those behind it. */
    private FlightDigest chunkByChunk() throws IOException {
        gaps.clear();
        try (Scratch scratch = Scratch.make("chunk")) {
            Path alone = scratch.folder().resolve("alone.jfr");
            List<String> broken = new ArrayList<>();
            FlightDigest digest = digest(wire -> {
                        broken.clear();
                        for (FlightChunks.Chunk chunk : chunks.chunks()) {
                            readAlone(chunk, alone, wire).ifPresent(broken::add);
                        }
                        return Optional.empty();
                    })
                    .orElse(FlightDigest.EMPTY);
            gaps.addAll(broken);
            return digest;
        }
    }

    private Optional<String> readAlone(FlightChunks.Chunk chunk, Path alone, Consumer<FlightStream> wire) {
        try {
            try (FileChannel to = OutputFile.anew(alone, OwnerOnly.FILE)) {
                chunks.copy(chunk, to);
            }
        } catch (IOException e) {
            return Optional.of("the chunk of " + chunk.start() + " could not be copied: " + IoReason.of(e));
        }
        return FlightStream.read(alone, 1, wire)
                .map(why -> "the chunk of " + chunk.start() + " was read in part: " + why);
    }

    /** A Pass is one over all events. It returns why it stopped early, or empty. */
    private interface Pass {
        Optional<String> read(Consumer<FlightStream> wire);
    }

    /** Digests what the pass finds; empty if it stopped early. */
    private Optional<FlightDigest> digest(Pass pass) {
        FlightClock clock = new FlightClock(zero);
        CompiledMethods methods = new CompiledMethods(before);
        FlightTally tally = new FlightTally(clock, methods);
        if (pass.read(tally::wire).isPresent()) {
            return Optional.empty();
        }
        FlightSamples executed = new FlightSamples(methods, tally.byAsyncProfiler(), clock);
        FlightSamples cpuTime = new FlightSamples(methods, tally.byAsyncProfiler(), clock);
        Optional<String> broken = pass.read(stream -> {
            stream.on("jdk.ExecutionSample", executed::add);
            stream.on("jdk.CPUTimeSample", cpuTime::add);
            stream.onFlush(executed::chunkEnded);
            stream.onFlush(cpuTime::chunkEnded);
        });
        if (broken.isPresent()) {
            return Optional.empty();
        }
        if (clock.early() > 0) {
            gaps.add(clock.early() + " events from before the launch were left out");
        }
        if (tally.leftOut() > 0) {
            gaps.add("the last " + tally.leftOut()
                    + " pauses, collections and code cache events were left out: too many");
        }
        // An execution sample is of a thread that could run, with or without a CPU.
        FlightSamples samples = cpuTime.covers(executed) ? cpuTime : executed;
        byCpuTime = samples == cpuTime;
        if (!samples.missing().isEmpty()) {
            gaps.add(samples.missing());
        }
        counters = tally.counters();
        return Optional.of(tally.digest(samples));
    }
}
