package dev.kiln.model.run;

import java.util.List;
import java.util.OptionalLong;

/**
 * A Provenance says where the evidence of other programs comes from, and what it cannot show. Zero of its times is the
 * earliest record of any source, because nobody noted the launch.
 *
 * @param sources what it was taken from, in words
 * @param quantised latencies are quantiles of each second, at a histogram's bucket bounds; nothing finer was kept
 * @param errorsFromFirstAnswer failures before the target was up were not counted
 * @param waitRecorded whether the source records how long threads waited for a CPU
 * @param alignmentNanos how far the clocks of the load and of the threads may lie apart; empty with one clock, or none
 *     to align
 * @param unseen parts of the run in which no thread was sampled
 */
public record Provenance(
        List<String> sources,
        SourceBins bins,
        boolean quantised,
        boolean errorsFromFirstAnswer,
        boolean waitRecorded,
        OptionalLong alignmentNanos,
        List<SeenSpan> unseen) {
    public Provenance {
        sources = List.copyOf(sources);
        unseen = List.copyOf(unseen);
    }

    /** SourceBins are the slices in which a source counts requests, where they begin or where they complete. */
    public record SourceBins(long nanos, boolean byStart, SourceKind kind) {}

    /** A SourceKind says what one slice of the load series is. */
    public enum SourceKind {
        /** A slice is a fixed length of time. */
        TIME,
        /** A slice is one iteration of a benchmark, however long it took. */
        ITERATION,
        /** A slice is a whole test: the source keeps nothing but totals. */
        TOTAL
    }

    /** A SeenSpan is an interval between two times in ns since zero. */
    public record SeenSpan(long fromNanos, long toNanos) {}

    /** Tells whether each row of the load is a bin by itself, because it is no slice of a second. */
    public boolean rowIsBin() {
        return bins.kind() != SourceKind.TIME || bins.nanos() > 1_000_000_000L;
    }

    /** Tells whether the source kept totals alone, so that there is no curve. */
    public boolean totals() {
        return bins.kind() == SourceKind.TOTAL;
    }

    /** Returns how much of the time between two moments has samples of threads, in ns. */
    public long seenNanos(long fromNanos, long toNanos) {
        long seen = toNanos - fromNanos;
        for (SeenSpan span : unseen) {
            seen -= Math.max(0, Math.min(toNanos, span.toNanos()) - Math.max(fromNanos, span.fromNanos()));
        }
        return Math.max(0, seen);
    }
}
