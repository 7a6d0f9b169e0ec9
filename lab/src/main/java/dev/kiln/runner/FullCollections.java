package dev.kiln.runner;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.DiagnosticCommands;
import dev.kiln.jvm.Reply.Refusal;
import java.time.Duration;
import java.util.Optional;

/**
 * A FullCollections asks the target's JVM for a collection of its whole heap now and then: only what such a collection
 * leaves is live. Until one comes, garbage in the old generation looks like a leak.
 */
final class FullCollections implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final AttachSocket socket;
    private final DiagnosticCommands jvm;
    private final long everyNanos;
    private long dueNanos;
    private boolean told;

    FullCollections(long pid, Duration every) {
        socket = new AttachSocket(ProcFs.ofThisMachine(), pid, PATIENCE);
        jvm = new DiagnosticCommands(socket);
        everyNanos = every.toNanos();
        dueNanos = System.nanoTime() + everyNanos;
    }

    /** Asks for a collection if it is time; returns why there was none, once. */
    Optional<String> tick() {
        if (System.nanoTime() < dueNanos) {
            return Optional.empty();
        }
        dueNanos = System.nanoTime() + everyNanos;
        Optional<String> none = jvm.raw("GC.run").refusal().map(Refusal::why).filter(why -> !told);
        told |= none.isPresent();
        return none;
    }

    @Override
    public void close() {
        socket.close();
    }
}
