package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.model.Metric;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Student;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Tuning.CauseShare;
import dev.kiln.tune.Tuning.TuneProof;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A Prover compares the best candidate with the baseline on runs that were not used to choose it: after some pairs, and
 * again after as many more. All looks that were planned share the error rate equally, as those of a gate do.
 */
final class Prover {
    /** A proof has so many looks at most. */
    private static final int LOOKS = 3;

    /** A gain is worth a change of configuration only below this ratio. */
    private static final double WORTH = 0.9;

    /** A p99 is worse if its ratio is shown to be above this. */
    private static final double WORSE_P99 = 1.05;

    /**
     * The confidence at which a worse p99 stands in the way of a proof. It is low because few runs show little of a
     * p99: at this confidence it does not prove that a cure is bad.
     */
    private static final double DOUBTFUL = 0.6;

    private final Trials trials;
    private final String baseline;
    private final Goal goal;
    private final double keepPeak;
    private final BudgetPlan plan;
    private final double confidence;

    /** The ProofFinding says what the runs so far show. */
    enum ProofFinding {
        /** The runs show the goal and all guards. */
        PROVEN,
        /** The gain is a tenth at most. */
        WORTHLESS,
        /** The candidate gains, but fails, lowers the peak or has a worse p99. */
        HARMFUL,
        /** The runs do not decide yet; more may. */
        OPEN,
        /** A figure is at least what was measured, or a time was not reached: more runs would show no more. */
        BOUNDED
    }

    /**
     * @param why the finding in a sentence
     * @param baseline in these runs; empty if none is valid
     * @param runs of the candidate
     */
    record ProofOutcome(ProofFinding finding, String why, Optional<Configuration> baseline, TuneProof proof, int runs) {
        /** Tells whether the candidate may be a cure, for all that its runs show. */
        boolean isOpen() {
            return finding == ProofFinding.OPEN || finding == ProofFinding.BOUNDED;
        }
    }

    /** @param confidence of all looks together */
    Prover(Trials trials, String baseline, Goal goal, double keepPeak, BudgetPlan plan, double confidence) {
        this.trials = trials;
        this.baseline = baseline;
        this.goal = goal;
        this.keepPeak = keepPeak;
        this.plan = plan;
        this.confidence = 1 - plan.errorOfALook(1 - confidence);
    }

    private static String stage(Candidate candidate) {
        return "5-proof-" + candidate.name();
    }

    private static String id(Candidate candidate, int look) {
        return stage(candidate) + " " + look;
    }

    /** Returns the runs of the least proof. */
    int leastRuns() {
        return 2 * plan.pairs();
    }

    /** Tells whether the budget is enough for a proof of the first candidate, with the others measured beside it. */
    boolean affords(List<Candidate> all) {
        return trials.mayLook(id(all.getFirst(), 1), plan.looks())
                && trials.affords(stage(all.getFirst()), all, plan.pairs(), 0);
    }

    /** @param parts single changes that a combination consists of, measured beside it */
    ProofOutcome prove(Candidate candidate, List<Candidate> parts) {
        List<Candidate> all = new ArrayList<>(List.of(candidate));
        all.addAll(parts);
        ProofOutcome outcome = look(1, candidate, all);
        for (int look = 2;
                look <= LOOKS
                        && trials.mayLook(id(candidate, look), plan.looks())
                        && outcome.finding() == ProofFinding.OPEN
                        && trials.affords(stage(candidate), all, plan.pairs() * look, 0);
                look++) {
            outcome = look(look, candidate, all);
        }
        return outcome;
    }

    private ProofOutcome look(int look, Candidate candidate, List<Candidate> all) {
        trials.looks(id(candidate, look));
        ProofOutcome outcome = judge(candidate, all, trials.run(stage(candidate), all, plan.pairs() * look));
        trials.tell("proof, look " + look + " of at most " + Math.min(LOOKS, plan.looks()) + ": " + outcome.why());
        return outcome;
    }

    private ProofOutcome judge(Candidate candidate, List<Candidate> all, Results results) {
        Optional<Configuration> base = results.of(baseline);
        Optional<Configuration> found = results.of(candidate.name());
        String failed = results.failed().get(candidate.name());
        if (base.isEmpty() || found.isEmpty() || failed != null) {
            String missing = base.isEmpty() ? baseline : candidate.name();
            return new ProofOutcome(
                    failed != null ? ProofFinding.HARMFUL : ProofFinding.OPEN,
                    failed != null
                            ? candidate.name() + ": " + failed
                            : "no run of " + missing + " was valid in the proof"
                                    + results.why(missing)
                                            .map(why -> ": " + why)
                                            .orElse(""),
                    base,
                    TuneProof.none(candidate, stage(candidate)),
                    0);
        }
        Pairs pairs = Pairs.of(goal.metric(), base.get(), found.get());
        Optional<PairedRatio> effect = pairs.interval(confidence);
        Optional<PairedRatio> peak =
                Pairs.of(Metric.PEAK, base.get(), found.get()).interval(oneSided());
        Judged judged = judged(candidate.name(), base.get(), found.get(), pairs, effect, peak);
        List<CauseShare> shares = judged.finding == ProofFinding.PROVEN ? shares(all, results) : List.of();
        return new ProofOutcome(
                judged.finding,
                judged.why,
                base,
                new TuneProof(
                        candidate,
                        stage(candidate),
                        found.get(),
                        Descriptive.median(Arrays.stream(pairs.baseline())),
                        Descriptive.median(Arrays.stream(pairs.other())),
                        pairs.censored(),
                        effect,
                        peak,
                        shares),
                pairs.count());
    }

