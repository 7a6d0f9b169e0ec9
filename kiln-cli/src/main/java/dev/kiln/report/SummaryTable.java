package dev.kiln.report;

import dev.kiln.explain.ResponseTimes;
import dev.kiln.explain.ResponseTimes.Settled;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.SiblingGap;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.Metric;
import dev.kiln.report.Cell.Spread;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.text.Show;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A SummaryTable is the beginning and the end of every rendering of an experiment: a row for each variant, and the
 * footnotes that its figures refer to.
 *
 * @param columns those of peaks, or those of response times where a rate was served whole
 * @param footnotes numbered from 1: those that figures of the table refer to, then those of the whole experiment
 * @param marked how many footnotes figures refer to
 */
public record SummaryTable(List<SummaryColumn> columns, List<SummaryRow> rows, List<String> footnotes, int marked) {
    // The columns: a new one is one entry here.

    private static final List<SummaryColumn> BEGIN = List.of(
            new SummaryColumn("start", "s", "seconds from launch until the service is ready", Cell::startUp),
            new SummaryColumn(
                    "first", "resp. s", "seconds from launch to the first successful response", Cell::firstResponse),
            new SummaryColumn(
                    "req/s, end",
                    "of warm-up",
                    "requests per second at the end of the warm-up: the mean of its last 10 to 30 s, after T90",
                    variant -> Cell.over(
                            Reading.readableRuns(variant),
                            RunResult::endOfWarmup,
                            Show::whole,
                            "The warm-up had fewer than 10 whole seconds")));

    private static final List<SummaryColumn> PEAKS = List.of(
            new SummaryColumn(
                    "peak,",
                    "req/s",
                    "requests per second after the pause, geometric mean of the runs",
                    SummaryTable::peak),
            new SummaryColumn(
                    "T90",
                    "s",
                    "seconds from the first request to 90 % of the peak, of several variants to that of the highest",
                    variant -> Cell.time(variant.held(), TimeToPeak.HEADLINE)),
            new SummaryColumn(
                    "warm-up",
                    "cost s",
                    "requests lost in the warm-up, as seconds at that peak",
                    variant -> cost(variant.held())));

    private static final List<SummaryColumn> END = List.of(
            new SummaryColumn(
                    "C2 CPU /",
                    "wait %",
                    "C2 threads running and waiting for a CPU, % of one CPU, second half of the warm-up",
                    SummaryTable::c2),
            new SummaryColumn("valid", "runs", "valid runs, of all runs", SummaryTable::runs));

    private static final String NO_LEVEL = "The load was too short for a level, or response times were not recorded";

    /** The row names so many findings at most; {@code kiln explain} has all of them. */
    private static final int FINDINGS_SHOWN = 2;

    /** A SummaryColumn has a head in two lines, a meaning, and the way to compute its cell from a variant. */
    public record SummaryColumn(String top, String bottom, String meaning, Function<VariantResult, Cell> cell) {}

    /**
     * A SummaryRow is the line of one variant.
     *
     * @param verdict one for all runs, or how many have which
     * @param causes titles of the confirmed findings that explain most
     * @param cells in the order of the columns
     */
    public record SummaryRow(String variant, String verdict, List<String> causes, List<Cell> cells) {}

