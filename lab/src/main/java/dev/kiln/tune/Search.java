package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.model.Change;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Metric;
import dev.kiln.stats.Descriptive;
import dev.kiln.tune.Tuning.Proof;
import dev.kiln.tune.Tuning.Tried;
import dev.kiln.tune.Tuning.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BinaryOperator;

/**
 * Successive halving on few runs, interleaved in blocks with the baseline; then what helped together; then the best alone
 * against the baseline on fresh runs. Only these decide: whoever is best of many is so by luck too, and that luck is in the
 * runs that chose it.
 */
public final class Search {
    private static final int BASELINE_BLOCKS = 2;

    private static final int FINALISTS = 2;
    private static final int TOGETHER_BLOCKS = 2;
    private static final int MOST_ROUND_BLOCKS = 3;

    /** Two together may fail their proof, and either alone; more would be a search again. */
    private static final int MOST_PROOFS = 3;

    /** A pair's peaks differ by so much by chance; twice as far below, chance is hardly why. */
    private static final double PEAK_NOISE = 0.03;

    private static final String NOT_TRIED = "not tried: the budget ended before";

    private final Trials trials;
    private final Prover prover;
    private final String baseline;
    private final Goal goal;
    private final double keepPeak;
    private final BinaryOperator<Candidate> together;
    private final Map<Candidate, Record> records = new LinkedHashMap<>();

    /** What is known of a candidate so far. */
    private static final class Record {
        private final List<Double> gains = new ArrayList<>();
        private final List<Pairs> peaks = new ArrayList<>();
        private int runs;
        private String fate = NOT_TRIED;
        private boolean out;
    }

    /**
     * @param baseline name of the variant that all are compared with
     * @param keepPeak the share of the baseline's peak that a cure must keep
     * @param together makes one candidate of two
     */
    public Search(
            Trials trials,
            String baseline,
            Goal goal,
            double keepPeak,
            double confidence,
            BinaryOperator<Candidate> together) {
        this.trials = trials;
        this.baseline = baseline;
        this.goal = goal;
        this.keepPeak = keepPeak;
        this.together = together;
        prover = new Prover(trials, baseline, goal, keepPeak, 1 - (1 - confidence) / (Prover.LOOKS * MOST_PROOFS));
    }

    /** @throws KilnException if the baseline itself has no valid run, or nothing to judge by */
    public Tuning run() {
        Configuration alone =
                trials.run("1-baseline", List.of(), BASELINE_BLOCKS).get(baseline);
        if (alone == null) {
            throw new KilnException(
                    Exit.PROBLEM,
                    "no run of " + baseline + " is valid, so there is nothing to improve on",
                    "kiln run shows why");
        }
        if (alone.metric(goal.metric().id()).isEmpty()) {
            throw new KilnException(
                    Exit.PROBLEM,
                    "the runs of " + baseline + " have no " + goal.metric().label() + " to improve",
                    "the reference peak needs a pause and a load after it (--protocol default); or choose another --goal");
        }
        List<Candidate> candidates = trials.candidates();
        candidates.forEach(candidate -> records.put(candidate, new Record()));
        if (candidates.isEmpty()) {
            return end(
                    Verdict.NOTHING_TO_GAIN,
                    "no cause that Kiln can cure was confirmed in the runs of " + baseline,
                    alone,
                    Optional.empty());
        }
        return proven(alone, combined(halved(candidates)));
    }

    /** The best ones first. */
    private List<Candidate> halved(List<Candidate> candidates) {
        List<Candidate> left = candidates;
        for (int round = 1; left.size() > FINALISTS || (round == 1 && left.size() > 1); round++) {
            int blocks = Math.min(MOST_ROUND_BLOCKS, round);
            while (left.size() > 1 && !trials.affords(blocks * (left.size() + 1) + Prover.LEAST_RUNS)) {
                // The last one is the least promising.
                left = left.subList(0, left.size() - 1);
            }
            if (left.size() < 2) {
                return left;
            }
            note(trials.run("2-round-" + round, left, blocks), left);
            List<Candidate> ranked = ranked(left);
            int keep = Math.max(FINALISTS, (left.size() + 1) / 2);
            ranked.stream().skip(keep).forEach(one -> record(one).fate = "others gained more");
            left = ranked.subList(0, Math.min(keep, ranked.size()));
            trials.tell("round " + round + ": " + words(left));
        }
        return left;
    }

