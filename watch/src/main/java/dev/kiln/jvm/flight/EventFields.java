package dev.kiln.jvm.flight;

import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;

/** Fields of events that not every JDK records. An absent field counts as zero, false or empty. */
final class EventFields {
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
