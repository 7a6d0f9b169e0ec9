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
import java.util.Set;

/** The shapes of {@link TruthSeries}. Parameters keep clear of a border between verdicts, or both of its sides are right. */
public final class TruthFamilies {
    public static final Map<String, Family> ALL = all();

    private TruthFamilies() {}

    private static Map<String, Family> all() {
        Map<String, Family> all = new LinkedHashMap<>();
        all.put("flat", (r, n, m) -> Curve.of(level(n, 1), level(m, 1), "peaked"));
        all.put(
                "ramp",
                (r, n, m) -> Curve.of(
                        exponential(n, uniform(r, 0.05, 0.5), uniform(r, 3, n / 12.0)), level(m, 1), "peaked"));
        all.put(
                "step",
                (r, n, m) -> Curve.of(step(n, uniform(r, 5, n - 40), uniform(r, 0.2, 0.8), 1), level(m, 1), "peaked"));
        all.put("staircase", TruthFamilies::staircase);
        all.put("overshoot", TruthFamilies::overshoot);
        all.put("long overshoot", TruthFamilies::longOvershoot);
        all.put(
                "false plateau",
                (r, n, m) -> Curve.of(plateau(r, n, 0.85), level(m, 1), "false plateau", "below peak"));
        all.put("false plateau, rising after the pause", TruthFamilies::risingAfter);
        all.put("climbing", TruthFamilies::climbing);
        all.put("late peak", TruthFamilies::latePeak);
        all.put("late step up", TruthFamilies::lateStepUp);
        all.put("step down", TruthFamilies::stepDown);
        all.put("step down that a pause mends", TruthFamilies::slump);
        all.put("drift down", TruthFamilies::driftDown);
        all.put("drift up", TruthFamilies::driftUp);
        all.put("outage", (r, n, m) -> outages(r, n, m, 1, "peaked"));
        all.put("two outages", (r, n, m) -> outages(r, n, m, 2, "peaked", "cycling"));
        all.put("dead end", TruthFamilies::deadEnd);
        all.put("cycle", TruthFamilies::cycle);
        all.put("sawtooth", TruthFamilies::sawtooth);
        all.put("two processes", TruthFamilies::twoProcesses);
        all.put("slowing collector", TruthFamilies::slowingCollector);
        all.put("load that ramps", TruthFamilies::rampOfLoad);
        all.put("load in stages", TruthFamilies::stagesOfLoad);
        all.put("slow exponential", TruthFamilies::slowExponential);
        all.put("plateau in between", TruthFamilies::plateauInBetween);
        all.put("few requests", TruthFamilies::fewRequests);
        all.put("no measuring phase", TruthFamilies::noMeasuringPhase);
        return Collections.unmodifiableMap(all);
    }

    private static Curve staircase(Random r, int n, int m) {
        double[] ats = r.doubles(2 + r.nextInt(4), 3, n - 40).toArray();
        double low = uniform(r, 0.1, 0.5);
        double[] warmup = curve(
                n,
                t -> low + (1 - low) * Arrays.stream(ats).filter(at -> t >= at).count() / ats.length);
        return Curve.of(warmup, level(m, 1), "peaked");
    }

    /** Over within 15 s, which is no level. */
    private static Curve overshoot(Random r, int n, int m) {
        double tau = uniform(r, 0.5, 1.5);
        double end = uniform(r, 5, 12);
        double high = uniform(r, 1.1, 1.3);
        return Curve.of(curve(n, t -> (1 - Math.exp(-(t + 1) / tau)) * (t < end ? high : 1)), level(m, 1), "peaked");
    }

    /** Held for 25 s or more: the service was faster once. */
    private static Curve longOvershoot(Random r, int n, int m) {
        double end = uniform(r, 28, Math.max(30, n - 45));
        return Curve.of(step(n, end, uniform(r, 1.15, 1.5), 1), level(m, 1), "slowing")
                .notAsked()
                .withoutReference();
    }

    private static Curve risingAfter(Random r, int n, int m) {
        double from = uniform(r, 0.75, 0.9);
        double[] measure = curve(m, t -> from + (1 - from) * t / m);
        return Curve.of(plateau(r, n, 0.7), measure, "false plateau", "below peak")
                .notAsked()
                .withoutReference();
    }

    private static Curve climbing(Random r, int n, int m) {
        double from = uniform(r, 0.1, 0.4);
        double gain = uniform(r, 0.6, 0.85) - from;
        return Curve.of(curve(n, t -> from + gain * t / n), level(m, 1), "still climbing", "below peak");
    }

