package dev.kiln.explain;

/** A stretch of a run, ns since launch. */
record Window(long fromNanos, long toNanos) {
    double seconds() {
        return (toNanos - fromNanos) / 1e9;
    }
}
