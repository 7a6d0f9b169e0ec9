package dev.kiln.stats;

import java.util.Locale;

/**
 * Prints how long the segmentation takes beside the plain recursion, in the same process. Run by hand: {@code java -cp ...
 * dev.kiln.stats.PartitionerBench [bins]}; the plain recursion is left out above 20,000 bins.
 */
public final class PartitionerBench {
    private PartitionerBench() {}

    public static void main(String[] args) {
        int[] sizes = args.length > 0 ? new int[] {Integer.parseInt(args[0])} : new int[] {150, 3_000, 10_000, 86_400};
        for (int n : sizes) {
            for (RandomSeries shape : RandomSeries.values()) {
                report(shape, n);
            }
        }
    }

    private static void report(RandomSeries shape, int n) {
        double[] x = shape.draw(n, 7);
        double penalty = 15 * Math.log(n);
        int repeats = Math.max(1, 6_000 / n);
        double fast = Double.POSITIVE_INFINITY;
        double plain = Double.POSITIVE_INFINITY;
        for (int i = 0; i < repeats + 1; i++) {
            long t0 = System.nanoTime();
            Partition p = Partitioner.partition(x, SegmentCost.NORMAL, penalty, 5);
            fast = Math.min(fast, (System.nanoTime() - t0) / 1e6);
            if (n <= 20_000) {
                long t1 = System.nanoTime();
                Partition q = PlainPartitioner.partition(x, SegmentCost.NORMAL, penalty, 5);
                plain = Math.min(plain, (System.nanoTime() - t1) / 1e6);
                if (!p.equals(q)) {
                    throw new IllegalStateException(shape + ": " + p + " is not " + q);
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%6d bins %-15s fast %9.2f ms  plain %9.2f ms  plain/fast %6.1f%n",
                n,
                shape,
                fast,
                plain,
                plain / fast);
    }
}
