package dev.kiln.model.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Stretch is the part of a run that a figure of a claim is of. */
public sealed interface Stretch {
    /** A Named part is one that every run of a protocol with two loads has. */
    enum Named implements Stretch {
        /** This part goes from the launch to the first load. */
        START_UP("start-up"),
        /** This part is the first load; the next two are its halves. */
        WARMUP("warmup"),
        FIRST_HALF("first-half"),
        SECOND_HALF("second-half"),
        /** This part is the second load: in a search for the peak the first round, after C2 had a pause to catch up. */
        AFTER_PAUSE("after-pause"),
        /** This part is the last load where there are several: in a search for the peak the last round. */
        MEASURE("measure");

        private final String text;

        Named(String text) {
            this.text = text;
        }

        /** Returns the part's name in an experiment file. */
        public String text() {
            return text;
        }
    }

    /** The part is between two seconds since the first load began, both within one load. */
    record Seconds(double from, double to) implements Stretch {
        private static final Pattern TEXT = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)-(\\d{1,6}(?:\\.\\d{1,3})?)s");
    }

    /** Returns the names of the parts that have one. */
    static List<String> names() {
        return Arrays.stream(Named.values()).map(Named::text).toList();
    }

    /** Reads a part by its name or as seconds, such as {@code 10-20s}; empty for any other text. */
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
