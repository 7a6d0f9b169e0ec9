package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Variant;
import dev.kiln.report.JsonOut;
import dev.kiln.stats.Descriptive;
import dev.kiln.tune.Tuning.Boost;
import dev.kiln.tune.Tuning.TuneProof;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** {@code kiln tune --json}: a form that scripts depend on. */
public final class TuneJson {
    private static final int SCHEMA_VERSION = 3;

    private final JsonOut out;
    private final Tuning tuning;
    private final Variant baseline;

    private TuneJson(JsonOut out, Tuning tuning, Variant baseline) {
        this.out = out;
        this.tuning = tuning;
        this.baseline = baseline;
    }

    /** @param tuned the configuration; empty where none was written */
    static String render(Tuning tuning, Variant baseline, Optional<HandedOver> tuned) {
        return JsonOut.render(out -> new TuneJson(out, tuning, baseline).write(tuned));
    }

    private void write(Optional<HandedOver> tuned) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.text("verdict", tuning.verdict().text());
        out.text("sentence", TuneText.sentence(tuning, baseline));
        out.text("why", tuning.why());
        out.object("baseline", () -> {
            out.text("name", baseline.name());
            figures(tuning.baseline());
        });
        out.object("winner", tuning.winner(), this::winner);
        out.object("effect", tuning.winner().flatMap(TuneProof::effect), effect -> {
            out.text("metric", tuning.goal().metric().id());
            out.exact("ratio", effect.ratio());
            out.exact("lo", effect.lo());
            out.exact("hi", effect.hi());
            out.integer("pairs", effect.logs().size());
            out.exact("confidence", effect.confidence());
        });
        out.objects("shares", tuning.winner().map(TuneProof::shares).orElse(List.of()), share -> {
            out.text("cause", share.cause());
            out.text("by", share.by());
            out.number("seconds", OptionalDouble.of(share.seconds()), 3);
            out.number("lo", OptionalDouble.of(share.lo()), 3);
            out.number("hi", OptionalDouble.of(share.hi()), 3);
        });
        tuning.boost().ifPresent(boost -> out.object("boost", () -> boost(boost)));
        tried();
        out.text("tuned", tuned.map(written -> written.folder().toString()));
        out.object("asWritten", tuned, written -> written.json(out));
    }

    private void boost(Boost boost) {
        out.number("from", boost.modifier().from(), 3);
        out.number("to", boost.modifier().to(), 3);
        out.integer("seconds", boost.modifier().time().orElseThrow().toSeconds());
        out.flag("enough", boost.enough());
        out.text("stage", boost.stage());
        out.objects("steps", boost.steps(), step -> {
            out.number("seconds", step.seconds(), 0);
            out.number("afterPct", step.after(), 1);
        });
    }

    private void tried() {
        out.objects("tried", tuning.tried(), one -> {
            out.text("name", one.candidate().name());
            out.texts("changes", Candidates.changes(baseline, one.candidate().variant()));
            out.texts("causes", one.candidate().causes());
            out.text("cost", one.candidate().cost());
            out.integer("runs", one.runs());
            out.number("gain", one.gain().map(OptionalDouble::of).orElse(OptionalDouble.empty()), 3);
            out.object("screened", one.screened(), screened -> {
                out.number("servedPct", OptionalDouble.of(100 * screened.gain()), 1);
                out.number("lo", OptionalDouble.of(100 * screened.lo()), 1);
                out.number("hi", OptionalDouble.of(100 * screened.hi()), 1);
                out.integer("seconds", screened.seconds());
            });
            out.text("outcome", one.words());
        });
    }

    private void winner(TuneProof proof) {
        out.text("name", proof.candidate().name());
        out.texts("changes", Candidates.changes(baseline, proof.candidate().variant()));
        out.text("stage", proof.stage());
        figures(proof.figures());
    }

    /** Medians of the runs that decided; null where a run did not come to it. */
    private void figures(Configuration of) {
        figure("timeToReferencePeak", of, Metric.T90);
        figure("deficitSeconds", of, Metric.WARMUP_COST);
        figure("peak", of, Metric.PEAK);
        boolean atLeast =
                of.metric(Metric.PEAK.id()).flatMap(Measured::lowerBound).isPresent();
        out.flag("peakAtLeast", atLeast);
        figure("p99Millis", of, Metric.P99);
    }

    private void figure(String key, Configuration of, Metric metric) {
        out.number(
                key,
                of.metric(metric.id())
                        .filter(measured -> measured.runs().stream().noneMatch(run -> run.censored()))
                        .map(Measured::values)
                        .map(values -> Descriptive.median(Arrays.stream(values)))
                        .orElse(OptionalDouble.empty()),
                3);
    }
}
