package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.model.KilnException;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Change;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.tune.Prover.ProofFinding;
import dev.kiln.tune.Prover.ProofOutcome;
import dev.kiln.tune.Trials.FoundCandidates;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Tuning.Tried;
import dev.kiln.tune.Tuning.TuneProof;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Search screens all candidates on short runs; it chooses among the best by successive halving on few whole runs, interleaved
 * in blocks with the baseline; then it tries what helped together; then it measures the best one alone against the baseline on
 * fresh runs. Only these decide: the best of many is so partly by luck, and that luck is in the runs that chose it.
 */
public final class Search {
    private static final int FINALISTS = 2;

    /**
     * The number of candidates at which runs of the proof are worth more than another round: five pairs seldom exclude
     * a lower peak.
     */
    private static final int FEW = 3;

    private static final String NOT_ENOUGH_RUNS = "not enough fresh runs";
    private static final String FIRST = "1-baseline";
    private static final String ROUND = "3-round-";
    private static final String TOGETHER = "4-together";
    private static final int TOGETHER_BLOCKS = 2;
    private static final int MOST_ROUND_BLOCKS = 3;

    /** The limit of proofs: two changes together may fail, and then either alone; more would be a search again. */
    private static final int MOST_PROOFS = 3;

    /**
     * The difference between the peaks of a pair that chance makes; at twice that distance below, chance is hardly the
     * reason.
     */
    private static final double PEAK_NOISE = 0.03;

    /** What gains at least this share of the best gain is as good: few runs do not tell them apart. */
    private static final double NEAR = 0.95;

    /** Equal runs of one service were on the way to so much more or fewer requests on a shared machine: one screen shows no less. */
    private static final double BY_CHANCE = 0.11;

    private final Trials trials;
    private Prover prover;
    private BudgetPlan plan;
    private final double confidence;
    private final String baseline;
    private final Goal goal;
    private final double keepPeak;
    private final BinaryOperator<Candidate> together;
    private final Map<Candidate, SearchRecord> records = new LinkedHashMap<>();
    private List<String> leftOut = List.of();

    /**
     * @param baseline name of the variant that all are compared with
     * @param keepPeak the share of the baseline's peak that a cure must keep
     * @param plan of the budget, made before the first run
     * @param confidence of all intervals that decide, together
     * @param together makes one candidate of two
     */
    public Search(
            Trials trials,
            String baseline,
            Goal goal,
            double keepPeak,
            BudgetPlan plan,
            double confidence,
            BinaryOperator<Candidate> together) {
        this.trials = trials;
        this.baseline = baseline;
        this.goal = goal;
        this.keepPeak = keepPeak;
        this.together = together;
        this.plan = plan;
        this.confidence = confidence;
        prover = new Prover(trials, baseline, goal, keepPeak, plan, confidence);
    }

    /** @throws KilnException if the baseline itself has no valid run, or nothing to judge by */
    public Tuning run() {
        Configuration alone = baselineAlone();
        plan = trials.fitting(plan);
        prover = new Prover(trials, baseline, goal, keepPeak, plan, confidence);
        FoundCandidates found = trials.candidates(goal);
        leftOut = found.leftOut();
        found.candidates().forEach(candidate -> records.put(candidate, new SearchRecord()));
        trials.shows(Collections.unmodifiableMap(records));
        if (!found.candidates().isEmpty()) {
            trials.tell("candidates: " + Candidates.words(found.candidates()));
            return proven(alone, cheapestFirst(combined(halved(screened(found.candidates())))));
        }
        String none = "no cause that Kiln can cure held back the runs of " + baseline
                + (found.without().isEmpty() ? "" : " (" + String.join("; ", found.without()) + ")")
                + (found.uncured().isEmpty()
                        ? ""
                        : "; nothing is tried against what did: " + String.join(", ", found.uncured()));
        if (!leftOut.isEmpty()) {
            String why = "no candidate can be tried: " + String.join("; ", leftOut);
            return end(TuneVerdict.CANNOT_TELL, why, alone, Optional.empty());
        }
        return goal.doubt(alone)
                .map(doubt -> end(
                        TuneVerdict.CANNOT_TELL,
                        none + ", though " + doubt + "; kiln explain tells what could not be observed",
                        alone,
                        Optional.empty()))
                .orElseGet(() -> end(TuneVerdict.NOTHING_TO_GAIN, none, alone, Optional.empty()));
    }

