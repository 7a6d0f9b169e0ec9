package dev.kiln.model.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of a run that a figure of a claim is of. */
public sealed interface Stretch {
    /** A part that every run of a protocol with two loads has. */
    enum Named implements Stretch {
        /** From the launch to the first load. */
        START_UP("start-up"),
        /** The first load, and its halves. */
        WARMUP("warmup"),
        FIRST_HALF("first-half"),
        SECOND_HALF("second-half"),
        /** The second load: of a search for the peak its first round, when C2 had the first pause to catch up. */
        AFTER_PAUSE("after-pause"),
        /** The last load, where there are several: of a search for the peak its last round. */
        MEASURE("measure");

        private final String text;

        Named(String text) {
            this.text = text;
        }

        /** As it stands in an experiment file. */
        public String text() {
            return text;
        }
    }

    /** Seconds since the first load began, all of one load. */
    record Seconds(double from, double to) implements Stretch {
        private static final Pattern TEXT = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)-(\\d{1,6}(?:\\.\\d{1,3})?)s");
    }

    /** Names of parts. */
    static List<String> names() {
        return Arrays.stream(Named.values()).map(Named::text).toList();
    }

    /** Empty for what names no part, or no time. */
    static Optional<Stretch> of(String text) {
        Optional<Stretch> named = Arrays.stream(Named.values())
                .filter(known -> known.text.equals(text))
                .map(known -> (Stretch) known)
                .findFirst();
        Matcher seconds = Seconds.TEXT.matcher(text);
        if (named.isPresent() || !seconds.matches()) {
            return named;
        }
        double from = Double.parseDouble(seconds.group(1));
        double to = Double.parseDouble(seconds.group(2));
        return from < to ? Optional.of(new Seconds(from, to)) : Optional.empty();
    }
}
