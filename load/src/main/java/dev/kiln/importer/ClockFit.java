package dev.kiln.importer;

import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.model.KilnException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A ClockFit is what is to be added to a log's own times so that they are those of the load. Time zones differ by quarters of
 * an hour, so a log of local time that fits the load in one of them only has told its zone.
 *
 * @param uncertaintyNanos how far the two may still lie apart
 * @param words how it was found; empty where there was nothing to find
 */
record ClockFit(long shiftNanos, long uncertaintyNanos, Optional<String> words) {
    private static final long SECOND = 1_000_000_000L;
    private static final long QUARTER_HOUR = 900 * SECOND;
    private static final long DAY = 96 * QUARTER_HOUR;

    /** The clocks of the world go from UTC-12 to UTC+14. */
    private static final int WEST = -48;

    private static final int EAST = 56;

    /** A second zone that covers nearly as much of the load leaves open which it was. */
    private static final double AS_GOOD = 0.9;

    private record ZoneShift(long shift, long overlap) {}

    /** @param load the load's span in ns since 1970; empty if there is no load or it has no date */
    static ClockFit of(SystemLog log, Optional<Span> load, Optional<ZoneId> zone) {
        return of(log, load, "the load", zone);
    }

    /** Aligns with what has a date, which the anchor names in words. */
    static ClockFit of(SystemLog log, Optional<Span> load, String anchor, Optional<ZoneId> zone) {
        return switch (log.clock()) {
            case EPOCH -> new ClockFit(0, SystemLog.RESOLUTION_NANOS, Optional.empty());
            case LOCAL -> zone.map(z -> inZone(log, z)).orElseGet(() -> inferred(log, load, anchor));
            case TIME_OF_DAY ->
                load.map(dated ->
                                zone.map(z -> onDay(log, dated, anchor, z)).orElseGet(() -> anyDay(log, dated, anchor)))
                        .orElseGet(() -> new ClockFit(
                                0,
                                SystemLog.RESOLUTION_NANOS,
                                Optional.of("the date of " + log.what()
                                        + " is not known: it is missing, or can be read in two ways")));
        };
    }

    private static ClockFit inZone(SystemLog log, ZoneId zone) {
        LocalDateTime local = LocalDateTime.ofEpochSecond(log.span().fromNanos() / SECOND, 0, ZoneOffset.UTC);
        long shift = -zone.getRules().getOffset(local).getTotalSeconds() * SECOND;
        return new ClockFit(
                shift,
                SystemLog.RESOLUTION_NANOS,
                Optional.of("the time zone of " + log.what() + " is " + zone + ", as given"));
    }

    /** Returns the fit of the day on which the log overlaps the load most. */
    private static ClockFit onDay(SystemLog log, Span load, String anchor, ZoneId zone) {
        long offset = zone.getRules()
                        .getOffset(Instant.ofEpochSecond(load.fromNanos() / SECOND))
                        .getTotalSeconds()
                * SECOND;
        long day = Math.floorDiv(load.fromNanos(), DAY) * DAY;
        List<ZoneShift> days = new ArrayList<>();
        for (int i = -2; i <= 1; i++) {
            days.add(candidate(log, load, day + i * DAY - offset));
        }
        ZoneShift best = best(days).filter(c -> c.overlap() > 0).orElseThrow(() -> apart(log, anchor));
        return new ClockFit(
                best.shift(),
                SystemLog.RESOLUTION_NANOS,
                Optional.of("the time zone of " + log.what() + " is " + zone + ", as given, and its date that of "
                        + anchor));
    }

    private static ClockFit anyDay(SystemLog log, Span load, String anchor) {
        long near = Math.floorDiv(load.fromNanos() - log.span().fromNanos(), QUARTER_HOUR) * QUARTER_HOUR;
        ClockFit fit = fit(log, load, anchor, near - DAY, near + DAY);
        return new ClockFit(
                fit.shiftNanos(),
                fit.uncertaintyNanos(),
                Optional.of("the time zone of " + log.what() + " is " + utc(-fit.shiftNanos())
                        + " and its date that of " + anchor + ": found by aligning the two"));
    }

    /** @param offsetNanos local time minus UTC, give or take whole days */
    private static String utc(long offsetNanos) {
        long minutes = Math.floorMod(Math.floorDiv(offsetNanos, 60 * SECOND), 1440L);
        // Clocks more than 14 hours ahead are behind.
        long signed = minutes > EAST * 15L ? minutes - 1440 : minutes;
        return String.format(
                Locale.ROOT, "UTC%s%02d:%02d", signed < 0 ? "-" : "+", Math.abs(signed) / 60, Math.abs(signed) % 60);
    }

    private static ClockFit inferred(SystemLog log, Optional<Span> load, String anchor) {
        if (load.isEmpty()) {
            return new ClockFit(
                    0,
                    SystemLog.RESOLUTION_NANOS,
                    Optional.of("the time zone of " + log.what() + " is not known; its times are shown as UTC"));
        }
        ClockFit fit = fit(log, load.get(), anchor, -EAST * QUARTER_HOUR, -WEST * QUARTER_HOUR);
        return new ClockFit(
                fit.shiftNanos(),
                fit.uncertaintyNanos(),
                Optional.of("the time zone of " + log.what() + " is " + utc(-fit.shiftNanos())
                        + ": found by aligning it with " + anchor));
    }

    private static ClockFit fit(SystemLog log, Span load, String anchor, long least, long most) {
        List<ZoneShift> all = new ArrayList<>();
        for (long shift = least; shift <= most; shift += QUARTER_HOUR) {
            all.add(candidate(log, load, shift));
        }
        ZoneShift best = best(all).filter(c -> c.overlap() > 0).orElseThrow(() -> apart(log, anchor));
        boolean open = all.stream()
                .anyMatch(other -> other.shift() != best.shift() && other.overlap() >= AS_GOOD * best.overlap());
        if (open) {
            throw KilnException.usage(
                    "the time zone of " + log.what() + " is ambiguous: its times fit " + anchor + " in several",
                    "give it: --zone America/New_York, or --zone UTC");
        }
        return new ClockFit(best.shift(), SystemLog.RESOLUTION_NANOS, Optional.empty());
    }

    private static Optional<ZoneShift> best(List<ZoneShift> all) {
        return all.stream().max(Comparator.comparingLong(ZoneShift::overlap));
    }

    private static ZoneShift candidate(SystemLog log, Span load, long shift) {
        return new ZoneShift(shift, log.span().shifted(shift).overlap(load));
    }

    private static KilnException apart(SystemLog log, String anchor) {
        return KilnException.usage(
                "the times of " + log.what() + " do not overlap those of " + anchor + " in any time zone",
                "import files of one run, or give the time zone: --zone UTC");
    }
}
