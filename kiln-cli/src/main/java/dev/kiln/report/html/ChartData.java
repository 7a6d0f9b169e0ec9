package dev.kiln.report.html;

import dev.kiln.explain.CallResult;
import dev.kiln.explain.ResponseTimes.Settled;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.Cell.Spread;
import dev.kiln.report.JsonOut;
import dev.kiln.report.Reading;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;

/** ChartData writes what the charts draw: columns of rounded numbers, so that long experiments stay small. */
final class ChartData {
    /** The limit of drawn calls: more lines would be a tangle, and the table of calls has all of them. */
    static final int MOST_CALLS = 12;

    private final JsonOut out;
    private final ExperimentResult result;
    private final boolean fromLaunch;
    private final List<BudgetPart> parts;

    private ChartData(JsonOut out, ExperimentResult result, boolean fromLaunch) {
        this.out = out;
        this.result = result;
        this.fromLaunch = fromLaunch;
        this.parts = HtmlBudget.parts(result);
    }

    /** Returns JSON for a script element; times are since the first request, whose own time is added on request. */
    static String json(ExperimentResult result, boolean fromLaunch) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.compact(text)) {
            out.object(new ChartData(out, result, fromLaunch)::experiment);
        }
        return text.toString().replace("<", "\\u003c");
    }

    /** Returns the names of the calls of all mixes, in the order of the load. */
    static List<String> calls(ExperimentResult result) {
        return result.variants().stream()
                .flatMap(variant -> variant.runs().stream())
                .flatMap(run -> run.calls().stream())
                .map(CallResult::name)
                .distinct()
                .toList();
    }

    private List<String> drawnCalls() {
        return calls(result).stream().limit(MOST_CALLS).toList();
    }

    private void experiment() {
        result.variants().stream()
                .flatMap(v -> v.runs().stream())
                .reduce((a, b) -> b.phases().size() > a.phases().size() ? b : a)
                .ifPresentOrElse(this::phases, () -> out.texts("phases", List.of()));
        out.texts("calls", drawnCalls());
        out.objects("parts", parts, part -> {
            out.text("y", "b-" + part.id());
            out.text("c", HtmlBudget.colour(part));
            out.text("name", part.words());
        });
        out.flag("fromLaunch", fromLaunch);
        out.objects("variants", result.variants(), this::variant);
    }

    private void phases(RunResult run) {
        Set<String> measuring = Reading.measuring(run);
        double zero = Reading.firstLoadStart(run);
        zero(DoubleStream.of(zero));
        out.objects("phases", run.phases(), phase -> {
            out.text("name", phase.name());
            out.text("kind", !phase.load() ? "pause" : measuring.contains(phase.name()) ? "measure" : "warm-up");
            out.number("start", phase.startSeconds() - zero, 1);
            out.number("end", phase.startSeconds() - zero + phase.durationSeconds(), 1);
        });
    }

    private void variant(VariantResult variant) {
        out.text("name", variant.name());
        zero(variant.runs().stream().mapToDouble(Reading::firstLoadStart));
        variant.time(TimeToPeak.HEADLINE).ifPresent(time -> time(variant, time));
        out.flag("belowOther", variant.higher().isPresent());
        settled(variant);
        variant.referencePeak().filter(peak -> !variant.valid().isEmpty()).ifPresent(peak -> {
            out.number("reference", peak.value(), 1);
            out.number("peakLo", peak.throughput().lo(), 1);
            out.number("peakHi", peak.throughput().hi(), 1);
            out.flag("lowerBound", peak.lowerBound());
            variant.endOverPeak().ifPresent(r -> out.number("endShare", 100 * r.value(), 0));
        });
        ChartRun columns = new ChartRun(out, result.config(), parts, drawnCalls());
        out.objects("runs", variant.runs(), run -> {
            out.integer("run", run.run());
            out.flag("valid", run.valid());
            zero(DoubleStream.of(Reading.firstLoadStart(run)));
            columns.write(run);
        });
    }

    /** Writes when the first request was sent, since the launch; of several runs the median. */
    private void zero(DoubleStream seconds) {
        if (fromLaunch) {
            out.number("zero", Descriptive.median(seconds), 3);
        }
    }

    /** Writes where response times reached their level, in the fields that a peak has, for the panel of latencies. */
    private void settled(VariantResult variant) {
        double[] levels = variant.valid().stream()
                .flatMap(run -> RunFigures.settled(run).stream())
                .mapToDouble(each -> each.levelMillis().value())
                .toArray();
        Optional<TimeToPeak> time = variant.time(run -> RunFigures.settled(run).map(Settled::time));
        if (time.isEmpty()) {
            return;
        }
        Spread level = Spread.of(levels).orElseThrow();
        out.object("settled", () -> {
            out.number("reference", level.median(), 3);
            out.number("peakLo", level.min(), 3);
            out.number("peakHi", level.max(), 3);
            out.text("t90", time.get().words(variant.horizon()));
            out.number("t90lo", time.get().lo(), 2);
            out.number("t90hi", time.get().hi(), 2);
        });
    }

    private void time(VariantResult variant, TimeToPeak time) {
        boolean atLeast = time.seconds().isPresent()
                && variant.referencePeak().filter(Peak::lowerBound).isPresent();
        double horizon = variant.valid().stream()
                .mapToDouble(run -> run.series().seconds())
                .max()
                .orElse(0);
        out.text("t90", (atLeast ? "\u2265 " : "") + time.words(horizon));
        out.number("t90lo", time.lo(), 2);
        out.number("t90hi", time.hi(), 2);
    }
}
