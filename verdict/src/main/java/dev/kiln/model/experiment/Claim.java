package dev.kiln.model.experiment;

import dev.kiln.model.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Claim is a statement about the variants of an experiment, which its figures confirm or refute.
 *
 * @param published the figures it was published with; may be empty
 * @param checks all must hold for the claim to agree; none where this experiment cannot tell
 * @param notObservable why this experiment cannot tell; present exactly where there are no checks
 */
public record Claim(String text, String published, List<Check> checks, Optional<String> notObservable) {
    public Claim {
        checks = List.copyOf(checks);
    }

    /** A Check compares two terms: {@code left op right}. */
    public record Check(Term left, Op op, Term right) {
        /** Returns the check as it stands in the experiment file. */
        public String text() {
            return left.text() + " " + op.text() + " " + right.text();
        }
    }

    /** An Op is the way in which two terms are compared. */
    public enum Op {
        LESS("<"),
        AT_MOST("<="),
        MORE(">"),
        AT_LEAST(">=");

        private final String text;

        Op(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        public boolean holds(double left, double right) {
            return switch (this) {
                case LESS -> left < right;
                case AT_MOST -> left <= right;
                case MORE -> left > right;
                case AT_LEAST -> left >= right;
            };
        }
    }

    /** A Term is one side of a check. */
    public sealed interface Term {
        String text();
    }

    /** A Number is a constant, in the unit of the figure that it is compared with. */
    public record Number(double value, String text) implements Term {}

    /**
     * A Figure is a metric of a variant, the median over its runs, times a factor.
     *
     * @param factorText as it was written; empty for a factor of 1 that was not
     * @param metric its name as it was written
     * @param part of the run, as it was written; empty for what the metric is usually of
     */
    public record Figure(double factor, String factorText, String metric, String variant, Optional<String> part)
            implements Term {
        private static final Pattern CONSTANT = Pattern.compile("[A-Z0-9_]+");

        public Figure {
            // Earlier versions wrote the constant's name into claims.json.
            metric = CONSTANT.matcher(metric).matches()
                    ? metric.toLowerCase(Locale.ROOT).replace('_', '-')
                    : metric;
        }

        public Optional<Stretch> stretch() {
            return part.map(
                    text -> Stretch.of(text).orElseThrow(() -> new IllegalStateException("no part of a run: " + text)));
        }

        public Metric known() {
            return Metric.known(metric, Metric.MetricUse.CLAIMED)
                    .orElseThrow(() -> new IllegalStateException("no metric of claims: " + metric));
        }

        @Override
        public String text() {
            return (factorText.isEmpty() ? "" : factorText + " * ") + metric + "(" + variant
                    + part.map(text -> ", " + text).orElse("") + ")";
        }
    }

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
            private static final Pattern TEXT =
                    Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)-(\\d{1,6}(?:\\.\\d{1,3})?)s");
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
}
