package dev.kiln.report.html;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets.BudgetCurve.BudgetSecond;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.BudgetTable;
import dev.kiln.report.BudgetTable.BudgetRow;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** HtmlBudget shows where the response time went: the table of a run, and what its panel draws. */
final class HtmlBudget {
    /** A part that takes no more than this in any second, in ms, is not drawn: its figures round to 0. */
    private static final double LEAST_MILLIS = 0.005;

    /** This is the caption of the rows. The script clips them: {@code rowScale}. */
    static final String CAPTION = "The parts add up to the mean response time of a second. The axis has room for twice"
            + " the median second of the slowest row, and what is beyond it is cut.";

    private HtmlBudget() {}

    /** Returns the parts that are drawn, in the order of the areas, from below. */
    static List<BudgetPart> parts(ExperimentResult result) {
        return Arrays.stream(BudgetPart.values())
                .filter(part -> result.variants().stream()
                        .flatMap(variant -> variant.runs().stream())
                        .flatMap(run -> run.budgets().curve().seconds().stream())
                        .map(BudgetSecond::budget)
                        .anyMatch(budget -> millis(budget, part) > LEAST_MILLIS))
                .toList();
    }

    /** Returns what is drawn of a part: nothing where it was not recorded, as its time is in the rest. */
    static double millis(Budget budget, BudgetPart part) {
        return budget.of(part).orElse(0);
    }

    /** Returns the colour of a part, as the style sheet names it. What has one in other panels has the same here. */
    static String colour(BudgetPart part) {
        return switch (part) {
            case RUNNING -> "plain";
            case KERNEL -> "native";
            case CPU_WAIT -> "wait";
            case COLLECTION -> "c2";
            case SAFEPOINT -> "c2b";
            case CPU_LIMIT -> "c1b";
            case BLOCKED -> "c1";
            case REST -> "c1c";
        };
    }

    static String table(RunResult run) {
        BudgetTable table = BudgetTable.of(run);
        if (table.rows().isEmpty()) {
            return "";
        }
        String heads = table.heads().stream()
                .map(head -> "<th scope=\"col\">" + Html.escape(head).replace("\n", "<br>") + "</th>")
                .collect(Collectors.joining());
        return "<figure class=\"budget\"><h4>" + Html.escape(BudgetTable.TITLE) + "</h4>\n<table><thead><tr><td></td>"
                + heads
                + "</tr></thead>\n<tbody>\n"
                + table.rows().stream().map(HtmlBudget::row).collect(Collectors.joining()) + "</tbody></table>\n"
                + table.below()
                        .map(words -> "<p class=\"reason\">" + Html.prose(words) + "</p>\n")
                        .orElse("")
                + "</figure>\n";
    }

    private static String row(BudgetRow row) {
        return "<tr" + (row.within() ? " class=\"within\"" : "") + "><th scope=\"row\">" + Html.escape(row.label())
                + "</th>"
                + row.cells().stream()
                        .map(cell -> "<td>" + Html.escape(cell) + "</td>")
                        .collect(Collectors.joining())
                + "</tr>\n";
    }
}
