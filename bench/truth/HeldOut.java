import static dev.kiln.stats.TruthSeries.atEnd;
import static dev.kiln.stats.TruthSeries.curve;
import static dev.kiln.stats.TruthSeries.exponential;
import static dev.kiln.stats.TruthSeries.level;
import static dev.kiln.stats.TruthSeries.step;
import static dev.kiln.stats.TruthSeries.uniform;

import dev.kiln.stats.TruthSeries.Curve;
import dev.kiln.stats.TruthSeries.Family;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Shapes that no constant of the analysis may be fitted to: they tell whether it was fitted to the others. */
final class HeldOut {
    static final Map<String, Family> ALL = all();

    private static Map<String, Family> all() {
        Map<String, Family> all = new LinkedHashMap<>();
        all.put("logistic ramp", HeldOut::logistic);
        all.put("square root ramp", HeldOut::squareRoot);
        all.put("two steps, long plateau", HeldOut::twoSteps);
        all.put("oscillation that dies", HeldOut::dyingOscillation);
        all.put("level, then slow decline", HeldOut::slowDecline);
        all.put("late collapse", HeldOut::collapse);
        all.put("500 and 501", (r, n, m) -> alternating(n, m, 500, 501, "peaked"));
        all.put("0 and 1,000", (r, n, m) -> alternating(n, m, 0, 1000, "peaked", "cycling"));
        all.put("load that ramps, then stays", HeldOut::loadThenLevel);
        all.put("bounded random walk", HeldOut::walk);
        return all;
    }

    private static Curve logistic(Random r, int n, int m) {
        double middle = uniform(r, 0.2 * n, n - 25);
        double width = uniform(r, 0.5, Math.min(6, (n - 15 - middle) / 4));
        double from = uniform(r, 0.05, 0.6);
        double[] warmup = curve(n, t -> from + (1 - from) / (1 + Math.exp((middle - t) / width)));
        return Curve.of(warmup, level(m, 1), atEnd(warmup, 1));
    }

    /** Fast at first, and ever slower until it is there: or not there when the load ends. */
    private static Curve squareRoot(Random r, int n, int m) {
        double there = uniform(r, 0.3 * n, 2.5 * n);
        double[] warmup = curve(n, t -> Math.sqrt(Math.min(1, (t + 0.5) / there)));
        return Curve.of(warmup, level(m, 1), atEnd(warmup, 1));
    }

    private static Curve twoSteps(Random r, int n, int m) {
        double first = uniform(r, 3, 10);
        double second = first + uniform(r, 0.4, 0.7) * n;
        double low = uniform(r, 0.1, 0.4);
        double middle = uniform(r, 0.5, 0.8);
        double end = Math.min(second, n - 12);
        return Curve.of(curve(n, t -> t < first ? low : t < end ? middle : 1), level(m, 1), "peaked");
    }

    /** Of a fifth at most, gone to under 3 % in the last 20 s. */
    private static Curve dyingOscillation(Random r, int n, int m) {
        double swing = uniform(r, 0.1, 0.2);
        double tau = uniform(r, 4, (n - 20) / 3.0);
        double period = uniform(r, 6, 16);
        double[] warmup = curve(n, t -> 1 + swing * Math.exp(-t / tau) * Math.sin(2 * Math.PI * t / period));
        return Curve.of(warmup, level(m, 1), "peaked", "cycling").notAsked();
    }

    /** By 8 to 15 % over the second half; and it stays there. */
    private static Curve slowDecline(Random r, int n, int m) {
        double loss = uniform(r, 0.06, 0.15);
        double from = uniform(r, 25, n / 2.0);
        double over = n - 10 - from;
        double[] warmup = curve(n, t -> 1 - loss * Math.clamp((t - from) / over, 0, 1));
        // What 10 to 30 s of the end are below the level: around 5 % both words are right.
        double below = 1 - Arrays.stream(warmup, n - 20, n).average().orElseThrow();
        return (below > 0.08
                        ? Curve.of(warmup, level(m, 1 - loss), "slowing")
                        : Curve.of(warmup, level(m, 1 - loss), "slowing", "peaked"))
                .notAsked()
                .withoutReference();
    }

    private static Curve collapse(Random r, int n, int m) {
        double[] warmup = step(n, n - uniform(r, 10, 20), 1, uniform(r, 0.25, 0.35));
        double after = r.nextBoolean() ? 1 : warmup[n - 1];
        return (after == 1
                        ? Curve.of(warmup, level(m, 1), "slowing", "below peak", "false plateau")
                        : Curve.of(warmup, level(m, after), "slowing"))
                .notAsked()
                .withoutReference();
    }

    private static Curve alternating(int n, int m, double low, double high, String... verdicts) {
        double mean = (low + high) / 2;
        Curve curve = Curve.of(level(n, 1), level(m, 1), verdicts)
                .at(mean)
                .exactly()
                .textured(t -> (t % 2 == 0 ? low : high) / mean);
        return low > 0 ? curve : curve.notAsked();
    }

    private static Curve loadThenLevel(Random r, int n, int m) {
        double end = uniform(r, 10, n - 20);
        double from = uniform(r, 0.1, 0.5);
        double mid = uniform(r, 0.2, 0.8);
        // Two ramps of different slope, as a load script has stages.
        return Curve.of(
                curve(
                        n,
                        t -> t >= end
                                ? 1
                                : t < end / 2
                                        ? from + (mid - from) * Math.max(0, 2 * t / end)
                                        : mid + (1 - mid) * (2 * t / end - 1)),
                level(m, 1),
                "peaked");
    }

    /** Within 2 % of one, from the start or after a ramp. */
    private static Curve walk(Random r, int n, int m) {
        double[] all = new double[n + m];
        double at = 0;
        for (int i = 0; i < all.length; i++) {
            at = Math.clamp(at + 0.005 * r.nextGaussian(), -0.02, 0.02);
            all[i] = 1 + at;
        }
        double[] ramp = r.nextBoolean() ? level(n, 1) : exponential(n, 0.3, uniform(r, 2, n / 12.0));
        return Curve.of(ramp, level(m, 1), "peaked").textured(t -> all[t]);
    }
}
