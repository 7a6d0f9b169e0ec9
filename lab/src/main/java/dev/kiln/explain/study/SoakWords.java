package dev.kiln.explain.study;

import dev.kiln.explain.study.SoakResult.SoakPart;
import dev.kiln.explain.study.SoakResult.SoakTrend;
import dev.kiln.stats.LongTrend;
import java.util.Locale;

/** What is said of a soak's trends. */
final class SoakWords {
    private SoakWords() {}

    /** What went wrong. */
    static String words(SoakTrend bad, SoakPart part) {
        LongTrend trend = bad.trend().orElseThrow();
        double watched = part.segment().seconds() - part.settledSeconds();
        return String.format(
                        Locale.ROOT,
                        "%s, %.0f %% in %s",
                        goes(bad),
                        100 * Math.abs(trend.growth(trend.slope())),
                        time(watched))
                + untilLimit(bad);
    }

    /** {@code resident memory rises by 50.1 MiB an hour (49.2 to 51.0)}. */
    static String goes(SoakTrend trend) {
        LongTrend known = trend.trend().orElseThrow();
        double one = Math.abs(known.lo() * trend.perHour());
        double other = Math.abs(known.hi() * trend.perHour());
        return trend.metric().label() + (known.rises() ? " rises by " : " falls by ")
                + figure(Math.abs(known.slope() * trend.perHour()))
                + " " + trend.metric().unit() + " an hour (" + figure(Math.min(one, other)) + " to "
                + figure(Math.max(one, other)) + ")";
    }

    /** {@code any rise of resident memory is below 1.2 MiB an hour}. */
    static String atMost(SoakTrend trend) {
        return "any " + (trend.metric().badWhenRising() ? "rise" : "fall") + " of "
                + trend.metric().label() + " is below " + figure(trend.bound().orElse(0)) + " "
                + trend.metric().unit() + " an hour" + untilLimit(trend);
    }

    static String untilLimit(SoakTrend trend) {
        return trend.hoursToLimit().isEmpty()
                ? ""
                : " (its limit of " + figure(trend.limit().getAsDouble()) + " "
                        + trend.metric().unit() + " is then at least "
                        + span(trend.hoursToLimit().getAsDouble()) + " away)";
    }

    private static String span(double hours) {
        return hours < 48
                ? String.format(Locale.ROOT, "%.1f h", hours)
                : hours < 24 * 1000 ? String.format(Locale.ROOT, "%.0f days", hours / 24) : "1,000 days";
    }

    /** Three digits, or all before the point: such a form as 4.2e+03 is for programs. */
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
