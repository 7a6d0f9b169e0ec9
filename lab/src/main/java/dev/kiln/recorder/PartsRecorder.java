package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.host.ProcFs;
import dev.kiln.model.KilnException;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Records the parts of the lab that are here while the target is elsewhere, once a second. */
public final class PartsRecorder implements AutoCloseable {
    private static final long END_SECONDS = 5;

    private final RecorderParts parts;
    private final EvidenceSink writer;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kiln-parts").factory());

    private final ScheduledFuture<?> ticking;

    private PartsRecorder(RecorderParts parts, EvidenceSink writer) {
        this.parts = parts;
        this.writer = writer;
        ticking = timer.scheduleAtFixedRate(this::sample, 0, 1, TimeUnit.SECONDS);
    }

    /** Begins at once. */
    public static PartsRecorder start(Map<String, Long> pids, long launchNanos, EvidenceSink writer) {
        return new PartsRecorder(new RecorderParts(ProcFs.ofThisMachine(), pids, launchNanos, writer), writer);
    }

    private void sample() {
        try {
            parts.sample();
            writer.flush();
        } catch (KilnException e) {
            // A full disk, of which the target's recording tells: it goes to the same writer.
            return;
        }
    }

    /** Records once more and ends; calling it again changes nothing. */
    @Override
    public void close() {
        if (timer.isShutdown()) {
            return;
        }
        timer.execute(this::sample);
        timer.shutdown();
        try {
            timer.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        parts.close();
        if (ticking.state() == Future.State.FAILED) {
            throw new IllegalStateException("the recording of the parts ended early", ticking.exceptionNow());
        }
    }
}