    /**
     * Returns what the runs of the baseline showed. One run may show no peak by bad luck, so another follows it, if that leaves
     * enough for the least proof.
     */
    private Configuration baselineAlone() {
        int runs = plan.baselineRuns();
        Results results = trials.run(FIRST, List.of(), runs);
        // One that died or broke requests did not so by bad luck.
        if (runs == 1
                && lacking(results).isPresent()
                && !results.failed().containsKey(baseline)
                && trials.affords(FIRST, List.of(), runs + 1, 2 * PairedRatio.FEWEST_PAIRS)) {
            trials.tell("one more run of " + baseline + ", because the first shows too little");
            results = trials.run(FIRST, List.of(), runs + 1);
        }
        Optional<KilnException> lacking = lacking(results);
        if (lacking.isPresent()) {
            throw lacking.get();
        }
        return results.of(baseline).orElseThrow();
    }

    /** Returns what the runs of the baseline have not, without which nothing can be searched for; empty where they have all. */
    private Optional<KilnException> lacking(Results results) {
        Optional<Configuration> alone = results.of(baseline);
        if (alone.isEmpty()) {
            return Optional.of(KilnException.problem(
                    "no run of " + baseline + " is valid, so there is nothing to improve on"
                            + results.why(baseline).map(why -> ": " + why).orElse(""),
                    "kiln run shows the same, and more of it"));
        }
        List<String> notes = alone.get().notes();
        return (goal.needsAPeak() ? Stream.of(goal.metric(), Metric.PEAK) : Stream.of(goal.metric()))
                .filter(metric -> alone.get().metric(metric.id()).isEmpty())
                .findFirst()
                .map(metric -> KilnException.problem(
                        "the runs of " + baseline + " have no " + metric.label()
                                + (notes.isEmpty() ? "" : ": " + String.join("; ", notes)),
                        "a search needs a closed loop (no rate), and a pause with a load after it that keeps its level:"
                                + " --protocol default"));
    }

    private List<Candidate> screened(List<Candidate> candidates) {
        return plan.screens() > 0 && candidates.size() > 1
                ? new Screener(trials, plan, this::record).screened(candidates)
                : candidates;
    }

    /**
     * Returns the candidates in the order in which they are proven: of those that gained as much as the best to a twentieth, the one
     * that takes the least of rights and risk first.
     */
    private List<Candidate> cheapestFirst(List<Candidate> ranked) {
        // Whole runs say more than a screen.
        boolean whole = ranked.stream().anyMatch(one -> median(one).isPresent());
        ToDoubleFunction<Candidate> worth =
                whole ? this::gain : one -> record(one).served();
        if (ranked.isEmpty() || worth.applyAsDouble(ranked.getFirst()) <= 0) {
            return ranked;
        }
        double best = worth.applyAsDouble(ranked.getFirst());
        Optional<Candidate> bound = Candidate.bound(ranked);
        if (!whole && best < BY_CHANCE && bound.isPresent()) {
            // That it gains nothing would speak for all of its kind.
            return Stream.concat(bound.stream(), ranked.stream().filter(one -> !one.equals(bound.get())))
                    .toList();
        }
        // Screens differ by some percent by chance; but half of the best gain is not as good.
        double near = whole ? NEAR * best : Math.max(best / 2, best - (1 - NEAR));
        List<Candidate> ordered = new ArrayList<>(ranked.stream()
                .filter(one -> worth.applyAsDouble(one) >= near)
                .sorted(Comparator.comparingInt(Candidate::price))
                .toList());
        for (Candidate one : ranked) {
            if (!ordered.contains(one)) {
                ordered.add(one);
            } else if (worth.applyAsDouble(one) > worth.applyAsDouble(ordered.getFirst())) {
                String first = ordered.getFirst().name();
                record(one)
                        .became(
                                whole
                                        ? "it gained at most 5 % more than " + first + ", and takes more rights or risk"
                                        : "in its screen it was little better than " + first
                                                + ", and it takes more rights or risk");
            }
        }
        return ordered;
    }

