package dev.kiln.sweep;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.SweepResult;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.report.ClaimWords;
import dev.kiln.report.Facts;
import dev.kiln.report.Grid;
import dev.kiln.report.Markdown;
import dev.kiln.report.TerminalStyle;
import dev.kiln.stats.ScalabilityFit;
import dev.kiln.stats.ScalabilityFit.TooFewLevels;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import dev.kiln.text.CsvLine;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** SweepReport is a sweep as text: terminal, Markdown and CSV. The page uses its rows and sentences. */
public final class SweepReport {
    private static final String COLUMNS =
            "configuration,connections,runs,valid_runs,requests_per_second,highest_second,mean_ms,p50_ms,p90_ms,p99_ms,"
                    + "p999_ms,max_ms,start_s,max_rss_bytes,max_pss_bytes,steady_s,steady_runs,errors,usl_requests_per_second,lower_bound\n";

    public static final List<String> HEADS = List.of(
            "conn",
            "req/s",
            "highest",
            "mean ms",
            "p50",
            "p90",
            "p99",
            "p99.9",
            "max ms",
            "start s",
            "RSS MiB",
            "PSS MiB",
            "steady s");

    public static final List<String> DENSITY_HEADS = List.of(
            "configuration", "by", "MiB each", "processes", "with connections", "req/s each", "req/s summed", "%");

    private SweepReport() {}

    public static String terminal(ExperimentResult result, SweepResult sweep, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        out.append(style.bold(style.chars(result.name()))).append('\n');
        out.append(style.dim(style.chars(Facts.protocol(result.protocol())))).append('\n');
        for (SweepConfiguration one : sweep.configurations()) {
            out.append('\n').append(style.bold(style.chars(one.name()))).append('\n');
            out.append(grid(one).terminal(style));
        }
        for (SideBySide table : SideBySide.of(sweep)) {
            out.append('\n').append(style.bold(table.title())).append('\n');
            out.append(table.grid().terminal(style));
        }
        out.append('\n');
        sweep.configurations().forEach(one -> out.append(style.paragraph(fit(one))));
        sweep.density().ifPresent(density -> {
            out.append('\n').append(style.bold(densityHead(density))).append('\n');
            out.append(density(density).terminal(style));
            density.verified().forEach(measured -> out.append(style.paragraph(verified(density, measured))));
        });
        return out.append('\n')
                .append(style.conclusion(result.conclusion()))
                .append(ClaimWords.terminal(result.claims(), style))
                .append('\n')
                .append(style.notes(notes(result, sweep)))
                .toString();
    }

    public static String markdown(ExperimentResult result, SweepResult sweep) {
        StringBuilder out = new StringBuilder(
                "### " + Markdown.escape(result.name()) + "\n\n**" + Markdown.escape(result.conclusion()) + "**\n");
        for (SweepConfiguration one : sweep.configurations()) {
            out.append("\n#### " + Markdown.escape(one.name()) + "\n\n"
                    + grid(one).markdown() + "\n" + Markdown.escape(fit(one)) + "\n");
        }
        for (SideBySide table : SideBySide.of(sweep)) {
            out.append("\n#### " + table.title() + "\n\n" + table.grid().markdown());
        }
        sweep.density().ifPresent(density -> {
            out.append(
                    "\n#### " + densityHead(density) + "\n\n" + density(density).markdown());
            density.verified()
                    .forEach(measured -> out.append("\n" + Markdown.escape(verified(density, measured)) + "\n"));
        });
        return out + "\n" + Markdown.escape(Facts.protocol(result.protocol())) + "\n\n"
                + Markdown.notes(notes(result, sweep));
    }

    private static List<String> notes(ExperimentResult result, SweepResult sweep) {
        return Stream.concat(sweep.notes().stream(), result.footnotes().stream())
                .toList();
    }

