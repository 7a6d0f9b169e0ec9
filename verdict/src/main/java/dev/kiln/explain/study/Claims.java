package dev.kiln.explain.study;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.CheckResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.Ratio;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.State;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricKind;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Number;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.model.experiment.Claim.Stretch;
import dev.kiln.model.experiment.Claim.Term;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.series.Peak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Claims are held against the figures of an experiment: medians over runs, decided by the interval between runs. With
 * one run a side there is none, and the answer says so. What is a lower bound can decide in one direction only.
 */
public final class Claims {
    private static final double CONFIDENCE = 0.95;

    private final Map<String, VariantResult> variants;
    private final Map<String, List<RunDigest>> digests;

    /** Makes the claims' view of an experiment, from each variant's digests in the order of runs. */
    Claims(Map<String, VariantResult> variants, Map<String, List<RunDigest>> digests) {
        this.variants = variants;
        this.digests = digests;
    }

    /** Returns the parts of a run that claims ask for, which must be digested while the evidence is read. */
    static Set<Stretch> parts(List<Claim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.checks().stream())
                .flatMap(check -> Stream.of(check.left(), check.right()))
                .flatMap(term -> term instanceof Figure figure ? figure.stretch().stream() : Stream.empty())
                .collect(Collectors.toSet());
    }

    List<ClaimResult> answer(List<Claim> claims) {
        return claims.stream().map(this::answer).toList();
    }

    private ClaimResult answer(Claim claim) {
        List<CheckResult> checks = new ArrayList<>();
        List<String> missing = new ArrayList<>(claim.notObservable().stream().toList());
        for (Check check : claim.checks()) {
            checks.add(result(check, missing));
        }
        boolean refuted = checks.stream().anyMatch(check -> check.observable() && !check.open() && !check.holds());
        State state = refuted ? State.DISAGREES : missing.isEmpty() ? State.AGREES : State.OPEN;
        return new ClaimResult(claim, state, checks, missing.stream().distinct().toList());
    }

    /** Decides a check by the interval between runs; open if a lower bound's true value could change it. */
    private CheckResult result(Check check, List<String> missing) {
        boolean held = comparesVariants(check);
        ClaimSide leftSide = side(check.left(), held, missing);
        ClaimSide rightSide = side(check.right(), held, missing);
        double[] left = leftSide.values();
        double[] right = rightSide.values();
        int runs = Math.min(runs(check.left(), left), runs(check.right(), right));
        OptionalDouble leftMiddle = middle(check.left(), left);
        OptionalDouble rightMiddle = middle(check.right(), right);
        if (leftMiddle.isEmpty() || rightMiddle.isEmpty()) {
            return new CheckResult(check, leftMiddle, rightMiddle, runs, false, Optional.empty());
        }
        boolean holds = check.op().holds(leftMiddle.getAsDouble(), rightMiddle.getAsDouble());
        boolean upwards = check.op() == Op.MORE || check.op() == Op.AT_LEAST;
        boolean leftIsMore = holds == upwards;
        Optional<Ratio> ratio = ratio(check, leftSide, rightSide);
        Optional<String> open = lowerBound(leftIsMore ? check.right() : check.left(), held)
                .or(() -> ratio.isPresent()
                        ? undecided(check, ratio.get(), leftIsMore)
                        : leftSide.undecided(check, rightSide, holds));
        open.ifPresent(missing::add);
        return new CheckResult(check, leftMiddle, rightMiddle, runs, open.isPresent(), ratio);
    }

    /** Tells whether a check compares times of two variants, which are then held against one peak. */
    private static boolean comparesVariants(Check check) {
        return check.left() instanceof Figure left
                && check.right() instanceof Figure right
                && !left.variant().equals(right.variant())
                && Stream.of(left, right)
                        .allMatch(one -> one.known() == Metric.T90 || one.known() == Metric.COMPILATIONS_TO_T90);
    }

    private Optional<VariantResult> variant(Figure figure, boolean held) {
        return Optional.ofNullable(variants.get(figure.variant())).map(own -> held ? own.held() : own);
    }

    private static int runs(Term term, double[] values) {
        return term instanceof Number ? Integer.MAX_VALUE : values.length;
    }

    /** Returns why the runs do not decide, if their interval has the other answer in it. */
    private static Optional<String> undecided(Check check, Ratio ratio, boolean leftIsMore) {
        return (leftIsMore ? ratio.lo() < 1 : ratio.hi() > 1)
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "%s: the ratio is between %.3f and %.3f by the runs' interval, so this is not decided",
                        check.text(),
                        ratio.lo(),
                        ratio.hi()))
                : Optional.empty();
    }

    /** Returns the ratio's interval. It is empty with one run a side, and for values that are not positive or were not reached. */
    private Optional<Ratio> ratio(Check check, ClaimSide left, ClaimSide right) {
        boolean enough = Stream.of(left, right).allMatch(side -> side.isNumber() || side.values().length >= 2);
        boolean numbers = left.isNumber() && right.isNumber();
        return enough && !numbers && left.positive() && right.positive()
                ? Optional.of(left.over(
                        right, Precision.confidence(CONFIDENCE, chooses(check.left()) || chooses(check.right()))))
                : Optional.empty();
    }

    /** Tells whether runs were added until the interval of this figure was narrow. */
    private boolean chooses(Term term) {
        return term instanceof Figure figure
                && figure.stretch().isEmpty()
                && Precision.chooses(figure.known().id())
                && runs(figure).stream()
                        .anyMatch(run -> run.info().plan().runs().adaptive());
    }

    /** Returns why a side may be more than was measured: a peak, or a time to a share of it; else empty. */
    private Optional<String> lowerBound(Term side, boolean held) {
        if (!(side instanceof Figure figure) || !figure.known().againstPeak()) {
            return Optional.empty();
        }
        return variant(figure, held)
                .flatMap(VariantResult::referencePeak)
                .filter(Peak::lowerBound)
                .map(peak -> figure.metric() + " of " + figure.variant() + " is a lower bound, so this is not"
                        + " decided: "
                        + peak.why());
    }

    /** Returns a side with one value for each run, or with one value for a number. */
    private ClaimSide side(Term term, boolean held, List<String> missing) {
        return switch (term) {
            case Number number -> ClaimSide.of(number.value());
            case Figure figure -> {
                Optional<VariantResult> variant = variant(figure, held);
                ClaimSide side = variant.filter(known -> alike(figure))
                        .map(known -> side(figure, known))
                        .orElse(ClaimSide.NOTHING);
                if (side.values().length == 0) {
                    missing.add(
                            alike(figure) ? why(figure, variant, runs(figure)) : figure.metric() + ClaimSide.UNLIKE);
                }
                yield side;
            }
        };
    }

    /** Tells whether runs are alike in what a figure counts: loads that end before their time differ in length. */
    private boolean alike(Figure figure) {
        return !figure.known().growsWithTheLoad()
                || figure.stretch().isPresent()
                || runs(figure).stream().noneMatch(run -> run.info().protocol().endsEarly());
    }

    private List<RunDigest> runs(Figure figure) {
        return digests.getOrDefault(figure.variant(), List.of());
    }

    private ClaimSide side(Figure figure, VariantResult variant) {
        List<RunDigest> known = digests.getOrDefault(variant.name(), List.of());
        List<OptionalDouble> values = new ArrayList<>();
        List<Integer> blocks = new ArrayList<>();
        List<Double> loads = new ArrayList<>();
        double bin = 0;
        boolean bound = variant.referencePeak().filter(Peak::lowerBound).isPresent();
        for (int i = 0; i < variant.runs().size(); i++) {
            RunResult run = variant.runs().get(i);
            RunDigest digest = known.get(i);
            if (figure.known().ofThroughput() ? run.valid() : digest.asMeant()) {
                blocks.add(run.block());
                loads.add(RunFigures.horizon(figure.known(), run));
                bin = Math.max(bin, run.series().binSeconds());
                values.add(value(figure, run, digest, bound));
            }
        }
        // The runs that came there first are no sample of all.
        boolean biased =
                figure.known() == Metric.COMPILATIONS_TO_T90 && values.stream().anyMatch(OptionalDouble::isEmpty);
        int[] present = IntStream.range(0, values.size())
                .filter(i -> !biased && values.get(i).isPresent())
                .toArray();
        return new ClaimSide(
                Arrays.stream(present)
                        .mapToDouble(i -> figure.factor() * values.get(i).orElseThrow())
                        .toArray(),
                Arrays.stream(present)
                        .mapToDouble(i -> figure.factor() * loads.get(i))
                        .toArray(),
                Arrays.stream(present).map(blocks::get).toArray(),
                figure.known().kind() == MetricKind.TIME ? figure.factor() * bin : 0);
    }

    /** @param bound whether the peak of its variant is a lower bound */
    private static OptionalDouble value(Figure figure, RunResult run, RunDigest digest, boolean bound) {
        if (figure.known() == Metric.PEAK) {
            return ownPeak(digest, bound);
        }
        return figure.stretch().isEmpty()
                ? RunFigures.of(figure.known(), run)
                : Optional.ofNullable(digest.parts().get(figure.stretch().get()))
                        .map(part -> part.figure(figure.known()))
                        .orElse(OptionalDouble.empty());
    }

    /** Returns a run's own peak as the reference counts it: a lower bound only where no run found its own. */
    private static OptionalDouble ownPeak(RunDigest digest, boolean bound) {
        return digest.series(Optional.empty()).peak().stream()
                .filter(peak -> bound || !peak.lowerBound())
                .mapToDouble(Peak::value)
                .findFirst();
    }

    /** Returns the median of the runs; for the peak it is the variant's reference peak, as all of the report has it. */
    private OptionalDouble middle(Term term, double[] values) {
        if (values.length > 0 && term instanceof Figure figure && figure.known() == Metric.PEAK) {
            return Optional.ofNullable(variants.get(figure.variant())).stream()
                    .flatMap(variant -> variant.referencePeak().stream())
                    .mapToDouble(peak -> figure.factor() * peak.value())
                    .findFirst();
        }
        return Descriptive.median(Arrays.stream(values));
    }

    private static String why(Figure figure, Optional<VariantResult> variant, List<RunDigest> digests) {
        if (variant.isEmpty()) {
            return figure.variant() + " was not run";
        }
        Optional<String> reason = variant.get().runs().stream()
                .flatMap(run -> run.invalidReasons().stream())
                .findFirst();
        boolean invalid = variant.get().runs().stream().noneMatch(RunResult::valid);
        if (invalid && reason.isPresent()) {
            return "no run of " + figure.variant() + " is valid: " + reason.get();
        }
        if (figure.stretch().isPresent()
                && digests.stream()
                        .noneMatch(
                                run -> run.parts().containsKey(figure.stretch().get()))) {
            return "no run of " + figure.variant() + " has the part "
                    + figure.part().orElseThrow();
        }
        if (figure.known().againstPeak() && variant.get().referencePeak().isEmpty()) {
            return figure.variant() + " has no peak: "
                    + variant.get().runs().stream()
                            .map(run -> run.series().whyNoPeak())
                            .findFirst()
                            .orElse("it has no run");
        }
        return figure.known() == Metric.COMPILATIONS_TO_T90
                ? "not every run of " + figure.variant() + " came to 90 % of its peak in its first load"
                : figure.metric() + " of " + figure.variant()
                        + figure.part().map(part -> ", " + part + ",").orElse("") + " was not recorded";
    }
}
