package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Throughput series whose truth is known: a true curve times the noise of real machines. That noise is autocorrelated, and some
 * series have the dips of a collector or spells in which a neighbour takes CPU. The same seed gives the same series.
 */
public final class TruthSeries {
    private static final int[] WARMUP_SECONDS = {60, 90, 120, 180};
    private static final int[] MEASURE_SECONDS = {20, 30, 40};

    /** Counts of a closed loop vary less than Poisson's: half of its variance. */
    private static final double COUNT_VARIANCE = 0.5;

    private TruthSeries() {}

    /**
     * A series, requests in each second, and what is true of it.
     *
     * @param measure the load after the pause; empty where there was none
     * @param verdicts those that are right; "cannot tell" is among them only where nobody can
     * @param asked whether its time to peak has one answer
     * @param t90 second from which the true curve stays at 90 % of the peak or above; empty: not within the load
     * @param noise coefficient of variation of a second, without dips and spells
     * @param known the other figures that have one true value
     */
    public record Truth(
            String family,
            double[] warmup,
            double[] measure,
            Set<String> verdicts,
            boolean asked,
            OptionalDouble t90,
            double noise,
            Known known) {}

    /**
     * True figures of a series. They are of the curve and of what dips and spells take on the average.
     *
     * @param offered requests per second; empty in the closed loop
     * @param times seconds to a percentage of the peak, as {@code t90}; no entry where the question has no one answer
     * @param peak requests per second; empty where the load after the pause is no reference
     * @param endOverPeak empty where the end is not level
     * @param end requests per second of the last five seconds; empty where it stops, cycles, or steps in the last ten
     * @param costSeconds seconds of the peak that the first load, as it was observed, served less
     * @param jump the load after the pause over the end
     */
    public record Known(
            OptionalDouble offered,
            Map<Integer, OptionalDouble> times,
            OptionalDouble peak,
            OptionalDouble endOverPeak,
            OptionalDouble end,
            OptionalDouble costSeconds,
            OptionalDouble jump) {}

    /** Draws the curve of a series. */
    @FunctionalInterface
    public interface Family {
        /** For a first load of {@code n} seconds and a second one of {@code m}, both at least 20. */
        Curve draw(Random random, int n, int m);
    }

    /**
     * A true curve, as a share of a rate.
     *
     * @param texture what real seconds are of it, on the average one; first load, then second
     * @param rate requests per second at one; empty: any from 20 to 30,000
     * @param exact whether seconds have no noise but the texture
     * @param reference the level of the load after the pause, where that is not its mean; empty where it is no reference
     * @param offered whether a rate of one was offered
     */
    public record Curve(
            double[] warmup,
            double[] measure,
            double[] texture,
            OptionalDouble rate,
            boolean exact,
            boolean asked,
            Set<String> verdicts,
            OptionalDouble reference,
            boolean offered) {
        public static Curve of(double[] warmup, double[] measure, Set<String> verdicts) {
            double[] texture = level(warmup.length + measure.length, 1);
            return new Curve(
                    warmup,
                    measure,
                    texture,
                    OptionalDouble.empty(),
                    false,
                    true,
                    verdicts,
                    OptionalDouble.of(peak(measure)),
                    false);
        }

        public static Curve of(double[] warmup, double[] measure, String... verdicts) {
            return of(warmup, measure, Set.of(verdicts));
        }

        public Curve notAsked() {
            return new Curve(warmup, measure, texture, rate, exact, false, verdicts, reference, offered);
        }

        public Curve at(double requestsPerSecond) {
            return new Curve(
                    warmup,
                    measure,
                    texture,
                    OptionalDouble.of(requestsPerSecond),
                    exact,
                    asked,
                    verdicts,
                    reference,
                    offered);
        }

        public Curve textured(IntToDoubleFunction share) {
            return new Curve(
                    warmup, measure, curve(texture.length, share), rate, exact, asked, verdicts, reference, offered);
        }

        public Curve exactly() {
            return new Curve(warmup, measure, texture, rate, true, asked, verdicts, reference, offered);
        }

        /** The load after the pause stands at this level, but for an outage or for its beginning. */
        public Curve referredTo(double level) {
            return new Curve(warmup, measure, texture, rate, exact, asked, verdicts, OptionalDouble.of(level), offered);
        }

        /** The load after the pause is no reference. */
        public Curve withoutReference() {
            return new Curve(warmup, measure, texture, rate, exact, asked, verdicts, OptionalDouble.empty(), offered);
        }

        /** A rate of one was offered. */
        public Curve atRate() {
            return new Curve(warmup, measure, texture, rate, exact, asked, verdicts, OptionalDouble.empty(), true);
        }
    }

