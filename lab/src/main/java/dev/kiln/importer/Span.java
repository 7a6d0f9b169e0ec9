package dev.kiln.importer;

/** A stretch of time, in ns since the epoch or since a source's own beginning. */
record Span(long fromNanos, long toNanos) {
    Span join(Span o) {
        return new Span(Math.min(fromNanos, o.fromNanos), Math.max(toNanos, o.toNanos));
    }

    Span shifted(long nanos) {
        return new Span(fromNanos + nanos, toNanos + nanos);
    }

    long overlap(Span o) {
        return Math.max(0, Math.min(toNanos, o.toNanos) - Math.max(fromNanos, o.fromNanos));
    }

    long length() {
        return toNanos - fromNanos;
    }
}