    private static Curve latePeak(Random r, int n, int m) {
        double at = n - uniform(r, 10, 25);
        double from = uniform(r, 0.3, 0.8);
        return Curve.of(curve(n, t -> from + (1 - from) * Math.clamp((t - at + 6) / 6, 0, 1)), level(m, 1), "peaked");
    }

    private static Curve lateStepUp(Random r, int n, int m) {
        double[] warmup = step(n, n - uniform(r, 3, 8), uniform(r, 0.3, 0.75), 1);
        return Curve.of(warmup, level(m, 1), "peaked", "still climbing", "below peak");
    }

    private static Curve stepDown(Random r, int n, int m) {
        double to = uniform(r, 0.5, 0.85);
        return Curve.of(step(n, n - uniform(r, 12, 35), 1, to), level(m, to), "slowing")
                .notAsked()
                .withoutReference();
    }

    private static Curve slump(Random r, int n, int m) {
        double[] warmup = step(n, n - uniform(r, 12, 35), 1, uniform(r, 0.5, 0.8));
        return Curve.of(warmup, level(m, 1), "slowing", "below peak", "false plateau")
                .notAsked();
    }

    private static Curve driftDown(Random r, int n, int m) {
        double loss = uniform(r, 0.2, 0.4);
        double[] measure = curve(m, t -> (1 - loss) * (1 - loss * t / n));
        return Curve.of(curve(n, t -> 1 - loss * t / n), measure, "slowing")
                .notAsked()
                .withoutReference();
    }

    private static Curve driftUp(Random r, int n, int m) {
        double gain = uniform(r, 0.3, 0.6);
        double[] warmup = curve(n, t -> 1 - gain + gain * t / n);
        double[] measure = curve(m, t -> 1 + gain * t / n);
        Set<String> verdicts = atEnd(warmup, TruthSeries.peak(measure));
        verdicts.addAll(atEnd(warmup, measure[m - 1]));
        return Curve.of(warmup, measure, verdicts).notAsked().withoutReference();
    }

    /** Each of 3 to 9 s, the last over 12 s before the end or earlier. */
    private static Curve outages(Random r, int n, int m, int count, String... verdicts) {
        double[] warmup = exponential(n, 0.1, uniform(r, 2, 5));
        double room = (n - 32.0) / count;
        for (int i = 0; i < count; i++) {
            int length = 3 + r.nextInt((int) Math.min(7, room / 2 - 2));
            int from = (int) (20 + i * room + uniform(r, 0, room - length - 2));
            Arrays.fill(warmup, from, from + length, 0);
        }
        return Curve.of(warmup, level(m, 1), verdicts).notAsked();
    }

    private static Curve deadEnd(Random r, int n, int m) {
        double[] warmup = exponential(n, 0.1, uniform(r, 2, 8));
        Arrays.fill(warmup, n - 3 - r.nextInt(12), n, 0);
        return Curve.of(warmup, level(m, 1), "stopped", "slowing").notAsked();
    }

    private static Curve cycle(Random r, int n, int m) {
        double half = uniform(r, 5, 15);
        double low = uniform(r, 0.4, 0.8);
        double at = uniform(r, 0, 30);
        return broken(curve(n + 15 + m, t -> (t + at) % (2 * half) < half ? 1 : low), n, Set.of("cycling"));
    }

    /** The curve goes on in a pause of 15 s. */
    private static Curve broken(double[] all, int n, Set<String> verdicts) {
        double[] measure = Arrays.copyOfRange(all, n + 15, all.length);
        return Curve.of(Arrays.copyOf(all, n), measure, verdicts).notAsked().withoutReference();
    }

    /** A fast one is a level for whoever looks at ten seconds, and a cycle for whoever looks at one. */
    private static Curve sawtooth(Random r, int n, int m) {
        boolean fast = r.nextBoolean();
        double period = fast ? uniform(r, 3, 6) : uniform(r, 10, 20);
        double low = uniform(r, 0.3, 0.6);
        double[] all = curve(n + 15 + m, t -> low + (1 - low) * (t % period) / period);
        return broken(all, n, fast ? Set.of("cycling", "peaked") : Set.of("cycling"));
    }

    /** Behind one port: each second or two is one process's or the other's. Level on the average, two levels by the second. */
    private static Curve twoProcesses(Random r, int n, int m) {
        double low = uniform(r, 0.5, 0.85);
        double stay = uniform(r, 0, 0.4);
        boolean[] fast = new boolean[n + m];
        for (int i = 0; i < fast.length; i++) {
            fast[i] = r.nextDouble() < (i > 0 && fast[i - 1] ? 0.5 + stay / 2 : 0.5 - stay / 2);
        }
        double[] warmup = exponential(n, uniform(r, 0.05, 0.3), uniform(r, 1, 5));
        return Curve.of(warmup, level(m, 1), "peaked", "cycling")
                .textured(t -> (fast[t] ? 1 : low) / (0.5 + 0.5 * low));
    }

