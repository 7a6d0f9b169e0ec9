package dev.kiln.compare;

import dev.kiln.explain.Curves.LoadPoint;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Student;
import dev.kiln.stats.series.Peak;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A DuetComparison holds the second variant of a duet against the first: what it served in the same seconds, while both
 * were at a level. What disturbs the machine disturbs both in the same second, so it is no part of the ratio (Bulej et
 * al., Duet Benchmarking, ICPE 2020). Blocks are the unit: each gives one ratio. Half of them have the halves of the CPUs
 * swapped, so that a half which is faster cancels.
 *
 * @param leftOut why blocks give no ratio, in words
 * @param ratio second over first; empty until there are two blocks with either half
 * @param confidence of its interval, two-sided
 */
public record DuetComparison(
        String first,
        String second,
        List<DuetBlock> blocks,
        List<String> leftOut,
        Optional<Estimate> ratio,
        double confidence) {
    /** There must be so many blocks with either half: one shows nothing of how much blocks differ. */
    public static final int LEAST_OF_A_HALF = 2;

    /**
     * A DuetBlock is what one block says.
     *
     * @param half of the CPUs that the first variant had: 1 or 2
     * @param seconds in which both were at a level
     * @param ratio of the requests that they served in these, second over first
     */
    public record DuetBlock(int block, int half, double seconds, double ratio) {}

    public DuetComparison {
        blocks = List.copyOf(blocks);
        leftOut = List.copyOf(leftOut);
    }

    /** Compares the variants of a duet; empty for an experiment whose runs followed one another. */
    public static Optional<DuetComparison> of(ExperimentResult result) {
        boolean duet = result.how().flatMap(RunInfo::duet).isPresent();
        return duet && result.variants().size() == 2 ? Optional.of(compared(result)) : Optional.empty();
    }

    /** Returns in how many seconds both variants were at a level, over all blocks. */
    public double seconds() {
        return blocks.stream().mapToDouble(DuetBlock::seconds).sum();
    }

    private static DuetComparison compared(ExperimentResult result) {
        VariantResult first = result.variants().getFirst();
        VariantResult second = result.variants().getLast();
        List<DuetBlock> blocks = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        Stream.of(first, second)
                .flatMap(variant -> variant.runs().stream())
                .map(RunResult::block)
                .distinct()
                .sorted()
                .forEach(number -> {
                    Optional<String> why =
                            why(first, number, result.config()).or(() -> why(second, number, result.config()));
                    why.ifPresentOrElse(
                            reason -> leftOut.add("block " + number + " is left out: " + reason),
                            () -> block(
                                            number,
                                            run(first, number).orElseThrow(),
                                            run(second, number).orElseThrow(),
                                            result.config())
                                    .ifPresentOrElse(
                                            blocks::add,
                                            () -> leftOut.add("block " + number
                                                    + " is left out: its runs have no second in which both served")));
                });
        double confidence = result.config().confidence();
        return new DuetComparison(first.name(), second.name(), blocks, leftOut, ratio(blocks, confidence), confidence);
    }

    private static Optional<Estimate> ratio(List<DuetBlock> blocks, double confidence) {
        double[] one = logs(blocks, 1);
        double[] other = logs(blocks, 2);
        if (Math.min(one.length, other.length) < LEAST_OF_A_HALF) {
            return Optional.empty();
        }
        Student logs = Student.crossedOver(one, other);
        return Optional.of(
                new Estimate(Math.exp(logs.estimate()), Math.exp(logs.lo(confidence)), Math.exp(logs.hi(confidence))));
    }

    private static double[] logs(List<DuetBlock> blocks, int half) {
        return blocks.stream()
                .filter(block -> block.half() == half)
                .mapToDouble(block -> Math.log(block.ratio()))
                .toArray();
    }

    private static Optional<RunResult> run(VariantResult variant, int block) {
        return variant.valid().stream().filter(run -> run.block() == block).findFirst();
    }

    /** Returns why nothing can be read from a variant's run of a block, in words; empty where something can. */
    private static Optional<String> why(VariantResult variant, int block, AnalysisConfig config) {
        Optional<RunResult> run = run(variant, block);
        if (run.isEmpty()) {
            return Optional.of(variant.name() + " has no valid run in it");
        }
        Optional<Peak> peak = run.get().series().measured();
        boolean unsteady = peak.filter(found -> found.bounds().contains(Peak.PeakBound.CLIMBING))
                        .isPresent()
                || run.get().series().shape().afterPause().declined();
        if (peak.isEmpty() || unsteady) {
            return Optional.of(
                    variant.name() + " run " + run.get().run() + " was not at a level in the load after the pause");
        }
        return served(run.get(), config).isEmpty()
                ? Optional.of(
                        variant.name() + " run " + run.get().run() + " has no whole second of the load after the pause")
                : Optional.empty();
    }

    private static Optional<DuetBlock> block(int number, RunResult first, RunResult second, AnalysisConfig config) {
        SortedMap<Long, Double> mine = served(first, config);
        SortedMap<Long, Double> theirs = served(second, config);
        mine.keySet().retainAll(theirs.keySet());
        theirs.keySet().retainAll(mine.keySet());
        double served = sum(mine);
        double servedBeside = sum(theirs);
        return served > 0 && servedBeside > 0
                ? Optional.of(new DuetBlock(number, RunInfo.Duet.half(0, number), mine.size(), servedBeside / served))
                : Optional.empty();
    }

    private static double sum(SortedMap<Long, Double> seconds) {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * Returns what a run served in each second of its last load, by milliseconds since that load began, without the restart of
     * its connections. Both runs of a block begin each load at the same moment.
     */
    private static SortedMap<Long, Double> served(RunResult run, AnalysisConfig config) {
        SortedMap<Long, Double> seconds = new TreeMap<>();
        List<LoadPoint> all = run.curves().load();
        if (all.isEmpty()) {
            return seconds;
        }
        String last = all.getLast().phase();
        List<LoadPoint> measured =
                all.stream().filter(point -> point.phase().equals(last)).toList();
        double begin = measured.getFirst().second();
        measured.stream()
                .skip(config.jump().jumpSkipBins())
                .forEach(point -> seconds.put(Math.round(1e3 * (point.second() - begin)), point.requestsPerSecond()));
        return seconds;
    }
}
