package dev.kiln.startup;

import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.report.Facts;
import dev.kiln.report.JsonOut;
import dev.kiln.startup.StartupResult.StartMetric;
import dev.kiln.startup.StartupResult.Verdict;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Summary;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** StartupJson writes a start-up comparison for scripts. */
public record StartupJson(JsonOut out) {
    /** The version rises when a key changes its meaning or goes; new keys do not raise it. */
    public static final int SCHEMA_VERSION = 2;

    private static final int DECIMALS = 6;

    public static String render(StartupResult result) {
        return JsonOut.render(out -> new StartupJson(out).result(result));
    }

    private void result(StartupResult result) {
        boolean two = result.verdicts().size() == 1;
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.texts("names", result.table().names());
        out.text("unit", result.table().unit());
        out.integer("discarded", result.discarded());
        out.objects("runs", result.table().rows(), this::row);
        out.object("main", () -> metric(result.main(), result.table().names()));
        out.number("confidence", result.confidence(), DECIMALS);
        if (two) {
            outcome(result.verdicts().getFirst());
        }
        out.number("effect", result.effect(), DECIMALS);
        if (two) {
            out.integer("pairsNeeded", result.verdicts().getFirst().pairsNeeded());
        } else {
            comparisons(result);
        }
        out.objects(
                "others",
                result.others(),
                metric -> metric(metric, result.table().names()));
        out.texts("notes", result.notes());
        out.object("how", result.how(), this::how);
    }

    private void outcome(Verdict verdict) {
        out.text("outcome", verdict.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        out.text("verdict", verdict.words());
        out.number("detectableChange", verdict.detectable(), DECIMALS);
    }

    /** Writes the verdict of each command but the first, if there are more than two. */
    private void comparisons(StartupResult result) {
        List<Integer> others =
                IntStream.rangeClosed(1, result.verdicts().size()).boxed().toList();
        out.objects("comparisons", others, side -> {
            Verdict verdict = result.verdicts().get(side - 1);
            out.text("name", result.table().names().get(side));
            outcome(verdict);
            out.integer("pairsNeeded", verdict.pairsNeeded());
        });
    }

    private void row(StartTable.StartRow row) {
        out.integer("run", row.run());
        if (row.values().size() == 2) {
            out.number("a", row.values().getFirst(), DECIMALS);
            out.number("b", row.values().getLast(), DECIMALS);
        } else {
            out.array("values", () -> row.values().forEach(value -> out.number(value.orElse(Double.NaN), DECIMALS)));
        }
    }

    private void metric(StartMetric metric, List<String> names) {
        out.text("name", metric.name());
        out.text("unit", metric.unit());
        if (names.size() == 2) {
            out.object("a", metric.sides().getFirst(), this::side);
            out.object("b", metric.sides().getLast(), this::side);
            out.object("ratio", metric.ratios().getFirst(), this::ratio);
            return;
        }
        List<Integer> all = IntStream.range(0, names.size()).boxed().toList();
        out.objects("commands", all, side -> {
            out.text("name", names.get(side));
            out.object("figures", metric.sides().get(side), this::side);
            if (side > 0) {
                out.object("ratio", metric.ratios().get(side - 1), this::ratio);
            }
        });
    }

    private void ratio(PairedRatio ratio) {
        out.number("value", ratio.ratio(), DECIMALS);
        out.number("lo", ratio.lo(), DECIMALS);
        out.number("hi", ratio.hi(), DECIMALS);
        out.number("p", ratio.p(), DECIMALS);
        out.number("exactP", ratio.permutation().p(), DECIMALS);
    }

    private void side(Summary s) {
        out.integer("runs", s.runs());
        out.number("geomean", s.geomean(), DECIMALS);
        out.number("stdev", s.populationSd(), DECIMALS);
    }

    private void how(StartupEvidence how) {
        out.text("kilnVersion", how.origin().kilnVersion());
        out.text(
                "startedAt",
                Instant.ofEpochMilli(how.origin().startedEpochMillis()).toString());
        out.text("until", how.measure().until());
        out.objects("commands", how.sides(), side -> {
            out.text("name", side.name());
            out.texts("command", Facts.command(side.command()));
            side.modifiers().ifPresent(modifiers -> out.text("modifiers", modifiers));
        });
        out.integer("pairs", how.design().pairs());
        out.integer("seed", how.design().seed());
        out.text("pageCache", how.design().cold() ? "dropped" : "warm");
        out.number("launchMillis", how.machine().launchNanos() / 1e6, DECIMALS);
        out.text("cpus", Facts.cpusOf(how.machine().cpus()));
        out.text("cpuModel", how.machine().host().cpuModel());
        out.text("kernel", how.machine().host().kernel());
        out.text("failure", how.failure());
    }
}
