package dev.kiln.explain;

import dev.kiln.explain.ClaimResult.CheckResult;
import dev.kiln.explain.ClaimResult.State;
import dev.kiln.model.Claim;
import dev.kiln.model.Claim.Check;
import dev.kiln.model.Claim.Figure;
import dev.kiln.model.Claim.Number;
import dev.kiln.model.Claim.Op;
import dev.kiln.model.Claim.Term;
import dev.kiln.model.ClaimMetric;
import dev.kiln.stats.Peak;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Holds claims against the figures of an experiment: medians over runs, compared as the claim says. What is a lower bound can
 * decide in one direction only. Noise has no part in it;
 * a claim that must stand out from noise says by which factor.
 */
final class Claims {
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

    /** What is a lower bound on the side that a larger value would turn leaves the check open. */
    private CheckResult result(Check check, List<String> missing) {
        OptionalDouble left = value(check.left(), missing);
        OptionalDouble right = value(check.right(), missing);
        if (left.isEmpty() || right.isEmpty()) {
            return new CheckResult(check, left, right, false);
        }
        boolean holds = check.op().holds(left.getAsDouble(), right.getAsDouble());
        boolean upwards = check.op() == Op.MORE || check.op() == Op.AT_LEAST;
        Optional<String> bound = lowerBound(holds == upwards ? check.right() : check.left());
        bound.ifPresent(missing::add);
        return new CheckResult(check, left, right, bound.isPresent());
    }

    /** Why a side may be more than was measured; a peak, and the time to a share of it. */
    private Optional<String> lowerBound(Term side) {
        if (!(side instanceof Figure figure)
                || (figure.metric() != ClaimMetric.PEAK && figure.metric() != ClaimMetric.T90)) {
            return Optional.empty();
        }
        return Optional.ofNullable(variants.get(figure.variant()))
                .flatMap(VariantResult::referencePeak)
                .filter(Peak::lowerBound)
                .map(peak -> figure.metric().id() + " of " + figure.variant() + " is a lower bound, so this is open: "
                        + peak.why());
    }

    private OptionalDouble value(Term term, List<String> missing) {
        return switch (term) {
            case Number number -> OptionalDouble.of(number.value());
            case Figure figure -> {
                Optional<VariantResult> variant = Optional.ofNullable(variants.get(figure.variant()));
                OptionalDouble value =
                        variant.map(known -> figure(figure, known)).orElse(OptionalDouble.empty());
                if (value.isEmpty()) {
                    missing.add(why(figure, variant));
                }
                yield value.isPresent() ? OptionalDouble.of(figure.factor() * value.getAsDouble()) : value;
            }
        };
    }

    private OptionalDouble figure(Figure figure, VariantResult variant) {
        List<RunDigest> known = digests.getOrDefault(variant.name(), List.of());
        List<OptionalDouble> values = new ArrayList<>();
        for (int i = 0; i < variant.runs().size(); i++) {
            RunResult run = variant.runs().get(i);
            RunDigest digest = known.get(i);
            if (figure.metric().ofThroughput() ? run.valid() : digest.asMeant()) {
                values.add(ClaimFigures.of(figure.metric(), variant, run, digest.jit()));
            }
        }
        return JitFigures.median(
                values.stream().filter(OptionalDouble::isPresent).mapToDouble(OptionalDouble::getAsDouble));
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
                : figure.metric().id() + " of " + figure.variant() + " was not recorded";
    }
}
