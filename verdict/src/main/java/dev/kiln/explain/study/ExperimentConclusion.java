package dev.kiln.explain.study;

import dev.kiln.explain.ResponseTimes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.cause.Causes;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Fall;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** An ExperimentConclusion is one sentence that says only what the intervals support. */
final class ExperimentConclusion {
    private ExperimentConclusion() {}

    static String of(List<VariantResult> variants, Protocol protocol) {
        List<VariantResult> ordered = ordered(variants);
        if (ordered.isEmpty()) {
            return variants.isEmpty()
                    ? "Nothing was recorded."
                    : "No run is valid, so the peak is not known: " + firstReason(variants) + ".";
        }
        boolean several = protocol.loads().size() > 2;
        VariantResult best = ordered.getFirst();
        VariantResult worst = ordered.getLast();
        String text = ordered.size() == 1
                ? sentence(best, several) + ResponseWords.beginning(best) + ResponseWords.slo(best)
                : sentence(best, several) + ResponseWords.slo(best) + "; " + sentence(worst, several)
                        + ResponseWords.slo(worst);
        return text + (ordered.size() > 2 ? " (best and worst of " + ordered.size() + ")." : ".");
    }

    /** Returns the variants with a valid run; the one that came to its peak first is the first. */
    static List<VariantResult> ordered(List<VariantResult> variants) {
        return variants.stream()
                .filter(variant -> !variant.valid().isEmpty())
                .sorted(Comparator.comparingDouble(ExperimentConclusion::order))
                .toList();
    }

    private static double order(VariantResult variant) {
        return variant.held()
                .time(run -> run.allServed().isPresent()
                        ? run.allServed().flatMap(ResponseTimes::settled).map(ResponseTimes.Settled::time)
                        : run.series().time(TimeToPeak.HEADLINE))
                .map(TimeToPeak::seconds)
                .orElse(OptionalDouble.empty())
                .orElse(Double.MAX_VALUE);
    }

    private static String firstReason(List<VariantResult> variants) {
        return variants.stream()
                .flatMap(variant -> variant.runs().reversed().stream())
                .flatMap(run -> run.invalidReasons().stream())
                .findFirst()
                .orElse("no run was recorded");
    }

    private static String sentence(VariantResult variant, boolean severalLoads) {
        if (variant.allServed()) {
            return ResponseWords.sentence(variant);
        }
        Optional<Peak> reference = variant.held().referencePeak();
        Optional<Attached> before = variant.valid().stream()
                .flatMap(run -> run.caveats().attached().stream())
                .findFirst();
        if (before.isPresent() && reference.isPresent()) {
            return variant.name() + " had run for " + before.get().ran() + " when Kiln attached to it"
                    + stood(variant).after(": ")
                    + (allPeaked(variant) ? "" : because(variant));
        }
        Optional<TimeToPeak> time = variant.held().time(TimeToPeak.HEADLINE);
        if (reference.isEmpty() || time.isEmpty()) {
            boolean servedLess = variant.valid().stream()
                    .anyMatch(run -> run.series()
                            .absence()
                            .filter(Peak.Absence.SERVED_LESS::equals)
                            .isPresent());
            return variant.name() + ": " + end(variant) + (servedLess ? because(variant) : "");
        }
        String peak = peak(variant);
        double horizon = variant.horizon();
        if (time.get().seconds().isEmpty()) {
            return String.format(
                    Locale.ROOT,
                    "%s %s %d %% of %s within %.0f s of load%s%s%s",
                    variant.name(),
                    time.get().reached(),
                    TimeToPeak.HEADLINE,
                    peak,
                    horizon,
                    runs(variant, false),
                    stood(variant, ofHighest(variant)).after(": "),
                    because(variant));
        }
        return String.format(
                Locale.ROOT,
                "%s reached %d %% of %s %s%s %s%s%s%s",
                variant.name(),
                TimeToPeak.HEADLINE,
                peak,
                reference.get().lowerBound() ? "no earlier than " : "",
                time.get().words(horizon),
                severalLoads ? "into the load" : "after the first request",
                runs(variant, true),
                fellLater(variant).isEmpty() ? "" : "," + fellLater(variant),
                allPeaked(variant)
                        ? delayed(variant).map(why -> "; meanwhile " + why).orElse("")
                        : stood(variant).after(": ") + because(variant));
    }

