package dev.kiln.report;

import dev.kiln.explain.study.PastRun;
import dev.kiln.explain.study.PastRun.PastFigures;
import dev.kiln.explain.study.PastRun.PastRunName;
import dev.kiln.explain.study.PastRun.PastSetting;
import dev.kiln.history.History;
import dev.kiln.model.Metric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Nine weekly experiments of two variants; in the fifth week one of them lost a fifth of its peak. */
public final class HistorySamples {
    private static final long FIRST = 1_767_582_000_000L;
    private static final long WEEK = 7L * 24 * 3600 * 1000;

    private HistorySamples() {}

    public static List<PastRun> runs() {
        List<PastRun> runs = new ArrayList<>();
        for (int week = 0; week < 9; week++) {
            for (int run = 1; run <= 2; run++) {
                double wobble = 1 + 0.004 * ((week * 7 + run * 3) % 5 - 2);
                Map<Metric, Double> figures = new EnumMap<>(Metric.class);
                figures.put(Metric.PEAK, 5617 * wobble * (week < 4 ? 1 : 0.8));
                figures.put(Metric.START, 8.7 / wobble);
                if (week != 2) {
                    figures.put(Metric.T90, 21 * wobble);
                }
                runs.add(run("virtual, new", week, run, figures));
            }
        }
        runs.add(run("platform", 0, 3, Map.of(Metric.PEAK, 4674.0, Metric.WARMUP_COST, -0.5)));
        return runs;
    }

    /** One variant for so many weeks. */
    public static History of(int weeks) {
        List<PastRun> runs = new ArrayList<>();
        for (int week = 0; week < weeks; week++) {
            runs.add(run("virtual", week, 1, Map.of(Metric.PEAK, 5600.0 + week % 7)));
        }
        return History.of(runs, EnumSet.of(Metric.PEAK));
    }

    private static PastRun run(String variant, int week, int run, Map<Metric, Double> figures) {
        return new PastRun(
                new PastRunName("demo", "demo-week" + (week + 1), variant, variant.equals("platform") ? 0 : 1, run),
                FIRST + week * WEEK + run * 120_000L,
                95.5,
                true,
                new PastSetting("a CPU, 4 CPUs", "60 s load, 15 s pause, 20 s load"),
                new PastFigures(false, figures),
                new TreeMap<>(Map.of("commit", "c" + week, "branch", "main")));
    }

    public static History history() {
        return History.of(runs(), EnumSet.copyOf(Metric.all(Metric.MetricUse.FOLLOWED)));
    }
}
