package dev.kiln.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The peak of a configuration: geometric mean over runs of the mean of the measuring phase, or of a long soak.
 *
 * @param value requests per second
 * @param lowerBound a phase was not steady, or its compilers were not done, so the true peak may be higher: printed with >=
 * @param runs it was taken from
 */
public record ReferencePeak(double value, boolean lowerBound, int runs, List<Warning> warnings) {
    public ReferencePeak {
        warnings = List.copyOf(warnings);
    }

    /** The same as a lower bound, for what the curve alone does not tell. */
    public ReferencePeak atLeast(Warning why) {
        return new ReferencePeak(
                value,
                true,
                runs,
                Stream.concat(warnings.stream(), Stream.of(why)).toList());
    }

    /** Why the true peak may be higher, in words; empty unless it is a lower bound. */
    public String whyLowerBound() {
        boolean compiling = warnings.stream().anyMatch(w -> w.code() == Warning.Code.REFERENCE_WHILE_COMPILING);
        if (compiling) {
            return "C2 still waited for a CPU after the pause";
        }
        boolean climbing = warnings.stream().anyMatch(w -> w.code() == Warning.Code.REFERENCE_WHILE_CLIMBING);
        if (climbing) {
            return "throughput was still climbing in the load after the pause";
        }
        return lowerBound ? "throughput was not steady after the pause either" : "";
    }

    public static ReferencePeak of(List<double[]> measuring) {
        return of(measuring, AnalysisConfig.defaults());
    }

    /** At least one phase, each with some throughput. */
    public static ReferencePeak of(List<double[]> measuring, AnalysisConfig config) {
        if (measuring.isEmpty()) {
            throw new IllegalArgumentException("a reference peak needs at least one measuring phase");
        }
        double logs = 0;
        List<Integer> unsteady = new ArrayList<>();
        for (int run = 0; run < measuring.size(); run++) {
            double[] bins = measuring.get(run);
            SeriesAnalysis analysis = SeriesAnalyzer.measuring(bins, config);
            double mean = bins.length == 0 ? 0 : Descriptive.mean(bins);
            if (mean == 0) {
                throw new IllegalArgumentException("measuring phase " + run + " served nothing");
            }
            logs += Math.log(mean);
            boolean steady = analysis instanceof Analysed a && a.steady();
            if (!steady) {
                unsteady.add(run);
            }
        }
        List<Warning> warnings = unsteady.isEmpty()
                ? List.of()
                : List.of(new Warning(
                        Warning.Code.REFERENCE_IS_LOWER_BOUND,
                        "measuring phases " + unsteady + " are not steady: the reference peak is a lower bound"));
        double value = Math.exp(logs / measuring.size());
        return new ReferencePeak(value, !unsteady.isEmpty(), measuring.size(), warnings);
    }
}