    /** Returns in words that C2 was starved until a variant had come to its peak; empty unless most runs show it. */
    static Optional<String> delayed(VariantResult variant) {
        List<Double> until = variant.valid().stream()
                .flatMap(run ->
                        Causes.starvedEarlier(run.explanation().findings())
                                .filter(moment -> coversT90(run, moment))
                                .stream())
                .map(Finding.Moment::toSecond)
                .sorted()
                .toList();
        return 2 * until.size() <= variant.valid().size()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "C2 was starved of CPU, the last time until second %.0f",
                        until.get(until.size() / 2)));
    }

    private static boolean coversT90(RunResult run, Finding.Moment starved) {
        OptionalDouble time =
                run.series().time(TimeToPeak.HEADLINE).map(TimeToPeak::seconds).orElse(OptionalDouble.empty());
        return time.isPresent()
                && starved.fromSecond() < time.getAsDouble() / 2
                && starved.toSecond() >= time.getAsDouble();
    }

    /** Returns in words that a variant surely ended below what it had reached; blank where it did not. */
    static String fellLater(VariantResult variant) {
        return variant.endOverPeak()
                .filter(share -> share.below(TimeToPeak.HEADLINE / 100.0))
                .map(share -> " and fell below it later")
                .orElse("");
    }

    /** Returns in words what the variant is held against: {@code its peak (1,222 req/s)}, or the highest. */
    static String peak(VariantResult variant) {
        return variant.higher()
                .map(higher -> "the highest peak (" + higher.words() + ")")
                .orElseGet(() ->
                        "its peak (" + variant.referencePeak().orElseThrow().words() + ")");
    }

    /** Returns how far the variant came of another's peak that it did not reach; blank where its own is the highest. */
    private static String ofHighest(VariantResult variant) {
        OptionalDouble end = variant.endOfWarmup();
        return variant.higher().isPresent() && end.isPresent()
                ? String.format(
                        Locale.ROOT,
                        ", %.0f %% of that peak",
                        100 * end.getAsDouble() / variant.higher().get().peak().value())
                : "";
    }

    static String end(VariantResult variant) {
        OptionalDouble end = variant.endOfWarmup();
        List<RunResult> valid = variant.valid();
        RunResult told = valid.stream()
                .filter(run ->
                        run.series().absence().filter(Peak.Absence::judged).isPresent())
                .findFirst()
                .orElse(valid.getFirst());
        return told.whyNoPeak()
                + (end.isPresent() ? String.format(Locale.ROOT, "; it ended at %,.0f req/s", end.getAsDouble()) : "");
    }

    /** Returns in words how many runs the time is the median of; blank for one run. */
    private static String runs(VariantResult variant, boolean reached) {
        int n = variant.valid().size();
        return n == 1 ? "" : String.format(Locale.ROOT, reached ? " (median and range of %d runs)" : " in %d runs", n);
    }

    /**
     * A Standing says where a variant stood at its end.
     *
     * @param end in words; blank where it is not known
     * @param verdict in the same words as the table's
     */
    record Standing(String end, String verdict) {
        /** Returns both, what is known of the end behind these signs. */
        String after(String signs) {
            return (end.isEmpty() ? "" : signs + end) + ", " + verdict;
        }
    }

    static Standing stood(VariantResult variant) {
        return stood(variant, "");
    }

    /** @param ofHighest the share of a peak that was named before; blank for none */
    private static Standing stood(VariantResult variant, String ofHighest) {
        Optional<Estimate> r = variant.endOverPeak();
        OptionalDouble end = variant.endOfWarmup();
        if (end.isEmpty() || (r.isEmpty() && ofHighest.isEmpty())) {
            return new Standing("", verdict(variant));
        }
        String ofOwn = r.map(share -> String.format(
                        Locale.ROOT,
                        "%s %.0f %% of its %speak (%.0f-%.0f)",
                        ofHighest.isEmpty() ? "," : " and",
                        100 * share.value(),
                        ofHighest.isEmpty() ? "" : "own ",
                        100 * share.lo(),
                        100 * share.hi()))
                .orElse("");
        return new Standing(
                String.format(Locale.ROOT, "it ended at %,.0f req/s", end.getAsDouble()) + ofHighest + ofOwn,
                verdict(variant));
    }

    private static String verdict(VariantResult variant) {
        Map<String, Long> verdicts = variant.verdicts();
        if (verdicts.size() > 1) {
            return "and runs differ: " + variant.verdict();
        }
        String word = verdicts.keySet().stream().findFirst().orElse("");
        List<RunResult> runs = variant.valid();
        return switch (runs.getFirst().explanation().verdict()) {
            case Verdict.CannotTell cannot ->
                "and Kiln cannot tell whether it was at its peak (" + cannot.decide() + " would decide)";
            case Verdict.StoppedServing stopped ->
                String.format(Locale.ROOT, "stopped at second %.0f", stopped.atSeconds());
            case Verdict.Slowing slowing -> fell(variant) ? word + before(runs) : word + " (" + slowing.seen() + ")";
            default -> word;
        };
    }

    /** Tells whether throughput fell in the first load; the causes are of that load, too. */
    private static boolean fell(RunResult run) {
        return run.explanation().verdict() instanceof Verdict.Slowing slowing && !slowing.afterPause();
    }

    /** Returns in words what the only run had served before it fell; blank for several runs, which fell from different levels. */
    private static String before(List<RunResult> runs) {
        return runs.stream()
                .flatMap(run -> run.series().shape().held().stream())
                .filter(held -> runs.size() == 1)
                .map(held -> String.format(
                        Locale.ROOT, " (it had served %,.0f req/s for %.0f s before)", held.level(), held.seconds()))
                .findFirst()
                .orElse("");
    }

    private static boolean fell(VariantResult variant) {
        return variant.valid().stream().anyMatch(ExperimentConclusion::fell);
    }

    static boolean allPeaked(VariantResult variant) {
        return variant.valid().stream()
                .allMatch(run -> run.explanation().verdict().end().isPresent());
    }

    private static String because(VariantResult variant) {
        return why(variant).map(why -> "; " + why).orElse("");
    }

    /** Returns in words what held the variant back, or may do where nothing shows that anything does; empty where it is not known. */
    static Optional<String> why(VariantResult variant) {
        if (byMachine(variant)) {
            return Optional.of("the machine was the reason: the target got less CPU, and served as many requests per"
                    + " CPU-second");
        }
        return cause(variant)
                .map(finding -> did(variant)
                        + finding.title()
                        + finding.evidence().stream()
                                .findFirst()
                                .map(proof -> " (" + proof.text() + ")")
                                .orElse(""));
    }

    private static String did(VariantResult variant) {
        if (fell(variant)) {
            return "what may have ended its level: ";
        }
        boolean undecided =
                variant.valid().stream().allMatch(run -> run.explanation().verdict() instanceof Verdict.CannotTell);
        return undecided ? "what may hold it back: " : "what held it back: ";
    }

    /** Tells whether throughput fell in most valid runs and requests per CPU-second of the target did not. */
    static boolean byMachine(VariantResult variant) {
        long machine = variant.valid().stream()
                .filter(run -> run.fall()
                        .filter(fall -> fall.because() == Fall.Because.MACHINE)
                        .isPresent())
                .count();
        return 2 * machine > variant.valid().size();
    }

    /** Returns the weightiest cause that can do what was measured, confirmed in most valid runs. */
    static Optional<Finding> cause(VariantResult variant) {
        List<RunResult> runs = variant.valid();
        Finding.Effect effect = fell(variant) ? Finding.Effect.FALL : Finding.Effect.BELOW_PEAK;
        Map<String, List<Finding>> confirmed = runs.stream()
                .flatMap(run -> run.explanation().causes().stream())
                .filter(finding -> finding.explains().contains(effect))
                .collect(Collectors.groupingBy(Finding::id));
        return confirmed.values().stream()
                .filter(same -> 2 * same.size() > runs.size())
                .map(List::getFirst)
                .max(Comparator.comparingDouble(Finding::weight));
    }
}
