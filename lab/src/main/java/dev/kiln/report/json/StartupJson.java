package dev.kiln.report.json;

import dev.kiln.explain.study.StartupResult;
import dev.kiln.explain.study.StartupResult.StartMetric;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.report.Facts;
import dev.kiln.report.JsonOut;
import dev.kiln.stats.Summary;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A start-up comparison for scripts. */
public final class StartupJson {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    public static final int SCHEMA_VERSION = 2;

    private static final int DECIMALS = 6;

    private final JsonOut out;

    private StartupJson(JsonOut out) {
        this.out = out;
    }

    public static String render(StartupResult result) {
        return JsonOut.render(out -> new StartupJson(out).result(result));
    }

    private void result(StartupResult result) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.texts("names", List.of(result.table().a(), result.table().b()));
        out.text("unit", result.table().unit());
        out.integer("discarded", result.discarded());
        out.objects("runs", result.table().rows(), this::row);
        out.object("main", () -> metric(result.main()));
        out.number("confidence", result.confidence(), DECIMALS);
        out.text("outcome", result.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        out.text("verdict", result.verdict());
        out.number("detectableChange", result.detectable(), DECIMALS);
        out.number("effect", result.effect(), DECIMALS);
        out.integer("pairsNeeded", result.pairsNeeded());
        out.objects("others", result.others(), this::metric);
        out.texts("notes", result.notes());
        out.object("how", result.how(), this::how);
    }

    private void row(StartTable.Row row) {
        out.integer("run", row.run());
        out.number("a", row.a(), DECIMALS);
        out.number("b", row.b(), DECIMALS);
    }

    private void metric(StartMetric metric) {
        out.text("name", metric.name());
        out.text("unit", metric.unit());
        side("a", metric.a());
        side("b", metric.b());
        out.object("ratio", metric.ratio(), ratio -> {
            out.number("value", ratio.ratio(), DECIMALS);
            out.number("lo", ratio.lo(), DECIMALS);
            out.number("hi", ratio.hi(), DECIMALS);
            out.number("p", ratio.p(), DECIMALS);
            out.number("exactP", ratio.permutation().p(), DECIMALS);
        });
    }

    private void side(String name, Optional<Summary> summary) {
        out.object(name, summary, s -> {
            out.integer("runs", s.runs());
            out.number("geomean", s.geomean(), DECIMALS);
            out.number("stdev", s.populationSd(), DECIMALS);
        });
    }

    private void how(StartupEvidence how) {
        out.text("kilnVersion", how.kilnVersion());
        out.text("startedAt", Instant.ofEpochMilli(how.startedEpochMillis()).toString());
        out.text("until", how.until());
        out.objects("commands", how.sides(), side -> {
            out.text("name", side.name());
            out.texts("command", side.command().stream().map(Facts::argument).toList());
        });
        out.integer("pairs", how.pairs());
        out.integer("seed", how.seed());
        out.text("pageCache", how.cold() ? "dropped" : "warm");
        out.number("launchMillis", how.launchNanos() / 1e6, DECIMALS);
        out.text("cpus", Facts.cpusOf(how.cpus()));
        out.text("cpuModel", how.host().cpuModel());
        out.text("kernel", how.host().kernel());
        out.text("failure", how.failure());
    }
}
