package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.CheckResult;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Number;
import dev.kiln.model.experiment.Claim.Term;
import dev.kiln.text.Show;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** ClaimWords writes a published claim beside the experiment's figures. */
public final class ClaimWords {
    public static final List<String> HEADS = List.of("Claim", "Published", "Here", "Answer");

    private ClaimWords() {}

    /** Returns a paragraph for each claim, and under it what the figures say about it. */
    public static String terminal(List<ClaimResult> claims, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        for (ClaimResult claim : claims) {
            out.append(out.isEmpty() ? "\nClaims\n" : "");
            out.append(
                    style.paragraph(claim.state().text() + ": " + claim.claim().text()));
            String published = claim.claim().published();
            String figures = (published.isEmpty() ? "" : "published: " + published + "; ") + "here: " + figures(claim);
            out.append(style.paragraph("  ", figures, style::dim));
        }
        return out.toString();
    }

    /** Returns a page with the date, the machine and a row for each claim. */
    public static String markdown(ExperimentResult result) {
        StringBuilder out = new StringBuilder("# " + Markdown.escape(result.name()) + "\n\n");
        result.how()
                .ifPresent(how -> out.append(Markdown.notes(List.of(
                                "Measured "
                                        + LocalDate.ofInstant(
                                                Instant.ofEpochMilli(how.launchEpochMillis()), ZoneOffset.UTC)
                                        + " with Kiln " + how.kilnVersion(),
                                how.host().cpuModel() + ", "
                                        + Show.plural(how.host().cpus(), "CPU") + ", kernel "
                                        + how.host().kernel() + " ("
                                        + how.host().scheduler() + "); "
                                        + Facts.cpus(how.cpus()),
                                how.jvm().map(jvm -> "JDK " + jvm.version()).orElse("no JVM"),
                                "Runs that are valid: "
                                        + result.variants().stream()
                                                .map(variant -> variant.name() + " "
                                                        + variant.runs().stream()
                                                                .filter(RunResult::valid)
                                                                .count())
                                                .collect(Collectors.joining(", ")))))
                        .append('\n'));
        List<List<String>> rows = result.claims().stream()
                .map(claim -> List.of(
                        claim.claim().text(),
                        claim.claim().published(),
                        figures(claim),
                        claim.state().text()))
                .toList();
        return out + Grid.of(HEADS, rows, 1, 2, 3).markdown();
    }

    /** Returns the figures that were measured for a claim, and what is missing to check it. */
    public static String figures(ClaimResult claim) {
        return Stream.concat(
                        claim.checks().stream().filter(CheckResult::observable).map(ClaimWords::check),
                        claim.missing().stream())
                .collect(Collectors.joining("; "));
    }

    private static String check(CheckResult result) {
        String left = side(result.check().left(), result.left());
        String right = side(result.check().right(), result.right());
        String runs = result.runs() == 1
                ? " (n = 1)"
                : result.ratio()
                        .filter(ratio -> !result.open())
                        .map(ratio -> String.format(
                                Locale.ROOT,
                                " (%s interval of the ratio: %.3f to %.3f)",
                                ComparisonWords.level(ratio.confidence()),
                                ratio.lo(),
                                ratio.hi()))
                        .orElse(result.open() ? "" : " (every run says so)");
        return result.open()
                ? left + ", " + right + runs
                : left + (result.holds() ? " " : ", not ") + result.check().op().text() + " " + right + runs;
    }

    private static String side(Term term, OptionalDouble value) {
        return switch (term) {
            case Number number -> number.text();
            case Figure figure ->
                figure.text() + " = " + number(value.orElseThrow())
                        + (figure.known().unit().isEmpty() || Double.isInfinite(value.getAsDouble())
                                ? ""
                                : " " + figure.known().unit());
        };
    }

    /** Returns a small number with three figures, and a large one whole. */
    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return "not reached";
        }
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.1f", value);
    }
}
