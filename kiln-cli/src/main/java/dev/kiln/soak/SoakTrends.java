package dev.kiln.soak;

import dev.kiln.soak.SoakPlan.SoakSegment;
import dev.kiln.soak.SoakResult.SoakMetric;
import dev.kiln.soak.SoakResult.SoakTrend;
import dev.kiln.soak.SoakResult.SoakTrend.NoTrend;
import dev.kiln.stats.LongTrend;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * SoakTrends are where the quantities of one segment went.
 *
 * @param settled windows that are left out at the beginning
 * @param confidence of each interval
 * @param counts share of a level by which a quantity may move and still have held
 */
public record SoakTrends(SoakSegment segment, int settled, double confidence, double counts) {
    /** A line through what collections left needs so many windows in which the old generation was reached. */
    private static final int LEAST_LOOKS = LongTrend.LEAST_BLOCKS;

    private static final double MIB = 1 << 20;

    List<SoakTrend> all() {
        return Arrays.stream(SoakMetric.values()).map(this::trend).toList();
    }

    private SoakTrend trend(SoakMetric metric) {
        Optional<String> garbage = garbage();
        double perHour = 3600 / segment.windowSeconds();
        boolean heap = metric == SoakMetric.HEAP;
        Line line = line(metric, heap ? heap() : values(segment, metric));
        if (heap && garbage.isPresent()) {
            return new SoakTrend(
                    metric, perHour, Optional.empty(), garbage.map(NoTrend::tooLittle), counts, limit(metric), false);
        }
        return new SoakTrend(
                metric,
                perHour / line.apart(),
                line.trend(),
                line.trend().isPresent() ? Optional.empty() : Optional.of(line.why()),
                counts,
                limit(metric),
                metric == SoakMetric.RSS && garbage.isPresent() && within(line));
    }

    /** Tells whether resident memory rises no faster than what collections left in the heap. */
    private boolean within(Line rss) {
        Line heap = line(SoakMetric.HEAP, values(segment, SoakMetric.HEAP));
        return rss.trend().isPresent()
                && heap.trend().isPresent()
                && rss.trend().get().lo() / rss.apart() <= heap.trend().get().hi() / heap.apart();
    }

    /**
     * A Line is the trend of one quantity over those windows that have a value of it.
     *
     * @param apart windows from one value to the next, on average
     * @param why there is no trend
     */
    private record Line(Optional<LongTrend> trend, double apart, NoTrend why) {}

    private Line line(SoakMetric metric, double[] all) {
        // 0 is no value of a level, only of a throughput.
        double[] values = Arrays.stream(all, settled, all.length)
                .filter(v -> v > 0 || metric == SoakMetric.THROUGHPUT)
                .toArray();
        Optional<LongTrend> trend = metric == SoakMetric.HEAP
                ? LongTrend.ofLeast(values, confidence)
                : LongTrend.ofMeans(values, confidence);
        return new Line(
                trend,
                // Without a value in some windows those that have one lie further apart, on average evenly.
                values.length == 0 ? 1 : (all.length - settled) / (double) values.length,
                values.length == 0
                        ? NoTrend.NOT_RECORDED
                        : NoTrend.tooLittle(values.length + " windows; it takes at least " + LongTrend.LEAST_BLOCKS));
    }

    /**
     * Returns why what collections left says nothing of what is live: too few of them reached the old generation, where
     * garbage gathers until one does. It is empty where enough did, or where collections are not recorded by kind.
     */
    private Optional<String> garbage() {
        long looks = segment.windows().stream()
                .skip(settled)
                .filter(window -> window.full() + window.cycles() > 0)
                .count();
        return segment.memory().collections().isPresent() && looks < LEAST_LOOKS
                ? Optional.of("may be garbage (" + looks + " of " + LEAST_LOOKS + " old collections)")
                : Optional.empty();
    }

    /** Returns the heap after collections; windows without one that reached the old generation have 0. */
    private double[] heap() {
        boolean full = segment.windows().stream().anyMatch(window -> window.full() > 0)
                && segment.windows().stream().allMatch(window -> window.cycles() == 0);
        double[] values = values(segment, SoakMetric.HEAP);
        return full
                ? IntStream.range(0, values.length)
                        .mapToDouble(i -> segment.windows().get(i).full() > 0 ? values[i] : 0)
                        .toArray()
                : values;
    }

    private OptionalDouble limit(SoakMetric metric) {
        OptionalLong bytes = switch (metric) {
            case RSS -> segment.memory().limitBytes();
            case HEAP -> segment.memory().heapLimitBytes();
            case THROUGHPUT, P99 -> OptionalLong.empty();
        };
        return bytes.isPresent() ? OptionalDouble.of(bytes.getAsLong() / MIB) : OptionalDouble.empty();
    }

    /** Returns one value for each window, in the metric's unit. */
    public static double[] values(SoakSegment segment, SoakMetric metric) {
        return segment.windows().stream()
                .mapToDouble(w -> switch (metric) {
                    case THROUGHPUT -> w.requests() / segment.windowSeconds();
                    case P99 -> w.p99Nanos() / 1e6;
                    case RSS -> w.rssBytes() / MIB;
                    case HEAP -> w.heapBytes() / MIB;
                })
                .toArray();
    }
}
