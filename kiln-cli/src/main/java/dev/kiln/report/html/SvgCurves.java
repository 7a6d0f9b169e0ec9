package dev.kiln.report.html;

import dev.kiln.explain.Curves;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.report.html.HtmlReport.View;
import dev.kiln.report.html.SvgCurves.SvgChart.SvgPoint;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * SvgCurves are what a picture has between its axes: a line for each variant, pauses shaded, and of throughput the peak of
 * each variant and the moment when it came near to it, with their intervals.
 */
record SvgCurves(List<VariantResult> variants, SvgChart chart) {
    private static final int MEDIAN_RUNS = 3;

    /** Seconds further apart than this are no neighbours: no line is drawn across a pause. */
    private static final double HOLE = 2.5;

    /** Of more variants, the lines of their peaks would hide the curves. */
    private static final int MOST_PEAKS = 4;

    /** Labels of peaks this close to one another, as a share of the height, would touch. */
    private static final double TOUCHING = 0.06;

    /** A pause of this share of the time has room for its name. */
    private static final double WORD = 0.1;

    /** A Pause is seconds in which no variant had load. */
    private record Pause(double from, double to) {
        double length() {
            return to - from;
        }

        double middle() {
            return (from + to) / 2;
        }
    }

    /** Returns the picture; empty where nothing was recorded for it. */
    Optional<String> svg() {
        List<List<List<SvgPoint>>> lines = variants.stream().map(this::lines).toList();
        List<SvgPoint> all =
                lines.stream().flatMap(List::stream).flatMap(List::stream).toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        double least = all.stream().mapToDouble(SvgPoint::value).min().orElseThrow();
        double most = Stream.concat(
                        all.stream().map(SvgPoint::value),
                        peaks().stream()
                                .flatMap(variant -> variant.referencePeak().stream())
                                .map(Peak::value))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        double seconds = all.stream().mapToDouble(SvgPoint::second).max().orElseThrow() + 1;
        SvgAxes axes = chart.log()
                ? SvgAxes.logarithmic(seconds, least, most, "seconds since the first request")
                : SvgAxes.linear(seconds, Math.max(most, 1) * 1.06, "seconds since the first request");
        List<Pause> pauses = pauses();
        StringBuilder marks = new StringBuilder();
        pauses.forEach(pause -> marks.append(axes.shade("pause", pause.from(), pause.to())));
        longest(pauses)
                .filter(pause -> pause.length() > WORD * seconds)
                .ifPresent(pause -> marks.append(axes.foot(pause.middle(), "pause")));
        for (int v = 0; v < peaks().size(); v++) {
            marks.append(intervals(axes, peaks().get(v), v));
        }
        for (int v = 0; v < lines.size(); v++) {
            for (List<SvgPoint> line : lines.get(v)) {
                for (String part : parts(axes, line)) {
                    marks.append(axes.line(v, part, v < View.COLOURS ? "" : "7 3"));
                }
            }
        }
        peakLines(axes, pauses, marks);
        return Optional.of(axes.svg(marks.toString(), chart.title() + " over time"));
    }

    /** Returns the median of three valid runs or more, second by second; else each run. */
    private List<List<SvgPoint>> lines(VariantResult variant) {
        List<RunResult> runs = shown(variant);
        List<List<SvgPoint>> each =
                runs.stream().map(run -> chart.points().apply(run).toList()).toList();
        if (runs.size() < MEDIAN_RUNS) {
            return each;
        }
        TreeMap<Long, List<Double>> seconds = new TreeMap<>();
        each.forEach(run ->
                run.forEach(point -> seconds.computeIfAbsent(Math.round(point.second()), s -> new ArrayList<>())
                        .add(point.value())));
        List<SvgPoint> median = new ArrayList<>();
        seconds.forEach((second, values) -> {
            if (2 * values.size() >= runs.size()) {
                median.add(new SvgPoint(
                        second,
                        Descriptive.median(values.stream().mapToDouble(Double::doubleValue))
                                .orElseThrow()));
            }
        });
        return List.of(median);
    }

    private static List<RunResult> shown(VariantResult variant) {
        return variant.valid().isEmpty() ? variant.runs() : variant.valid();
    }

