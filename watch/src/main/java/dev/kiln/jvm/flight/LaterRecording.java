package dev.kiln.jvm.flight;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.DiagnosticCommands;
import dev.kiln.jvm.Reply;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A LaterRecording begins and ends by {@code jcmd}, in a JVM that nobody else records. For one thread. */
public final class LaterRecording implements AutoCloseable {
    /** A starved JVM takes seconds to load its recorder. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** All questions of its beginning take no longer: who interrupts Kiln waits for no more than the one under way. */
    private static final Duration BEGINNING = Duration.ofSeconds(20);

    private static final String NAME = "name=kiln";
    private static final String NONE = "No available recordings";
    private static final String ONE = "Recording ";
    private static final String STARTED = "Started recording";

    private final AttachSocket socket;
    private final DiagnosticCommands jvm;
    private final Path folder;
    private final Path root;
    private Map<String, Integer> compiled = Map.of();

    /** Makes one that has not begun, with a folder for its recording, settings and the JVM's chunks. */
    public LaterRecording(long pid, Path folder) {
        socket = new AttachSocket(ProcFs.ofThisMachine(), pid, PATIENCE);
        jvm = new DiagnosticCommands(socket);
        this.folder = folder.toAbsolutePath();
        root = ProcFs.ofThisMachine().path("proc/" + pid + "/root");
    }

    /** Begins it unless cancelled between two questions; returns why it could not, or nothing. */
    public Optional<String> begin(BooleanSupplier cancelled) {
        Path settings = FlightRecorder.settings(folder);
        Limit limit = new Limit(System.nanoTime() + BEGINNING.toNanos(), cancelled);
        return asked(limit, () -> jvm.raw("JFR.check"))
                .then(LaterRecording::alone)
                .then(this::seen)
                .then(seen -> asked(limit, jvm::compiled))
                .then(known -> {
                    compiled = known;
                    return asked(
                            limit,
                            () -> jvm.raw("JFR.configure", "repositorypath=" + quoted(FlightRecorder.REPOSITORY)));
                })
                .then(said ->
                        asked(limit, () -> jvm.raw("JFR.start", NAME, "settings=" + FlightRecorder.quoted(settings))))
                .then(LaterRecording::started)
                .refusal()
                .map(Refusal::why);
    }

    /** A Limit is when the beginning has to be over. */
    private record Limit(long untilNanos, BooleanSupplier cancelled) {}

    private <T> Reply<T> asked(Limit limit, Supplier<Reply<T>> question) {
        long left = limit.untilNanos() - System.nanoTime();
        if (limit.cancelled().getAsBoolean()) {
            return new Refusal(RefusalReason.FAILED, "Kiln was interrupted before it had begun").reply();
        }
        if (left <= 0) {
            return new Refusal(
                            RefusalReason.NO_ANSWER,
                            "the JVM took more than " + BEGINNING.toSeconds() + " s to begin a recording")
                    .reply();
        }
        socket.within(Duration.ofNanos(Math.min(left, PATIENCE.toNanos())));
        return question.get();
    }

    /** Ends it and writes it to its file; returns why that failed, or nothing. */
    public Optional<String> end() {
        socket.within(PATIENCE);
        return jvm.raw("JFR.stop", NAME, "filename=" + quoted(FlightRecorder.RECORDING))
                .refusal()
                .map(Refusal::why);
    }

    /** Reads what was recorded, in times from zero. It takes no JVM. */
    public FlightRecording.Digested digest(Instant zero) {
        return FlightRecording.digest(folder.resolve(FlightRecorder.RECORDING), zero, compiled);
    }

    @Override
    public void close() {
        socket.close();
    }

    private String quoted(String name) {
        return FlightRecorder.quoted(folder.resolve(name));
    }

    private static Reply<String> alone(String said) {
        if (said.contains(NONE)) {
            return new Reply.ToldReply<>(said);
        }
        return said.lines().anyMatch(line -> line.startsWith(ONE))
                ? new Refusal(
                                RefusalReason.FAILED,
                                "the target has a flight recording of its own, which Kiln leaves alone")
                        .reply()
                : answered(said);
    }

    /** The JVM writes to a path: in a container of the user's own it would write to another folder. */
    private Reply<String> seen(String said) {
        try {
            Path there = root.resolve(Path.of("/").relativize(folder.toRealPath()));
            if (Files.isSameFile(there, folder)) {
                return new Reply.ToldReply<>(said);
            }
        } catch (IOException notThere) {
            // It is not there for the target, or Kiln may not look: neither is a folder that both have.
        }
        return new Refusal(RefusalReason.FAILED, "the target has another file system, without " + folder).reply();
    }

    private static Reply<String> started(String said) {
        return said.contains(STARTED) ? new Reply.ToldReply<>(said) : answered(said);
    }

    private static Reply<String> answered(String said) {
        return new Refusal(
                        RefusalReason.NOT_UNDERSTOOD,
                        "the JVM has no flight recorder; it said: "
                                + said.strip().lines().findFirst().orElse("nothing"))
                .reply();
    }
}
