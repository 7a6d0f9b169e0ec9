package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.SweepResult;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.stats.UniversalScalability;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sweep over numbers of connections as text: for the terminal, as Markdown, and as CSV. */
public final class SweepReport {
    private static final List<String> COLUMNS = List.of(
            "configuration",
            "connections",
            "runs",
            "valid_runs",
            "requests_per_second",
            "highest_second",
            "mean_ms",
            "p50_ms",
            "p90_ms",
            "p99_ms",
            "p999_ms",
            "max_ms",
            "start_s",
            "max_rss_bytes",
            "max_pss_bytes",
            "steady_s",
            "steady_runs",
            "errors",
            "usl_requests_per_second");

    private SweepReport() {}

    public static String terminal(ExperimentResult result, SweepResult sweep, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        out.append(style.bold(style.chars(result.name())))
                .append('\n')
                .append(style.dim(style.chars(Facts.protocol(result.protocol()))))
                .append('\n');
        for (SweepConfiguration one : sweep.configurations()) {
            out.append('\n').append(style.bold(style.chars(one.name()))).append('\n');
            out.append(SweepTable.grid(one).terminal(style));
        }
        out.append('\n');
        sweep.configurations()
                .forEach(one -> out.append(Wrap.paragraph("", style.chars(SweepWords.fit(one)), style.width())));
        sweep.density().ifPresent(density -> {
            out.append('\n').append(style.bold(SweepWords.densityHead(density))).append('\n');
            out.append(SweepTable.density(density).terminal(style));
            density.verified()
                    .forEach(measured -> out.append(
                            Wrap.paragraph("", style.chars(SweepWords.verified(density, measured)), style.width())));
        });
        out.append('\n');
        Wrap.paragraph("", style.chars(result.conclusion()), style.width())
                .lines()
                .forEach(line -> out.append(style.bold(line)).append('\n'));
        out.append(TerminalClaims.render(result.claims(), style)).append('\n');
        notes(result, sweep)
                .forEach(note -> out.append(style.dim(Wrap.paragraph("- ", style.chars(note), style.width()))));
        return out.toString();
    }

    public static String markdown(ExperimentResult result, SweepResult sweep) {
        StringBuilder out = new StringBuilder("### " + MarkdownReport.escape(result.name()) + "\n\n**"
                + MarkdownReport.escape(result.conclusion()) + "**\n");
        for (SweepConfiguration one : sweep.configurations()) {
            out.append("\n#### ").append(MarkdownReport.escape(one.name())).append("\n\n");
            out.append(SweepTable.grid(one).markdown()).append('\n');
            out.append(MarkdownReport.escape(SweepWords.fit(one))).append('\n');
        }
        sweep.density().ifPresent(density -> {
            out.append("\n#### ").append(SweepWords.densityHead(density)).append("\n\n");
            out.append(SweepTable.density(density).markdown());
            density.verified()
                    .forEach(measured -> out.append('\n')
                            .append(MarkdownReport.escape(SweepWords.verified(density, measured)))
                            .append('\n'));
        });
        out.append('\n')
                .append(MarkdownReport.escape(Facts.protocol(result.protocol())))
                .append("\n\n");
        notes(result, sweep)
                .forEach(note ->
                        out.append("- ").append(MarkdownReport.escape(note)).append('\n'));
        return out.toString();
    }

    private static List<String> notes(ExperimentResult result, SweepResult sweep) {
        return Stream.concat(sweep.notes().stream(), result.footnotes().stream())
                .toList();
    }

    /** A row a level; what is absent is an empty field. */
    public static String csv(SweepResult sweep) {
        StringBuilder out = new StringBuilder(String.join(",", COLUMNS)).append('\n');
        for (SweepConfiguration one : sweep.configurations()) {
            for (SweepPoint point : one.points()) {
                out.append(row(one, point).stream().map(Csv::field).collect(Collectors.joining(",")))
                        .append('\n');
            }
        }
        return out.toString();
    }

    private static List<String> row(SweepConfiguration one, SweepPoint p) {
        List<String> row = new ArrayList<>(List.of(
                one.name(),
                Integer.toString(p.connections()),
                Integer.toString(p.runs()),
                Integer.toString(p.validRuns()),
                Text.machine(p.throughput(), 2),
                machine(p.bestSecond(), 0)));
        p.response()
                .ifPresentOrElse(
                        r -> row.addAll(List.of(
                                machine(r.mean(), 3),
                                Text.machine(r.p50(), 3),
                                machine(r.p90(), 3),
                                Text.machine(r.p99(), 3),
                                machine(r.p999(), 3),
                                Text.machine(r.max(), 3))),
                        () -> row.addAll(List.of("", "", "", "", "", "")));
        row.addAll(List.of(
                machine(p.startSeconds(), 3),
                whole(p.maxRssBytes()),
                whole(p.maxPssBytes()),
                machine(p.steadySeconds(), 1),
                Integer.toString(p.steadyRuns()),
                Long.toString(p.errors()),
                one.fit() instanceof UniversalScalability law ? Text.machine(law.at(p.connections()), 2) : ""));
        return row;
    }

    private static String machine(OptionalDouble value, int decimals) {
        return value.isPresent() ? Text.machine(value.getAsDouble(), decimals) : "";
    }

    private static String whole(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "";
    }
}