    /** A pause every 8 s or so: of at most 0.3 s to the end, or of a tenth of a second at first and of 4 s in the end. */
    private static Curve slowingCollector(Random r, int n, int m) {
        boolean much = r.nextBoolean();
        double every = uniform(r, 7, 9);
        double last = much ? uniform(r, 2.5, 4) : uniform(r, 0.1, 0.3);
        double[] all = level(n + m, 1);
        for (double at = uniform(r, 2, 6); at < n + m - 6; at += every) {
            double pause = last * Math.pow(Math.min(1, at / n), 2);
            for (int i = (int) at; pause > 0; i++, pause--) {
                all[i] -= Math.min(1, pause);
            }
        }
        double[] warmup = Arrays.copyOf(all, n);
        Arrays.fill(warmup, n - 4, n, 1); // a pause that the end cuts off would be an end
        double[] measure = Arrays.copyOfRange(all, n, n + m);
        return much
                ? Curve.of(warmup, measure, "slowing", "cycling").notAsked().withoutReference()
                : Curve.of(level(n, 1), level(m, 1), "peaked").textured(t -> all[t]);
    }

    private static Curve rampOfLoad(Random r, int n, int m) {
        double from = uniform(r, 0, 0.3);
        double end = uniform(r, 0.2 * n, n - 15);
        return Curve.of(curve(n, t -> from + (1 - from) * Math.min(1, t / end)), level(m, 1), "peaked");
    }

    private static Curve stagesOfLoad(Random r, int n, int m) {
        int stages = 3 + r.nextInt(4);
        double each = uniform(r, 0.4, 0.85) * n / stages;
        return Curve.of(curve(n, t -> Math.min(1, Math.floor(1 + t / each) / stages)), level(m, 1), "peaked");
    }

    private static Curve slowExponential(Random r, int n, int m) {
        double[] warmup = exponential(n, uniform(r, 0.1, 0.5), uniform(r, n / 6.0, 0.8 * n));
        return Curve.of(warmup, level(m, 1), atEnd(warmup, 1));
    }

    private static Curve plateauInBetween(Random r, int n, int m) {
        double share = uniform(r, 0.3, 0.8);
        double tau = uniform(r, 1, 4);
        double rise = uniform(r, 20, n - 25);
        double over = uniform(r, 0.5, 8);
        return Curve.of(
                curve(
                        n,
                        t -> share * (1 - 0.9 * Math.exp(-t / tau))
                                + (1 - share) * Math.clamp((t - rise) / over, 0, 1)),
                level(m, 1),
                "peaked");
    }

    /** 1 to 30 requests a second, for some minutes. */
    private static Curve fewRequests(Random r, int n, int m) {
        double share = r.nextBoolean() ? 1 : uniform(r, 0.2, 0.5);
        double until = r.nextBoolean() ? uniform(r, 60, 150) : Double.POSITIVE_INFINITY;
        double[] warmup = step(240 + n, until, share, 1);
        double rate = Math.pow(10, uniform(r, 0, 1.5));
        return Curve.of(warmup, level(60 + m, 1), atEnd(warmup, 1)).at(rate);
    }

    /** Throughput alone names no peak, so a level end says nothing; what goes down or ends does. */
    private static Curve noMeasuringPhase(Random r, int n, int m) {
        double[] none = {};
        return switch (r.nextInt(4)) {
            case 0 ->
                Curve.of(exponential(n, 0.1, uniform(r, 2, 8)), none, "cannot tell")
                        .notAsked();
            case 1 ->
                Curve.of(curve(n, t -> 0.3 + 0.7 * t / n), none, "still climbing", "cannot tell")
                        .notAsked();
            case 2 ->
                Curve.of(step(n, n - uniform(r, 15, 35), 1, uniform(r, 0.5, 0.8)), none, "slowing")
                        .notAsked();
            default -> {
                double[] warmup = exponential(n, 0.1, uniform(r, 2, 8));
                Arrays.fill(warmup, n - 4 - r.nextInt(10), n, 0);
                yield Curve.of(warmup, none, "stopped", "slowing").notAsked();
            }
        };
    }

    private static double[] plateau(Random r, int n, double most) {
        double share = uniform(r, 0.3, most);
        double tau = uniform(r, 2, 10);
        return curve(n, t -> share * (1 - 0.9 * Math.exp(-t / tau)));
    }
}
