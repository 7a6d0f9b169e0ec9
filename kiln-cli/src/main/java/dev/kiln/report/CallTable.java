package dev.kiln.report;

import dev.kiln.explain.CallResult;
import dev.kiln.explain.CallResult.Percentiles;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalysis.WarmupCost;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.text.Show;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** A CallTable has a row for each call of each variant. It is empty where each load has one call. */
public record CallTable(List<CallRow> rows) {
    /** The heads of the figures have two lines each. */
    public static final List<String> HEADS = List.of(
            "requests\n",
            "errors\n",
            "T90\ns",
            "warm-up\ncost s",
            "p50 ms,\nend",
            "p99 ms,\nend",
            "p99 ms,\nafter pause");

    private static final String NO_LATENCY =
            "A second had under 100 requests of this call (p99) or none (p50), or its latencies were not recorded";

    /** @param cells in the order of {@link #HEADS} */
    public record CallRow(String variant, String call, List<Cell> cells) {}

    public static CallTable of(ExperimentResult result) {
        return new CallTable(result.variants().stream()
                .flatMap(variant -> Reading.readableRuns(variant).stream()
                        .flatMap(run -> run.calls().stream())
                        .map(CallResult::name)
                        .distinct()
                        .map(call -> new CallRow(variant.name(), call, cells(variant, call))))
                .toList());
    }

    /** Returns the table for the terminal; the names of variants are left out where there is only one. */
    public Grid grid() {
        boolean one = rows.stream().map(CallRow::variant).distinct().count() == 1;
        List<List<Grid.GridEntry>> entries = rows.stream()
                .map(row -> Stream.concat(
                                Stream.of(Grid.GridEntry.of(one ? row.call() : row.variant() + ": " + row.call())),
                                row.cells().stream().map(CallTable::entry))
                        .toList())
                .toList();
        return new Grid(
                Stream.concat(Stream.of("call\n"), HEADS.stream()).toList(), entries, List.of(), List.of(), true);
    }

    private static Grid.GridEntry entry(Cell cell) {
        return new Grid.GridEntry(cell.text(), "", cell.range().orElse(""), text -> text);
    }

    private static List<Cell> cells(VariantResult variant, String call) {
        return List.of(
                over(variant, call, result -> of(result.load().requests()), Show::whole, ""),
                over(variant, call, result -> of(result.load().errors()), Show::whole, ""),
                time(variant, call),
                over(variant, call, CallTable::cost, Show::seconds, whyNoPeak(variant, call)),
                over(variant, call, result -> p(result.load().endOfWarmup(), false), Show::three, NO_LATENCY),
                over(variant, call, result -> p(result.load().endOfWarmup(), true), Show::three, NO_LATENCY),
                over(variant, call, result -> p(result.load().afterPause(), true), Show::three, NO_LATENCY));
    }

    private static OptionalDouble of(long count) {
        return OptionalDouble.of(count);
    }

    private static OptionalDouble p(Percentiles times, boolean p99) {
        return p99 ? times.p99Millis() : times.p50Millis();
    }

    private static OptionalDouble cost(CallResult result) {
        return result.series()
                .warmupCost()
                .map(WarmupCost::seconds)
                .map(seconds -> OptionalDouble.of(seconds.value()))
                .orElse(OptionalDouble.empty());
    }

    private static Cell over(
            VariantResult variant,
            String call,
            Function<CallResult, OptionalDouble> of,
            DoubleFunction<String> format,
            String whyAbsent) {
        return Cell.over(
                Reading.readableRuns(variant),
                run -> run.call(call).map(of).orElse(OptionalDouble.empty()),
                format,
                whyAbsent);
    }

    private static Cell time(VariantResult variant, String call) {
        boolean bound = variant.valid().stream()
                .flatMap(run -> run.call(call).stream())
                .anyMatch(result ->
                        result.series().peak().filter(Peak::lowerBound).isPresent());
        Optional<TimeToPeak> time = variant.time(
                run -> run.call(call).flatMap(result -> result.series().time(TimeToPeak.HEADLINE)));
        return time.map(known -> Cell.time(known, variant.horizon(), bound))
                .orElseGet(() -> Cell.absent(whyNoPeak(variant, call)));
    }

    private static String whyNoPeak(VariantResult variant, String call) {
        List<RunResult> valid = variant.valid();
        if (valid.isEmpty()) {
            return Reading.noValidRun(variant);
        }
        return Show.sentence(valid.stream()
                .flatMap(run -> run.call(call).stream())
                .flatMap(result -> result.whyNoPeak().stream())
                .findFirst()
                .or(() -> valid.stream()
                        .flatMap(run -> run.whyNoWarmup().stream())
                        .findFirst())
                .orElse("this call was not recorded in a valid run"));
    }
}
