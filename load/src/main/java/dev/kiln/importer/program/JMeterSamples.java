package dev.kiln.importer.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JMeterSamples finds which of JMeter's samples are requests of their own. A row of the CSV may be a part of a row above it:
 * redirects and embedded files are named after their sample ({@code home-0}, {@code home-1}), and a transaction says how many
 * samples it holds. Or it sums up rows above it: JMeter writes a transaction behind its samples unless the plan asks for a
 * parent sample.
 */
final class JMeterSamples {
    private static final Pattern TRANSACTION = Pattern.compile("Number of samples in transaction : (\\d{1,6}),.*");
    private static final Pattern PART = Pattern.compile("-\\d{1,6}(?:-\\d{1,6})*");

    /** Starts and lengths are cut to ms apart from one another. */
    private static final long ROUNDING_NANOS = 2_000_000;

    /** A JMeterSample is one sample; timers' idleNanos may be left out of a transaction's length. */
    record JMeterSample(String thread, String label, String message, long idleNanos, Request request) {
        long start() {
            return request.startNanos();
        }

        long end() {
            return request.endNanos() + idleNanos;
        }
    }

    /** A Last is what a thread of the generator, which does one thing at a time, wrote last. */
    private static final class Last {
        private String label = "";
        private boolean parts;
        private long from = Long.MIN_VALUE;
        private long to = Long.MIN_VALUE;
        private int held;
        private long plainStart = Long.MIN_VALUE;
    }

    private final boolean flat;
    private final Map<String, Last> threads = new HashMap<>();
    private long parts;
    private long sums;

    /** @param flat whether what is within a sample stands behind it as if it were one of its own */
    JMeterSamples(boolean flat) {
        this.flat = flat;
    }

    boolean isRequest(JMeterSample sample) {
        Last last = threads.computeIfAbsent(sample.thread(), name -> new Last());
        Matcher transaction = TRANSACTION.matcher(sample.message());
        int held = transaction.matches() ? Integer.parseInt(transaction.group(1)) : 0;
        if (flat && (isNamedPart(last, sample) || isHeld(last, sample, held))) {
            parts++;
            return false;
        }
        if (transaction.matches() && last.plainStart >= sample.start()) {
            sums++;
            return false;
        }
        last.label = sample.label();
        last.parts = false;
        last.from = sample.start();
        last.to = sample.end();
        last.held = held;
        last.plainStart = transaction.matches() ? last.plainStart : sample.start();
        return true;
    }

    /** Parts count from 0, and lie within their sample. */
    private static boolean isNamedPart(Last last, JMeterSample sample) {
        String label = sample.label();
        if (!label.startsWith(last.label) || sample.start() < last.from || sample.end() > last.to + ROUNDING_NANOS) {
            return false;
        }
        String behind = label.substring(last.label.length());
        boolean part = PART.matcher(behind).matches() && (last.parts || behind.startsWith("-0"));
        last.parts |= part;
        return part;
    }

    /** Tells whether it is one of the samples that a transaction holds; its own samples come along. */
    private static boolean isHeld(Last last, JMeterSample sample, int within) {
        boolean during =
                sample.start() >= last.from && (within > 0 ? sample.start() < last.to : sample.start() <= last.to);
        if (last.held == 0 || !during) {
            return false;
        }
        last.held += within - 1;
        last.label = sample.label();
        last.parts = false;
        return true;
    }

    /** Reports what was not counted. */
    void end(String file, Consumer<String> gaps) {
        List<String> uncounted = new ArrayList<>();
        if (parts > 0) {
            uncounted.add(parts + " samples are parts of others, such as redirects");
        }
        if (sums > 0) {
            uncounted.add(sums + " are transactions whose samples are counted");
        }
        if (!uncounted.isEmpty()) {
            gaps.accept(file + ": " + String.join(", and ", uncounted) + ": they are no requests of their own");
        }
    }
}