    /** Returns a row for each level; an absent value is an empty field. */
    public static String csv(SweepResult sweep) {
        StringBuilder out = new StringBuilder(COLUMNS);
        for (SweepConfiguration one : sweep.configurations()) {
            one.points().forEach(point -> out.append(CsvLine.of(csvRow(one, point))));
        }
        return out.toString();
    }

    private static List<String> csvRow(SweepConfiguration one, SweepPoint p) {
        List<String> row = new ArrayList<>(List.of(
                one.name(),
                Integer.toString(p.connections()),
                Integer.toString(p.runs().recorded()),
                Integer.toString(p.runs().valid()),
                Show.machine(p.throughput().mean(), 2),
                machine(p.throughput().bestSecond(), 0)));
        p.response()
                .ifPresentOrElse(
                        r -> row.addAll(List.of(
                                machine(r.mean(), 3),
                                Show.machine(r.p50(), 3),
                                machine(r.p90(), 3),
                                Show.machine(r.p99(), 3),
                                machine(r.p999(), 3),
                                Show.machine(r.max(), 3))),
                        () -> row.addAll(List.of("", "", "", "", "", "")));
        row.addAll(List.of(
                machine(p.startSeconds(), 3),
                whole(p.memory().maxRssBytes()),
                whole(p.memory().maxPssBytes()),
                machine(p.steady().seconds(), 1),
                Integer.toString(p.steady().runs()),
                Long.toString(p.runs().errors()),
                one.fit() instanceof UniversalScalability law ? Show.machine(law.at(p.connections()), 2) : "",
                Boolean.toString(p.throughput().lowerBound())));
        return row;
    }

    private static String machine(OptionalDouble value, int decimals) {
        return value.isPresent() ? Show.machine(value.getAsDouble(), decimals) : "";
    }

    private static String whole(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "";
    }

    public static Grid grid(SweepConfiguration one) {
        return Grid.of(HEADS, one.points().stream().map(SweepReport::row).toList());
    }

    public static List<String> row(SweepPoint p) {
        return List.of(
                Integer.toString(p.connections()),
                LevelWords.throughput(p),
                Show.or(p.throughput().bestSecond(), Show::whole),
                LevelWords.response(p, SweepPoint.Response::mean),
                LevelWords.response(p, r -> OptionalDouble.of(r.p50())),
                LevelWords.response(p, SweepPoint.Response::p90),
                LevelWords.response(p, r -> OptionalDouble.of(r.p99())),
                LevelWords.response(p, SweepPoint.Response::p999),
                LevelWords.response(p, r -> OptionalDouble.of(r.max())),
                Show.or(p.startSeconds(), Show::seconds),
                bytes(p.memory().maxRssBytes()),
                bytes(p.memory().maxPssBytes()),
                steady(p));
    }

    private static String steady(SweepPoint p) {
        if (p.runs().valid() == 0) {
            return "invalid";
        }
        String seconds = Show.or(p.steady().seconds(), Show::seconds);
        return p.steady().runs() == 0
                ? "not shown"
                : p.steady().runs() < p.runs().valid()
                        ? seconds + " (" + p.steady().runs() + "/" + p.runs().valid() + ")"
                        : seconds;
    }

    public static Grid density(Density density) {
        return Grid.of(
                DENSITY_HEADS,
                density.theory().stream().map(SweepReport::densityRow).toList(),
                1);
    }

    public static List<String> densityRow(Density.Theory t) {
        return List.of(
                t.configuration(),
                t.by().name(),
                Show.megabytes(t.bytes()),
                Show.whole(t.processes()),
                Integer.toString(t.best().connections()),
                LevelWords.atLeast(t.best().throughput().lowerBound())
                        + Show.whole(t.best().throughput().mean()),
                LevelWords.atLeast(t.best().throughput().lowerBound()) + Show.whole(t.summed()),
                Show.or(t.shareOfFirst(), Show::percent));
    }

