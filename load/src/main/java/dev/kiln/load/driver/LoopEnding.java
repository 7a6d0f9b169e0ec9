package dev.kiln.load.driver;

import dev.kiln.model.run.RunInfo.Handshakes;
import java.util.List;
import java.util.stream.Stream;

/**
 * A LoopEnding holds what no bin says of a phase that has ended.
 *
 * @param sentMore requests that were sent beyond those that the same loop knows to be due: below 0 where some were not sent
 */
record LoopEnding(
        long startNanos,
        long endNanos,
        long unfinished,
        long sentMore,
        long resent,
        Handshakes handshakes,
        long maxLagNanos,
        boolean feedUsedUp,
        List<String> warnings) {
    LoopEnding {
        warnings = List.copyOf(warnings);
    }

    /** Counts requests that were due in the phase and never sent (open loop). */
    long unsent() {
        return Math.max(0, -sentMore);
    }

    /** Returns the ending of two event loops together. */
    LoopEnding plus(LoopEnding o) {
        return new LoopEnding(
                Math.min(startNanos, o.startNanos),
                Math.max(endNanos, o.endNanos),
                unfinished + o.unfinished,
                sentMore + o.sentMore,
                resent + o.resent,
                handshakes.plus(o.handshakes),
                Math.max(maxLagNanos, o.maxLagNanos),
                feedUsedUp || o.feedUsedUp,
                Stream.concat(warnings.stream(), o.warnings.stream()).distinct().toList());
    }
}
