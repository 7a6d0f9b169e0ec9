package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.SweepResult;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.stats.UniversalScalability;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A sweep over numbers of connections as text: for the terminal, as Markdown, and as CSV. */
public final class SweepReport {
    private static final String COLUMNS =
            "configuration,connections,runs,valid_runs,requests_per_second,highest_second,mean_ms,p50_ms,p90_ms,p99_ms,"
                    + "p999_ms,max_ms,start_s,max_rss_bytes,max_pss_bytes,steady_s,steady_runs,errors,usl_requests_per_second\n";

    private SweepReport() {}

    public static String terminal(ExperimentResult result, SweepResult sweep, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        out.append(style.bold(style.chars(result.name()))).append('\n');
        out.append(style.dim(style.chars(Facts.protocol(result.protocol())))).append('\n');
        for (SweepConfiguration one : sweep.configurations()) {
            out.append('\n').append(style.bold(style.chars(one.name()))).append('\n');
            out.append(SweepWords.grid(one).terminal(style));
        }
        out.append('\n');
        sweep.configurations().forEach(one -> out.append(style.paragraph(SweepWords.fit(one))));
        sweep.density().ifPresent(density -> {
            out.append('\n').append(style.bold(SweepWords.densityHead(density))).append('\n');
            out.append(SweepWords.density(density).terminal(style));
            density.verified().forEach(measured -> out.append(style.paragraph(SweepWords.verified(density, measured))));
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
                    + SweepWords.grid(one).markdown() + "\n" + Markdown.escape(SweepWords.fit(one)) + "\n");
        }
        sweep.density().ifPresent(density -> {
            out.append("\n#### " + SweepWords.densityHead(density) + "\n\n"
                    + SweepWords.density(density).markdown());
            density.verified()
                    .forEach(measured ->
                            out.append("\n" + Markdown.escape(SweepWords.verified(density, measured)) + "\n"));
        });
        return out + "\n" + Markdown.escape(Facts.protocol(result.protocol())) + "\n\n"
                + Markdown.notes(notes(result, sweep));
    }

    private static List<String> notes(ExperimentResult result, SweepResult sweep) {
        return Stream.concat(sweep.notes().stream(), result.footnotes().stream())
                .toList();
    }

    /** A row a level; what is absent is an empty field. */
    public static String csv(SweepResult sweep) {
        StringBuilder out = new StringBuilder(COLUMNS);
        for (SweepConfiguration one : sweep.configurations()) {
            one.points().forEach(point -> out.append(CsvTable.line(row(one, point))));
        }
        return out.toString();
    }

    private static List<String> row(SweepConfiguration one, SweepPoint p) {
        List<String> row = new ArrayList<>(List.of(
                one.name(),
                Integer.toString(p.connections()),
                Integer.toString(p.runs()),
                Integer.toString(p.validRuns()),
                Show.machine(p.throughput(), 2),
                machine(p.bestSecond(), 0)));
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
                whole(p.maxRssBytes()),
                whole(p.maxPssBytes()),
                machine(p.steadySeconds(), 1),
                Integer.toString(p.steadyRuns()),
                Long.toString(p.errors()),
                one.fit() instanceof UniversalScalability law ? Show.machine(law.at(p.connections()), 2) : ""));
        return row;
    }

    private static String machine(OptionalDouble value, int decimals) {
        return value.isPresent() ? Show.machine(value.getAsDouble(), decimals) : "";
    }

    private static String whole(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "";
    }
}