    /** Returns the best candidates, the best first. */
    private List<Candidate> halved(List<Candidate> candidates) {
        List<Candidate> left = candidates;
        if (left.size() > 1 && !trials.affords(ROUND + 1, left.subList(0, FINALISTS), 1, prover.leastRuns())) {
            return kept(left, FINALISTS);
        }
        for (int round = 1; left.size() > FINALISTS || (round == 1 && left.size() > 1); round++) {
            int blocks = Math.min(MOST_ROUND_BLOCKS, round);
            String stage = ROUND + round;
            if (round > 1 && left.size() <= FEW && !trials.affords(stage, left, blocks, 2 * prover.leastRuns())) {
                return left;
            }
            while (left.size() > 1 && !trials.affords(stage, left, blocks, prover.leastRuns())) {
                // The last one is the least promising.
                left = kept(left, left.size() - 1);
            }
            if (left.size() < 2) {
                return left;
            }
            note(trials.run(stage, left, blocks), left);
            List<Candidate> ranked = ranked(left);
            int gained = (int)
                    ranked.stream().filter(candidate -> gain(candidate) > 0).count();
            int keep = Math.max(FINALISTS, Math.min(gained, (left.size() + 1) / 2));
            ranked.stream()
                    .skip(keep)
                    .map(this::record)
                    .filter(record -> record.judged)
                    .forEach(record -> {
                        record.out = true;
                        record.became("others gained more");
                    });
            left = ranked.subList(0, Math.min(keep, ranked.size()));
            trials.tell("round " + round + ", gains against the baseline: " + words(left));
        }
        return left;
    }

    /** Returns the first of these; the budget is not enough for the others, which are out. */
    private List<Candidate> kept(List<Candidate> candidates, int number) {
        candidates.stream().skip(number).map(this::record).forEach(record -> record.out = true);
        return candidates.subList(0, number);
    }

    /**
     * Returns the best candidates; with the combination of the first two among them, ranked by new runs, if the two
     * gain something, can be combined, and the budget is enough.
     */
    private List<Candidate> combined(List<Candidate> best) {
        if (best.size() < 2
                || gain(best.get(0)) <= 0
                || gain(best.get(1)) <= 0
                || !joinable(best.get(0), best.get(1))) {
            return best;
        }
        Candidate both;
        try {
            both = together.apply(best.get(0), best.get(1));
        } catch (KilnException e) {
            trials.tell("not tried together: " + best.get(0).name() + " and "
                    + best.get(1).name() + ": " + e.getMessage());
            return best;
        }
        List<Candidate> all = List.of(best.get(0), best.get(1), both);
        if (!trials.affords(TOGETHER, all, TOGETHER_BLOCKS, 3 * plan.pairs())) {
            return best;
        }
        records.put(both, new SearchRecord());
        note(trials.run(TOGETHER, all, TOGETHER_BLOCKS), all);
        List<Candidate> ranked = ranked(all);
        trials.tell("together, gains against the baseline: " + words(ranked));
        return ranked;
    }

    private static boolean joinable(Candidate a, Candidate b) {
        if (a.change().isEmpty() || b.change().isEmpty()) {
            return false;
        }
        Change one = a.change().get();
        Change other = b.change().get();
        boolean same = one.modifiers().stream()
                .anyMatch(mine -> other.modifiers().stream()
                        .anyMatch(theirs -> mine.name().equals(theirs.name()) && !mine.equals(theirs)));
        return !same && (one.aot().isEmpty() || other.aot().isEmpty());
    }

