package dev.kiln.history;

import dev.kiln.explain.study.PastRun;
import dev.kiln.history.History.PastSeries;
import dev.kiln.history.History.PastSession;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.report.JsonOut;
import dev.kiln.stats.LevelShifts;
import dev.kiln.text.CsvLine;
import dev.kiln.text.Show;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;

/** HistoryTables writes series over many experiments for programs: CSV, JSON, and JSON for Horreum. */
public record HistoryTables(JsonOut out) {
    /** The version rises when a key changes its meaning or goes; new keys do not raise it. */
    public static final int SCHEMA_VERSION = 4;

    /** The last part of the URN rises when a key changes its meaning or goes. */
    public static final String HORREUM_SCHEMA = "urn:kiln:run:3";

    private static final int DECIMALS = 6;

    /** Returns a row for each run and metric; {@code level} is the session's, from 1, and rises with each change. */
    public static String csv(History history) {
        StringBuilder text = new StringBuilder("time,experiment,folder,variant,run,metric,unit,value,level\n");
        for (PastSeries series : history.series()) {
            for (int i = 0; i < series.sessions().size(); i++) {
                for (PastRun run : series.sessions().get(i).runs()) {
                    text.append(CsvLine.of(List.of(
                            time(run),
                            run.name().experiment(),
                            run.name().folder(),
                            run.name().variant(),
                            Integer.toString(run.name().run()),
                            series.metric().id(),
                            series.metric().unit(),
                            figure(run.figure(series.metric()).orElseThrow()),
                            Integer.toString(level(series, i)))));
                }
            }
        }
        return text.toString();
    }

    private static int level(PastSeries series, int session) {
        return 1
                + (int) series.changes().stream()
                        .filter(shift -> shift.index() <= session)
                        .count();
    }

    static String time(PastRun run) {
        return Instant.ofEpochMilli(run.epochMillis()).toString();
    }

    /** Returns a number with all digits that count, without an exponent. */
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
            out.integer("mostAfter", LevelShifts.MOST_AFTER);
            out.number("confidence", LevelShifts.CONFIDENCE, DECIMALS);
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
        out.objects("points", series.sessions(), session -> point(series, session));
        out.flag("enoughData", series.sessions().size() >= LevelShifts.MIN_POINTS);
        out.integer("open", series.open());
        out.number("noise", series.shifts().map(LevelShifts::noise).orElse(Double.NaN), DECIMALS);
        out.number("correlation", series.shifts().map(LevelShifts::correlation).orElse(Double.NaN), DECIMALS);
        out.objects(
                "changes",
                series.told().stream().filter(LevelShifts.Told::holds).toList(),
                told -> change(series, told));
    }

    private void point(PastSeries series, PastSession session) {
        out.text("time", time(session.first()));
        out.text("folder", session.folder());
        out.number("value", session.value(), DECIMALS);
        out.flag("atLeast", session.atLeast());
        out.objects("runs", session.runs(), run -> {
            out.integer("run", run.name().run());
            out.number("value", run.figure(series.metric()).orElseThrow(), DECIMALS);
        });
    }

    private void change(PastSeries series, LevelShifts.Told told) {
        LevelShifts.Shift shift = told.shift();
        PastSession session = series.session(shift);
        out.integer("index", shift.index());
        out.text("time", time(session.first()));
        out.text("folder", session.folder());
        out.text("toldSince", time(series.sessions().get(told.since()).first()));
        out.number("before", shift.before(), DECIMALS);
        out.number("after", shift.after(), DECIMALS);
        out.number("lo", shift.lo(), DECIMALS);
        out.number("hi", shift.hi(), DECIMALS);
        out.number("confidence", LevelShifts.CONFIDENCE, DECIMALS);
        out.flag("better", series.better(shift));
    }

    /** Returns JSON for Horreum: a flat object for each valid run, with its schema's URN and what values there are. */
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
        out.text("test", run.name().experiment());
        out.text("startedAt", time(run));
        out.text(
                "stoppedAt",
                Instant.ofEpochMilli(run.epochMillis() + Math.round(1e3 * run.seconds()))
                        .toString());
        out.text("folder", run.name().folder());
        out.text("variant", run.name().variant());
        out.integer("run", run.name().run());
        out.flag("valid", run.valid());
        out.text("host", run.setting().host());
        out.text("protocol", run.setting().protocol());
        // Other letters would have to be quoted in the JSON path of a label of Horreum.
        run.labels().forEach((key, value) -> out.text("label_" + key.replaceAll("\\W", "_"), value));
        for (Metric metric : Metric.all(MetricUse.FOLLOWED)) {
            run.figure(metric).ifPresent(value -> out.number(metric.id(), value, DECIMALS));
        }
    }
}
