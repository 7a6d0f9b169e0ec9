package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.SiblingGap;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** From a variant's runs to its line of the summary. */
record Rows(List<VariantResult> all) {
    /** Findings that a line of the summary names; kiln explain tells all. */
    private static final int HELD_SHOWN = 2;

    SummaryRow of(VariantResult variant) {
        List<RunResult> readable = Reading.readableRuns(variant);
        return new SummaryRow(
                variant.name(),
                VerdictWords.of(variant),
                held(variant),
                spread(readable, RunResult::startSeconds, Text::seconds, Reading.whyNoStart(readable)),
                spread(readable, RunResult::firstResponseSeconds, Text::seconds, Reading.whyNoResponse(readable)),
                spread(readable, RunResult::endOfWarmup, Text::whole, "The warm-up had fewer than 10 whole seconds"),
                peak(variant),
                TimeCells.of(variant, TimeToPeak.HEADLINE),
                cost(variant),
                c2(readable),
                runs(variant));
    }

    private List<String> held(VariantResult variant) {
        return Stream.concat(
                        SiblingGap.of(variant, all).map(SiblingGap::title).stream(),
                        VerdictWords.held(variant, HELD_SHOWN).stream())
                .toList();
    }

    private static Cell spread(
            List<RunResult> runs,
            Function<RunResult, OptionalDouble> value,
            DoubleFunction<String> format,
            String whyAbsent) {
        return Spread.over(runs, value).map(s -> Cell.of(s, format)).orElseGet(() -> Cell.absent(whyAbsent));
    }

    private static Cell peak(VariantResult variant) {
        List<RunResult> valid = variant.valid();
        if (valid.isEmpty()) {
            return Cell.absent(noValidRun(variant));
        }
        return variant.referencePeak()
                .map(reference -> {
                    String value = Text.whole(reference.value());
                    return reference.lowerBound()
                            ? Cell.of("\u2265 " + value)
                                    .withNote(Text.sentence(reference.why())
                                            + ", so the peak is at least this and times to it are lower bounds")
                            : Cell.of(value);
                })
                .orElseGet(
                        () -> Cell.absent(
                                valid.getFirst().series().declines()
                                        ? Text.sentence(Peak.DECLINES)
                                        : "The protocol has no load after a pause: without it there is no peak to be held against"));
    }

    private static Cell cost(VariantResult variant) {
        List<RunResult> valid = variant.valid();
        return valid.isEmpty()
                ? Cell.absent(noValidRun(variant))
                : spread(valid, Rows::lostSeconds, Text::seconds, "Without a peak there is no loss to count");
    }

    static OptionalDouble lostSeconds(RunResult run) {
        return Reading.optional(
                run.series().deficit().map(deficit -> deficit.seconds().value()));
    }

    private static Cell c2(List<RunResult> runs) {
        List<WindowStatistics> seen = runs.stream().map(RunResult::observed).toList();
        List<WindowStatistics> both = seen.stream()
                .filter(o -> Text.present(o.c2CpuShare()) && Text.present(o.c2WaitShare()))
                .toList();
        if (both.isEmpty()) {
            boolean partly = runs.stream()
                    .flatMap(run -> run.provenance().stream())
                    .anyMatch(foreign -> !foreign.unseen().isEmpty());
            return Cell.absent(
                    partly
                            ? "Threads were recorded in less than half of the second half of the warm-up"
                            : "No C2 compiler threads were recorded");
        }
        double cpu = Spread.median(both, o -> o.c2CpuShare().orElseThrow());
        double wait = Spread.median(both, o -> o.c2WaitShare().orElseThrow());
        return Cell.of(Text.percent(cpu) + " / " + Text.percent(wait));
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

    static String noValidRun(VariantResult variant) {
        return variant.runs().isEmpty() ? "No run was recorded" : "No run is valid, so no peak can be read";
    }
}
