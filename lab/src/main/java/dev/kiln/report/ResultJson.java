package dev.kiln.report;

import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Phase;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code result.json}: the form scripts depend on, described by {@code result.schema.json}. */
public final class ResultJson {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. Second: intervals in place of classes. */
    public static final int SCHEMA_VERSION = 2;

    private final JsonOut out;

    private ResultJson(JsonOut out) {
        this.out = out;
    }

    public static void write(ExperimentResult result, Path file) {
        try (Writer writer = Files.newBufferedWriter(file)) {
            write(result, writer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String render(ExperimentResult result) {
        StringWriter text = new StringWriter();
        try {
            write(result, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(ExperimentResult result, Writer to) throws IOException {
        try (JsonOut out = JsonOut.pretty(to)) {
            out.object(() -> new ResultJson(out).experiment(result));
        }
        to.write('\n');
    }

    private void experiment(ExperimentResult result) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.text("experiment", result.name());
        out.object("protocol", () -> {
            out.text("name", result.protocol().name());
            out.array("phases", () -> result.protocol().phases().forEach(this::phase));
            out.flag("untilFound", result.protocol().reference().isPresent());
        });
        out.text("conclusion", result.conclusion());
        out.array("variants", () -> result.variants().forEach(v -> out.object(() -> variant(v))));
        new ClaimsJson(out).write(result.claims());
        result.sweep().ifPresent(new SweepJson(out)::write);
        out.texts("footnotes", result.footnotes());
        out.object("analysis", () -> Constants.of(result.config()).forEach(c -> c.write(out)));
        result.how()
                .ifPresentOrElse(how -> out.object("how", () -> new HowJson(out).write(how)), () -> out.nothing("how"));
    }

    private void phase(Phase phase) {
        out.object(() -> {
            out.text("name", phase.name());
            out.flag("load", phase instanceof Phase.Load);
            out.number("durationSeconds", phase.duration().toNanos() / 1e9, 3);
        });
    }

    private void variant(VariantResult variant) {
        out.text("name", variant.name());
        SeriesJson.peak(out, variant.referencePeak());
        out.text("verdict", variant.verdict());
        variant.pooled()
                .ifPresentOrElse(
                        pooled -> out.object("pooled", () -> {
                            SeriesJson series = new SeriesJson(out, pooled);
                            series.intervals("timeToReferencePeakInterval", pooled.times());
                            series.write();
                        }),
                        () -> out.nothing("pooled"));
        out.array("runs", () -> variant.runs().forEach(run -> out.object(() -> new RunJson(out).write(run))));
    }
}
