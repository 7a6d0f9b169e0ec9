package dev.kiln.report;

import dev.kiln.explain.study.StartupResult;
import dev.kiln.explain.study.StartupResult.StartMetric;
import dev.kiln.model.StartTable;
import dev.kiln.model.StartupEvidence;
import dev.kiln.stats.Summary;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
        try (StringWriter text = new StringWriter()) {
            try (JsonOut out = JsonOut.pretty(text)) {
                out.object(() -> new StartupJson(out).result(result));
            }
            return text.append('\n').toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void result(StartupResult result) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.texts("names", List.of(result.table().a(), result.table().b()));
        out.text("unit", result.table().unit());
        out.integer("discarded", result.discarded());
        out.array("runs", () -> result.table().rows().forEach(this::row));
        out.object("main", () -> metric(result.main()));
        out.number("confidence", result.confidence(), DECIMALS);
        out.text("outcome", result.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        out.text("verdict", result.verdict());
        out.number("detectableChange", result.detectable(), DECIMALS);
        out.number("effect", result.effect(), DECIMALS);
        if (result.pairsNeeded().isPresent()) {
            out.integer("pairsNeeded", result.pairsNeeded().getAsInt());
        } else {
            out.nothing("pairsNeeded");
        }
        out.array("others", () -> result.others().forEach(other -> out.object(() -> metric(other))));
        out.texts("notes", result.notes());
        result.how().ifPresentOrElse(how -> out.object("how", () -> how(how)), () -> out.nothing("how"));
    }

    private void row(StartTable.Row row) {
        out.object(() -> {
            out.integer("run", row.run());
            out.number("a", row.a(), DECIMALS);
            out.number("b", row.b(), DECIMALS);
        });
    }

    private void metric(StartMetric metric) {
        out.text("name", metric.name());
        out.text("unit", metric.unit());
        side("a", metric.a());
        side("b", metric.b());
        metric.ratio()
                .ifPresentOrElse(
                        ratio -> out.object("ratio", () -> {
                            interval(ratio.ratio(), ratio.lo(), ratio.hi());
                            out.number("p", ratio.p(), DECIMALS);
                            out.number("exactP", ratio.permutation().p(), DECIMALS);
                        }),
                        () -> out.nothing("ratio"));
    }

    private void side(String name, Optional<Summary> summary) {
        summary.ifPresentOrElse(
                s -> out.object(name, () -> {
                    out.integer("runs", s.runs());
                    out.number("geomean", s.geomean(), DECIMALS);
                    out.number("stdev", s.populationSd(), DECIMALS);
                }),
                () -> out.nothing(name));
    }

    private void interval(double value, double lo, double hi) {
        out.number("value", value, DECIMALS);
        out.number("lo", lo, DECIMALS);
        out.number("hi", hi, DECIMALS);
    }

    private void how(StartupEvidence how) {
        out.text("kilnVersion", how.kilnVersion());
        out.text("startedAt", Instant.ofEpochMilli(how.startedEpochMillis()).toString());
        out.text("until", how.until());
        out.array(
                "commands",
                () -> how.sides()
                        .forEach(side -> out.object(() -> {
                            out.text("name", side.name());
                            out.texts(
                                    "command",
                                    side.command().stream().map(Facts::argument).toList());
                        })));
        out.integer("pairs", how.pairs());
        if (how.seed().isPresent()) {
            out.integer("seed", how.seed().getAsLong());
        } else {
            out.nothing("seed");
        }
        out.text("pageCache", how.cold() ? "dropped" : "warm");
        out.number("launchMillis", how.launchNanos() / 1e6, DECIMALS);
        out.text("cpus", Facts.cpusOf(how.cpus()));
        out.text("cpuModel", how.host().cpuModel());
        out.text("kernel", how.host().kernel());
        how.failure().ifPresentOrElse(why -> out.text("failure", why), () -> out.nothing("failure"));
    }
}
