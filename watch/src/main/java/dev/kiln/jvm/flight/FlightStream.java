package dev.kiln.jvm.flight;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;

/** A FlightStream streams a file's events, each valid until the next, and notices a file that makes no sense. */
final class FlightStream {
    private final EventStream stream;
    private long flushes;
    private boolean flushedLast;
    private Optional<String> misread = Optional.empty();

    private FlightStream(EventStream stream) {
        this.stream = stream;
    }

    /** Reads a file's closed chunks by what wire registers; returns why it stopped early, or empty. */
    static Optional<String> read(Path file, int chunks, Consumer<FlightStream> wire) {
        try (EventStream events = EventStream.openFile(file)) {
            FlightStream stream = new FlightStream(events);
            events.setOrdered(false);
            events.setReuse(true);
            events.onFlush(stream::flushed);
            events.onError(e -> stream.misread = Optional.of(reason(e)));
            wire.accept(stream);
            events.start();
            return stream.ending(chunks);
        } catch (IOException | RuntimeException | VirtualMachineError e) {
            // A damaged length can ask for any amount of memory. A damaged type name is an InternalError.
            return Optional.of(reason(e));
        }
    }

    private static String reason(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    void on(String event, Consumer<RecordedEvent> action) {
        stream.onEvent(event, found -> {
            flushedLast = false;
            action.accept(found);
        });
    }

    /** Each chunk ends in at least one flush. */
    void onFlush(Runnable action) {
        stream.onFlush(action);
    }

    private void flushed() {
        flushes++;
        flushedLast = true;
    }

    private Optional<String> ending(int chunks) {
        if (misread.isPresent()) {
            return misread;
        }
        return flushedLast && flushes >= chunks ? Optional.empty() : Optional.of("its content makes no sense");
    }

    /** EventFields are those that not every JDK records. An absent field counts as zero, false or empty. */
    static final class EventFields {
        /** No more events of one kind are kept than these: an hour with 50 a second. */
        static final int MOST_EVENTS = 200_000;

        private EventFields() {}

        static long number(RecordedEvent event, String field) {
            return event.hasField(field) ? event.getLong(field) : 0;
        }

        static boolean flag(RecordedEvent event, String field) {
            return event.hasField(field) && event.getBoolean(field);
        }

        static String text(RecordedEvent event, String field) {
            return event.hasField(field)
                    ? Optional.ofNullable(event.getString(field)).orElse("")
                    : "";
        }

        static long nanos(RecordedEvent event, String field) {
            return event.hasField(field) ? event.getDuration(field).toNanos() : 0;
        }
    }

    /** A FlightClock converts a recording's wall clock to times since a zero. */
    static final class FlightClock {
        private static final long SECOND = 1_000_000_000;

        /** Clocks are read at different moments and may be set: events slightly before zero count as zero. */
        private static final long TOLERANCE = SECOND;

        private final long zero;
        private long early;

        FlightClock(Instant zero) {
            this.zero = nanos(zero);
        }

        /** Returns the time since 1970 in ns, up to the year 2262. */
        static long nanos(Instant time) {
            return time.getEpochSecond() * SECOND + time.getNano();
        }

        /** Returns false for an event before zero, and counts it. */
        boolean holds(long epochNanos) {
            boolean holds = epochNanos >= zero - TOLERANCE;
            early += holds ? 0 : 1;
            return holds;
        }

        long since(long epochNanos) {
            return Math.max(0, epochNanos - zero);
        }

        long second(long epochNanos) {
            return since(epochNanos) / SECOND;
        }

        /** Returns the time since 1970 in ns at the beginning of a second. */
        long epochNanos(long second) {
            return zero + second * SECOND;
        }

        /** The time of a second's row is the beginning of the second. */
        static long row(long second) {
            return second * SECOND;
        }

        long early() {
            return early;
        }
    }
}
