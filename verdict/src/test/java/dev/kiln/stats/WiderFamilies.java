package dev.kiln.stats;

import static dev.kiln.stats.TruthSeries.atEnd;
import static dev.kiln.stats.TruthSeries.curve;
import static dev.kiln.stats.TruthSeries.exponential;
import static dev.kiln.stats.TruthSeries.level;
import static dev.kiln.stats.TruthSeries.step;
import static dev.kiln.stats.TruthSeries.uniform;

import dev.kiln.stats.TruthSeries.Curve;
import dev.kiln.stats.TruthSeries.Family;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Shapes off the usual road: a rate, an illness in the load after the pause, coarse counting, long loads. */
public final class WiderFamilies {
    public static final Map<String, Family> ALL = all();

    private WiderFamilies() {}

    private static Map<String, Family> all() {
        Map<String, Family> all = new LinkedHashMap<>();
        all.put("rate, backlog drained", WiderFamilies::backlog);
        all.put(
                "rate, served from the start",
                (r, n, m) -> Curve.of(exponential(n, uniform(r, 0.5, 1), uniform(r, 1, 4)), level(m, 1), "served")
                        .textured(t -> 1 + 0.01 * r.nextGaussian())
                        .exactly()
                        .atRate());
        all.put("rate, not served", (r, n, m) -> {
            double most = uniform(r, 0.4, 0.85);
            double tau = uniform(r, 2, 6);
            return Curve.of(curve(n, t -> most * (1 - 0.9 * Math.exp(-t / tau))), level(m, most), "peaked")
                    .atRate()
                    .referredTo(most);
        });
        all.put("outage in the measuring phase", WiderFamilies::outageAfter);
        all.put("dip in the measuring phase", WiderFamilies::dipAfter);
        all.put("pool that reconnects", WiderFamilies::reconnects);
        all.put("cache that is cold after the pause", WiderFamilies::coldCache);
        all.put("batches", WiderFamilies::batches);
        all.put("coarse clock", WiderFamilies::coarseClock);
        all.put("turbo, then base clock", WiderFamilies::turbo);
        all.put("one fall", WiderFamilies::fall);
        all.put("two falls", WiderFamilies::falls);
        all.put("collector that grows", WiderFamilies::growingCollector);
        all.put("the same pauses before and after", WiderFamilies::pauses);
        all.put("slow exponential, long load", WiderFamilies::longExponential);
        all.put("slow ramp, long load", WiderFamilies::longRamp);
        all.put("flat, long load", (r, n, m) -> Curve.of(level(longLoad(r), 1), level(m, 1), "peaked"));
        all.put("slower after the pause", WiderFamilies::slowerAfter);
        all.put("breaks early", WiderFamilies::breaksEarly);
        all.put("a cap, to the request", WiderFamilies::cap);
        all.put("noise that ends with the warm-up", WiderFamilies::quietAfter);
        all.put("seconds of heavy tails", WiderFamilies::heavyTails);
        all.put("a job each minute", WiderFamilies::job);
        all.put("slow leak", WiderFamilies::leak);
        all.put("climbs ever faster", (r, n, m) -> faster(r, n, m, 0));
        all.put("climbs ever faster, rough", WiderFamilies::fasterAndRough);
        all.put("climbs ever faster, then levels", (r, n, m) -> faster(r, n, m, 5 + r.nextInt(8)));
        return Collections.unmodifiableMap(all);
    }

    private static int longLoad(Random r) {
        return new int[] {600, 1200, 3600}[r.nextInt(3)];
    }

    /** Slow at first, while requests wait; then it works them off above the rate, and is at the rate to the end. */
    private static Curve backlog(Random r, int n, int m) {
        double slow = uniform(r, 0.3, 0.8);
        double fast = uniform(r, 1.15, 2);
        double until = uniform(r, 8, 0.25 * n);
        double drained = until + until * (1 - slow) / (fast - 1);
        double end = Math.min(drained, n - 12);
        // What is offered and waits is served later: noise of the service does not change the sum.
        return Curve.of(curve(n, t -> t < until ? slow : t < end ? fast : 1), level(m, 1), "served")
                .textured(t -> 1 + 0.01 * r.nextGaussian())
                .exactly()
                .atRate();
    }

    private static Curve rise(Random r, int n, double[] measure, String... verdicts) {
        double[] warmup = r.nextBoolean()
                ? exponential(n, uniform(r, 0.05, 0.5), uniform(r, 2, n / 12.0))
                : step(n, uniform(r, 5, n - 40), uniform(r, 0.3, 0.8), 1);
        return Curve.of(warmup, measure, verdicts);
    }

    private static Curve outageAfter(Random r, int n, int m) {
        double[] measure = level(m, 1);
        int lasts = 3 + r.nextInt(4);
        int from = 5 + r.nextInt(m - lasts - 9);
        Arrays.fill(measure, from, from + lasts, 0);
        return rise(r, n, measure, "peaked").referredTo(1);
    }

