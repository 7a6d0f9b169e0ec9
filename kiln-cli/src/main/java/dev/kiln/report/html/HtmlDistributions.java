package dev.kiln.report.html;

import dev.kiln.explain.Curves.LoadPoint;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.load.Latency.LatencyCounts;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.report.Cell.Spread;
import dev.kiln.report.Reading;
import dev.kiln.stats.Descriptive;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * HtmlDistributions shows how even a service was, without time: how many seconds had which throughput, and how many
 * requests took how long. It has a row for each variant, and needs no script.
 */
record HtmlDistributions(ExperimentResult result) {
    private static final int COLUMNS = 60;
    private static final int TICKS = 5;

    /** Of fewer requests the 99.9th percentile would be the slowest. */
    private static final long LEAST_FOR_P999 = 1000;

    /**
     * A Strip is the row of one variant.
     *
     * @param columns how many are in each column, all of one width
     * @param middle where the median stands, as a share of the row
     * @param figure what is read from it
     */
    private record Strip(int variant, double[] columns, double middle, String figure, String range) {}

    /** A Tick is a number under the rows, at a share of their width. */
    private record Tick(double share, String text) {}

    /** Returns the section; empty where no run has either. */
    String html() {
        return Html.section("evenness", "How even it was", seconds() + requests());
    }

    /** Returns the seconds at a run's peak: its last measuring phase without the first, or what its end is of. */
    static List<LoadPoint> steady(RunResult run) {
        List<LoadPoint> load = run.curves().load();
        Optional<String> last = load.stream()
                .map(LoadPoint::phase)
                .filter(Reading.measuring(run)::contains)
                .reduce((before, after) -> after);
        if (last.isPresent()) {
            return load.stream()
                    .filter(point -> point.phase().equals(last.get()))
                    .skip(1)
                    .toList();
        }
        double seconds = run.series()
                .ending()
                .map(end -> end.bins() * run.series().binSeconds())
                .orElse(0.0);
        return load.stream()
                .filter(point -> point.second() > load.getLast().second() - seconds)
                .toList();
    }

    /** Returns the requests of the last load by their response time; empty where no histogram was kept. */
    static Optional<LatencyCounts> counts(RunResult run) {
        return lastLatency(run)
                .flatMap(PhaseLatency::more)
                .map(PhaseLatency.More::counts)
                .filter(counts -> !counts.counts().isEmpty());
    }

    private static Optional<PhaseLatency> lastLatency(RunResult run) {
        return run.served().lastLoad().flatMap(phase -> phase.latency());
    }

    private String seconds() {
        List<double[]> all = result.variants().stream()
                .map(variant -> Reading.readableRuns(variant).stream()
                        .flatMap(run -> steady(run).stream())
                        .mapToDouble(LoadPoint::requestsPerSecond)
                        .sorted()
                        .toArray())
                .toList();
        double[] every = all.stream().flatMapToDouble(Arrays::stream).toArray();
        if (every.length == 0) {
            return "";
        }
        double least = Arrays.stream(every).min().orElse(0);
        double most = Arrays.stream(every).max().orElse(1);
        double step = SvgAxes.step(most > least ? most - least : Math.max(1, most), TICKS);
        double low = Math.floor(least / step) * step;
        double high = Math.max(low + step, Math.ceil(most / step) * step);
        List<Strip> strips = new ArrayList<>();
        for (int v = 0; v < all.size(); v++) {
            if (all.get(v).length > 0) {
                strips.add(strip(v, all.get(v), low, high));
            }
        }
        List<Tick> ticks = new ArrayList<>();
        for (int k = 0; low + k * step <= high * (1 + 1e-9); k++) {
            ticks.add(new Tick(k * step / (high - low), SvgAxes.number(low + k * step)));
        }
        return figure(
                "seconds",
                "Throughput of each second",
                "requests per second, " + span("end of the load"),
                strips,
                ticks,
                "The higher a column, the more seconds had that throughput. The line is the median second. On the right are"
                        + " the median, and the lowest and the highest second of all runs.");
    }

    /** @param sorted requests per second, at least one */
    private static Strip strip(int variant, double[] sorted, double low, double high) {
        double[] columns = new double[COLUMNS];
        for (double rate : sorted) {
            columns[(int) Math.min(COLUMNS - 1, Math.floor(COLUMNS * (rate - low) / (high - low)))]++;
        }
        double median = Descriptive.sortedQuantile(sorted, 0.5);
        return new Strip(
                variant,
                columns,
                (median - low) / (high - low),
                Show.whole(median),
                Show.range(sorted[0], sorted[sorted.length - 1], Show::whole) + ", "
                        + Show.plural(sorted.length, "second"));
    }