    public static SummaryTable of(ExperimentResult result) {
        List<VariantResult> measured = result.variants().stream()
                .filter(variant -> !variant.valid().isEmpty())
                .toList();
        boolean served = !measured.isEmpty() && measured.stream().allMatch(VariantResult::allServed);
        List<SummaryColumn> columns = Stream.of(BEGIN, served ? responseTimes(measured) : PEAKS, END)
                .flatMap(List::stream)
                .toList();
        List<SummaryRow> rows = result.variants().stream()
                .map(variant -> row(variant, result.variants(), columns))
                .toList();
        Set<String> notes = new LinkedHashSet<>();
        rows.forEach(row -> row.cells().forEach(cell -> cell.note().ifPresent(notes::add)));
        int marked = notes.size();
        boolean several =
                result.variants().stream().anyMatch(variant -> variant.valid().size() > 1);
        boolean alone = result.variants().stream()
                .anyMatch(variant -> variant.valid().size() == 1
                        && variant.held()
                                .time(TimeToPeak.HEADLINE)
                                .filter(time -> !time.never())
                                .isPresent()
                        && Cell.time(variant.held(), TimeToPeak.HEADLINE)
                                .range()
                                .isPresent());
        if (!served) {
            yardstick(measured).ifPresent(notes::add);
        }
        if (several) {
            notes.add("Several runs: the median, and under it the lowest and the highest run; the peak is the"
                    + " geometric mean");
        }
        if (alone) {
            notes.add("One run: the two times under T90 are its interval: noise hides when between them the peak was"
                    + " reached. " + Show.sentence(Facts.levels(result.config())));
        }
        notes.addAll(result.footnotes());
        return new SummaryTable(
                columns, rows, notes.stream().map(SummaryTable::ended).toList(), marked);
    }

    /** Returns the footnote on a higher peak, against which others' times and costs are; empty without one. */
    private static Optional<String> yardstick(List<VariantResult> variants) {
        List<VariantResult> lower = variants.stream()
                .filter(variant -> variant.higher().isPresent())
                .toList();
        String names = lower.stream().map(VariantResult::name).collect(Collectors.joining(", "));
        String own = lower.stream()
                .flatMap(variant -> variant.time(TimeToPeak.HEADLINE).stream()
                        .map(time -> variant.name() + " " + time.words(variant.horizon())))
                .collect(Collectors.joining(", "));
        return lower.stream()
                .flatMap(variant -> variant.higher().stream())
                .findFirst()
                .map(higher -> "T90 and warm-up cost of " + names + " are against the highest peak, " + higher.words()
                        + (own.isEmpty() ? "" : ". To 90 % of its own peak: " + own));
    }

    /** Returns the number of a cell's footnote. */
    public Optional<Integer> number(Cell cell) {
        return cell.note().map(note -> footnotes.indexOf(ended(note)) + 1);
    }

    private static String ended(String note) {
        return note.isEmpty() || note.endsWith(".") ? note : note + ".";
    }

    private static SummaryRow row(VariantResult variant, List<VariantResult> all, List<SummaryColumn> columns) {
        return new SummaryRow(
                variant.name(),
                VerdictWords.of(variant),
                Stream.concat(
                                SiblingGap.of(variant, all).map(SiblingGap::title).stream(),
                                VerdictWords.causes(variant, FINDINGS_SHOWN).stream())
                        .toList(),
                columns.stream().map(column -> column.cell().apply(variant)).toList());
    }

    private static Cell peak(VariantResult variant) {
        List<RunResult> valid = variant.valid();
        if (valid.isEmpty()) {
            return Cell.absent(Reading.noValidRun(variant));
        }
        if (variant.referencePeak().isEmpty()) {
            return Cell.absent(Reading.whyNoPeak(valid.getFirst()));
        }
        Peak reference = variant.referencePeak().get();
        boolean bound = reference.lowerBound();
        Cell value = Cell.of((bound ? "\u2265 " : "") + Show.whole(reference.value()));
        Cell cell = Spread.over(valid, run -> ownPeak(run, bound))
                .map(runs -> Show.range(runs.min(), runs.max(), Show::whole))
                .filter(range -> valid.size() > 1 && !range.equals(Show.whole(reference.value())))
                .map(value::withRange)
                .orElse(value);
        return bound
                ? cell.withNote(Show.sentence(reference.why())
                        + ", so the peak is at least this and times to it are lower bounds")
                : cell;
    }

    /** Returns a run's own peak as the reference counts it: a lower bound only where no run found its own. */
    private static OptionalDouble ownPeak(RunResult run, boolean bound) {
        return run.series().reference().own().stream()
                .filter(peak -> bound || !peak.lowerBound())
                .mapToDouble(Peak::value)
                .findFirst();
    }

