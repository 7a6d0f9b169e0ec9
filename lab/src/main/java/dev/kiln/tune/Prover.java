package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.model.Metric;
import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.Student;
import dev.kiln.tune.Tuning.Proof;
import dev.kiln.tune.Tuning.Share;
import dev.kiln.tune.Tuning.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The best candidate against the baseline, on runs that chose nothing: a look after five pairs, and after five more, and five
 * more. The looks share the error rate equally, as those of a gate do.
 */
final class Prover {
    static final int FEWEST_PAIRS = 5;
    static final int LOOKS = 3;
    static final int LEAST_RUNS = 2 * FEWEST_PAIRS;

    /** Below this gain nobody changes a configuration. */
    private static final double WORTH = 0.9;

    /** Requests that fail by chance, of all. */
    private static final double FAILING = 0.001;

    /** A p99 that is shown to be worse by more than this is one. */
    private static final double WORSE_P99 = 1.05;

    private final Trials trials;
    private final String baseline;
    private final Goal goal;
    private final double keepPeak;
    private final double confidence;

    /**
     * @param disqualified it cannot be had, so the next may be tried
     * @param gains whether the goal alone would have it recommended
     * @param baseline in these runs; empty if none is valid
     * @param fate of the candidate in the list of all
     * @param runs of the candidate
     */
    record Outcome(
            Verdict verdict,
            String why,
            boolean disqualified,
            boolean gains,
            String fate,
            Optional<Configuration> baseline,
            Proof proof,
            int runs) {
        /** Whether more runs may decide. */
        private boolean open() {
            return !disqualified && verdict == Verdict.CANNOT_TELL;
        }

        private Outcome given() {
            return new Outcome(verdict, why, true, gains, fate, baseline, proof, runs);
        }
    }

    Prover(Trials trials, String baseline, Goal goal, double keepPeak, double confidence) {
        this.trials = trials;
        this.baseline = baseline;
        this.goal = goal;
        this.keepPeak = keepPeak;
        this.confidence = confidence;
    }

    /** @param parts single changes that a combination consists of, measured beside it */
    Outcome prove(Candidate candidate, List<Candidate> parts) {
        List<Candidate> all = new ArrayList<>(List.of(candidate));
        all.addAll(parts);
        String stage = "4-proof-" + candidate.name();
        Outcome outcome = look(1, candidate, parts, stage, all);
        for (int look = 2; look <= LOOKS && outcome.open() && trials.affords(FEWEST_PAIRS * (1 + all.size())); look++) {
            outcome = look(look, candidate, parts, stage, all);
        }
        // It gains, and never showed that it keeps the peak: the next may.
        return outcome.open() && outcome.gains() ? outcome.given() : outcome;
    }

    private Outcome look(int look, Candidate candidate, List<Candidate> parts, String stage, List<Candidate> all) {
        Outcome outcome = judge(candidate, parts, stage, trials.run(stage, all, FEWEST_PAIRS * look));
        trials.tell("look " + look + " of " + LOOKS + ": " + outcome.why());
        return outcome;
    }

    private Outcome judge(
            Candidate candidate, List<Candidate> parts, String stage, Map<String, Configuration> measured) {
        Configuration base = measured.get(baseline);
        Configuration found = measured.get(candidate.name());
        if (base == null || found == null) {
            String why = "no run of " + (base == null ? baseline : candidate.name()) + " was valid in the proof";
            Configuration any =
                    new Configuration(candidate.name(), Optional.empty(), Map.of(), List.of(), false, List.of());
            Proof none = new Proof(candidate, stage, any, Optional.empty(), Optional.empty(), List.of());
            return new Outcome(
                    Verdict.CANNOT_TELL,
                    why,
                    base != null,
                    false,
                    "no valid run in the proof",
                    Optional.ofNullable(base),
                    none,
                    0);
        }
        Pairs pairs = Pairs.of(goal.metric(), base, found);
        Optional<PairedRatio> effect = pairs.interval(confidence);
        Optional<PairedRatio> peak = Pairs.of(Metric.PEAK, base, found).interval(confidence);
        Proof proof = new Proof(candidate, stage, found, effect, peak, shares(candidate, parts, measured));
        Judged judged = judged(candidate, base, found, pairs, effect, peak);
        return new Outcome(
                judged.verdict,
                judged.why,
                judged.disqualified,
                judged.gains,
                judged.verdict == Verdict.IMPROVED ? "proven" : judged.why,
                Optional.of(base),
                proof,
                pairs.count());
    }

    private Optional<String> broken(Configuration base, Configuration found) {
        return failing(base, found)
                .or(() -> worse(base, found, Pairs.of(Metric.PEAK, base, found).interval(confidence)));
    }

    private record Judged(Verdict verdict, String why, boolean disqualified, boolean gains) {}