    private Tuning proven(Configuration alone, List<Candidate> ranked) {
        List<Candidate> left = new ArrayList<>(ranked);
        List<ProofOutcome> outcomes = new ArrayList<>();
        while (outcomes.size() < MOST_PROOFS && !left.isEmpty() && prover.affords(List.of(left.getFirst()))) {
            Candidate candidate = left.removeFirst();
            ProofOutcome outcome = prover.prove(candidate, parts(candidate));
            outcomes.add(outcome);
            record(candidate).runs += outcome.runs();
            record(candidate).became(outcome.finding() == ProofFinding.PROVEN ? "proven" : outcome.why());
            if (outcome.finding() == ProofFinding.WORTHLESS) {
                worthless(candidate);
            }
            if (outcome.finding() == ProofFinding.PROVEN) {
                return end(
                        TuneVerdict.IMPROVED,
                        outcome.why(),
                        outcome.baseline().orElse(alone),
                        Optional.of(outcome.proof()));
            }
            left.removeIf(one -> one.parts().contains(candidate));
        }
        return unproven(alone, outcomes, left);
    }

    /**
     * Returns the end of a search without proof. It says that nothing is to gain only if each candidate could be tried,
     * and each that was left was shown to gain nothing.
     */
    private Tuning unproven(Configuration alone, List<ProofOutcome> outcomes, List<Candidate> left) {
        Optional<ProofOutcome> told = outcomes.stream()
                .filter(ProofOutcome::isOpen)
                .findFirst()
                .or(() -> outcomes.stream()
                        .filter(outcome -> outcome.finding() != ProofFinding.WORTHLESS)
                        .findFirst())
                .or(() -> outcomes.stream().findFirst());
        List<String> open = open(left);
        boolean worthless = !outcomes.isEmpty()
                && open.isEmpty()
                && outcomes.stream().allMatch(outcome -> outcome.finding() == ProofFinding.WORTHLESS);
        String why = told.map(outcome -> outcome.why()
                        + (outcome.finding() == ProofFinding.WORTHLESS && !worthless
                                ? "; what others gain is not known: " + String.join("; ", open)
                                : ""))
                .orElseGet(() ->
                        left.isEmpty() ? "every candidate failed, broke requests or lowered the peak" : notEnough());
        return end(
                worthless ? TuneVerdict.NOTHING_TO_GAIN : TuneVerdict.CANNOT_TELL,
                why,
                told.flatMap(ProofOutcome::baseline).orElse(alone),
                told.map(ProofOutcome::proof));
    }

    /** Returns what was left out, and what was not proven or not measured, each with the reason. */
    private List<String> open(List<Candidate> left) {
        List<String> open = new ArrayList<>(leftOut);
        records.entrySet().stream()
                .filter(one -> left.contains(one.getKey()) || !one.getValue().judged)
                .collect(Collectors.groupingBy(
                        one -> one.getValue().out ? one.getValue().outcome.orElse(NOT_ENOUGH_RUNS) : NOT_ENOUGH_RUNS,
                        LinkedHashMap::new,
                        Collectors.mapping(one -> one.getKey().name(), Collectors.joining(", "))))
                .forEach((why, names) -> open.add(names + ": " + why));
        return open;
    }

    /** A service that takes a minute to start may leave most of a budget, and too little for a proof. */
    private String notEnough() {
        OptionalDouble run = trials.runSeconds();
        String runs = run.isPresent()
                ? String.format(Locale.ROOT, " (%d pairs of runs of about %.0f s)", plan.pairs(), run.getAsDouble())
                : "";
        return "what is left of the budget is not enough for a proof on fresh runs" + runs
                + "; with --resume, or the same --results, and a larger --budget the search goes on";
    }

    /** What favoured compilers do not gain no other cure of their kind can. */
    private void worthless(Candidate candidate) {
        record(candidate).judged = true;
        List<Candidate> ofCompilers =
                records.keySet().stream().filter(Candidate::isOfCompilers).toList();
        if (Candidate.bound(ofCompilers).filter(candidate::equals).isPresent()) {
            ofCompilers.forEach(one -> record(one).judged = true);
        }
    }

    /**
     * Returns the first part of a combination, which runs beside it so that the proof shows what each part saves; empty
     * if the budget is not enough.
     */
    private List<Candidate> parts(Candidate candidate) {
        List<Candidate> parts = candidate.parts().stream().limit(1).toList();
        return parts.isEmpty() || prover.affords(List.of(candidate, parts.getFirst())) ? parts : List.of();
    }