    private static String bytes(OptionalLong value) {
        return value.isPresent() ? Show.megabytes(value.getAsLong()) : Show.ABSENT;
    }

    public static String fit(SweepConfiguration one) {
        return one.name() + ": " + law(one.fit());
    }

    private static String law(ScalabilityFit fit) {
        return switch (fit) {
            case TooFewLevels few -> "not enough data for the universal scalability law: " + few.why();
            case UniversalScalability law ->
                "universal scalability law: one connection "
                        + coefficient(law.coefficients().lambda()) + " req/s, contention "
                        + coefficient(law.coefficients().sigma()) + ", crosstalk "
                        + coefficient(law.coefficients().kappa()) + "; " + peak(law)
                        + "; [" + Show.trimmed(100 * law.confidence(), 1) + " % intervals]"
                        + "; runs scatter by " + Show.three(law.residualSd()) + " req/s around it (standard deviation, "
                        + Show.plural(law.data().points(), "run") + ")";
        };
    }

    private static String coefficient(UniversalScalability.Coefficient c) {
        return c.held()
                ? "0 (at its bound)"
                : Show.digits(c.value()) + " [" + Show.digits(c.lo()) + ", " + Show.digits(c.hi()) + "]";
    }

    private static String peak(UniversalScalability law) {
        UniversalScalability.Range range = law.peakRange();
        if (law.plateauTold().isPresent()) {
            UniversalScalability.Plateau plateau = law.plateauTold().get();
            return "a plateau of " + Show.whole(plateau.throughput()) + " req/s from "
                    + Show.three(plateau.connections()) + " connections on, which fits as well as a peak or better";
        }
        if (!law.peakTold()) {
            return "a peak is not shown, because a curve without one fits as well"
                    + (range.lo() > 1 ? "; it would lie beyond " + Show.three(range.lo()) + " connections" : "");
        }
        UniversalScalability.CurvePeak peak = law.peak().orElseThrow();
        return "peak " + Show.whole(peak.throughput()) + " req/s with " + Show.three(peak.connections())
                + " connections [" + Show.three(range.lo()) + ", "
                + Show.three(range.hi().orElseThrow()) + "]"
                + (law.peakMeasured() ? "" : ", beyond the measured levels and so a guess");
    }

    public static String memory(long bytes) {
        return Show.megabytes(bytes) + " MiB";
    }

    /** Returns the line above the densities, which says that they are theory. */
    public static String densityHead(Density density) {
        return "Processes that fit " + memory(density.memoryBytes()) + ", in theory";
    }

    /** Returns the measured throughput of so many processes, beside the sum that theory gives, and their memory. */
    public static String verified(Density density, DensityStudy.MeasuredProcess measured) {
        String memory = measured.pssBytes() > 0
                ? "PSS " + memory(measured.pssBytes()) + ", RSS " + memory(measured.rssBytes())
                : "RSS " + memory(measured.rssBytes());
        String errors = measured.errors() == 0 ? "" : ", " + Show.plural(measured.errors(), "error");
        String notes = measured.notes().isEmpty() ? "" : " (" + String.join("; ", measured.notes()) + ")";
        String processes = measured.processes() == 1 ? "1 process" : Show.whole(measured.processes()) + " processes";
        return "Verified: " + processes + " of " + measured.configuration() + " with "
                + Show.plural(measured.connections(), "connection") + " each served "
                + Show.whole(measured.throughput()) + " req/s together over " + Show.seconds(measured.seconds()) + " s"
                + ofTheory(density, measured) + ", and took at most " + memory + errors + notes;
    }

    private static String ofTheory(Density density, DensityStudy.MeasuredProcess measured) {
        return density.theory().stream()
                .filter(row -> row.configuration().equals(measured.configuration()))
                .findFirst()
                .map(row -> ", "
                        + Show.percent(
                                measured.throughput() / (row.best().throughput().mean() * measured.processes()))
                        + " % of the theory")
                .orElse("");
    }
}
