package dev.kiln.runner;

import dev.kiln.evidence.FlightFiles;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.host.process.Trees;
import dev.kiln.jvm.flight.FlightRecorder;
import dev.kiln.jvm.flight.FlightRecording.Digested;
import dev.kiln.jvm.flight.LaterRecording;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult.Requests;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.OwnerOnly;
import dev.kiln.model.experiment.Experiment.ClosingLoad;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A ClosingRecording is the flight recording of a run that was measured without one: the load goes on for some seconds,
 * into a folder of its own. The target is stopped anyway afterwards. Whatever fails of it is one thing that was not
 * recorded, and no failure of the run.
 */
final class ClosingRecording {
    private static final String WHAT = "closing recording";
    private static final int FIRST_WITH_A_RECORDER = 11;

    /** A larger share of failed requests is another load than that of the run. */
    private static final double MOST_FAILED = 0.01;

    /** Of as many requests or more one may fail by chance. */
    private static final int FEW = 50;

    /** A JVM with one of these writes an archive of its classes at its end, which must not be those of a recording. */
    private static final Pattern ARCHIVES =
            Pattern.compile("-XX:(?:AOTMode=record|AOTCacheOutput=|AOTConfiguration=|ArchiveClassesAtExit="
                    + "|DumpLoadedClassList=|\\+AutoCreateSharedArchive).*");

    private final RunContext context;
    private final PlannedRun planned;
    private final Path folder;
    private final List<NotRecorded> missing = new ArrayList<>();
    private Optional<LaterRecording> made = Optional.empty();

    ClosingRecording(RunContext context, PlannedRun planned, Path run) {
        this.context = context;
        this.planned = planned;
        folder = run.resolve(FlightFiles.CLOSING);
    }

    /** Tells whether the run is to have one, by how it ended. */
    boolean follows(Outcome outcome) {
        return outcome == Outcome.COMPLETED && ClosingLoad.follows(context.experiment(), planned);
    }

    /** Makes the recording, if the JVM can. */
    void make(Place.PlacedTarget target, Optional<JvmInfo> jvm, LoadSpec load) {
        boolean due = jvm.filter(ClosingRecording::records).isPresent()
                && !context.cancellation().isCancelled();
        OptionalLong pid = due ? target.pid(context.portsHere(load)) : OptionalLong.empty();
        unknown(jvm, due, pid).ifPresent(this::lacks);
        if (pid.isPresent()) {
            context.listener()
                    .doing("all is measured; recording what runs in "
                            + ClosingLoad.PHASE.duration().toSeconds() + " s of the same load");
            try (LaterRecording recording = new LaterRecording(pid.getAsLong(), folder)) {
                Files.createDirectories(folder, OwnerOnly.FOLDER);
                make(recording, target.process(), load);
            } catch (IOException e) {
                lacks("cannot make " + folder + ": " + IoReason.of(e));
            } catch (KilnException e) {
                lacks(String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * Says what is not known of a target that would have had one; empty where all is known, and where none is due.
     *
     * @param due whether the JVM can make one, and nobody waits for the end of everything
     */
    static Optional<String> unknown(Optional<JvmInfo> jvm, boolean due, OptionalLong pid) {
        if (jvm.isEmpty()) {
            return Optional.of("the JVM did not say what it is");
        }
        return due && pid.isEmpty() ? Optional.of("the process that serves was not found") : Optional.empty();
    }

    static boolean records(JvmInfo jvm) {
        return jvm.feature().orElse(0) >= FIRST_WITH_A_RECORDER
                && jvm.flags().stream().noneMatch(flag -> ARCHIVES.matcher(flag).matches());
    }

    private void make(LaterRecording recording, TargetProcess target, LoadSpec load) {
        Optional<String> no = recording.begin(context.cancellation()::isCancelled);
        if (no.isPresent()) {
            lacks(no.get());
            return;
        }
        Optional<String> failed;
        Optional<String> unended;
        try {
            failed = failed(sent(target, load));
        } finally {
            unended = ended(recording);
        }
        unended.or(() -> failed).ifPresentOrElse(this::lacks, () -> made = Optional.of(recording));
    }

    /** Ends a recording, unless the user waits for the end of everything: the target is then stopped with its recording. */
    private Optional<String> ended(LaterRecording recording) {
        return context.cancellation().isCancelled()
                ? Optional.of("Kiln was interrupted before it had ended")
                : recording.end();
    }

    private Requests sent(TargetProcess target, LoadSpec load) {
        try (LoadSession session = context.driver().open(load, folder, target.launchNanos())) {
            context.cancellation().onCancel(session::cancel);
            target.whenEnded(session::cancel);
            return session.load(ClosingLoad.PHASE, second -> {}).requests();
        }
    }

    /** Tells why a recording says nothing of the run's load: it shows what failed requests run. */
    private static Optional<String> failed(Requests sent) {
        long failed = sent.errors().total();
        return failed > MOST_FAILED * sent.started() && (failed > 1 || sent.started() < FEW)
                ? Optional.of(failed + " of " + sent.started() + " requests failed in it")
                : Optional.empty();
    }

    private void lacks(String why) {
        missing.add(new NotRecorded(WHAT, why));
    }

    /** Digests the recording, after the target's end; returns what is missing of it. */
    List<NotRecorded> digest(Instant launch) {
        try {
            made.ifPresent(recording -> {
                Digested digested = recording.digest(launch);
                digested.gaps().forEach(this::lacks);
                digested.begin().ifPresent(some -> FlightFiles.write(folder, digested.digest()));
            });
            // A JVM that is killed leaves what it had kept of the recording.
            Trees.delete(folder.resolve(FlightRecorder.REPOSITORY));
            if (made.isEmpty()) {
                Trees.delete(folder.resolve(FlightRecorder.RECORDING));
            }
        } catch (IOException e) {
            lacks("cannot tidy up " + folder + ": " + IoReason.of(e));
        } catch (KilnException e) {
            lacks(String.valueOf(e.getMessage()));
        }
        return List.copyOf(missing);
    }
}
