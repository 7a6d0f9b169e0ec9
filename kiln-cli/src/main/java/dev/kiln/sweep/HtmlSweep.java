package dev.kiln.sweep;

import dev.kiln.explain.study.SweepResult;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.report.html.Html;
import dev.kiln.report.html.SvgAxes;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** HtmlSweep is the sweep in the report: pictures that need no script, tables, and what the law says. */
final class HtmlSweep {
    private HtmlSweep() {}

    static String html(SweepResult sweep) {
        StringBuilder out = new StringBuilder();
        Pictures picture = new Pictures(sweep.configurations());
        out.append("<div class=\"sweep\">")
                .append(picture.throughput())
                .append(picture.response())
                .append(picture.maximum())
                .append("</div>\n");
        for (int i = 0; i < sweep.configurations().size(); i++) {
            SweepConfiguration one = sweep.configurations().get(i);
            Html.HtmlTable table = new Html.HtmlTable(1, Html.escape(SweepReport.HEADS));
            one.points().forEach(point -> table.row(Html.escape(SweepReport.row(point))));
            out.append("<h3>").append(Html.variant(i, one.name())).append("</h3>\n");
            out.append(table.html(one.name() + " by connections"));
            out.append(Html.caption(SweepReport.fit(one)));
        }
        for (SideBySide side : SideBySide.of(sweep)) {
            Html.HtmlTable table = new Html.HtmlTable(1, Html.escape(side.heads()));
            side.rows().forEach(row -> table.row(Html.escape(row)));
            out.append("<h3>").append(Html.escape(side.title())).append("</h3>\n");
            out.append(table.html(side.title() + " of all configurations"));
        }
        sweep.density().ifPresent(density -> density(density, out));
        out.append(Html.notes(sweep.notes()));
        return out.toString();
    }

    private static void density(Density density, StringBuilder out) {
        Html.HtmlTable table = new Html.HtmlTable(2, Html.escape(SweepReport.DENSITY_HEADS));
        density.theory().forEach(row -> table.row(Html.escape(SweepReport.densityRow(row))));
        out.append("<h3>").append(Html.escape(SweepReport.densityHead(density))).append("</h3>\n");
        out.append(table.html(SweepReport.densityHead(density)));
        density.verified().forEach(measured -> out.append(Html.caption(SweepReport.verified(density, measured))));
    }

    /** Pictures draw throughput and response time against connections, as SVG. */
    private record Pictures(List<SweepConfiguration> configurations) {
        private static final int CURVE_POINTS = 160;
        private static final String UNDER = "connections";

        private double most() {
            return configurations.stream()
                    .flatMap(one -> one.points().stream())
                    .mapToDouble(SweepPoint::connections)
                    .max()
                    .orElse(1);
        }

        /** Returns a point for each run, and the law's curve if it could be fitted. */
        String throughput() {
            double highest = configurations.stream()
                    .flatMapToDouble(one -> one.points().stream()
                            .mapToDouble(p ->
                                    Arrays.stream(p.throughput().perRun()).max().orElse(0)))
                    .max()
                    .orElse(1);
            SvgAxes axes = SvgAxes.linear(most() * 1.04, Math.max(1, highest) * 1.08, UNDER);
            StringBuilder marks = new StringBuilder();
            for (int i = 0; i < configurations.size(); i++) {
                SweepConfiguration one = configurations.get(i);
                if (one.fit() instanceof UniversalScalability law) {
                    marks.append(peakBand(axes, law, i)).append(curve(axes, law, i));
                }
                for (SweepPoint point : one.points()) {
                    for (double each : point.throughput().perRun()) {
                        marks.append(axes.dot(i, point.connections(), each, !point.valid()));
                    }
                }
            }
            return figure(
                    "Throughput",
                    "requests per second; a dot a run, the line is the scalability law",
                    axes.svg(marks.toString(), "Throughput by connections. " + words()),
                    configurations.size() < 2 ? "" : legend());
        }

        private String curve(SvgAxes axes, UniversalScalability law, int colour) {
            String points = IntStream.rangeClosed(0, CURVE_POINTS)
                    .mapToDouble(k -> 1 + (axes.mostX() - 1) * k / CURVE_POINTS)
                    .mapToObj(n -> axes.at(n, law.at(n)))
                    .collect(Collectors.joining(" "));
            return axes.line(colour, points, "");
        }

