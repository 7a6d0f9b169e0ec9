package dev.kiln.report;

import dev.kiln.explain.SeriesResult;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.CooldownJump;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.TimeToPeak;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** {@code kiln analyze --json}: a form that scripts depend on, with every digit. */
public final class AnalysisJson {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    private static final int SCHEMA_VERSION = 1;

    private final JsonOut out;

    private AnalysisJson(JsonOut out) {
        this.out = out;
    }

    /** The file's name is part of it, so that many results can be told apart. */
    public static String render(String file, SeriesResult result) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> new AnalysisJson(out).write(file, result));
        }
        return text + "\n";
    }

    private void write(String file, SeriesResult result) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.text("source", file);
        out.exact("binSeconds", result.config().binSeconds());
        out.object("analysis", () -> {
            result.phases()
                    .forEach(phase -> out.object(phase.name(), () -> {
                        new AnalysedJson(out).write(phase.analysis(), times(phase.analysis()), own(phase));
                        phase.errors().ifPresent(this::errors);
                    }));
            result.against()
                    .ifPresent(against -> out.object(
                            "warmupAgainstReference",
                            () -> new AnalysedJson(out)
                                    .write(against.analysis(), against.times(), Optional.of(against.deficit()))));
        });
        result.against().ifPresent(against -> {
            out.exact("referencePeak", against.peak().value());
            out.flag("referencePeakIsLowerBound", against.peak().lowerBound());
        });
        result.jump().ifPresent(jump -> out.object("cooldownJump", () -> jump(jump)));
        out.texts("footnotes", result.notes());
        out.object("constants", () -> Constants.of(result.config()).forEach(c -> c.write(out)));
    }

    /** There where errors were counted. */
    private void errors(SeriesResult.Errors errors) {
        out.exact("errors", errors.total());
        out.array("erroneousBins", () -> errors.bins().forEach(out::whole));
        out.flag("valid", errors.reasons().isEmpty());
        out.texts("invalidReasons", errors.reasons());
    }

    private void jump(CooldownJump jump) {
        out.exact("before", jump.before());
        out.exact("after", jump.after());
        out.exact("ratio", jump.ratio());
        out.exact("slopeRatio", jump.slopeRatio());
    }

    private static List<TimeToPeak> times(SeriesAnalysis analysis) {
        return switch (analysis) {
            case Analysed a -> a.timeToPeak();
            case NotEnoughData missing -> List.of();
        };
    }

    private static Optional<Deficit> own(SeriesResult.Phase phase) {
        if (!(phase.analysis() instanceof Analysed a) || a.peakUsed().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Deficit(
                a.requests(), value(a.deficitRequests()), value(a.deficitSeconds()), value(a.efficiency())));
    }

    private static double value(OptionalDouble value) {
        return value.orElse(Double.NaN);
    }
}
