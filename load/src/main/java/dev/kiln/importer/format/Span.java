package dev.kiln.importer.format;

/** A Span is a length of time with its ends, in ns since the epoch or since a source's own beginning. */
public record Span(long fromNanos, long toNanos) {
    public Span join(Span o) {
        return new Span(Math.min(fromNanos, o.fromNanos), Math.max(toNanos, o.toNanos));
    }

    public Span shifted(long nanos) {
        return new Span(fromNanos + nanos, toNanos + nanos);
    }

    public long overlap(Span o) {
        return Math.max(0, Math.min(toNanos, o.toNanos) - Math.max(fromNanos, o.fromNanos));
    }

    public long length() {
        return toNanos - fromNanos;
    }
}
