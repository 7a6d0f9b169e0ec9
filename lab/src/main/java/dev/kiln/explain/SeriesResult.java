package dev.kiln.explain;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.CooldownJump;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.ReferencePeak;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.TimeToPeak;
import java.util.List;
import java.util.Optional;

/**
 * What a load series says by itself, phase by phase.
 *
 * @param against the warm-up against the peak of the phase behind it; empty where there is no such pair
 * @param jump from the warm-up to the phase behind it
 * @param notes what a reader must know beside the figures
 */
public record SeriesResult(
        List<Phase> phases,
        Optional<AgainstReference> against,
        Optional<CooldownJump> jump,
        List<String> notes,
        AnalysisConfig config) {
    public SeriesResult {
        phases = List.copyOf(phases);
        notes = List.copyOf(notes);
    }

    /**
     * A phase under load.
     *
     * @param bins requests per second
     * @param errors what the column of failed requests says; empty where there is none
     */
    public record Phase(String name, double[] bins, SeriesAnalysis analysis, Optional<Errors> errors) {
        /** Whether its figures can be trusted, as far as errors tell. */
        public boolean valid() {
            return errors.map(e -> e.reasons().isEmpty()).orElse(true);
        }
    }

    /**
     * Failed requests of a phase.
     *
     * @param total in its whole bins
     * @param bins indices of those with more errors than accepted
     * @param reasons why the phase is invalid; none if it is valid
     */
    public record Errors(double total, List<Integer> bins, List<String> reasons) {
        public Errors {
            bins = List.copyOf(bins);
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * A warm-up against a reference peak; times and deficit are there even where it is too short for a class.
     *
     * @param phase the warm-up's name
     * @param referencePhase where the peak was measured
     */
    public record AgainstReference(
            String phase,
            String referencePhase,
            ReferencePeak peak,
            SeriesAnalysis analysis,
            List<TimeToPeak> times,
            Deficit deficit) {
        public AgainstReference {
            times = List.copyOf(times);
        }
    }
}