    private String requests() {
        List<NavigableMap<Integer, Long>> all =
                result.variants().stream().map(HtmlDistributions::steps).toList();
        if (all.stream().allMatch(NavigableMap::isEmpty)) {
            return "";
        }
        int first = all.stream()
                .filter(steps -> !steps.isEmpty())
                .mapToInt(NavigableMap::firstKey)
                .min()
                .orElseThrow();
        int width = all.stream()
                        .filter(steps -> !steps.isEmpty())
                        .mapToInt(NavigableMap::lastKey)
                        .max()
                        .orElseThrow()
                - first
                + 1;
        List<Strip> strips = new ArrayList<>();
        for (int v = 0; v < all.size(); v++) {
            if (!all.get(v).isEmpty()) {
                strips.add(strip(v, result.variants().get(v), all.get(v), first, width));
            }
        }
        double low = LatencyCounts.beginMillis(first);
        double high = LatencyCounts.beginMillis(first + width);
        List<Tick> ticks = new SvgAxes(1, low, high, true, "")
                .decades().stream()
                        .map(tick -> new Tick(Math.log(tick / low) / Math.log(high / low), SvgAxes.number(tick)))
                        .toList();
        return figure(
                "requests",
                "Latency of each request",
                "ms, logarithmic, " + span("the whole last load, warm-up included"),
                strips,
                ticks,
                "The higher a column, the more requests took that long. The columns are the requests of all valid runs. The line,"
                        + " and the percentiles on the right, are the medians of the runs' percentiles.");
    }

    /** Returns the requests of all runs of a variant, by the number of their step. */
    private static NavigableMap<Integer, Long> steps(VariantResult variant) {
        NavigableMap<Integer, Long> steps = new TreeMap<>();
        for (RunResult run : Reading.readableRuns(variant)) {
            counts(run).ifPresent(counts -> {
                for (int i = 0; i < counts.counts().size(); i++) {
                    steps.merge(counts.first() + i, counts.counts().get(i), Long::sum);
                }
            });
        }
        return steps;
    }

    private static Strip strip(int v, VariantResult variant, NavigableMap<Integer, Long> steps, int first, int width) {
        double[] columns = new double[width];
        steps.forEach((step, count) -> columns[step - first] = count);
        List<PhaseLatency> phases = Reading.readableRuns(variant).stream()
                .filter(run -> counts(run).isPresent())
                .flatMap(run -> lastLatency(run).stream())
                .toList();
        double p50 = millis(phases, PhaseLatency::p50Nanos);
        double low = LatencyCounts.beginMillis(first);
        double high = LatencyCounts.beginMillis(first + width);
        boolean many = phases.stream().allMatch(phase -> phase.count() >= LEAST_FOR_P999);
        return new Strip(
                v,
                columns,
                Math.log(p50 / low) / Math.log(high / low),
                "p50 " + Show.three(p50) + " ms",
                "p99 " + Show.three(millis(phases, PhaseLatency::p99Nanos))
                        + (many
                                ? ", p99.9 "
                                        + Show.three(millis(
                                                phases,
                                                phase -> phase.more()
                                                        .orElseThrow()
                                                        .p999Nanos()))
                                : "")
                        + " ms");
    }

    private static double millis(List<PhaseLatency> phases, ToLongFunction<PhaseLatency> nanos) {
        return Spread.median(phases, phase -> nanos.applyAsLong(phase) / 1e6);
    }

    /** Returns what the rows are of: the measuring phase, or what stands for it, with the names of those variants. */
    private String span(String without) {
        List<String> names = result.variants().stream()
                .filter(variant -> Reading.readableRuns(variant).stream()
                        .allMatch(run -> Reading.measuring(run).isEmpty()))
                .map(VariantResult::name)
                .toList();
        if (names.size() == result.variants().size()) {
            return without;
        }
        return "measuring phase" + (names.isEmpty() ? "" : "; of " + String.join(", ", names) + ": " + without);
    }

    private String figure(String id, String title, String unit, List<Strip> strips, List<Tick> ticks, String caption) {
        StringBuilder out = new StringBuilder("<div class=\"strips\">\n");
        strips.forEach(strip -> out.append(row(strip)));
        out.append("<div class=\"strip\"><div class=\"ticks\">");
        ticks.forEach(tick -> out.append("<span style=\"--at:")
                .append(Show.machine(100 * tick.share(), 1))
                .append("%\">")
                .append(Html.escape(tick.text()))
                .append("</span>"));
        out.append("</div></div></div>\n<figcaption>")
                .append(Html.escape(caption))
                .append("</figcaption>");
        return Html.figure(title, unit, out.toString()).replaceFirst("<figure>", "<figure data-figure=\"" + id + "\">");
    }

    private String row(Strip strip) {
        double most = Arrays.stream(strip.columns()).max().orElse(1);
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < strip.columns().length; i++) {
            if (strip.columns()[i] > 0) {
                // One second in a thousand can still be seen.
                double height = Math.max(4, 100 * strip.columns()[i] / most);
                path.append(String.format(Locale.ROOT, "M%d %.1fh9v%.1fh-9z", 10 * i, (100 - height) / 2, height));
            }
        }
        double middle = 10 * strip.columns().length * Math.clamp(strip.middle(), 0, 1);
        return "<div class=\"strip\"><span class=\"of\">"
                + Html.variant(
                        strip.variant(), result.variants().get(strip.variant()).name())
                + "</span><svg viewBox=\"0 0 " + 10 * strip.columns().length
                + " 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path style=\"fill:var(--v"
                + strip.variant() % HtmlReport.View.COLOURS + ")\" d=\"" + path + "\"/><path class=\"middle\" d=\""
                + String.format(Locale.ROOT, "M%.1f 0v100", middle)
                + "\"/></svg><span class=\"figures\">" + Html.prose(strip.figure())
                + "<span class=\"range\">" + Html.prose(strip.range()) + "</span></span></div>\n";
    }
}
