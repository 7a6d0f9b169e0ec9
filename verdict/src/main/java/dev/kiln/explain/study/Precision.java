package dev.kiln.explain.study;

import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.stats.Power;
import dev.kiln.stats.Student.PairedRatio;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Precision is how well the peak is known so far: it decides whether an adaptive experiment adds a block. The peak of a
 * run is its throughput after the pause (the peak, docs/reference/statistics.md), or under its only load.
 */
public final class Precision {
    /**
     * This share of alpha is left at each check, so that intervals of a number of runs that was chosen by their width
     * hold what they say: computed after each block from the fifth on, 97 % intervals cover 95 % (PrecisionTest).
     */
    public static final double SHARE_OF_ALPHA = 0.6;

    /** The least coverage measured of any noise and width, for 5 to 100 runs, of 20,000 simulated experiments. */
    static final double COVERAGE = 0.949;

    /** A difference is shown at 5 %, over all comparisons with the first variant (Holm). */
    private static final double ALPHA = 0.05;

    private Precision() {}

    /** Returns the fewest runs a variant that can show a difference; adaptive is where an interval decides. */
    public static int fewest(Power.Design design, int variants, boolean adaptive) {
        return Power.fewest(design, ALPHA * (adaptive ? SHARE_OF_ALPHA : 1) / Math.max(1, variants - 1));
    }

    /** Returns the wanted runs; where an interval decides, at least as many as can show a difference. */
    public static Runs runs(Runs wanted, int variants) {
        if (!wanted.adaptive() || variants < 2) {
            return wanted;
        }
        int least = Math.max(wanted.atLeast(), fewest(Power.Design.BLOCKS, variants, true));
        return new Runs(Math.min(wanted.atMost(), least), wanted.atMost(), wanted.width(), wanted.repeat());
    }

    /**
     * Returns the widest interval's relative width, hi / lo - 1: of the ratio to the first variant, paired by block, or
     * with one variant of the peak itself. It is empty until every variant has two valid runs.
     *
     * @param confidence two-sided, that holds although the number of runs is chosen by this width
     */
    public static OptionalDouble width(ExperimentResult result, double confidence) {
        List<Map<Integer, Double>> peaks =
                result.variants().stream().map(Precision::peaksByBlock).toList();
        if (peaks.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (peaks.size() == 1) {
            double[] own = values(peaks.getFirst());
            double[] ones = new double[own.length];
            Arrays.fill(ones, 1);
            return width(ones, own, confidence);
        }
        double widest = 0;
        for (Map<Integer, Double> other : peaks.subList(1, peaks.size())) {
            Map<Integer, Double> first = new TreeMap<>(peaks.getFirst());
            Map<Integer, Double> second = new TreeMap<>(other);
            first.keySet().retainAll(second.keySet());
            second.keySet().retainAll(first.keySet());
            OptionalDouble width = width(values(first), values(second), confidence);
            if (width.isEmpty()) {
                return width;
            }
            widest = Math.max(widest, width.getAsDouble());
        }
        return OptionalDouble.of(widest);
    }

    private static OptionalDouble width(double[] a, double[] b, double confidence) {
        if (a.length < 2) {
            return OptionalDouble.empty();
        }
        PairedRatio ratio = interval(a, b, confidence);
        return OptionalDouble.of(ratio.hi() / ratio.lo() - 1);
    }

    static PairedRatio interval(double[] a, double[] b, double confidence) {
        return PairedRatio.of(a, b, confidence(confidence, true));
    }

    /** Returns the confidence to make an interval at, so that it holds as asked where its width chose the runs. */
    public static double confidence(double asked, boolean chosen) {
        return chosen ? 1 - SHARE_OF_ALPHA * (1 - asked) : asked;
    }

    /** Tells whether this metric's interval chooses the number of runs: the peak's, or the throughput's without a pause. */
    public static boolean chooses(String metric) {
        return metric.equals(Metric.PEAK.id()) || metric.equals(Metric.THROUGHPUT.id());
    }

    /** Returns the share of alpha that is left to this metric's interval; adaptive is where an interval decided how many runs there are. */
    public static double share(boolean adaptive, String metric) {
        return adaptive && chooses(metric) ? SHARE_OF_ALPHA : 1;
    }

    private static Map<Integer, Double> peaksByBlock(VariantResult variant) {
        return variant.runs().stream()
                .filter(RunResult::valid)
                .collect(Collectors.toMap(
                        RunResult::block,
                        run -> RunFigures.of(Metric.THROUGHPUT, run).orElse(0),
                        (x, y) -> y,
                        TreeMap::new));
    }

    private static double[] values(Map<Integer, Double> byBlock) {
        return byBlock.values().stream().mapToDouble(Double::doubleValue).toArray();
    }
}
