package dev.kiln.plan.load;

import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Shape;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Problems.BadValue;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A PhaseDraft is a phase before it has its final name. */
record PhaseDraft(
        boolean load,
        Duration duration,
        Optional<Duration> untilSteadyFrom,
        Optional<Shape> shape,
        Optional<Duration> untilKnownFrom,
        Optional<String> name) {
    /** A load takes this long where nothing else is said. */
    static final Duration USUAL_LOAD = Duration.ofSeconds(60);

    private static final Pattern UNTIL_STEADY = Pattern.compile("until-steady(?::([^-]+)-([^-]+))?");

    private static final Pattern UNTIL_KNOWN = Pattern.compile("until-known(?::(?:([^-]+)-)?([^-]+))?");

    /** A load that ends when it is known lasts at least as long as two ends of a series, one after the other. */
    private static final Duration KNOWN_FROM = Duration.ofSeconds(30);

    /** A load that waits for a steady throughput lasts at least this long by default: few services are warm before. */
    private static final Duration STEADY_FROM = Duration.ofMinutes(1);

    private static final Duration STEADY_AT_MOST = Duration.ofMinutes(5);

    PhaseDraft(boolean load, Duration duration, Optional<String> name) {
        this(load, duration, Optional.empty(), Optional.empty(), Optional.empty(), name);
    }

    /** Reads an entry: its kind, such as {@code load}, and the text behind it. */
    static PhaseDraft parse(String kind, String text, Optional<String> name) {
        return switch (kind) {
            case "load" -> load(text, name);
            case "pause" -> new PhaseDraft(false, DurationText.parse(text), name);
            default -> {
                ShapeText.Shaped shaped = ShapeText.parse(kind, text);
                yield new PhaseDraft(
                        true, shaped.duration(), Optional.empty(), Optional.of(shaped.shape()), Optional.empty(), name);
            }
        };
    }

    private static PhaseDraft load(String text, Optional<String> name) {
        Matcher known = UNTIL_KNOWN.matcher(text.strip());
        if (known.matches()) {
            return untilKnown(text, known, name);
        }
        Matcher until = UNTIL_STEADY.matcher(text.strip());
        if (!until.matches()) {
            return new PhaseDraft(true, DurationText.parse(text), name);
        }
        boolean bounded = until.group(1) != null;
        Duration from = bounded ? DurationText.parse(until.group(1)) : STEADY_FROM;
        Duration most = bounded ? DurationText.parse(until.group(2)) : STEADY_AT_MOST;
        if (from.compareTo(most) > 0) {
            throw BadValue.of("'" + text + "'", "the shorter duration first, as in until-steady:60s-180s");
        }
        return new PhaseDraft(true, most, Optional.of(from), Optional.empty(), Optional.empty(), name);
    }

    /** Reads {@code until-known}, with the most that the load takes, or with the least and the most. */
    private static PhaseDraft untilKnown(String text, Matcher known, Optional<String> name) {
        Duration from = known.group(1) == null ? KNOWN_FROM : DurationText.parse(known.group(1));
        Duration most = known.group(2) == null ? USUAL_LOAD : DurationText.parse(known.group(2));
        if (from.compareTo(KNOWN_FROM) < 0 || most.compareTo(KNOWN_FROM) < 0) {
            throw BadValue.of(
                    "'" + text + "'", "at least " + KNOWN_FROM.toSeconds() + " s of load, as in until-known:90s");
        }
        if (from.compareTo(most) > 0) {
            throw BadValue.of("'" + text + "'", "the shorter duration first, as in until-known:30s-90s");
        }
        return new PhaseDraft(true, most, Optional.empty(), Optional.empty(), Optional.of(from), name);
    }

    /** Returns the load with its final name. */
    Phase.Load named(String phase) {
        return new Phase.Load(phase, duration, untilSteadyFrom, shape, untilKnownFrom);
    }
}