        /** Returns the band of the peak, up to the last measured level; empty if the law shows none in this range. */
        private static String peakBand(SvgAxes axes, UniversalScalability law, int colour) {
            if (!law.peakTold() || law.peakRange().lo() > axes.mostX()) {
                return "";
            }
            double to = Math.min(axes.mostX(), law.peakRange().hi().orElseThrow());
            return axes.band(colour, law.peakRange().lo(), to);
        }

        /** Returns the mean and the 99th percentile on a logarithmic axis: a queue sets them far apart. */
        String response() {
            Optional<SvgAxes> found = axes(r -> Stream.concat(r.mean().stream().boxed(), Stream.of(r.p50(), r.p99())));
            if (found.isEmpty()) {
                return "";
            }
            SvgAxes axes = found.get();
            StringBuilder marks = new StringBuilder();
            for (int i = 0; i < configurations.size(); i++) {
                List<SweepPoint> points = configurations.get(i).points();
                marks.append(path(axes, i, points, SweepPoint.Response::mean, ""));
                marks.append(path(axes, i, points, r -> OptionalDouble.of(r.p99()), "5 4"));
            }
            return figure(
                    "Response time",
                    "ms, logarithmic; mean as a line, 99th percentile dashed",
                    axes.svg(marks.toString(), "Mean and 99th percentile of the response time by connections"),
                    "");
        }

        /** Returns the worst of all requests, which is what a user may meet. */
        String maximum() {
            return axes(r -> Stream.of(r.max()))
                    .map(axes -> {
                        String marks = IntStream.range(0, configurations.size())
                                .mapToObj(i -> path(
                                        axes, i, configurations.get(i).points(), r -> OptionalDouble.of(r.max()), ""))
                                .collect(Collectors.joining());
                        return figure(
                                "Maximum response time",
                                "ms, logarithmic",
                                axes.svg(marks, "Maximum response time by connections"),
                                "");
                    })
                    .orElse("");
        }

        /** Returns the axes for these figures; empty without response times. */
        private Optional<SvgAxes> axes(Function<SweepPoint.Response, Stream<Double>> figures) {
            List<Double> all = configurations.stream()
                    .flatMap(one -> one.points().stream())
                    .flatMap(point -> point.response().stream())
                    .flatMap(figures)
                    .filter(ms -> ms > 0)
                    .toList();
            return all.isEmpty()
                    ? Optional.empty()
                    : Optional.of(SvgAxes.logarithmic(
                            most() * 1.04,
                            all.stream().mapToDouble(Double::doubleValue).min().orElse(1),
                            all.stream().mapToDouble(Double::doubleValue).max().orElse(1),
                            UNDER));
        }

        private static String path(
                SvgAxes axes,
                int colour,
                List<SweepPoint> points,
                Function<SweepPoint.Response, OptionalDouble> which,
                String dashes) {
            StringBuilder line = new StringBuilder();
            StringBuilder dots = new StringBuilder();
            for (SweepPoint point : points) {
                Optional<Double> ms = point.response()
                        .map(which)
                        .filter(OptionalDouble::isPresent)
                        .map(OptionalDouble::getAsDouble)
                        .filter(value -> value > 0);
                ms.ifPresent(value -> {
                    line.append(axes.at(point.connections(), value)).append(' ');
                    dots.append(axes.dot(colour, point.connections(), value, !dashes.isEmpty()));
                });
            }
            return axes.line(colour, line.toString().strip(), dashes) + dots;
        }

        private String words() {
            return configurations.stream().map(SweepReport::fit).collect(Collectors.joining(". "));
        }

        private String legend() {
            return IntStream.range(0, configurations.size())
                    .mapToObj(i -> Html.variant(i, configurations.get(i).name()))
                    .collect(Collectors.joining(" &nbsp; "));
        }

        private static String figure(String title, String unit, String svg, String legend) {
            return Html.figure(title, unit, svg + (legend.isEmpty() ? "" : "<figcaption>" + legend + "</figcaption>"));
        }
    }
}
