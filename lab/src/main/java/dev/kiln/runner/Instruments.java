package dev.kiln.runner;

import dev.kiln.evidence.FlightFiles;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.Scratch;
import dev.kiln.host.process.Trees;
import dev.kiln.jvm.flight.AsyncProfiler;
import dev.kiln.jvm.flight.FlightRecorder;
import dev.kiln.jvm.flight.FlightRecording;
import dev.kiln.jvm.flight.FlightRecording.Digested;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Instruments are the recorders within a target: flags start them, and their files are digested after its end. */
public final class Instruments {
    private static final String FLIGHT = "flight recording";
    private static final String PROFILE = "profile";

    private final Observe observe;
    private final Path run;
    private List<HotMethod> hot = List.of();

    Instruments(Observe observe, Path run) {
        this.observe = observe;
        this.run = run;
    }

    /** Puts the recorders' settings into the run's folder, and returns the flags that start the recorders. */
    List<String> flags(Path cache) {
        List<String> flags = new ArrayList<>();
        switch (observe.recording()) {
            case OFF -> {}
            case ON -> flags.addAll(FlightRecorder.prepare(run));
            case PROFILE -> flags.addAll(FlightRecorder.prepareProfile(run));
            case CPU_TIME -> flags.addAll(FlightRecorder.prepareCpuTime(run));
        }
        if (observe.asyncProfiler()) {
            flags.addAll(AsyncProfiler.prepare(run, cache));
        }
        return flags;
    }

    /** Digests what the target left, after its end; returns what is missing. Only unread JIT counters are written. */
    List<NotRecorded> digest(Instant launch, RunWriter writer) {
        List<NotRecorded> missing = new ArrayList<>();
        List<FlightDigest> found = new ArrayList<>();
        if (observe.flightRecorder()) {
            finished(missing).ifPresent(file -> found.add(flight(file, launch, writer, missing)));
        }
        if (observe.asyncProfiler()) {
            made(AsyncProfiler.RECORDING, PROFILE, missing)
                    .ifPresent(file ->
                            found.add(digest(file, launch, PROFILE, missing).digest()));
        }
        write(found, missing);
        return missing;
    }

    private void write(List<FlightDigest> found, List<NotRecorded> missing) {
        try {
            Optional<FlightDigest> whole = found.stream().reduce(FlightDigest::sampledBy);
            hot = whole.map(FlightDigest::hot).orElse(List.of());
            whole.ifPresent(digest -> FlightFiles.write(run, digest));
        } catch (KilnException e) {
            missing.add(new NotRecorded("digest of the " + FLIGHT, String.valueOf(e.getMessage())));
        }
    }

    /** Returns the methods with most samples, once they are digested. */
    List<HotMethod> hot() {
        return hot;
    }

    private FlightDigest flight(Path file, Instant launch, RunWriter writer, List<NotRecorded> missing) {
        Digested digested = digest(file, launch, FLIGHT, missing);
        if (!writer.hasCompilers() && !digested.counters().isEmpty()) {
            missing.add(counters(digested, writer));
        }
        if (observe.recording() == Observe.RecordingChoice.CPU_TIME && !digested.byCpuTime()) {
            missing.add(new NotRecorded(
                    "samples by CPU time",
                    "this JVM has none (JDK 25 and newer on Linux have): tiers are from execution samples"));
        }
        return digested.digest();
    }

    private static NotRecorded counters(Digested digested, RunWriter writer) {
        try {
            digested.counters().forEach(writer::append);
            return new NotRecorded(
                    "the JIT's counters ten times a second", "those of the flight recording are once a second");
        } catch (KilnException e) {
            return new NotRecorded("the JIT's counters", String.valueOf(e.getMessage()));
        }
    }

    private static Digested digest(Path file, Instant launch, String what, List<NotRecorded> missing) {
        Digested digested = FlightRecording.digest(file, launch);
        digested.gaps().forEach(gap -> missing.add(new NotRecorded("part of the " + what, gap)));
        return digested;
    }

    /** Returns the recording; that of a JVM that was killed is made of what it had flushed. */
    private Optional<Path> finished(List<NotRecorded> missing) {
        Path repository = run.resolve(FlightRecorder.REPOSITORY);
        try {
            if (!FlightRecorder.Repository.chunks(repository).isEmpty()) {
                FlightRecorder.Repository.assemble(repository, run.resolve(FlightRecorder.RECORDING));
                missing.add(new NotRecorded(
                        "end of the " + FLIGHT,
                        "the target did not end in time to write it: up to one second is missing"));
            }
            Trees.delete(repository);
        } catch (IOException e) {
            missing.add(new NotRecorded(FLIGHT, "cannot be put together: " + IoReason.of(e)));
        }
        return made(FlightRecorder.RECORDING, FLIGHT, missing);
    }

    private Optional<Path> made(String name, String what, List<NotRecorded> missing) {
        Path file = run.resolve(name);
        if (Files.isRegularFile(file)) {
            return Optional.of(file);
        }
        missing.add(new NotRecorded(
                what,
                "the target wrote no " + name
                        + ": it is not a HotSpot JVM of JDK 11 or later, or target.log says why"));
        return Optional.empty();
    }

    /**
     * Digests the recording of a run whose Kiln was killed before it could; what is in the run's folder stays as it is,
     * as its target may live on. Does nothing for a run that has its digest, or had no recording.
     */
    public static void digestLate(Path run) {
        Path repository = run.resolve(FlightRecorder.REPOSITORY);
        if (FlightFiles.exist(run) || !Files.isDirectory(repository, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        RunInfo info = RunReader.info(run);
        try {
            try (Scratch scratch = Scratch.make("recording")) {
                Path whole = scratch.folder().resolve(FlightRecorder.RECORDING);
                // Its target may have ended in good order all the same.
                Path recording = run.resolve(FlightRecorder.RECORDING);
                boolean finished = FlightRecorder.Repository.chunks(repository).isEmpty();
                if (!finished) {
                    FlightRecorder.Repository.assemble(repository, whole);
                }
                Instant launch = Instant.ofEpochMilli(info.launchEpochMillis());
                Digested digested = FlightRecording.digest(finished ? recording : whole, launch);
                if (digested.begin().isPresent()) {
                    FlightFiles.write(run, digested.digest());
                } else {
                    FlightFiles.writeNone(run);
                }
            }
        } catch (IOException | KilnException e) {
            // Read-only evidence is read without it.
            return;
        }
    }
}