    /** Returns the confidence of an interval of which one end alone decides, at the error rate of the other intervals. */
    private double oneSided() {
        return 1 - 2 * (1 - confidence);
    }

    private record Judged(ProofFinding finding, String why) {}

    private Judged judged(
            String name,
            Configuration base,
            Configuration found,
            Pairs pairs,
            Optional<PairedRatio> effect,
            Optional<PairedRatio> peak) {
        Optional<String> worse = worse(base, found, peak);
        if (worse.isPresent()) {
            return new Judged(ProofFinding.HARMFUL, name + ": " + worse.get());
        }
        if (effect.isEmpty() || pairs.count() < plan.pairs()) {
            return new Judged(
                    ProofFinding.OPEN,
                    name + ": only " + pairs.count() + " pairs of runs are valid and have "
                            + goal.metric().label() + " above 0");
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
        if (pairs.otherCensored()) {
            return new Judged(ProofFinding.BOUNDED, name + ": " + goal.unreached() + "; a longer one may tell");
        }
        return decided(text, pairs, ratio).orElseGet(() -> kept(text, base, found, peak));
    }

    /** Judges the goal by its interval; empty where that shows the candidate to be better. */
    private Optional<Judged> decided(String text, Pairs pairs, PairedRatio ratio) {
        boolean better = goal.higherIsBetter() ? ratio.lo() > 1 : ratio.hi() < 1;
        boolean worthless = goal.higherIsBetter() ? ratio.hi() < 1 / WORTH : ratio.lo() > WORTH;
        if (worthless) {
            Optional<String> doubt = pairs.doubtOfLoss(goal.higherIsBetter())
                    .or(() -> pairs.censored() ? Optional.of(goal.unreached()) : Optional.empty());
            return Optional.of(
                    doubt.isPresent()
                            ? new Judged(ProofFinding.BOUNDED, text + ", but it may gain more: " + doubt.get())
                            : new Judged(ProofFinding.WORTHLESS, text + ": it gains at most a tenth"));
        }
        if (!better) {
            return Optional.of(new Judged(ProofFinding.OPEN, text));
        }
        return pairs.doubtOfGain(goal.higherIsBetter())
                .map(doubt -> new Judged(ProofFinding.BOUNDED, text + ", but " + doubt));
    }

    /** Judges one that is better by whether it keeps the peak and the p99. */
    private Judged kept(String text, Configuration base, Configuration found, Optional<PairedRatio> peak) {
        boolean kept = peak.map(of -> of.lo() >= keepPeak)
                .orElseGet(() ->
                        !goal.needsAPeak() && base.metric(Metric.PEAK.id()).isEmpty());
        Optional<String> slower = slower(base, found, DOUBTFUL);
        if (kept && slower.isPresent()) {
            return new Judged(ProofFinding.OPEN, text + ", but " + slower.get());
        }
        if (kept) {
            return new Judged(ProofFinding.PROVEN, text);
        }
        return new Judged(
                ProofFinding.OPEN,
                text
                        + peak.map(p -> String.format(
                                        Locale.ROOT,
                                        ", but its peak may be %.2f to %.2f of the baseline's",
                                        p.lo(),
                                        p.hi()))
                                .orElse(", but its peak is not known"));
    }

    private Optional<String> worse(Configuration base, Configuration found, Optional<PairedRatio> peak) {
        boolean known =
                found.metric(Metric.PEAK.id()).flatMap(Measured::lowerBound).isEmpty();
        if (known && peak.isPresent() && peak.get().hi() < keepPeak) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "its peak is %.2f (%.2f to %.2f) of the baseline's",
                    peak.get().ratio(),
                    peak.get().lo(),
                    peak.get().hi()));
        }
        return slower(base, found, confidence);
    }

    private static Optional<String> slower(Configuration base, Configuration found, double confidence) {
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

    /**
     * Returns what the first change saves, what the other saves beyond that, and what is still lost, over the blocks
     * that have all of them.
     */
    private List<CauseShare> shares(List<Candidate> all, Results results) {
        Configuration base = results.of(baseline).orElseThrow();
        Candidate winner = all.getFirst();
        List<Candidate> steps = new ArrayList<>(all.stream()
                .skip(1)
                .filter(one -> results.of(one.name()).isPresent())
                .toList());
        steps.add(winner);
        // That of the loss as a whole, so that its parts add up to it.
        OptionalDouble peak = Pairs.higher(base, results.of(winner.name()).orElseThrow());
        List<CauseShare> shares = new ArrayList<>();
        Configuration before = base;
        for (Candidate step : steps) {
            Configuration after = results.of(step.name()).orElseThrow();
            Pairs pairs = Pairs.lost(before, after, peak);
            if (pairs.count() < 2) {
                return List.of();
            }
            // Without its first part beside it, a combination has all that it saves.
            List<String> causes = steps.size() > 1 && step.equals(winner)
                    ? step.causes().stream().skip(step.causes().size() - 1L).toList()
                    : step.causes().stream().distinct().toList();
            String cause = causes.isEmpty() ? step.name() : String.join(" and ", causes);
            shares.add(share(
                    Optional.of(cause),
                    step,
                    pairs.differences().stream().mapToDouble(d -> -d).toArray()));
            if (step.equals(winner)) {
                shares.add(share(Optional.empty(), step, pairs.other()));
            }
            before = after;
        }
        return shares;
    }

    private CauseShare share(Optional<String> cause, Candidate by, double[] seconds) {
        Student mean = Student.oneSample(seconds);
        return new CauseShare(cause, by.name(), mean.estimate(), mean.lo(confidence), mean.hi(confidence));
    }
}
