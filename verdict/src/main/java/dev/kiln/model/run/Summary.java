package dev.kiln.model.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Summary is what a list of experiments and a series over time need of one experiment, without its evidence: {@code
 * summary.json}.
 *
 * @param kilnVersion of the Kiln that judged it
 * @param protocol in words
 * @param host CPU model and number of CPUs, in words
 * @param conclusion one sentence
 */
public record Summary(
        int schemaVersion,
        String kilnVersion,
        String experiment,
        String protocol,
        String host,
        String conclusion,
        List<VariantSummary> variants) {
    public static final int SCHEMA_VERSION = 1;

    public Summary {
        variants = List.copyOf(variants);
    }

    /**
     * A VariantSummary sums up a variant.
     *
     * @param jdk version of its JVM; empty for a program that is none
     * @param peak its reference peak in requests per second
     * @param peakAtLeast the true peak may be higher
     * @param t90 the time to 90 % of the peak with its interval, in words
     */
    public record VariantSummary(
            String name,
            String verdict,
            Optional<String> jdk,
            Optional<Double> peak,
            boolean peakAtLeast,
            Optional<String> t90,
            List<OfRun> runs) {
        public VariantSummary {
            runs = List.copyOf(runs);
        }
    }

    /** An OfRun sums up a run: figures by the ids of metrics, and earlier verdicts, the oldest first. */
    public record OfRun(
            int run,
            long launchEpochMillis,
            double seconds,
            boolean valid,
            String verdict,
            List<Earlier> earlier,
            Map<String, Double> figures) {
        public OfRun {
            earlier = List.copyOf(earlier);
            // The file has them in the order in which they are told: the same run gives the same bytes.
            figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        }
    }

    /** An Earlier is a verdict that one version of Kiln gave, and that a later one did not. */
    public record Earlier(String verdict, String kilnVersion) {}

    /** Returns the run of this variant and number; empty if there is none. */
    public Optional<OfRun> run(String variant, int number) {
        return variants.stream()
                .filter(one -> one.name().equals(variant))
                .flatMap(one -> one.runs().stream())
                .filter(run -> run.run() == number)
                .findFirst();
    }
}
