package dev.kiln.report;

import dev.kiln.explain.study.History;
import dev.kiln.explain.study.History.PastRun;
import dev.kiln.explain.study.History.PastSeries;
import dev.kiln.model.Metric;
import dev.kiln.stats.LevelShifts;
import dev.kiln.text.Show;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What every rendering of a history says in the same words. */
public final class HistoryWords {
    private HistoryWords() {}

    /** The series of each variant under its name, in the order of the history. */
    public static Map<String, List<PastSeries>> byVariant(History history) {
        return history.series().stream()
                .collect(Collectors.groupingBy(
                        series -> series.experiment() + ", " + series.variant(),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    /**
     * A change with its interval, and where it begins.
     *
     * @param logarithmic its interval is of a ratio
     */
    public static String change(PastSeries series, boolean logarithmic, LevelShifts.Shift shift) {
        PastRun run = series.runs().get(shift.index());
        Metric metric = series.metric();
        String size = logarithmic
                ? percent(shift.after() / shift.before()) + " % [" + percent(shift.lo()) + ", " + percent(shift.hi())
                        + "]"
                : "by " + value(metric, shift.lo()) + " to " + value(metric, shift.hi());
        return metric.id() + ": " + value(metric, shift.before()) + " to " + value(metric, shift.after()) + " "
                + metric.unit() + " (" + size + ", " + (series.better(shift) ? "better" : "worse") + ") from "
                + minute(run) + " UTC on, " + run.folder() + " run " + run.run();
    }

    /** When a run began. */
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

    /** What a reader must know, and what a change is. */
    public static List<String> notes(History history) {
        List<String> notes = new ArrayList<>(history.notes());
        if (history.series().stream().anyMatch(series -> series.missing() > 0)) {
            notes.add("Runs without a metric are missing from its series. If one run did not reach t90, Kiln"
                    + " reports no change of t90");
        }
        if (history.series().stream().anyMatch(series -> series.runs().size() < LevelShifts.MIN_POINTS)) {
            notes.add("Not enough data to look for changes with fewer than " + LevelShifts.MIN_POINTS + " runs");
        }
        notes.add("A change: exact segmentation of logarithms, penalty " + Show.plain(LevelShifts.PENALTY)
                + " ln(runs) in units of the neighbours' noise (at least "
                + Show.plain(100 * LevelShifts.LEAST_NOISE) + " %), at least " + LevelShifts.MIN_SEGMENT
                + " runs a level, and a " + Show.plain(100 * (1 - LevelShifts.ALPHA))
                + " % interval on runs (Welch's t) that excludes zero");
        return notes;
    }
}
