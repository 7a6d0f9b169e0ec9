package dev.kiln.report;

import dev.kiln.explain.Curves;
import dev.kiln.explain.ExperimentResult;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.stats.CooldownJump;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/** What one sees in a chart, said in words and computed from the same figures. */
record Captions(ExperimentResult result) {

    /** A sentence about a variant, which begins with its name. */
    record Sentence(String variant, String rest) {
        String text() {
            return variant + rest;
        }
    }

    List<Sentence> throughput() {
        return each(variant -> {
            if (Reading.validRuns(variant).isEmpty()) {
                return Optional.of(": " + lowerFirst(Rows.noValidRun(variant)) + ".");
            }
            OptionalDouble end = median(variant, RunResult::endOfWarmup);
            return end.isPresent() ? Optional.of(rise(variant, end.getAsDouble())) : Optional.empty();
        });
    }

    private String rise(VariantResult variant, double end) {
        String served = "served " + Text.whole(end) + " req/s at the end of the warm-up";
        String share = variant.referencePeak()
                .map(peak -> ", " + Text.whole(100 * end / peak.value()) + " % of its reference peak of "
                        + (peak.lowerBound() ? "at least " : "") + Text.whole(peak.value()) + " req/s")
                .orElse("");
        return " " + reached(variant) + " and " + served + share + "." + jump(variant);
    }

    private String reached(VariantResult variant) {
        String peak = variant.referencePeak().isPresent() ? "reference peak" : "own peak";
        List<TimeReading> times = Reading.validRuns(variant).stream()
                .map(run -> TimeReading.of(run, 90, result.config().binSeconds()))
                .flatMap(Optional::stream)
                .toList();
        long reached = times.stream().filter(TimeReading::reached).count();
        if (times.isEmpty()) {
            return "has no peak to be held against";
        }
        String of = times.size() == 1 ? "" : " in " + reached + " of " + times.size() + " runs";
        if (reached == 0) {
            return "did not reach 90 % of its " + peak + " within "
                    + Text.plain(Spread.median(times, TimeReading::horizon)) + " s"
                    + (times.size() == 1 ? "" : " in any of " + times.size() + " runs");
        }
        double[] seconds = times.stream()
                .mapToDouble(TimeReading::seconds)
                .filter(Double::isFinite)
                .toArray();
        Spread spread = Spread.of(seconds).orElseThrow();
        return "reached 90 % of its " + peak + " after " + Text.range(spread.min(), spread.max(), Text::seconds) + " s"
                + of;
    }

    private static String jump(VariantResult variant) {
        return Spread.of(Reading.validRuns(variant).stream()
                        .map(RunResult::cooldownJump)
                        .flatMap(Optional::stream)
                        .mapToDouble(CooldownJump::ratio)
                        .toArray())
                .filter(s -> Math.abs(s.median() - 1) > 0.05)
                .map(s -> " Right after the pause it served " + Text.three(s.median()) + " times as much as just"
                        + " before it.")
                .orElse("");
    }

    List<Sentence> c2() {
        return each(variant -> {
            OptionalDouble wait = median(variant, run -> run.observed().c2WaitShare());
            OptionalDouble cpu = median(variant, run -> run.observed().c2CpuShare());
            if (wait.isEmpty() || cpu.isEmpty()) {
                return Optional.empty();
            }
            String waited = wait.getAsDouble() <= 1
                    ? "wanted one and did not get it " + Text.percent(wait.getAsDouble()) + " % of the time"
                    : Text.three(wait.getAsDouble()) + " C2 threads were waiting for one on average";
            return Optional.of(": in the second half of the warm-up C2 had " + Text.percent(cpu.getAsDouble())
                    + " % of one CPU and " + waited + pause(variant) + ".");
        });
    }

    private static String pause(VariantResult variant) {
        OptionalDouble pause = median(variant, Captions::c2InPause);
        return pause.isPresent()
                ? "; in the pause, when no request came, it had " + Text.percent(pause.getAsDouble()) + " %"
                : "";
    }

    List<Sentence> latency() {
        return each(variant -> {
            OptionalDouble warm = median(variant, run -> lastP99(run, false));
            OptionalDouble measured = median(variant, run -> lastP99(run, true));
            return warm.isEmpty()
                    ? Optional.empty()
                    : Optional.of(": " + Text.three(warm.getAsDouble())
                            + " ms over the last seconds of the warm-up"
                            + (measured.isPresent()
                                    ? ", " + Text.three(measured.getAsDouble())
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

    /** The last pause, without the seconds at its ends that it shares with load. */
    private static OptionalDouble c2InPause(RunResult run) {
        double zero = Reading.firstLoadStart(run);
        return run.phases().stream()
                .filter(phase -> !phase.load())
                .reduce((first, second) -> second)
                .map(pause -> run.curves().jit().stream()
                        .filter(p -> p.second() >= pause.startSeconds() - zero + 1
                                && p.second() <= pause.startSeconds() - zero + pause.durationSeconds() - 2)
                        .mapToDouble(Curves.JitPoint::c2Cpu)
                        .average())
                .orElse(OptionalDouble.empty());
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