    /** With both of the best in one, if it is better than either. */
    private List<Candidate> combined(List<Candidate> best) {
        if (best.size() < 2
                || gain(best.get(0)) <= 0
                || gain(best.get(1)) <= 0
                || !joinable(best.get(0), best.get(1))
                || !trials.affords(TOGETHER_BLOCKS * 4 + Prover.LEAST_RUNS + Prover.FEWEST_PAIRS)) {
            return best;
        }
        Candidate both;
        try {
            both = together.apply(best.get(0), best.get(1));
        } catch (KilnException e) {
            trials.tell("not together: " + e.getMessage());
            return best;
        }
        records.put(both, new Record());
        List<Candidate> all = List.of(best.get(0), best.get(1), both);
        note(trials.run("3-together", all, TOGETHER_BLOCKS), all);
        List<Candidate> ranked = ranked(all);
        trials.tell("together: " + words(ranked));
        return ranked;
    }

    private static boolean joinable(Candidate a, Candidate b) {
        if (a.change().isEmpty() || b.change().isEmpty()) {
            return false;
        }
        Change one = a.change().get();
        Change other = b.change().get();
        return one.aot().isEmpty() || other.aot().isEmpty();
    }

    private Tuning proven(Configuration alone, List<Candidate> ranked) {
        Optional<Tuning> last = Optional.empty();
        List<Candidate> left = new ArrayList<>(ranked);
        for (int proofs = 0; proofs < MOST_PROOFS && !left.isEmpty() && trials.affords(Prover.LEAST_RUNS); proofs++) {
            Candidate candidate = left.removeFirst();
            Prover.Outcome outcome = prover.prove(candidate, parts(candidate, ranked));
            record(candidate).runs += outcome.runs();
            record(candidate).fate = outcome.fate();
            Tuning tuning = end(
                    outcome.verdict(), outcome.why(), outcome.baseline().orElse(alone), Optional.of(outcome.proof()));
            if (!outcome.disqualified()) {
                return tuning;
            }
            last = Optional.of(tuning);
            left.removeIf(one -> one.name().contains(candidate.name()));
        }
        return last.orElseGet(() -> end(
                Verdict.CANNOT_TELL,
                ranked.isEmpty()
                        ? "every candidate failed, broke requests or lowered the peak"
                        : "the budget ended before the best candidate could be proven on fresh runs",
                alone,
                Optional.empty()));
    }

    /** The candidate that a combination is more than, for what each explains; none of a single one. */
    private List<Candidate> parts(Candidate candidate, List<Candidate> ranked) {
        return ranked.stream()
                .filter(one -> !one.equals(candidate)
                        && candidate.name().startsWith(one.name() + Candidates.AND)
                        && trials.affords(Prover.LEAST_RUNS + Prover.FEWEST_PAIRS))
                .toList();
    }

    private void note(Map<String, Configuration> measured, List<Candidate> candidates) {
        Configuration base = measured.get(baseline);
        for (Candidate candidate : candidates) {
            Record record = record(candidate);
            Configuration found = measured.get(candidate.name());
            if (found == null || base == null) {
                record.out = base != null;
                record.fate = "it has no valid run";
                continue;
            }
            Pairs pairs = Pairs.of(goal.metric(), base, found);
            record.runs += pairs.count();
            record.fate = "another was the best";
            pairs.differences().forEach(d -> record.gains.add(goal.higherIsBetter() ? d : -d));
            disqualified(base, found, record).ifPresent(why -> {
                record.out = true;
                record.fate = why;
            });
        }
    }

    /** On few runs only what is far beyond chance. */
    private Optional<String> disqualified(Configuration base, Configuration found, Record record) {
        Pairs peaks = Pairs.of(Metric.PEAK, base, found);
        if (peaks.ratio().isPresent()) {
            record.peaks.add(peaks);
        }
        int pairs = record.peaks.stream().mapToInt(Pairs::count).sum();
        double ratio = record.peaks.stream()
                .mapToDouble(some -> some.ratio().orElseThrow() * some.count() / pairs)
                .sum();
        return Prover.failing(base, found)
                .or(() -> pairs > 0 && ratio < keepPeak - 2 * PEAK_NOISE / Math.sqrt(pairs)
                        ? Optional.of(String.format(Locale.ROOT, "its peak is %.2f of the baseline's", ratio))
                        : Optional.empty());
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
        OptionalDouble median =
                Descriptive.median(record(candidate).gains.stream().mapToDouble(Double::doubleValue));
        return median.isPresent() ? Optional.of(median.getAsDouble()) : Optional.empty();
    }

    private Record record(Candidate candidate) {
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
                                    goal.higherIsBetter() ? gain : -gain,
                                    goal.metric().unit()))
                            .orElse(""));
        }
        return String.join(", ", words);
    }

    private Tuning end(Verdict verdict, String why, Configuration base, Optional<Proof> winner) {
        List<Tried> tried = new ArrayList<>();
        records.forEach(
                (candidate, record) -> tried.add(new Tried(candidate, record.runs, median(candidate), record.fate)));
        return new Tuning(verdict, goal, why, base, winner, tried);
    }
}
