package dev.kiln.explain.study;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.Claims.ClaimResult.CheckResult;
import dev.kiln.explain.study.Claims.ClaimResult.State;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Number;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.model.experiment.Claim.Term;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.Welch;
import dev.kiln.stats.series.Peak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Holds claims against the figures of an experiment: medians over runs, decided by the interval between runs.
 * With one run a side there is none, and the answer says so. What is a lower bound can decide in one direction only.
 */
public final class Claims {
    private static final double CONFIDENCE = 0.95;

    private final Map<String, VariantResult> variants;
    private final Map<String, List<RunDigest>> digests;

    /** @param digests of each variant in the order of its runs */
    Claims(Map<String, VariantResult> variants, Map<String, List<RunDigest>> digests) {
        this.variants = variants;
        this.digests = digests;
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
        State state = refuted ? State.DISAGREES : missing.isEmpty() ? State.AGREES : State.NOT_OBSERVABLE;
        return new ClaimResult(claim, state, checks, missing.stream().distinct().toList());
    }

    /** By the interval between runs; a lower bound on the side that a larger value would turn leaves the check open. */
    private CheckResult result(Check check, List<String> missing) {
        double[] left = values(check.left(), missing);
        double[] right = values(check.right(), missing);
        int runs = Math.min(runs(check.left(), left), runs(check.right(), right));
        OptionalDouble leftMiddle = Descriptive.median(Arrays.stream(left));
        OptionalDouble rightMiddle = Descriptive.median(Arrays.stream(right));
        if (leftMiddle.isEmpty() || rightMiddle.isEmpty()) {
            return new CheckResult(check, leftMiddle, rightMiddle, runs, false);
        }
        boolean holds = check.op().holds(leftMiddle.getAsDouble(), rightMiddle.getAsDouble());
        boolean upwards = check.op() == Op.MORE || check.op() == Op.AT_LEAST;
        Optional<String> open =
                lowerBound(holds == upwards ? check.right() : check.left()).or(() -> undecided(check, left, right));
        open.ifPresent(missing::add);
        return new CheckResult(check, leftMiddle, rightMiddle, runs, open.isPresent());
    }

    private static int runs(Term term, double[] values) {
        return term instanceof Number ? Integer.MAX_VALUE : values.length;
    }

    /** Why the runs do not decide: the interval of the ratio has both answers in it. One run a side has no interval. */
    private static Optional<String> undecided(Check check, double[] left, double[] right) {
        boolean positive = Arrays.stream(left).allMatch(v -> v > 0 && Double.isFinite(v))
                && Arrays.stream(right).allMatch(v -> v > 0 && Double.isFinite(v));
        boolean number = check.left() instanceof Number || check.right() instanceof Number;
        if (!positive
                || (left.length < 2 && right.length < 2)
                || (!number && Math.min(left.length, right.length) < 2)) {
            return Optional.empty();
        }
        double lo;
        double hi;
        if (number) {
            int n = Math.max(left.length, right.length);
            PairedRatio ratio = PairedRatio.of(repeated(right, n), repeated(left, n), CONFIDENCE);
            lo = ratio.lo();
            hi = ratio.hi();
        } else {
            Welch ratio = Welch.ratio(right, left, CONFIDENCE);
            lo = ratio.lo();
            hi = ratio.hi();
        }
        return lo < 1 && hi > 1
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "%s: the ratio is between %.2f and %.2f by the runs' interval, so this is not decided",
                        check.text(),
                        lo,
                        hi))
                : Optional.empty();
    }

    private static double[] repeated(double[] values, int n) {
        double[] out = values;
        if (values.length == 1) {
            out = new double[n];
            Arrays.fill(out, values[0]);
        }
        return out;
    }

    /** Why a side may be more than was measured; a peak, and the time to a share of it. */
    private Optional<String> lowerBound(Term side) {
        if (!(side instanceof Figure figure) || !figure.known().againstPeak()) {
            return Optional.empty();
        }
        return Optional.ofNullable(variants.get(figure.variant()))
                .flatMap(VariantResult::referencePeak)
                .filter(Peak::lowerBound)
                .map(peak -> figure.metric() + " of " + figure.variant() + " is a lower bound, so this is not"
                        + " decided: "
                        + peak.why());
    }

    /** One a run; a number is one value. */
    private double[] values(Term term, List<String> missing) {
        return switch (term) {
            case Number number -> new double[] {number.value()};
            case Figure figure -> {
                Optional<VariantResult> variant = Optional.ofNullable(variants.get(figure.variant()));
                double[] values = variant.map(known -> figure(figure, known)).orElse(new double[0]);
                if (values.length == 0) {
                    missing.add(why(figure, variant));
                }
                yield Arrays.stream(values).map(v -> figure.factor() * v).toArray();
            }
        };
    }

    private double[] figure(Figure figure, VariantResult variant) {
        List<RunDigest> known = digests.getOrDefault(variant.name(), List.of());
        List<OptionalDouble> values = new ArrayList<>();
        for (int i = 0; i < variant.runs().size(); i++) {
            RunResult run = variant.runs().get(i);
            RunDigest digest = known.get(i);
            if (figure.known().ofThroughput() ? run.valid() : digest.asMeant()) {
                values.add(value(figure.known(), variant, run));
            }
        }
        return values.stream()
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
    }

    /** A claim on the peak speaks of the reference peak, which the variant's runs share. */
    private static OptionalDouble value(Metric metric, VariantResult variant, RunResult run) {
        return metric == Metric.PEAK
                ? variant.referencePeak().stream().mapToDouble(Peak::value).findFirst()
                : RunFigures.of(metric, run);
    }

    private static String why(Figure figure, Optional<VariantResult> variant) {
        if (variant.isEmpty()) {
            return figure.variant() + " was not run";
        }
        Optional<String> reason = variant.get().runs().stream()
                .flatMap(run -> run.invalidReasons().stream())
                .findFirst();
        boolean invalid = variant.get().runs().stream().noneMatch(RunResult::valid);
        return invalid && reason.isPresent()
                ? "no run of " + figure.variant() + " is valid: " + reason.get()
                : figure.metric() + " of " + figure.variant() + " was not recorded";
    }

    /**
     * A claim compared with the figures of an experiment.
     *
     * @param missing why it is not observable; empty where it is
     */
    public record ClaimResult(Claim claim, State state, List<CheckResult> checks, List<String> missing) {
        public ClaimResult {
            checks = List.copyOf(checks);
            missing = List.copyOf(missing);
        }

        /** What the figures say to a claim. */
        public enum State {
            AGREES("agrees"),
            DISAGREES("does not agree"),
            NOT_OBSERVABLE("not observable");

            private final String text;

            State(String text) {
                this.text = text;
            }

            public String text() {
                return text;
            }
        }

        /**
         * One check with its figures.
         *
         * @param left empty where it could not be read; infinite for a time that was never reached
         * @param runs of the side that has fewer
         * @param open the runs do not decide, or a side is a lower bound only, and the truth above it could turn the answer
         */
        public record CheckResult(
                Claim.Check check, OptionalDouble left, OptionalDouble right, int runs, boolean open) {
            /** Whether both sides are known. */
            public boolean observable() {
                return left.isPresent() && right.isPresent();
            }

            public boolean holds() {
                return observable() && check.op().holds(left.getAsDouble(), right.getAsDouble());
            }
        }
    }
}
