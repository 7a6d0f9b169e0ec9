package dev.kiln.report;

import dev.kiln.explain.study.History;
import dev.kiln.explain.study.History.PastRun;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.Use;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.OptionalDouble;

/** For Horreum: an array with one flat object a run, each with the URN of its schema. What a run does not have is left out. */
public final class HorreumExport {
    /** The last part rises when a key changes its meaning or goes. */
    public static final String SCHEMA = "urn:kiln:run:2";

    private HorreumExport() {}

    public static String render(History history) {
        try (StringWriter text = new StringWriter()) {
            try (JsonOut out = JsonOut.pretty(text)) {
                out.array(() -> history.runs().forEach(run -> out.object(() -> run(run, out))));
            }
            return text.append('\n').toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(PastRun run, JsonOut out) {
        out.text("$schema", SCHEMA);
        out.text("test", run.experiment());
        out.text("startedAt", HistoryTables.time(run));
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
        run.labels().forEach((key, value) -> out.text("label_" + key, value));
        for (Metric metric : Metric.all(Use.FOLLOWED)) {
            OptionalDouble value = run.figure(metric);
            if (value.isPresent()) {
                out.number(metric.id(), value.getAsDouble(), HistoryTables.DECIMALS);
            }
        }
    }
}