    private Judged judged(
            Candidate candidate,
            Configuration base,
            Configuration found,
            Pairs pairs,
            Optional<PairedRatio> effect,
            Optional<PairedRatio> peak) {
        String name = candidate.name();
        Optional<String> broken = broken(base, found);
        if (broken.isPresent()) {
            return new Judged(Verdict.CANNOT_TELL, name + ": " + broken.get(), true, false);
        }
        if (effect.isEmpty()) {
            String why = pairs.otherCensored() || pairs.count() >= FEWEST_PAIRS
                    ? name + " cannot be judged by " + goal.metric().label() + ": not every run has one above 0"
                    : "only " + pairs.count() + " pairs of runs are valid";
            return new Judged(Verdict.CANNOT_TELL, why, false, false);
        }
        PairedRatio ratio = effect.get();
        String text = String.format(
                Locale.ROOT,
                "%s: %s is %.2f (%.2f to %.2f) of the baseline's in %d pairs",
                name,
                goal.metric().label(),
                ratio.ratio(),
                ratio.lo(),
                ratio.hi(),
                pairs.count());
        boolean better = goal.higherIsBetter() ? ratio.lo() > 1 : ratio.hi() < 1;
        boolean worthless = goal.higherIsBetter() ? ratio.hi() < 1 / WORTH : ratio.lo() > WORTH;
        if (worthless) {
            return new Judged(
                    Verdict.NOTHING_TO_GAIN, text + ": the best candidate gains at most a tenth", false, false);
        }
        if (!better || pairs.otherCensored()) {
            return new Judged(Verdict.CANNOT_TELL, text, false, false);
        }
        boolean kept = peak.isPresent() && peak.get().lo() >= keepPeak;
        return kept
                ? new Judged(Verdict.IMPROVED, text, false, true)
                : new Judged(
                        Verdict.CANNOT_TELL,
                        text
                                + peak.map(p -> String.format(
                                                Locale.ROOT,
                                                ", but its peak may be %.2f to %.2f of the baseline's",
                                                p.lo(),
                                                p.hi()))
                                        .orElse(", but its peak is not known"),
                        false,
                        true);
    }

    /** Why a variant cannot be recommended whatever it gains: it breaks requests that the baseline serves. */
    static Optional<String> failing(Configuration base, Configuration found) {
        double mine = failed(base);
        double theirs = failed(found);
        return theirs > mine + FAILING
                ? Optional.of(String.format(Locale.ROOT, "%.2f %% of its requests failed", 100 * theirs))
                : Optional.empty();
    }

    private static double failed(Configuration of) {
        double errors = sum(of, Metric.ERRORS);
        return errors / Math.max(1, errors + sum(of, Metric.REQUESTS));
    }

    private static double sum(Configuration of, Metric metric) {
        return of.metric(metric.id()).stream()
                .mapToDouble(measured -> Arrays.stream(measured.values()).sum())
                .sum();
    }

    private Optional<String> worse(Configuration base, Configuration found, Optional<PairedRatio> peak) {
        if (peak.isPresent() && peak.get().hi() < keepPeak) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "its peak is %.2f (%.2f to %.2f) of the baseline's",
                    peak.get().ratio(),
                    peak.get().lo(),
                    peak.get().hi()));
        }
        return Pairs.of(Metric.P99, base, found)
                .interval(confidence)
                .filter(p99 -> p99.lo() > WORSE_P99)
                .map(p99 -> String.format(
                        Locale.ROOT,
                        "its p99 is %.2f (%.2f to %.2f) of the baseline's",
                        p99.ratio(),
                        p99.lo(),
                        p99.hi()));
    }

    /** Loss of the baseline minus that of the first change, that minus the next, and what is left. */
    private List<Share> shares(Candidate candidate, List<Candidate> parts, Map<String, Configuration> measured) {
        List<Candidate> steps = new ArrayList<>(parts.stream().limit(1).toList());
        steps.add(candidate);
        List<Share> shares = new ArrayList<>();
        Configuration before = measured.get(baseline);
        for (Candidate step : steps) {
            Configuration after = measured.get(step.name());
            if (before == null || after == null) {
                return List.of();
            }
            List<Double> differences =
                    Pairs.of(Metric.WARMUP_COST, before, after).differences();
            String cause = step.causes().isEmpty() ? step.name() : step.causes().getLast();
            double[] lost = differences.stream().mapToDouble(d -> -d).toArray();
            if (lost.length < 2) {
                return List.of();
            }
            shares.add(share(Optional.of(cause), lost));
            before = after;
        }
        double[] left = Optional.ofNullable(before).flatMap(last -> last.metric(Metric.WARMUP_COST.id())).stream()
                .map(Measured::values)
                .findFirst()
                .orElse(new double[0]);
        if (left.length >= 2) {
            shares.add(share(Optional.empty(), left));
        }
        return shares;
    }

    private Share share(Optional<String> cause, double[] seconds) {
        Student mean = Student.oneSample(seconds);
        return new Share(cause, mean.estimate(), mean.lo(confidence), mean.hi(confidence));
    }
}
