package dev.kiln.report.json;

import dev.kiln.explain.study.History;
import dev.kiln.explain.study.History.PastRun;
import dev.kiln.explain.study.History.PastSeries;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.Use;
import dev.kiln.report.JsonOut;
import dev.kiln.stats.LevelShifts;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Show;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;

/** Series over many experiments for programs: CSV, JSON, and JSON for Horreum. */
public final class HistoryTables {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    public static final int SCHEMA_VERSION = 2;

    /** The last part rises when a key changes its meaning or goes. */
    public static final String HORREUM_SCHEMA = "urn:kiln:run:2";

    private static final int DECIMALS = 6;

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
                text.append(CsvTable.line(List.of(
                        time(run),
                        run.experiment(),
                        run.folder(),
                        run.variant(),
                        Integer.toString(run.run()),
                        series.metric().id(),
                        series.metric().unit(),
                        figure(series.value(i)),
                        Integer.toString(level(series, i)))));
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
        return Show.trimmed(value, DECIMALS);
    }

    public static String json(History history) {
        return JsonOut.render(out -> new HistoryTables(out).history(history));
    }

    private void history(History history) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.objects("series", history.series(), this::series);
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

    /** For Horreum: a flat object a valid run, each with the URN of its schema. What a run does not have is left out. */
    public static String horreum(History history) {
        StringWriter text = new StringWriter();
        JsonOut.write(
                text,
                out -> out.objects(
                        history.runs().stream().filter(PastRun::valid).toList(), new HistoryTables(out)::horreum));
        return text.toString();
    }

    private void horreum(PastRun run) {
        out.text("$schema", HORREUM_SCHEMA);
        out.text("test", run.experiment());
        out.text("startedAt", time(run));
        out.text(
                "stoppedAt",
                Instant.ofEpochMilli(run.epochMillis() + Math.round(1e3 * run.seconds()))
                        .toString());
        out.text("folder", run.folder());
        out.text("variant", run.variant());
        out.integer("run", run.run());
        out.flag("valid", run.valid());
        out.text("host", run.host());
        out.text("protocol", run.protocol());
        // Other letters would have to be quoted in the JSON path of a label of Horreum.
        run.labels().forEach((key, value) -> out.text("label_" + key.replaceAll("\\W", "_"), value));
        for (Metric metric : Metric.all(Use.FOLLOWED)) {
            run.figure(metric).ifPresent(value -> out.number(metric.id(), value, DECIMALS));
        }
    }
}
