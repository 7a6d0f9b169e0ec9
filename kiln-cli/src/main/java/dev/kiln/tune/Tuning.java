package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.tune.Screening.Screened;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A Tuning is the end of a search for a cure.
 *
 * @param why the verdict in a sentence
 * @param baseline all runs of the stage that decided, or the first ones where none did
 * @param winner what was proven on fresh runs, whether or not it was enough; empty where nothing was
 * @param tried every candidate, in the order of the candidates
 * @param boost how long the CPU boost of a proven winner must last; empty for one without
 */
public record Tuning(
        TuneVerdict verdict,
        Goal goal,
        String why,
        Configuration baseline,
        Optional<TuneProof> winner,
        List<Tried> tried,
        Optional<Boost> boost) {
    /** A warm-up that costs less than this, in seconds, counts as none: a ratio needs a base. */
    public static final double NOTHING_SECONDS = 0.1;

    public Tuning {
        tried = List.copyOf(tried);
    }

    public enum TuneVerdict {
        IMPROVED("improved"),
        NOTHING_TO_GAIN("nothing to gain"),
        CANNOT_TELL("cannot tell");

        private final String text;

        TuneVerdict(String text) {
            this.text = text;
        }

        /** Returns the verdict as scripts read it. */
        public String text() {
            return text;
        }
    }

    /**
     * A TuneProof compares the best candidate with the baseline on runs that were not used to choose it.
     *
     * @param stage folder of these runs
     * @param figures of the candidate in them
     * @param before median of the goal's metric in the baseline's runs of all pairs, at the least where a time was not
     *     reached; of the warm-up cost against the higher of both peaks
     * @param after likewise of the candidate
     * @param atLeast whether the baseline did not reach a time in one of them
     * @param effect the goal's metric, candidate over baseline; empty with too few pairs
     * @param peak likewise, for the guard
     * @param shares what each cause explains of the loss, the last one what is left; empty where no loss was measured
     */
    public record TuneProof(
            Candidate candidate,
            String stage,
            Configuration figures,
            OptionalDouble before,
            OptionalDouble after,
            boolean atLeast,
            Optional<PairedRatio> effect,
            Optional<PairedRatio> peak,
            List<CauseShare> shares) {
        public TuneProof {
            shares = List.copyOf(shares);
        }

        /** Makes the proof of a candidate of which no run can be held against the baseline's. */
        static TuneProof none(Candidate candidate, String stage) {
            return new TuneProof(
                    candidate,
                    stage,
                    Configuration.none(candidate.name()),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    List.of());
        }
    }

    /**
     * A CauseShare is the seconds of peak throughput that a change saves, or that are still lost with all changes.
     *
     * @param cause that the change is a remedy of; empty for what is still lost
     * @param by name of the candidate
     */
    public record CauseShare(Optional<String> cause, String by, double seconds, double lo, double hi) {}

    /**
     * A Boost is a CPU boost at the start, with the least length that was enough; otherwise with the longest of the
     * proof.
     *
     * @param modifier with a time
     * @param stage folder of the runs that show it; empty where the budget was not enough for them
     * @param enough whether its end was seen to cost less than a twentieth of the throughput
     * @param steps the lengths that were tried, the longest first
     */
    public record Boost(BoostedStart modifier, Optional<String> stage, boolean enough, List<BoostStep> steps) {
        public Boost {
            steps = List.copyOf(steps);
        }

        /** @param after throughput after the end of the boost, per cent of the peak, mean of its runs; empty without a run */
        public record BoostStep(double seconds, OptionalDouble after) {}
    }

    /**
     * A Tried is a candidate in the search, and what became of it.
     *
     * @param runs of it that were made
     * @param gain median over its blocks of what it gained against the baseline, in the goal's unit; positive is better;
     *     empty where no block has both
     * @param screened what it served in a short run; empty where it had none
     * @param outcome what became of it, in words; empty where the budget ended before it was tried
     */
    public record Tried(
            Candidate candidate,
            int runs,
            Optional<Double> gain,
            Optional<Screened> screened,
            Optional<String> outcome) {
        /** Returns what became of it, in words. */
        public String words() {
            return outcome.orElse("not tried: the budget ended before");
        }
    }
}
