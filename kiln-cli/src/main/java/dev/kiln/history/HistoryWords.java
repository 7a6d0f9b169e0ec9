package dev.kiln.history;

import dev.kiln.explain.study.PastRun;
import dev.kiln.history.History.PastSeries;
import dev.kiln.history.History.PastSession;
import dev.kiln.model.Metric;
import dev.kiln.stats.LevelShifts;
import dev.kiln.text.Show;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** HistoryWords has the words that every rendering of a history shares. */
public final class HistoryWords {
    private HistoryWords() {}

    /** Returns the series of each variant under its name, in the order of the history. */
    public static Map<String, List<PastSeries>> byVariant(History history) {
        return history.series().stream()
                .collect(Collectors.groupingBy(
                        series -> series.experiment() + ", " + series.variant(),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    /**
     * Returns a change with its interval, and where it begins.
     *
     * @param logarithmic its interval is of a ratio
     */
    public static String change(PastSeries series, boolean logarithmic, LevelShifts.Shift shift) {
        Metric metric = series.metric();
        String level = Show.plain(100 * LevelShifts.CONFIDENCE) + " % interval ";
        String size = logarithmic
                ? percent(shift.after() / shift.before()) + " %, " + level + percent(shift.lo()) + " to "
                        + percent(shift.hi())
                : level + value(metric, shift.lo()) + " to " + value(metric, shift.hi());
        PastSession session = series.session(shift);
        return metric.id() + ": " + value(metric, shift.before()) + " to " + value(metric, shift.after()) + " "
                + metric.unit() + " (" + size + ", " + (series.better(shift) ? "better" : "worse") + ") from "
                + minute(session.first()) + " UTC on, " + session.folder();
    }

    /** Returns when a run began, in UTC to the minute. */
    public static String minute(PastRun run) {
        return Instant.ofEpochMilli(run.epochMillis())
                .toString()
                .substring(0, 16)
                .replace('T', ' ');
    }

    private static String percent(double ratio) {
        return (ratio > 1 ? "+" : "") + Show.fixed(100 * (ratio - 1), 1);
    }

    public static String value(Metric metric, double value) {
        return switch (metric.unit()) {
            case "s" -> Show.seconds(value);
            case "%" -> Show.fixed(value, 0);
            default -> Show.whole(value);
        };
    }

    /** Returns the notes of a history, among them how Kiln looks for a change. */
    public static List<String> notes(History history) {
        List<String> notes = new ArrayList<>(history.notes());
        if (history.series().stream().anyMatch(series -> series.missing() > 0)) {
            notes.add("Runs without a metric are missing from its series. If one run did not reach t90, Kiln"
                    + " reports no change of t90");
        }
        if (history.series().stream().anyMatch(series -> series.sessions().size() < LevelShifts.MIN_POINTS)) {
            notes.add("Not enough data to look for changes with fewer than " + LevelShifts.MIN_POINTS
                    + " sessions. The runs of one experiment are one session, with one value");
        }
        notes.add("How changes are found: after each session, the means of at least " + LevelShifts.MIN_SEGMENT
                + " sessions before and after it are compared, by t with the variance (at least "
                + Show.plain(100 * LevelShifts.LEAST_NOISE) + " %) and the correlation of sessions. At most 5 of 100"
                + " series of 100 sessions have a false alarm (level " + Show.plain(LevelShifts.ALPHA)
                + "). An interval is of "
                + Show.plain(100 * LevelShifts.CONFIDENCE) + " %");
        return notes;
    }
}
