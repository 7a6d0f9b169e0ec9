package dev.kiln.compare;

import dev.kiln.explain.study.Precision;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Gate.Verdict;
import dev.kiln.stats.Power;
import dev.kiln.stats.Student.Welch;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A Calibration is what the gate says of runs of one configuration against themselves: every FAIL is a false alarm.
 *
 * @param confidence of the intervals that show a difference; a gate's own are of its rule
 */
public record Calibration(String name, double confidence, List<Row> rows) {
    public Calibration {
        rows = List.copyOf(rows);
    }

    /**
     * A Row is what the splits of one metric's runs gave.
     *
     * @param splits ways in which the runs were split into a baseline and a current half
     * @param all whether these are all ways there are
     * @param shares empty where the metric has too few runs
     * @param note why there is nothing to say of this metric
     */
    public record Row(
            String label,
            Tolerance tolerance,
            int runs,
            int splits,
            boolean all,
            Optional<SplitShares> shares,
            String note) {
        /** Returns one of the shares, where there are any. */
        public OptionalDouble share(ToDoubleFunction<SplitShares> which) {
            return shares.stream().mapToDouble(which).findFirst();
        }
    }

    /** SplitShares are shares of the splits: beyond the tolerance, or 1 left out of the interval. */
    public record SplitShares(
            double failed, double passed, double inconclusive, double underPowered, double differenceShown) {}

    /** A metric needs at least this many runs to be split into two halves that a gate can decide on. */
    public static final int FEWEST = 2 * Power.FEWEST_BY_T;

    /** Splits the runs of a configuration in all ways, or in so many drawn at random. */
    public static Calibration of(Configuration configuration, List<Tolerance> tolerances, AnalysisConfig config) {
        List<Row> rows = new ArrayList<>();
        for (Tolerance tolerance : tolerances) {
            Measured measured = configuration
                    .asked(tolerance.metric())
                    .filter(m -> m.runs().size() >= FEWEST && !m.anyCensored())
                    .orElse(null);
            if (measured == null || !measured.positive(measured)) {
                rows.add(nothing(tolerance));
                continue;
            }
            Splits splits = Splits.of(measured.runs().size());
            Gate.Rule rule = new Gate.Rule(
                    tolerance.percent(),
                    tolerance.eitherWay(),
                    1,
                    1,
                    Precision.share(configuration.adaptive(), measured.metric().id()));
            rows.add(row(measured, tolerance, splits, rule, config));
        }
        return new Calibration(configuration.name(), config.confidence(), rows);
    }

    private static Row nothing(Tolerance tolerance) {
        return new Row(
                Quantity.of(tolerance.metric()).title(),
                tolerance,
                0,
                0,
                true,
                Optional.empty(),
                "fewer than " + FEWEST + " runs with a ratio");
    }

    private static Row row(
            Measured measured, Tolerance tolerance, Splits splits, Gate.Rule rule, AnalysisConfig config) {
        Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
        int shown = 0;
        double[] values = measured.values();
        for (boolean[] current : splits.list()) {
            double[] x = side(values, current, false);
            double[] y = side(values, current, true);
            Gate gate = Gate.of(new Gate.GateSide(x), new Gate.GateSide(y), rule, measured.resolution(measured));
            verdicts.merge(gate.verdict(), 1, Integer::sum);
            Welch welch = Welch.ratio(x, y, config.confidence());
            shown += welch.lo() > 1 || welch.hi() < 1 ? 1 : 0;
        }
        double n = splits.count();
        return new Row(
                measured.metric().title(),
                tolerance,
                values.length,
                splits.count(),
                splits.all(),
                Optional.of(new SplitShares(
                        verdicts.getOrDefault(Verdict.FAIL, 0) / n,
                        verdicts.getOrDefault(Verdict.PASS, 0) / n,
                        verdicts.getOrDefault(Verdict.INCONCLUSIVE, 0) / n,
                        verdicts.getOrDefault(Verdict.UNDER_POWERED, 0) / n,
                        shown / n)),
                "");
    }

    private static double[] side(double[] values, boolean[] current, boolean which) {
        return IntStream.range(0, values.length)
                .filter(i -> current[i] == which)
                .mapToDouble(i -> values[i])
                .toArray();
    }

    /** Splits are ways to divide runs into two halves, all there are or some; in each, true is the current side. */
    private record Splits(List<boolean[]> list, boolean all) {
        /** Up to this many splits are drawn at random; all 3,432 halves of 14 runs are tried out without. */
        private static final int MOST = 4000;

        private static final int MOST_RUNS_TRIED_OUT = 14;

        int count() {
            return list.size();
        }

        static Splits of(int runs) {
            List<boolean[]> out = new ArrayList<>();
            int half = runs / 2;
            if (runs <= MOST_RUNS_TRIED_OUT) {
                for (int bits = 0; bits < 1 << runs; bits++) {
                    if (Integer.bitCount(bits) == half) {
                        boolean[] current = new boolean[runs];
                        for (int i = 0; i < runs; i++) {
                            current[i] = (bits >> i & 1) == 1;
                        }
                        out.add(current);
                    }
                }
                return new Splits(out, true);
            }
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < MOST; i++) {
                out.add(drawn(runs, half, random));
            }
            return new Splits(out, false);
        }

        /** Draws one half, each equally likely (Knuth's selection sampling, algorithm S). */
        private static boolean[] drawn(int runs, int half, SplittableRandom random) {
            boolean[] current = new boolean[runs];
            int missing = half;
            for (int i = 0; i < runs; i++) {
                if (random.nextInt(runs - i) < missing) {
                    current[i] = true;
                    missing--;
                }
            }
            return current;
        }
    }
}
