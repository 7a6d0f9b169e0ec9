package dev.kiln.explain;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Bins;
import dev.kiln.stats.TimeToPeak;
import dev.kiln.stats.Warning;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the failed requests of a series do to its figures: too many bins of them, or one beside a time, and it is invalid. */
final class SeriesErrors {
    private SeriesErrors() {}

    /**
     * Judges a phase.
     *
     * @param served successful requests per second, by bin
     * @param failed failed requests per second, by bin
     * @param times those that are reported of the phase
     */
    static SeriesResult.Errors of(double[] served, double[] failed, List<TimeToPeak> times, AnalysisConfig config) {
        Bins.Validity validity = Bins.validity(served, failed, new boolean[served.length], config);
        List<Warning> many = validity.reasons(List.of(), config);
        List<Warning> why = many.isEmpty() ? validity.reasons(reported(times), config) : many;
        return new SeriesResult.Errors(
                Arrays.stream(failed).sum() * config.binSeconds(),
                validity.erroneous(),
                why.stream().map(Warning::text).toList());
    }

    private static List<Double> reported(List<TimeToPeak> times) {
        return times.stream()
                .flatMapToDouble(time -> time.seconds().stream())
                .distinct()
                .boxed()
                .toList();
    }

    static List<String> notes(String phase, double[] served, SeriesResult.Errors errors, AnalysisConfig config) {
        if (errors.total() == 0) {
            return List.of();
        }
        double all = errors.total() + Arrays.stream(served).sum() * config.binSeconds();
        String share = String.format(
                Locale.ROOT,
                "%,.0f requests failed, %.2f %% of all, too many of them in %d of %d bins",
                errors.total(),
                100 * errors.total() / all,
                errors.bins().size(),
                served.length);
        return List.of(
                errors.reasons().isEmpty()
                        ? phase + ": " + share
                        : phase + " is invalid: " + share + ": " + String.join("; ", errors.reasons()));
    }
}
