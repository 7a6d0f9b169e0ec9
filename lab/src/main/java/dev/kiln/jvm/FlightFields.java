package dev.kiln.jvm;

import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;

/** Fields of an event that not every JDK records: absent counts as nothing. */
final class FlightFields {
    private FlightFields() {}

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
