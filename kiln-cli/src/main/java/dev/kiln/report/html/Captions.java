package dev.kiln.report.html;

import dev.kiln.explain.Curves;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.ServedLoad;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.report.Cell.Spread;
import dev.kiln.report.Reading;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.text.Show;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/** Captions say in words what a chart shows, computed from the same figures. */
record Captions(ExperimentResult result) {
    /** A Sentence is about one variant, and begins with its name. */
    record Sentence(String variant, String rest) {
        String text() {
            return variant + rest;
        }
    }

    List<Sentence> throughput() {
        return each(variant -> {
            if (variant.valid().isEmpty()) {
                return Optional.of(": " + lowerFirst(Reading.noValidRun(variant)) + ".");
            }
            OptionalDouble end = median(variant, RunResult::endOfWarmup);
            return end.isPresent() ? Optional.of(rise(variant, end.getAsDouble())) : Optional.empty();
        });
    }

    private String rise(VariantResult variant, double end) {
        String served = "served " + Show.whole(end) + " req/s at the end of the warm-up";
        String peak = variant.referencePeak()
                .map(p -> " of " + variant.ownPeak() + " of " + p.words() + " ("
                        + Show.trimmed(100 * p.confidence(), 2) + " % interval "
                        + Show.range(p.throughput().lo(), p.throughput().hi(), Show::whole) + ")")
                .orElse("");
        String share = variant.endOverPeak()
                .map(r ->
                        ", " + (variant.referencePeak().filter(Peak::lowerBound).isPresent() ? "at most " : "")
                                + Show.percent(r.value()) + " %" + peak)
                .orElse("");
        return " " + reached(variant) + " and " + served + share + "." + jump(variant);
    }

    private static String reached(VariantResult variant) {
        List<RunResult> runs = variant.valid();
        return variant.time(TimeToPeak.HEADLINE)
                .map(time -> reached(variant, time, runs.size(), variant.horizon()))
                .orElseGet(() -> without(variant));
    }

    /** Returns what is said in place of a time that there is not. */
    private static String without(VariantResult variant) {
        return variant.runs().stream().anyMatch(run -> run.caveats().attached().isPresent())
                ? "ran before Kiln attached to it"
                : variant.referencePeak().isPresent() ? "has no time to its peak" : "has no peak";
    }

    private static String reached(VariantResult variant, TimeToPeak time, int runs, double horizon) {
        String level = " 90 % of " + variant.ownPeak() + " ";
        String within = "within " + Show.plain(horizon) + " s";
        if (time.seconds().isEmpty()) {
            String of = time.never() ? " in any of " : " in most of ";
            return time.reached() + level + within + (runs == 1 ? "" : of + runs + " runs");
        }
        boolean bound = variant.referencePeak().filter(Peak::lowerBound).isPresent();
        return time.reached()
                + level
                + (bound ? "no earlier than " : "after ")
                + time.words(horizon)
                + (runs == 1 ? "" : ", the median and range of " + runs + " runs,");
    }

    /** Returns what most runs show of the pause, each by its interval; of one run in five that differs nothing is said. */
    private static String jump(VariantResult variant) {
        List<Estimate> jumps = variant.valid().stream()
                .flatMap(run -> run.series().jump().stream())
                .map(SeriesAnalysis.CooldownJump::ratio)
                .toList();
        long more = jumps.stream().filter(ratio -> ratio.above(1)).count();
        long less = jumps.stream().filter(ratio -> ratio.below(1)).count();
        double times = Spread.median(jumps, Estimate::value);
        return 2 * Math.max(more, less) > jumps.size() && Math.abs(times - 1) > AnalysisConfig.DELTA
                ? " Right after the pause it served " + Show.three(times) + " times what it served just before."
                : "";
    }

    List<Sentence> c2() {
        return each(variant -> {
            OptionalDouble wait = median(variant, run -> run.observed().c2WaitShare());
            OptionalDouble cpu = median(variant, run -> run.observed().c2CpuShare());
            if (wait.isEmpty() || cpu.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(": in the second half of the warm-up "
                    + WindowStatistics.words("C2", cpu.getAsDouble(), wait.getAsDouble()) + pause(variant) + ".");
        });
    }

    private static String pause(VariantResult variant) {
        OptionalDouble pause = median(variant, Captions::c2InPause);
        return pause.isPresent()
                ? "; in the pause, when no request came, it used " + Show.percent(pause.getAsDouble()) + " %"
                : "";
    }

    List<Sentence> latency() {
        return each(variant -> {
            OptionalDouble warm = median(variant, run -> lastP99(run, false));
            OptionalDouble measured = median(variant, run -> lastP99(run, true));
            return warm.isEmpty()
                    ? Optional.empty()
                    : Optional.of(": " + Show.three(warm.getAsDouble())
                            + " ms over the last seconds of the warm-up"
                            + (measured.isPresent()
                                    ? ", " + Show.three(measured.getAsDouble())
                                            + " ms over the last seconds of the run."
                                    : "."));
        });
    }

    private static OptionalDouble lastP99(RunResult run, boolean measured) {
        Set<String> measuring = Reading.measuring(run);
        double[] all = run.curves().load().stream()
                .filter(p -> measuring.contains(p.phase()) == measured && Double.isFinite(p.p99Millis()))
                .mapToDouble(Curves.LoadPoint::p99Millis)
                .toArray();
        double[] last = Arrays.copyOfRange(all, Math.max(0, all.length - Reading.END_SECONDS), all.length);
        return Spread.of(last).map(s -> OptionalDouble.of(s.median())).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble c2InPause(RunResult run) {
        double zero = Reading.firstLoadStart(run);
        return pauseOf(run.phases(), Reading.measuring(run))
                .map(pause -> run.curves().jit().stream()
                        .filter(p -> p.second() >= pause.startSeconds() - zero + 1
                                && p.second() <= pause.startSeconds() - zero + pause.durationSeconds() - 2)
                        .mapToDouble(Curves.JitPoint::c2Cpu)
                        .average())
                .orElse(OptionalDouble.empty());
    }

    /** Returns the pause before the first measured load: after later ones there is little left to do. */
    static Optional<ServedLoad.PhaseSummary> pauseOf(List<ServedLoad.PhaseSummary> phases, Set<String> measuring) {
        return phases.stream()
                .takeWhile(phase -> !(phase.load() && measuring.contains(phase.name())))
                .filter(phase -> !phase.load())
                .reduce((first, second) -> second);
    }

    private static OptionalDouble median(VariantResult variant, Function<RunResult, OptionalDouble> value) {
        return Spread.over(Reading.readableRuns(variant), value)
                .map(s -> OptionalDouble.of(s.median()))
                .orElse(OptionalDouble.empty());
    }

    private List<Sentence> each(Function<VariantResult, Optional<String>> rest) {
        return result.variants().stream()
                .flatMap(v -> rest.apply(v).map(text -> new Sentence(v.name(), text)).stream())
                .toList();
    }

    private static String lowerFirst(String text) {
        return Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
