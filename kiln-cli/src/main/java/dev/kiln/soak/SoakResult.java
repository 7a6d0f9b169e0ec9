package dev.kiln.soak;

import dev.kiln.soak.SoakPlan.SoakSegment;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakLoad;
import dev.kiln.stats.LongTrend;
import dev.kiln.stats.series.SeriesAnalysis;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A SoakResult is what a soak says.
 *
 * @param load of all parts
 * @param worstErrorShare of any window
 * @param notes what a reader must know to read the figures
 */
public record SoakResult(
        String name,
        SoakPlan plan,
        List<SoakPart> parts,
        SoakLoad load,
        double worstErrorShare,
        SoakAnswer answer,
        List<String> notes) {
    public SoakResult {
        parts = List.copyOf(parts);
        notes = List.copyOf(notes);
    }

    /**
     * A SoakAnswer is whether the service held.
     *
     * @param problems what went wrong, in words; none of it a soak that held
     * @param complete whether all of its duration was recorded
     * @param held no problem, and no interval leaves room for one; false with no problem: Kiln cannot tell
     */
    public record SoakAnswer(List<String> problems, boolean complete, boolean held, String conclusion) {
        public SoakAnswer {
            problems = List.copyOf(problems);
        }
    }

    /** Returns the share of the error budget that was spent; beyond 1 it is exceeded. */
    public double budgetSpent() {
        return plan.errorBudget() > 0
                ? load.errorShare() / plan.errorBudget()
                : load.errors() > 0 ? Double.POSITIVE_INFINITY : 0;
    }

    /**
     * A SoakPart is what one segment says.
     *
     * @param analysis of its throughput in windows
     * @param settledSeconds from the first request, left out of the trends
     */
    public record SoakPart(
            SoakSegment segment, SeriesAnalysis analysis, double settledSeconds, List<SoakTrend> trends) {
        public SoakPart {
            trends = List.copyOf(trends);
        }
    }

    /**
     * A SoakTrend is where one quantity went in one segment, once the segment had settled.
     *
     * @param perHour factor from the trend's slopes, which are per window, to units an hour
     * @param trend empty where there is not enough of it
     * @param none why, where there is none
     * @param counts share of the level by which it may move over the time watched and still be said to have held
     * @param limit that it must not reach, in its unit; empty where none is known
     * @param withinHeap its rise is no more than that of what collections left in the heap, which may be garbage
     */
    public record SoakTrend(
            SoakMetric metric,
            double perHour,
            Optional<LongTrend> trend,
            Optional<NoTrend> none,
            double counts,
            OptionalDouble limit,
            boolean withinHeap) {
        /**
         * A NoTrend is why there is no trend.
         *
         * @param recorded whether there is something of it, and too little
         * @param words for people
         */
        public record NoTrend(boolean recorded, String words) {
            static final NoTrend NOT_RECORDED = new NoTrend(false, "not recorded");

            static NoTrend tooLittle(String words) {
                return new NoTrend(true, words);
            }
        }

        /** Returns in words why there is no trend; blank where there is one. */
        public String whyNone() {
            return none.map(NoTrend::words).orElse("");
        }

        /** Tells whether all that collections left in the heap may be garbage, so that a rise need not be a leak. */
        boolean mayBeGarbage() {
            return withinHeap || (metric == SoakMetric.HEAP && undecided());
        }

        /** Tells whether the quantity was recorded, but too little of it for a trend. */
        boolean undecided() {
            return none.filter(NoTrend::recorded).isPresent();
        }

        /** Tells whether the interval says that the quantity goes where it must not, however slowly. */
        public boolean wrongWay() {
            return trend.filter(t -> metric.badWhenRising() ? t.rises() : t.falls())
                    .isPresent();
        }

        /** Tells whether the quantity goes where it must not, and went far enough to count. */
        public boolean bad() {
            return wrongWay()
                    && !withinHeap
                    && trend.filter(t -> Math.abs(t.growth(t.slope())) > counts).isPresent();
        }

        /** Returns the most that it may go where it must not, in units an hour, by its interval; at least 0. */
        public OptionalDouble bound() {
            return trend.stream().mapToDouble(t -> worst(t) * perHour).findFirst();
        }

        private double worst(LongTrend t) {
            return Math.max(0, metric.badWhenRising() ? t.hi() : -t.lo());
        }

        /** Tells whether even the worst rate of its interval would not count over the time: only then it held. */
        public boolean held() {
            return !withinHeap
                    && trend.filter(t -> t.growth(worst(t)) <= counts).isPresent();
        }

        /** Returns the hours from the end to the limit, at the worst rate of its interval; empty without either. */
        public OptionalDouble hoursToLimit() {
            if (limit.isEmpty() || trend.isEmpty() || worst(trend.get()) == 0) {
                return OptionalDouble.empty();
            }
            LongTrend t = trend.get();
            double end = t.level() + t.slope() * t.bins() / 2;
            return OptionalDouble.of(Math.max(0, limit.getAsDouble() - end) / (worst(t) * perHour));
        }

        /** Returns where it went: {@code resident memory rises by 50.1 MiB an hour (49.2 to 51.0)}. */
        String words() {
            return trend.filter(t -> t.rises() || t.falls()).isPresent() ? rate() + untilLimit() : atMost();
        }

        /** Returns where it went, also as a share of its level over the time watched; only with a trend. */
        String words(double watchedSeconds) {
            LongTrend known = trend.orElseThrow();
            return String.format(
                            Locale.ROOT,
                            "%s, %.0f %% in %s",
                            rate(),
                            100 * Math.abs(known.growth(known.slope())),
                            time(watchedSeconds))
                    + untilLimit();
        }

        private String rate() {
            LongTrend known = trend.orElseThrow();
            double one = Math.abs(known.lo() * perHour);
            double other = Math.abs(known.hi() * perHour);
            return metric.label() + (known.rises() ? " rises by " : " falls by ")
                    + figure(Math.abs(known.slope() * perHour))
                    + " " + metric.unit() + " an hour (" + figure(Math.min(one, other)) + " to "
                    + figure(Math.max(one, other)) + ")";
        }

        /** Returns {@code any rise of resident memory is below 1.2 MiB an hour}. */
        private String atMost() {
            return "any " + (metric.badWhenRising() ? "rise" : "fall") + " of "
                    + metric.label() + " is below " + figure(bound().orElse(0)) + " "
                    + metric.unit() + " an hour" + untilLimit();
        }

        private String untilLimit() {
            return hoursToLimit().isEmpty()
                    ? ""
                    : " (its limit of " + figure(limit.getAsDouble()) + " "
                            + metric.unit() + " is then at least "
                            + span(hoursToLimit().getAsDouble()) + " away)";
        }

        private static String span(double hours) {
            return hours < 48
                    ? String.format(Locale.ROOT, "%.1f h", hours)
                    : hours < 24 * 1000 ? String.format(Locale.ROOT, "%.0f days", hours / 24) : "1,000 days";
        }

        /** Formats a number with three digits, or all before the point: such a form as 4.2e+03 is for programs. */
        private static String figure(double value) {
            return String.format(Locale.ROOT, Math.abs(value) < 1000 ? "%.3g" : "%,.0f", value);
        }

        static String time(double seconds) {
            return seconds < 600
                    ? String.format(Locale.ROOT, "%.0f s", seconds)
                    : seconds < 7200
                            ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
                            : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
        }
    }

    /** A SoakMetric is a quantity that is watched over a soak, with the direction in which it must not go. */
    public enum SoakMetric {
        THROUGHPUT("throughput", "req/s", false),
        P99("p99 response time", "ms", true),
        RSS("resident memory", "MiB", true),
        HEAP("heap after collections", "MiB", true);

        private final String label;
        private final String unit;
        private final boolean badWhenRising;

        SoakMetric(String label, String unit, boolean badWhenRising) {
            this.label = label;
            this.unit = unit;
            this.badWhenRising = badWhenRising;
        }

        public String label() {
            return label;
        }

        public String unit() {
            return unit;
        }

        public boolean badWhenRising() {
            return badWhenRising;
        }
    }
}
