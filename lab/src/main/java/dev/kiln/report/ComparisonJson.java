package dev.kiln.report;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Side;
import dev.kiln.compare.Configuration;
import dev.kiln.stats.HodgesLehmann;
import java.io.StringWriter;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** {@code kiln compare --json}: a form that scripts depend on, with every digit. */
public final class ComparisonJson {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    private static final int SCHEMA_VERSION = 2;

    private final JsonOut out;

    private ComparisonJson(JsonOut out) {
        this.out = out;
    }

    public static String render(Comparison comparison) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> new ComparisonJson(out).write(comparison));
        }
        return text + "\n";
    }

    private void write(Comparison comparison) {
        ComparisonWords words = new ComparisonWords(comparison);
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.object("baseline", () -> configuration(comparison.baseline()));
        out.text("primary", comparison.primary());
        out.exact("confidence", comparison.config().confidence());
        out.exact("effect", comparison.effect());
        out.array(
                "comparisons",
                () -> comparison
                        .others()
                        .forEach(against -> out.object(() -> {
                            configuration(against.other());
                            out.flag("fair", against.differences().isEmpty());
                            out.texts("differences", against.differences());
                            out.text("conclusion", words.conclusion(against));
                            out.array("metrics", () -> against.metrics().forEach(m -> out.object(() -> metric(m))));
                        })));
        out.texts("footnotes", comparison.notes());
        out.object("constants", () -> Constants.of(comparison.config()).forEach(c -> c.write(out)));
    }

    private void configuration(Configuration configuration) {
        out.text("name", configuration.name());
        out.object("circumstances", () -> configuration.circumstances().forEach(out::text));
    }

    private void metric(MetricComparison m) {
        out.text("metric", m.metric().id());
        out.text("unit", m.metric().unit());
        out.text("better", word(m.metric().better()));
        out.object("a", () -> side(m.a()));
        out.object("b", () -> side(m.b()));
        out.text("form", word(m.form()));
        out.exact("estimate", m.estimate());
        out.exact("lo", m.lo());
        out.exact("hi", m.hi());
        out.text("bound", word(m.bound()));
        out.exact("confidence", m.confidence());
        out.exact("p", m.p());
        out.exact("pAdjusted", m.pAdjusted());
        out.flag("paired", m.paired());
        m.crossCheck()
                .ifPresentOrElse(
                        check -> out.object("crossCheck", () -> {
                            out.text("method", check.method());
                            out.exact("p", check.p());
                        }),
                        () -> out.nothing("crossCheck"));
        m.ranks()
                .ifPresentOrElse(
                        ranks -> out.object("hodgesLehmann", () -> ranks(ranks)), () -> out.nothing("hodgesLehmann"));
        out.text("verdict", word(m.verdict()));
        out.text("meaning", word(m.meaning()));
        out.text("words", ComparisonWords.verdict(m));
        whole("runsNeeded", m.runsNeeded());
        out.texts("notes", m.notes());
    }

    private void side(Side side) {
        out.integer("runs", side.runs());
        out.integer("reached", side.reached());
        out.exact("centre", side.centre());
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

    private void whole(String name, OptionalInt value) {
        if (value.isPresent()) {
            out.integer(name, value.getAsInt());
        } else {
            out.nothing(name);
        }
    }

    /** {@code NO_DIFFERENCE_SHOWN} as {@code no difference shown}. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
