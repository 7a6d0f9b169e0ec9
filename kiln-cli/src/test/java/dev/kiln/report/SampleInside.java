package dev.kiln.report;

import dev.kiln.explain.Inside;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A queue that fills and drains, methods that climb the levels, as two real services would show them. */
public final class SampleInside {
    private SampleInside() {}

    public static Inside of(boolean starved, double start) {
        List<Inside.Queue> queues = new ArrayList<>();
        List<Inside.Levels> levels = new ArrayList<>();
        List<Inside.CodeCache> cache = new ArrayList<>();
        List<Inside.Tiers> tiers = new ArrayList<>();
        List<Inside.Compilations> compilations = new ArrayList<>();
        List<Inside.Deoptimizations> deoptimizations = new ArrayList<>();
        List<Inside.Stopped> collector = new ArrayList<>();
        List<Inside.Stopped> throttled = new ArrayList<>();
        for (int t = (int) -start; t < 95; t++) {
            double left = backlog(starved, t);
            boolean load = t >= 0 && (t < 60 || t >= 75);
            queues.add(new Inside.Queue(t, t < 4 ? 240 * Math.exp(-Math.max(0, t) / 2.0) : t % 3, 3_400 * left));
            double done = t < 0 ? 0.1 * (t + start) / start : Math.max(0.1, 1 - left);
            levels.add(new Inside.Levels(
                    t,
                    (int) (1_800 * (0.3 + 0.7 * done)),
                    (int) (2_600 * left + 90),
                    (int) (2_900 * (1 - 0.6 * done)),
                    (int) (4_700 * done)));
            cache.add(new Inside.CodeCache(t, 0.04 + 0.1 * done));
            double c2 = load ? 0.75 * done + 0.02 : 0.1 * done;
            tiers.add(new Inside.Tiers(
                    t, 0.25 * (1 - done), 0.72 - c2 * 0.8, 0.3 * c2, 0.55 * c2, 0.03 + 0.25 * done - 0.05 * c2));
            compilations.add(new Inside.Compilations(t, 3, 60, 4 + t % 5));
            compilations.add(
                    new Inside.Compilations(t, 4, 9, starved && load ? 900 + 260 * (t % 11) : 40 + 9 * (t % 13)));
            deoptimizations.add(new Inside.Deoptimizations(t, load ? (int) (30 * Math.exp(-t / 12.0)) + t % 2 : 0));
            collector.add(new Inside.Stopped(t, load && t % 6 == 2 ? 14 + t % 4 : 0));
            throttled.add(new Inside.Stopped(t, 0));
        }
        return new Inside(
                new Inside.InsideJit(queues, compilations, deoptimizations, List.of()),
                new Inside.InsideCode(levels, cache, tiers, List.of()),
                collector,
                throttled,
                Optional.empty());
    }

    /** Share of C2's work still to be done. */
    private static double backlog(boolean starved, double t) {
        if (!starved) {
            return t < 0 ? 0.2 : 0.9 * Math.exp(-t / 9);
        }
        return t < 0 ? 0.3 : t < 60 ? 1 - 0.15 * Math.exp(-t / 5) : Math.max(0.04, 1 - (t - 60) / 11);
    }
}