    private void note(Results results, List<Candidate> candidates) {
        // Against its own peak, the one of two that peaks lower would seem to gain more with the same requests.
        OptionalDouble peak = Pairs.higher(results.valid().values().stream()
                .filter(one -> one.metric(Metric.PEAK.id()).isPresent())
                .toArray(Configuration[]::new));
        for (Candidate candidate : candidates) {
            SearchRecord record = record(candidate);
            String failed = results.failed().get(candidate.name());
            if (failed != null) {
                record.out = true;
                record.judged = !results.untried().contains(candidate.name());
                record.became(failed);
                continue;
            }
            if (results.of(baseline).isEmpty() || results.of(candidate.name()).isEmpty()) {
                if (!record.judged) {
                    record.became(results.notMeasured(results.of(baseline).isEmpty() ? baseline : candidate.name()));
                }
                continue;
            }
            Configuration base = results.of(baseline).get();
            Configuration found = results.of(candidate.name()).get();
            Pairs pairs = Pairs.of(goal.metric(), base, found, peak);
            record.runs += pairs.count();
            pairs.differences().forEach(d -> record.gains.add(goal.higherIsBetter() ? d : -d));
            record.judged = !record.gains.isEmpty();
            // What it gained decides nothing before the others of its round are known.
            record.outcome = record.judged
                    ? Optional.empty()
                    : Optional.of(
                            "no block has a run of both with " + goal.metric().label());
            disqualified(base, found, record).ifPresent(why -> {
                record.out = true;
                record.became(why);
            });
        }
    }

    /**
     * Returns the reason to drop a candidate: its peak is lower by far more than chance allows on so few runs. Empty
     * otherwise.
     */
    private Optional<String> disqualified(Configuration base, Configuration found, SearchRecord record) {
        // Runs whose peak may be higher do not show that it is lower.
        boolean known =
                found.metric(Metric.PEAK.id()).flatMap(Measured::lowerBound).isEmpty();
        Pairs peaks = Pairs.of(Metric.PEAK, base, found);
        if (known && peaks.ratio().isPresent()) {
            record.peaks.add(peaks);
        }
        int pairs = record.peaks.stream().mapToInt(Pairs::count).sum();
        double ratio = record.peaks.stream()
                .mapToDouble(some -> some.ratio().orElseThrow() * some.count() / pairs)
                .sum();
        return pairs > 0 && ratio < keepPeak - 2 * PEAK_NOISE / Math.sqrt(pairs)
                ? Optional.of(String.format(Locale.ROOT, "its peak is %.2f of the baseline's", ratio))
                : Optional.empty();
    }

    private List<Candidate> ranked(List<Candidate> candidates) {
        return candidates.stream()
                .filter(one -> !record(one).out)
                .sorted(Comparator.comparingDouble(this::gain).reversed())
                .toList();
    }

    private double gain(Candidate candidate) {
        return median(candidate).orElse(Double.NEGATIVE_INFINITY);
    }

    private Optional<Double> median(Candidate candidate) {
        return record(candidate).gain();
    }

    private SearchRecord record(Candidate candidate) {
        return Optional.ofNullable(records.get(candidate)).orElseThrow();
    }

    private String words(List<Candidate> candidates) {
        if (candidates.isEmpty()) {
            return "no candidate is left";
        }
        List<String> words = new ArrayList<>();
        for (Candidate one : candidates) {
            words.add(one.name()
                    + median(one)
                            .map(gain -> String.format(
                                    Locale.ROOT,
                                    " (%+.1f %s)",
                                    gain,
                                    goal.metric().unit()))
                            .orElse(""));
        }
        return String.join(", ", words);
    }

    private Tuning end(TuneVerdict verdict, String why, Configuration base, Optional<TuneProof> winner) {
        records.values().forEach(record -> record.ended(verdict == TuneVerdict.IMPROVED));
        List<Tried> tried = new ArrayList<>();
        records.forEach((candidate, record) ->
                tried.add(new Tried(candidate, record.runs, record.gain(), record.screened, record.outcome)));
        Optional<Tuning.Boost> boost = winner.filter(proof -> verdict == TuneVerdict.IMPROVED)
                .flatMap(proof -> new Boosts(trials).find(proof.candidate(), proof.figures(), proof.stage()));
        return new Tuning(verdict, goal, why, base, winner, tried, boost);
    }
}