    /** So many series, of each family in turn. */
    public static List<Truth> series(long seed, int count) {
        return series(seed, count, TruthFamilies.ALL);
    }

    public static List<Truth> series(long seed, int count, Map<String, Family> families) {
        Random seeds = new Random(seed);
        List<Map.Entry<String, Family>> named = List.copyOf(families.entrySet());
        List<Truth> out = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map.Entry<String, Family> one = named.get(i % named.size());
            out.add(draw(one.getKey(), one.getValue(), new Random(seeds.nextLong())));
        }
        return out;
    }

    private static Truth draw(String name, Family family, Random random) {
        Curve curve = family.draw(random, pick(random, WARMUP_SECONDS), pick(random, MEASURE_SECONDS));
        double cv = curve.exact() ? 0 : 0.01 * Math.pow(10, random.nextDouble());
        double rho = uniform(random, 0, 0.8);
        double rate = curve.rate().orElse(Math.pow(10, uniform(random, 1.3, 4.5)));
        double[] share = curve.texture().clone();
        double kept = curve.exact() ? 1 : disturbed(random, share);
        double[] seen = observed(random, curve, share, rate, cv, rho);
        int n = curve.warmup().length;
        return new Truth(
                name,
                Arrays.copyOf(seen, n),
                Arrays.copyOfRange(seen, n, seen.length),
                curve.verdicts(),
                curve.asked(),
                time(curve.warmup(), 0.9 * curve.reference().orElse(0)),
                Math.sqrt(cv * cv + (curve.exact() ? 0 : COUNT_VARIANCE / rate) + variance(curve.texture())),
                known(curve, rate, kept, Arrays.copyOf(seen, n)));
    }

    private static Known known(Curve curve, double rate, double kept, double[] seen) {
        double[] w = curve.warmup();
        int n = w.length;
        OptionalDouble reference = curve.reference();
        Map<Integer, OptionalDouble> times = new TreeMap<>();
        if (curve.asked() && reference.isPresent()) {
            List.of(50, 90, 95, 99).forEach(p -> times.put(p, time(w, p / 100.0 * reference.getAsDouble())));
        }
        double end = Arrays.stream(w, n - 10, n).average().orElseThrow();
        boolean level = Arrays.stream(w, Math.max(0, n - 30), n).allMatch(x -> Math.abs(x - end) < 0.002);
        boolean hasPeak = reference.isPresent() && reference.getAsDouble() > 0;
        double[] m = curve.measure();
        boolean jumps = m.length > 10 && end > 0;
        return new Known(
                curve.offered() ? OptionalDouble.of(rate) : OptionalDouble.empty(),
                times,
                hasPeak ? OptionalDouble.of(rate * kept * reference.getAsDouble()) : OptionalDouble.empty(),
                hasPeak && level ? OptionalDouble.of(end / reference.getAsDouble()) : OptionalDouble.empty(),
                lastSeconds(curve, rate),
                hasPeak
                        ? OptionalDouble.of(n - Arrays.stream(seen).sum() / (rate * kept * reference.getAsDouble()))
                        : OptionalDouble.empty(),
                jumps
                        ? OptionalDouble.of(Arrays.stream(m, 1, 11).average().orElseThrow() / end)
                        : OptionalDouble.empty());
    }

    /** Dips are cut from a level, so that of a collector is known to what it takes. */
    private static OptionalDouble lastSeconds(Curve curve, double rate) {
        double[] w = curve.warmup();
        int n = w.length;
        double end = Arrays.stream(w, n - 5, n).average().orElseThrow();
        boolean steps = IntStream.range(n - 10, n).anyMatch(i -> Math.abs(w[i] - w[i - 1]) > 0.15 * end);
        boolean none = steps
                || curve.verdicts().contains("cycling")
                || curve.verdicts().contains("stopped");
        return none ? OptionalDouble.empty() : OptionalDouble.of(rate * end);
    }

    /** Both loads: collector and neighbour are the same in each. What is left of the level on the average. */
    private static double disturbed(Random random, double[] share) {
        return switch (random.nextInt(4)) { // two of four have none
            case 0 -> collect(random, share);
            case 1 -> disturb(random, share);
            default -> 1;
        };
    }

    private static double[] observed(Random random, Curve curve, double[] share, double rate, double cv, double rho) {
        double state = random.nextGaussian();
        double[] out = new double[share.length];
        int n = curve.warmup().length;
        for (int i = 0; i < out.length; i++) {
            state = rho * state + Math.sqrt(1 - rho * rho) * random.nextGaussian();
            double level = rate * (i < n ? curve.warmup()[i] : curve.measure()[i - n]) * share[i];
            double mean = level * Math.exp(cv * state - cv * cv / 2);
            double counted = mean + random.nextGaussian() * Math.sqrt(mean * COUNT_VARIANCE);
            out[i] = Math.max(0, Math.rint(curve.exact() ? level : counted));
        }
        return out;
    }

    /** A collection every so many seconds, each of which costs part of one. */
    private static double collect(Random random, double[] share) {
        double every = uniform(random, 8, 25);
        double cost = uniform(random, 0.15, 0.6);
        for (double at = uniform(random, 0, every); at < share.length; at += every * uniform(random, 0.85, 1.15)) {
            share[(int) at] *= 1 - cost;
        }
        return 1 - cost / every;
    }

    /** Spells of 1 to 5 s, one in 40 s, in which a neighbour takes a tenth to a third. */
    private static double disturb(Random random, double[] share) {
        for (double at = random.nextExponential() * 40; at < share.length; at += random.nextExponential() * 40) {
            double end = at + uniform(random, 1, 5);
            double cost = uniform(random, 0.1, 0.35);
            for (; at < Math.min(end, share.length); at++) {
                share[(int) at] *= 1 - cost;
            }
        }
        // A spell takes whole seconds, half a one more than it lasts on the average.
        return 1 - 0.225 * 3.5 / 43.5;
    }

    /** The peak of a curve without its first second, which is a new connection's. */
    static double peak(double[] measure) {
        return Arrays.stream(measure).skip(1).average().orElse(0);
    }

    private static OptionalDouble time(double[] warmup, double level) {
        int t = warmup.length;
        while (t > 0 && warmup[t - 1] >= level) {
            t--;
        }
        return t == warmup.length ? OptionalDouble.empty() : OptionalDouble.of(t);
    }

    private static double variance(double[] texture) {
        double mean = Arrays.stream(texture).average().orElse(1);
        return Arrays.stream(texture)
                .map(x -> (x - mean) * (x - mean))
                .average()
                .orElse(0);
    }

    /** What may be said of an end without a break, by the last 10 to 30 s of the true curve and by its slope over the last 20. */
    public static Set<String> atEnd(double[] warmup, double peak) {
        Set<String> out = new TreeSet<>();
        int n = warmup.length;
        double change = 60 * (warmup[n - 1] / warmup[n - 20] - 1) / 19;
        for (int seconds = 10; seconds <= 30; seconds += 10) {
            double share = Arrays.stream(warmup, n - seconds, n).average().orElseThrow() / peak;
            if (share >= 0.93) {
                out.add("peaked");
            }
            if (share < 0.95) {
                out.add("below peak");
            }
            if (share < 0.95 && change > 0.02) {
                out.add("still climbing");
            }
            if (share < 0.95 && change < 0.07) {
                out.add("false plateau");
            }
        }
        return out;
    }

    public static double uniform(Random random, double low, double high) {
        return low + (high - low) * random.nextDouble();
    }

    private static int pick(Random random, int[] of) {
        return of[random.nextInt(of.length)];
    }

    public static double[] curve(int seconds, IntToDoubleFunction share) {
        return IntStream.range(0, seconds).mapToDouble(share).toArray();
    }

    public static double[] level(int seconds, double share) {
        return curve(seconds, t -> share);
    }

    public static double[] exponential(int n, double from, double tau) {
        return curve(n, t -> 1 - (1 - from) * Math.exp(-t / tau));
    }

    public static double[] step(int n, double at, double from, double to) {
        return curve(n, t -> t < at ? from : to);
    }
}
