package dev.kiln.report;

import dev.kiln.compare.Calibration;
import dev.kiln.compare.GateResult;
import dev.kiln.stats.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** {@code kiln gate} on a terminal, and as a summary in Markdown. */
public final class GateText {
    private GateText() {}

    public static String terminal(GateResult result, TerminalStyle style) {
        String conclusion = style.chars(GateWords.conclusion(result));
        return GateWords.grid(result).terminal(style) + "\n"
                + (result.verdict() == Gate.Verdict.PASS ? style.bold(conclusion) : style.warn(conclusion)) + "\n\n"
                + Notes.terminal(GateWords.notes(result), style);
    }

    /** One line. */
    public static String conclusion(GateResult result) {
        return GateWords.conclusion(result);
    }

    /** To be appended to a summary of a CI job. */
    public static String markdown(GateResult result) {
        return "### " + MarkdownReport.escape(GateWords.conclusion(result)) + "\n\n"
                + GateWords.grid(result).markdown() + "\n" + Notes.markdown(GateWords.notes(result)) + "\n";
    }

    public static String calibration(List<Calibration> all, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        List<String> notes = new ArrayList<>();
        for (Calibration one : all) {
            List<List<String>> rows = one.rows().stream()
                    .map(row -> List.of(
                            row.label(),
                            GateWords.tolerance(row.tolerance()),
                            Integer.toString(row.runs()),
                            Text.whole(row.splits()),
                            share(row.failed()),
                            share(row.passed()),
                            share(row.inconclusive()),
                            share(row.underPowered()),
                            share(row.differenceShown())))
                    .toList();
            out.append(style.bold(style.chars(one.name() + " against itself"))).append("\n\n");
            out.append(new Grid(
                            List.of(
                                    "Metric",
                                    "Tolerance",
                                    "Runs",
                                    "Splits",
                                    "FAIL",
                                    "PASS",
                                    "INCONCLUSIVE",
                                    "under-powered",
                                    "shown"),
                            rows)
                    .terminal(style));
            out.append('\n');
            one.rows().stream()
                    .filter(row -> !row.note().isEmpty())
                    .forEach(row -> notes.add(row.label() + ": " + row.note()));
            if (one.rows().stream().anyMatch(row -> !row.all())) {
                notes.add(one.name() + ": too many ways to split the runs, so as many as shown were drawn at random");
            }
        }
        notes.add(
                "each split makes a baseline and a current half of runs that are the same, so every FAIL is a false alarm"
                        + " and must be rare (5 % at most is promised); shown: share of splits whose 95 % interval leaves out no"
                        + " change, 5 % by its promise");
        notes.add(
                "splits share their runs: the rates are those of this machine in these hours, and say nothing of days that"
                        + " differ from one another");
        return out + Notes.terminal(notes, style);
    }

    private static String share(OptionalDouble share) {
        return share.isPresent() ? Figure.percent(100 * share.getAsDouble()) : Text.ABSENT;
    }
}
