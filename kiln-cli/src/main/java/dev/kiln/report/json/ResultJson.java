package dev.kiln.report.json;

import dev.kiln.compare.DuetComparison;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.CheckResult;
import dev.kiln.files.OutputFile;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.report.DuetWords;
import dev.kiln.report.Facts;
import dev.kiln.report.JsonOut;
import dev.kiln.report.Section;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** ResultJson writes {@code result.json}: the form that scripts depend on, described by {@code result.schema.json}. */
public record ResultJson(JsonOut out) {
    /**
     * The version rises when a key changes its meaning or goes; new keys do not raise it. Version 2 has intervals in
     * place of classes; in version 3, {@code timeToPeak} is that of {@code kiln analyze}.
     */
    public static final int SCHEMA_VERSION = 3;

    public static void write(ExperimentResult result, Path file) {
        try {
            OutputFile.replace(file, out -> {
                Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
                JsonOut.write(writer, json -> json.object(() -> new ResultJson(json).experiment(result)));
                writer.flush();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String render(ExperimentResult result) {
        return JsonOut.render(out -> new ResultJson(out).experiment(result));
    }

    private void experiment(ExperimentResult result) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.text("experiment", result.name());
        out.object("protocol", () -> {
            out.text("name", result.protocol().name());
            out.objects("phases", result.protocol().phases(), this::phase);
            out.flag("untilFound", result.protocol().reference().isPresent());
        });
        out.text("conclusion", result.conclusion());
        out.objects("variants", result.variants(), this::variant);
        out.some("claims", result.claims(), this::claim);
        out.some("duet", DuetComparison.of(result), duet -> DuetWords.json(out, duet));
        Section.of(result).forEach(section -> section.json(out, result));
        out.texts("footnotes", result.footnotes());
        out.object("analysis", () -> Facts.constants(result.config()).forEach(c -> c.write(out)));
        out.object("how", result.how(), new HowJson(out)::write);
    }

    private void phase(Phase phase) {
        out.text("name", phase.name());
        out.flag("load", phase instanceof Phase.Load);
        out.number("durationSeconds", phase.duration().toNanos() / 1e9, 3);
    }

    private void variant(VariantResult variant) {
        out.text("name", variant.name());
        SeriesJson.peak(out, variant.referencePeak());
        out.text("verdict", variant.verdict());
        out.object("pooled", variant.pooled(), pooled -> {
            SeriesJson series = new SeriesJson(out, pooled);
            series.intervals("timeToReferencePeakInterval", pooled.times());
            series.write();
        });
        out.some("yardstick", variant.higher(), this::yardstick);
        out.objects("runs", variant.runs(), new RunResultJson(out)::write);
    }

    /** Writes the higher peak of another variant and the times to it, for one whose peak is not the highest. */
    private void yardstick(VariantResult.Higher higher) {
        out.text("variant", higher.variant());
        SeriesJson.peak(out, Optional.of(higher.peak()));
        out.objects("runs", higher.held().runs(), run -> {
            out.integer("run", run.run());
            SeriesJson series = new SeriesJson(out, run.series());
            series.intervals("timeToYardstick", run.series().times());
            series.deficit();
        });
    }

    private void claim(ClaimResult claim) {
        out.text("text", claim.claim().text());
        out.text("published", claim.claim().published());
        out.text("state", state(claim.state()));
        out.objects("checks", claim.checks(), this::check);
        out.texts("missing", claim.missing());
    }

    private void check(CheckResult check) {
        out.text("text", check.check().text());
        // A time that was never reached is null, as everywhere.
        out.number("left", check.left(), 3);
        out.number("right", check.right(), 3);
        out.integer("runs", check.runs());
        out.object("ratio", check.ratio(), ratio -> {
            out.number("lo", ratio.lo(), 3);
            out.number("hi", ratio.hi(), 3);
            out.number("confidence", ratio.confidence(), 4);
        });
        if (check.observable() && !check.open()) {
            out.flag("holds", check.holds());
        } else {
            out.nothing("holds");
        }
    }

    private static String state(ClaimResult.State state) {
        return switch (state) {
            case AGREES -> "agrees";
            case DISAGREES -> "does-not-agree";
            case OPEN -> "not-observable";
        };
    }
}