    private static List<String> parts(SvgAxes axes, List<SvgPoint> line) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        double before = Double.NaN;
        for (SvgPoint point : line) {
            if (point.second() - before > HOLE) {
                parts.add(part.toString().strip());
                part.setLength(0);
            }
            part.append(axes.at(point.second(), point.value())).append(' ');
            before = point.second();
        }
        parts.add(part.toString().strip());
        return parts.stream().filter(text -> !text.isEmpty()).toList();
    }

    private List<Pause> pauses() {
        TreeSet<Double> loaded = new TreeSet<>();
        variants.stream()
                .flatMap(variant -> shown(variant).stream())
                .flatMap(run -> run.curves().load().stream())
                .forEach(point -> loaded.add(point.second()));
        List<Pause> pauses = new ArrayList<>();
        double before = Double.NaN;
        for (double second : loaded) {
            if (second - before > HOLE) {
                pauses.add(new Pause(before + 1, second));
            }
            before = second;
        }
        return pauses;
    }

    private static Optional<Pause> longest(List<Pause> pauses) {
        return pauses.stream().max(Comparator.comparingDouble(Pause::length));
    }

    /** Returns the variants whose peaks are drawn; none in a picture of something else. */
    private List<VariantResult> peaks() {
        return chart.equals(SvgChart.THROUGHPUT) && variants.size() <= MOST_PEAKS ? variants : List.of();
    }

    /**
     * Draws the peak of each variant, with its figure where no curve is: in the longest pause. The figure stands above the line,
     * and below it where that of a higher peak is close.
     */
    private void peakLines(SvgAxes axes, List<Pause> pauses, StringBuilder marks) {
        Optional<Pause> longest = longest(pauses);
        List<Double> labelled = new ArrayList<>();
        List<Integer> highestFirst = IntStream.range(0, peaks().size())
                .boxed()
                .sorted(Comparator.comparingDouble(
                        v -> -peaks().get(v).referencePeak().map(Peak::value).orElse(0.0)))
                .toList();
        for (int v : highestFirst) {
            Optional<Peak> peak = peaks().get(v).referencePeak();
            if (peak.isPresent()) {
                double value = peak.get().value();
                marks.append(axes.line(v, axes.at(0, value) + " " + axes.at(axes.mostX(), value), "3 4"));
                long close =
                        labelled.stream().filter(y -> touches(axes, y, value)).count();
                if (longest.isPresent() && close < 2) {
                    labelled.add(value);
                    marks.append(axes.label(
                            v,
                            longest.get().middle(),
                            value,
                            close > 0,
                            "peak " + (peak.get().lowerBound() ? "\u2265 " : "") + Show.whole(value)));
                }
            }
        }
        if (chart.equals(SvgChart.THROUGHPUT)) {
            for (int v = 0; v < variants.size(); v++) {
                marks.append(reached(axes, variants.get(v), v));
            }
        }
    }

    /** Returns bands for the intervals of a peak and of the moment near it; none of what is only known to be at least so high. */
    private static String intervals(SvgAxes axes, VariantResult variant, int index) {
        String level = variant.referencePeak()
                .filter(peak -> !peak.lowerBound())
                .map(peak -> axes.level(
                        index, peak.throughput().lo(), peak.throughput().hi()))
                .orElse("");
        return level
                + variant.time(TimeToPeak.HEADLINE)
                        .filter(time -> time.seconds().isPresent())
                        .map(time -> axes.band(
                                index,
                                time.lo().orElse(0),
                                Math.min(axes.mostX(), time.hi().orElse(variant.horizon()))))
                        .orElse("");
    }

    private static boolean touches(SvgAxes axes, double one, double other) {
        return Math.abs(one - other) < TOUCHING * axes.highY();
    }

    /** Returns a dot where the variant came to 90 % of its own peak; none if pauses between loads move it. */
    private static String reached(SvgAxes axes, VariantResult variant, int index) {
        OptionalDouble seconds =
                variant.time(TimeToPeak.HEADLINE).map(TimeToPeak::seconds).orElse(OptionalDouble.empty());
        return seconds.isPresent() && variant.referencePeak().isPresent()
                ? axes.dot(
                        index,
                        seconds.getAsDouble(),
                        TimeToPeak.HEADLINE
                                / 100.0
                                * variant.referencePeak().get().value(),
                        false)
                : "";
    }

    /**
     * An SvgChart is one quantity over the time of a run that there is a picture of.
     *
     * @param log whether its axis is logarithmic
     * @param points of a run, in the order of time
     */
    record SvgChart(String id, String title, String unit, boolean log, Function<RunResult, Stream<SvgPoint>> points) {
        /** An SvgPoint is a value at a second since the first request. */
        record SvgPoint(double second, double value) {}

        static final SvgChart THROUGHPUT = new SvgChart(
                "throughput",
                "Throughput",
                "requests per second",
                false,
                run -> run.curves().load().stream()
                        .map(point -> new SvgPoint(point.second(), point.requestsPerSecond())));

        static final List<SvgChart> ALL = List.of(
                THROUGHPUT,
                new SvgChart(
                        "p99",
                        "Latency, 99th percentile",
                        "ms, logarithmic",
                        true,
                        run -> run.curves().load().stream()
                                .map(point -> new SvgPoint(point.second(), point.p99Millis()))
                                .filter(point -> point.value() > 0)),
                new SvgChart(
                        "c2-wait",
                        "C2 waiting for a CPU",
                        "% of one CPU",
                        false,
                        run -> run.curves().jit().stream().map(SvgChart::wait).filter(point -> point.second() >= 0)));

        private static SvgPoint wait(Curves.JitPoint point) {
            return new SvgPoint(point.second(), 100 * point.c2Wait());
        }
    }
}