    /** Returns the columns of response times, of p99, or of the median if seconds have too few requests. */
    private static List<SummaryColumn> responseTimes(List<VariantResult> variants) {
        boolean all = variants.stream()
                .flatMap(variant -> variant.valid().stream())
                .allMatch(run -> run.responses().flatMap(ResponseTimes::p99).isPresent());
        String name = all ? "p99" : "p50";
        Function<RunResult, Optional<Settled>> of =
                run -> run.responses().flatMap(all ? ResponseTimes::p99 : ResponseTimes::p50);
        return List.of(
                new SummaryColumn(
                        name + ", at its",
                        "level ms",
                        name + " of the response times of a second, at the level that it came to",
                        variant -> settled(
                                variant, of, settled -> settled.levelMillis().value())),
                new SummaryColumn(
                        "level",
                        "after s",
                        "seconds from the first request until " + name + " had come to that level",
                        variant -> Cell.time(
                                variant.time(run -> of.apply(run).map(Settled::time)), variant.horizon(), NO_LEVEL)),
                new SummaryColumn(
                        "twice it",
                        "for s",
                        "seconds of the warm-up in which " + name + " was above twice that level",
                        variant -> settled(variant, of, Settled::twiceSeconds)),
                new SummaryColumn(
                        "p99, first",
                        "10 s, ms",
                        "p99 of the first 10 s; requests without a response count as the slowest",
                        variant -> Cell.over(
                                variant.valid(),
                                run -> RunFigures.of(Metric.P99_FIRST_10, run),
                                millis -> Double.isInfinite(millis) ? "\u221e" : Show.three(millis),
                                "The load was shorter, or its response times were not recorded")));
    }

    private static Cell settled(
            VariantResult variant, Function<RunResult, Optional<Settled>> of, ToDoubleFunction<Settled> figure) {
        return Cell.over(
                variant.valid(),
                run -> of.apply(run)
                        .map(settled -> OptionalDouble.of(figure.applyAsDouble(settled)))
                        .orElse(OptionalDouble.empty()),
                Show::three,
                NO_LEVEL);
    }

    private static Cell cost(VariantResult variant) {
        List<RunResult> valid = variant.valid();
        return valid.isEmpty()
                ? Cell.absent(Reading.noValidRun(variant))
                : Cell.over(
                        valid,
                        run -> RunFigures.of(Metric.WARMUP_COST, run),
                        Show::seconds,
                        Reading.whyNoPeak(valid.getFirst()));
    }

    private static Cell c2(VariantResult variant) {
        List<RunResult> runs = Reading.readableRuns(variant);
        List<WindowStatistics> both = runs.stream()
                .map(RunResult::observed)
                .filter(o -> Show.present(o.c2CpuShare()) && Show.present(o.c2WaitShare()))
                .toList();
        if (both.isEmpty()) {
            boolean partly = runs.stream()
                    .flatMap(run -> run.caveats().provenance().stream())
                    .anyMatch(foreign -> !foreign.unseen().isEmpty());
            return Cell.absent(
                    partly
                            ? "Threads were recorded in less than half of the second half of the warm-up"
                            : "No C2 compiler threads were recorded");
        }
        double cpu = Spread.median(both, o -> o.c2CpuShare().orElseThrow());
        double wait = Spread.median(both, o -> o.c2WaitShare().orElseThrow());
        return Cell.of(Show.percent(cpu) + " / " + Show.percent(wait));
    }

    private static Cell runs(VariantResult variant) {
        int valid = variant.valid().size();
        Cell cell = Cell.of(valid + " of " + variant.runs().size());
        if (valid == variant.runs().size()) {
            return cell;
        }
        return cell.withNote(variant.name() + ": "
                + variant.runs().stream()
                        .filter(run -> !run.valid())
                        .map(run -> "run " + run.run() + " is invalid: " + String.join("; ", run.invalidReasons()))
                        .collect(Collectors.joining(". ")));
    }
}