    private static Curve dipAfter(Random r, int n, int m) {
        double[] measure = level(m, 1);
        int lasts = 2 + r.nextInt(4);
        int from = 5 + r.nextInt(m - lasts - 9);
        Arrays.fill(measure, from, from + lasts, uniform(r, 0.1, 0.45));
        return rise(r, n, measure, "peaked").referredTo(1);
    }

    private static Curve reconnects(Random r, int n, int m) {
        int settles = 2 + r.nextInt(7);
        double low = uniform(r, 0, 0.6);
        return rise(r, n, step(m, settles, low, 1), "peaked").referredTo(1);
    }

    private static Curve coldCache(Random r, int n, int m) {
        double from = uniform(r, 0.2, 0.7);
        double tau = uniform(r, 1, m / 12.0);
        return rise(r, n, curve(m, t -> 1 - (1 - from) * Math.exp(-t / tau)), "peaked")
                .referredTo(1);
    }

    /** As many requests at once, every so many seconds. */
    private static Curve batches(Random r, int n, int m) {
        double every = uniform(r, 1.1, 2.4);
        double[] ticks = ticks(r, n + m, every, 0.01);
        return Curve.of(level(n, 1), level(m, 1), "peaked")
                .textured(t -> ticks[t] * every)
                .at(uniform(r, 20, 200))
                .exactly();
    }

    /** Rows from a clock whose ticks are longer or shorter than a row. */
    private static Curve coarseClock(Random r, int n, int m) {
        double every = uniform(r, 0.7, 1.3);
        double[] ticks = ticks(r, n + m, every, 0.02);
        return rise(r, n, level(m, 1), "peaked").textured(t -> ticks[t] * every);
    }

    /** How many ticks fall into each second. */
    private static double[] ticks(Random r, int seconds, double every, double jitter) {
        double[] out = new double[seconds];
        for (double at = uniform(r, 0, every); at < seconds; at += every * (1 + jitter * r.nextGaussian())) {
            out[(int) at]++;
        }
        return out;
    }

    private static Curve turbo(Random r, int n, int m) {
        double base = uniform(r, 0.7, 0.88);
        double until = uniform(r, 25, n - 25);
        double cools = uniform(r, 0, m);
        double tau = uniform(r, 1, 3);
        double[] warmup = curve(n, t -> (t < until ? 1 : base) * (1 - 0.8 * Math.exp(-(t + 1) / tau)));
        return Curve.of(warmup, step(m, cools, 1, base), "slowing", "below peak", "false plateau")
                .notAsked()
                .withoutReference();
    }

    private static Curve fall(Random r, int n, int m) {
        double[] warmup = exponential(n, uniform(r, 0.1, 0.5), uniform(r, 1, 4));
        fallen(r, warmup, 20, n - 16);
        return Curve.of(warmup, level(m, 1), "peaked").notAsked();
    }

    private static Curve falls(Random r, int n, int m) {
        double[] warmup = exponential(n + 60, uniform(r, 0.1, 0.5), uniform(r, 1, 4));
        fallen(r, warmup, 20, n / 2 + 20);
        fallen(r, warmup, n / 2 + 34, n + 44);
        return Curve.of(warmup, level(m, 1), "peaked").notAsked();
    }

    private static void fallen(Random r, double[] warmup, int from, int to) {
        int lasts = Math.min(10 + r.nextInt(11), to - from - 1);
        int at = from + r.nextInt(to - from - lasts);
        double left = uniform(r, 0.55, 0.8);
        for (int i = at; i < at + lasts; i++) {
            warmup[i] *= left;
        }
    }

    /** Pauses of two seconds that get deeper, until they take 10 to 20 % of the time; the load after the pause has them too. */
    private static Curve growingCollector(Random r, int n, int m) {
        int seconds = Math.max(n, 120);
        double every = uniform(r, 11, 15);
        double takes = uniform(r, 0.1, 0.2);
        double most = takes * every / 2;
        double[] all = level(seconds + m, 1);
        for (double at = uniform(r, 20, 25); at < all.length - 1; at += every) {
            double depth = Math.min(0.95, most * Math.min(1, at / (0.9 * seconds)));
            all[(int) at] -= depth;
            all[(int) at + 1] -= depth;
        }
        return Curve.of(Arrays.copyOf(all, seconds), Arrays.copyOfRange(all, seconds, all.length), "slowing")
                .notAsked()
                .withoutReference();
    }

    /** Of a collector that takes as much at the end as after the pause. */
    private static Curve pauses(Random r, int n, int m) {
        double every = uniform(r, 7, 14);
        double depth = uniform(r, 0.5, 1);
        double[] all = level(n + m, 1);
        for (double at = uniform(r, 2, every); at < all.length - 1; at += every * uniform(r, 0.95, 1.05)) {
            all[(int) at] -= depth;
            all[(int) at + 1] -= depth;
        }
        double kept = 1 - 2 * depth / every;
        Curve bare = Curve.of(level(n, kept), level(m, kept), "peaked");
        return bare.textured(t -> all[t] / kept);
    }

