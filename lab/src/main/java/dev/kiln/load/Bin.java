package dev.kiln.load;

import dev.kiln.model.LoadBin;
import org.jspecify.annotations.Nullable;

/** A bin while it is filled. Written by the engine's thread, then read by the writer's: never both. */
final class Bin {
    long startNanos;
    long endNanos;
    long started;
    long completed;
    private long refused;
    private long reset;
    private long timeout;
    private long non2xx;
    private long badBody;
    long backlog;
    long lagNanos;
    /** The last of its phase. */
    boolean last;

    /** The latencies since the last bin that carried some; null but for one bin in ten and for the last. */
    @Nullable
    Latencies latencies;

    void begin(long start, long end) {
        startNanos = start;
        endNanos = end;
        started = 0;
        completed = 0;
        refused = 0;
        reset = 0;
        timeout = 0;
        non2xx = 0;
        badBody = 0;
        backlog = 0;
        lagNanos = 0;
        last = false;
        latencies = null;
    }

    void failed(Failure failure) {
        switch (failure) {
            case REFUSED -> refused++;
            case RESET -> reset++;
            case TIMEOUT -> timeout++;
            case NON_2XX -> non2xx++;
            case BAD_BODY -> badBody++;
        }
    }

    LoadBin.Errors errors() {
        return new LoadBin.Errors(refused, reset, timeout, non2xx, badBody);
    }

    /**
     * @param launchNanos by the bin's own clock
     */
    LoadBin toLoadBin(String phase, long launchNanos) {
        return new LoadBin(
                phase,
                startNanos - launchNanos,
                endNanos - launchNanos,
                started,
                completed,
                errors(),
                backlog,
                lagNanos);
    }
}
