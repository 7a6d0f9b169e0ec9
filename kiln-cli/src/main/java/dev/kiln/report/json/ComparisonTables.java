package dev.kiln.report.json;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Side;
import dev.kiln.compare.Configuration;
import dev.kiln.report.ComparisonWords;
import dev.kiln.report.Facts;
import dev.kiln.report.JsonOut;
import dev.kiln.stats.HodgesLehmann;
import dev.kiln.stats.RunsNeeded;
import dev.kiln.text.CsvLine;
import dev.kiln.text.Show;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** ComparisonTables has comparisons for programs, with every digit: {@code kiln compare --json} and {@code --csv}. */
public record ComparisonTables(JsonOut out) {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    private static final int SCHEMA_VERSION = 4;

    private static final String COLUMNS =
            "baseline,variant,metric,unit,baselineRuns,variantRuns,baselineValue,variantValue,"
                    + "form,estimate,lo,hi,bound,confidence,p,pAdjusted,exactP,paired,verdict,meaning,runsNeeded\n";

    public static String json(Comparison comparison) {
        return JsonOut.render(out -> new ComparisonTables(out).write(comparison));
    }

    /** Writes two experiments, variant by variant. */
    public static String json(List<String> hosts, List<Comparison> pairs) {
        return JsonOut.render(out -> {
            out.integer("schemaVersion", SCHEMA_VERSION);
            out.texts("hosts", hosts);
            out.objects("pairs", pairs, pair -> new ComparisonTables(out).write(pair));
        });
    }

    private void write(Comparison comparison) {
        ComparisonWords words = new ComparisonWords(comparison);
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.object("baseline", () -> configuration(comparison.baseline()));
        out.text("primary", comparison.primary());
        out.exact("confidence", comparison.confidence());
        out.exact("effect", comparison.effect());
        out.objects("comparisons", comparison.others(), against -> {
            configuration(against.other());
            out.flag("fair", against.differences().isEmpty());
            out.texts("differences", against.differences());
            out.text("conclusion", words.conclusion(against));
            out.objects("metrics", against.metrics(), this::metric);
        });
        out.texts("footnotes", comparison.notes());
        out.object("constants", () -> Facts.constants(comparison.config()).forEach(c -> c.write(out)));
    }

    private void configuration(Configuration configuration) {
        out.text("name", configuration.name());
        out.object(
                "circumstances", () -> configuration.circumstances().forEach(one -> out.text(one.what(), one.words())));
    }

    private void metric(MetricComparison m) {
        out.text("metric", m.metric().id());
        out.text("unit", m.metric().unit());
        out.text("better", word(m.metric().better()));
        out.object("a", () -> side(m.sides().a()));
        out.object("b", () -> side(m.sides().b()));
        out.text("form", word(m.change().form()));
        out.exact("estimate", m.change().estimate());
        out.exact("lo", m.change().lo());
        out.exact("hi", m.change().hi());
        out.text("bound", word(m.change().bound()));
        out.exact("confidence", m.change().confidence());
        out.exact("p", m.tests().p());
        out.exact("pAdjusted", m.tests().pAdjusted());
        out.flag("paired", m.sides().paired());
        out.object("crossCheck", m.tests().crossCheck(), check -> {
            out.text("method", check.method());
            out.exact("p", check.p());
        });
        out.object("hodgesLehmann", m.tests().ranks(), this::ranks);
        out.text("verdict", word(m.verdict()));
        out.text("meaning", word(m.meaning()));
        out.text("words", ComparisonWords.verdict(m));
        RunsNeededJson.write(out, m.runsNeeded());
        out.texts("notes", m.allNotes());
    }

    private void side(Side side) {
        out.integer("runs", side.runs());
        out.integer("reached", side.reached());
        out.exact("centre", side.centre());
        out.exact("sd", side.sd());
        out.exact("median", side.median());
        out.exact("horizon", side.horizon());
        out.flag("atLeast", side.atLeast());
    }

    private void ranks(HodgesLehmann ranks) {
        out.exact("ratio", ranks.ratio());
        out.exact("lo", ranks.lo());
        out.exact("hi", ranks.hi());
        out.exact("confidence", ranks.lo().isPresent() ? OptionalDouble.of(ranks.achievedConfidence()) : ranks.lo());
    }

    /** Writes a row a metric of each comparison. */
    public static String csv(List<Comparison> comparisons) {
        String rows = comparisons.stream()
                .flatMap(comparison -> comparison.others().stream()
                        .flatMap(against -> against.metrics().stream()
                                .map(m -> row(
                                        comparison.baseline().name(),
                                        against.other().name(),
                                        m))))
                .collect(Collectors.joining());
        return COLUMNS + rows;
    }

    private static String row(String baseline, String variant, MetricComparison m) {
        return CsvLine.of(List.of(
                baseline,
                variant,
                m.metric().id(),
                m.metric().unit(),
                Integer.toString(m.sides().a().runs()),
                Integer.toString(m.sides().b().runs()),
                number(m.sides().a().centre()),
                number(m.sides().b().centre()),
                word(m.change().form()),
                number(m.change().estimate()),
                number(m.change().lo()),
                number(m.change().hi()),
                word(m.change().bound()),
                Show.plain(m.change().confidence()),
                number(m.tests().p()),
                number(m.tests().pAdjusted()),
                m.tests().crossCheck().map(check -> Show.plain(check.p())).orElse(""),
                Boolean.toString(m.sides().paired()),
                word(m.verdict()),
                word(m.meaning()),
                number(m.runsNeeded().map(RunsNeeded::number).orElse(OptionalInt.empty()))));
    }

    private static String number(OptionalInt value) {
        return value.isPresent() ? Integer.toString(value.getAsInt()) : "";
    }

    private static String number(OptionalDouble value) {
        return Show.present(value) ? Show.plain(value.getAsDouble()) : "";
    }

    /** Writes {@code NO_DIFFERENCE_SHOWN} as {@code no difference shown}. */
    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** RunsNeededJson writes how many runs are needed: a number, or the reason why there is none. */
    public static final class RunsNeededJson {
        private RunsNeededJson() {}

        public static void write(JsonOut out, Optional<RunsNeeded> needed) {
            out.integer("runsNeeded", needed.map(RunsNeeded::number).orElse(OptionalInt.empty()));
            out.text("noNumberOfRuns", why(needed));
        }

        /** Returns the reason; empty if there is a number, or if nothing was asked. */
        private static Optional<String> why(Optional<RunsNeeded> needed) {
            return needed.orElse(null) instanceof RunsNeeded.NoNumber no
                    ? Optional.of(word(no.why()))
                    : Optional.empty();
        }
    }
}