    private static Curve longExponential(Random r, int n, int m) {
        int seconds = longLoad(r);
        double[] warmup = exponential(seconds, uniform(r, 0.1, 0.6), uniform(r, seconds / 6.0, seconds / 2.0));
        return Curve.of(warmup, level(m, 1), atEnd(warmup, 1));
    }

    private static Curve longRamp(Random r, int n, int m) {
        int seconds = longLoad(r);
        double from = uniform(r, 0.1, 0.7);
        double there = uniform(r, 0.3 * seconds, 0.9 * seconds);
        return Curve.of(curve(seconds, t -> from + (1 - from) * Math.min(1, t / there)), level(m, 1), "peaked");
    }

    /** What the load after the pause serves is no peak. */
    private static Curve slowerAfter(Random r, int n, int m) {
        double after = uniform(r, 0.4, 0.85);
        return Curve.of(exponential(n, 0.2, uniform(r, 1, 5)), level(m, after), "slowing", "cannot tell")
                .notAsked()
                .withoutReference();
    }

    private static Curve breaksEarly(Random r, int n, int m) {
        int at = 10 + r.nextInt(10);
        double left = uniform(r, 0, 0.02);
        double[] warmup = exponential(n, 0.5, uniform(r, 0.5, 2));
        Arrays.fill(warmup, at, n, left);
        return Curve.of(warmup, level(m, left), "stopped").notAsked().withoutReference();
    }

    private static Curve cap(Random r, int n, int m) {
        return Curve.of(step(n, 2 + r.nextInt(30), uniform(r, 0.2, 0.8), 1), level(m, 1), "peaked")
                .at(Math.rint(uniform(r, 100, 5000)))
                .exactly();
    }

    /** Starved compilers make a noisy warm-up; what follows is quiet. */
    private static Curve quietAfter(Random r, int n, int m) {
        int until = n / 4 + r.nextInt(n / 3);
        double low = uniform(r, 0.3, 0.8);
        double sd = uniform(r, 0.1, 0.25);
        double rho = uniform(r, 0.3, 0.7);
        double[] noise = new double[n + m];
        double state = 0;
        for (int i = 0; i < until; i++) {
            state = rho * state + Math.sqrt(1 - rho * rho) * r.nextGaussian();
            noise[i] = sd * state;
        }
        return Curve.of(step(n, until, low, 1), level(m, 1), "peaked").textured(t -> Math.max(0.1, 1 + noise[t]));
    }

    private static Curve heavyTails(Random r, int n, int m) {
        double sd = uniform(r, 0.02, 0.06);
        double[] noise = curve(n + m, t -> Math.clamp(r.nextGaussian() / Math.sqrt(r.nextExponential() + 0.1), -8, 4));
        return rise(r, n, level(m, 1), "peaked").textured(t -> Math.max(0.05, 1 + sd * noise[t]));
    }

    /** Some seconds of another job on the same machine, each minute. */
    private static Curve job(Random r, int n, int m) {
        int seconds = 300 + 60 * r.nextInt(5);
        int at = r.nextInt(60);
        int lasts = 3 + r.nextInt(5);
        double left = uniform(r, 0.5, 0.85);
        return Curve.of(exponential(seconds, 0.2, uniform(r, 2, 20)), level(m, 1), "peaked")
                .textured(t -> (t + at) % 60 < lasts ? left : 1);
    }

    private static Curve leak(Random r, int n, int m) {
        double loss = uniform(r, 0.03, 0.2);
        double[] all = curve(n + m, t -> 1 - loss * t / n);
        double[] warmup = Arrays.copyOf(all, n);
        String[] right = loss < 0.1 ? new String[] {"slowing", "peaked"} : new String[] {"slowing"};
        return Curve.of(warmup, Arrays.copyOfRange(all, n, n + m), right)
                .notAsked()
                .withoutReference();
    }

    /** By the same share each second, so that it is steepest at its end; level for so many last seconds, below the peak. */
    private static Curve faster(Random r, int n, int m, int level) {
        double end = uniform(r, 0.4, 0.88);
        double tau = uniform(r, 8, n / 3.0);
        double[] warmup = curve(n, t -> end * (0.02 + 0.98 * Math.exp(Math.min(0, t - (n - 1 - level)) / tau)));
        return level == 0
                ? Curve.of(warmup, level(m, 1), "still climbing", "below peak")
                : Curve.of(warmup, level(m, 1), "still climbing", "below peak", "false plateau");
    }

    /** What starved compilers serve swings by a tenth or more, for some seconds at a time. */
    private static Curve fasterAndRough(Random r, int n, int m) {
        double sd = uniform(r, 0.08, 0.16);
        double rho = uniform(r, 0.3, 0.8);
        double[] noise = new double[n + m];
        double state = 0;
        for (int i = 0; i < noise.length; i++) {
            state = rho * state + Math.sqrt(1 - rho * rho) * r.nextGaussian();
            noise[i] = (i < n ? sd : sd / 2) * state;
        }
        return faster(r, n, m, 0).textured(t -> Math.max(0.1, 1 + noise[t]));
    }
}
