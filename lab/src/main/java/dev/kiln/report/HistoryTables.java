package dev.kiln.report;

import dev.kiln.explain.study.History;
import dev.kiln.explain.study.History.PastRun;
import dev.kiln.explain.study.History.PastSeries;
import dev.kiln.model.Metric;
import dev.kiln.stats.LevelShifts;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/** Series over many experiments for programs: CSV and JSON. */
public final class HistoryTables {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    public static final int SCHEMA_VERSION = 2;

    static final int DECIMALS = 6;

    private final JsonOut out;

    private HistoryTables(JsonOut out) {
        this.out = out;
    }

    /** A row a run and metric; {@code level} counts from 1 and rises with each change. */
    public static String csv(History history) {
        StringBuilder text = new StringBuilder("time,experiment,folder,variant,run,metric,unit,value,level\n");
        for (PastSeries series : history.series()) {
            for (int i = 0; i < series.runs().size(); i++) {
                PastRun run = series.runs().get(i);
                text.append(String.join(
                                ",",
                                time(run),
                                Csv.field(run.experiment()),
                                Csv.field(run.folder()),
                                Csv.field(run.variant()),
                                Integer.toString(run.run()),
                                series.metric().id(),
                                series.metric().unit(),
                                figure(series.value(i)),
                                Integer.toString(level(series, i))))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static int level(PastSeries series, int index) {
        return 1
                + (int) series.shifts().stream()
                        .flatMap(shifts -> shifts.shifts().stream())
                        .filter(shift -> shift.index() <= index)
                        .count();
    }

    static String time(PastRun run) {
        return Instant.ofEpochMilli(run.epochMillis()).toString();
    }

    /** All digits that count, without an exponent. */
    static String figure(double value) {
        String text = Text.machine(value, DECIMALS);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }

    public static String json(History history) {
        try (StringWriter text = new StringWriter()) {
            try (JsonOut out = JsonOut.pretty(text)) {
                out.object(() -> new HistoryTables(out).history(history));
            }
            return text.append('\n').toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void history(History history) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.array("series", () -> history.series().forEach(series -> out.object(() -> series(series))));
        out.object("analysis", () -> {
            out.integer("minPoints", LevelShifts.MIN_POINTS);
            out.integer("minSegment", LevelShifts.MIN_SEGMENT);
            out.number("penalty", LevelShifts.PENALTY, DECIMALS);
            out.number("alpha", LevelShifts.ALPHA, DECIMALS);
            out.number("leastNoise", LevelShifts.LEAST_NOISE, DECIMALS);
        });
        out.texts("notes", history.notes());
    }

    private void series(PastSeries series) {
        out.text("experiment", series.experiment());
        out.text("variant", series.variant());
        out.text("metric", series.metric().id());
        out.text("unit", series.metric().unit());
        out.flag("higherIsBetter", series.metric().better() == Metric.Better.HIGHER);
        out.integer("missing", series.missing());
        out.array("points", () -> {
            for (int i = 0; i < series.runs().size(); i++) {
                double value = series.value(i);
                PastRun run = series.runs().get(i);
                out.object(() -> {
                    out.text("time", time(run));
                    out.text("folder", run.folder());
                    out.integer("run", run.run());
                    out.number("value", value, DECIMALS);
                });
            }
        });
        out.flag("enoughData", series.runs().size() >= LevelShifts.MIN_POINTS);
        out.integer("open", series.open());
        out.array(
                "changes",
                () -> series.shifts().stream()
                        .flatMap(shifts -> shifts.shifts().stream())
                        .forEach(shift -> out.object(() -> change(series, shift))));
    }

    private void change(PastSeries series, LevelShifts.Shift shift) {
        PastRun run = series.runs().get(shift.index());
        out.integer("index", shift.index());
        out.text("time", time(run));
        out.text("folder", run.folder());
        out.integer("run", run.run());
        out.number("before", shift.before(), DECIMALS);
        out.number("after", shift.after(), DECIMALS);
        out.number("lo", shift.lo(), DECIMALS);
        out.number("hi", shift.hi(), DECIMALS);
        out.number("p", shift.p(), DECIMALS);
        out.flag("better", series.better(shift));
    }

    /** Every label that a run has. */
    static List<String> labels(List<PastRun> runs) {
        return runs.stream()
                .flatMap(run -> run.labels().keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }
}
