package dev.kiln.report;

import dev.kiln.explain.RunNotes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.Budget.CodeTime;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.report.Grid.GridEntry;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A BudgetTable says where the response time of a run went: a row for each part, a column for each stretch of the run.
 * It is empty where this is not known.
 *
 * @param heads of the columns of figures, each of two lines
 * @param rest what would split the rest, where that is large
 */
public record BudgetTable(List<String> heads, List<BudgetRow> rows, Optional<String> rest) {
    public static final String TITLE = "Where the time of a request goes, ms";

    /** More places than these would be a list; JSON has all of them. */
    private static final int MOST_PLACES = 5;

    /** A label is never cut shorter than this. */
    private static final int LEAST_LABEL = 24;

    private static final String TO_SAFEPOINT = "until all threads stood";

    private static final String GAP = "  ";

    /**
     * A BudgetRow is a part, or what a part is made of.
     *
     * @param within whether it is a piece of the part above it
     * @param brief label for where there is little room
     */
    public record BudgetRow(String label, String brief, boolean within, List<String> cells) {
        private boolean shows() {
            String nothing = Show.three(0);
            return cells.stream().anyMatch(cell -> !cell.equals(nothing) && !cell.equals(Show.ABSENT));
        }
    }

    /**
     * A Column is one stretch of the run.
     *
     * @param when ends a sentence
     */
    private record Column(String head, String when, Budget budget) {
        static Optional<Column> beginning(Budgets budgets) {
            return budgets.beginning().map(known -> new Column("first\n10 s", "in the first 10 s", known));
        }

        static Optional<Column> end(Budgets budgets) {
            return budgets.end().map(known -> new Column("at the\nend", "at the end", known));
        }

        static Optional<Column> reference(Budgets budgets) {
            return budgets.reference().map(known -> new Column("after the\npause", "after the pause", known));
        }
    }

    public static BudgetTable of(RunResult run) {
        Budgets budgets = run.budgets();
        List<Column> columns = Stream.of(Column.beginning(budgets), Column.end(budgets), Column.reference(budgets))
                .flatMap(Optional::stream)
                .toList();
        if (columns.isEmpty()) {
            return new BudgetTable(List.of(), List.of(), Optional.empty());
        }
        List<BudgetRow> rows = new ArrayList<>();
        for (BudgetPart part : BudgetPart.values()) {
            rows.add(row(columns, part.words(), budget -> budget.of(part)));
            switch (part) {
                case RUNNING -> rows.addAll(code(columns));
                case SAFEPOINT ->
                    rows.add(
                            new BudgetRow(TO_SAFEPOINT, TO_SAFEPOINT, true, cells(columns, Budget::toSafepointMillis)));
                case BLOCKED -> rows.addAll(places(columns));
                default -> {}
            }
        }
        rows.removeIf(row -> !row.shows());
        rows.add(row(columns, "response time", budget -> OptionalDouble.of(budget.responseMillis())));
        return new BudgetTable(columns.stream().map(Column::head).toList(), rows, rest(run));
    }

    private static BudgetRow row(List<Column> columns, String label, Function<Budget, OptionalDouble> of) {
        return new BudgetRow(label, label, false, cells(columns, of));
    }

    private static List<String> cells(List<Column> columns, Function<Budget, OptionalDouble> of) {
        return columns.stream()
                .map(column -> Show.or(of.apply(column.budget()), Show::three))
                .toList();
    }

    /** Returns what the running part ran as, where samples tell. */
    private static List<BudgetRow> code(List<Column> columns) {
        return columns.stream()
                .flatMap(column -> column.budget().code().stream())
                .map(CodeTime::kind)
                .distinct()
                .map(kind -> within(
                        columns,
                        words(kind),
                        words(kind),
                        Budget::code,
                        budget -> budget.code().stream()
                                .filter(code -> code.kind().equals(kind))
                                .mapToDouble(CodeTime::millis)))
                .toList();
    }

    private static String words(String kind) {
        return switch (kind) {
            case "c1", "c2" -> "compiled by " + kind.toUpperCase(Locale.ROOT);
            case "native" -> "native code";
            default -> kind;
        };
    }

    /** A Place is where threads were blocked. */
    private record Place(String kind, String frame, String detail) {
        static Place of(BlockedTime time) {
            return new Place(time.id(), time.frame(), time.detail());
        }

        DoubleStream in(Budget budget) {
            return budget.blocked().stream()
                    .filter(time -> of(time).equals(this))
                    .mapToDouble(BlockedTime::millis);
        }

        String words(String shownFrame) {
            return Stream.of(kind + (shownFrame.isEmpty() ? "" : " " + shownFrame), detail)
                    .filter(word -> !word.isEmpty())
                    .collect(Collectors.joining(", "));
        }

        /** Returns the frame without its package. */
        String briefFrame() {
            int method = frame.lastIndexOf('.');
            return frame.substring(frame.lastIndexOf('.', method - 1) + 1);
        }
    }

    private static List<BudgetRow> places(List<Column> columns) {
        Comparator<Place> byMost = Comparator.comparingDouble(place -> columns.stream()
                .flatMapToDouble(column -> place.in(column.budget()))
                .max()
                .orElse(0));
        return columns.stream()
                .flatMap(column -> column.budget().blocked().stream())
                .map(Place::of)
                .distinct()
                .sorted(byMost.reversed())
                .limit(MOST_PLACES)
                .map(place -> within(
                        columns,
                        place.words(place.frame()),
                        place.words(place.briefFrame()),
                        Budget::blocked,
                        place::in))
                .toList();
    }

    /** Returns a row within a part; a column in which none of its kind was seen has no figure. */
    private static BudgetRow within(
            List<Column> columns,
            String label,
            String brief,
            Function<Budget, List<?>> seen,
            Function<Budget, DoubleStream> millis) {
        return new BudgetRow(
                label,
                brief,
                true,
                cells(
                        columns,
                        budget -> seen.apply(budget).isEmpty()
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(millis.apply(budget).sum())));
    }

    /** Returns sentences on a large rest, that of the end first: what would split it, and what was not recorded. */
    private static Optional<String> rest(RunResult run) {
        Budgets budgets = run.budgets();
        return Stream.of(Column.end(budgets), Column.reference(budgets), Column.beginning(budgets))
                .flatMap(Optional::stream)
                .filter(column -> column.budget().restIsLarge())
                .findFirst()
                .map(column -> "The rest is "
                        + Show.percent(column.budget().share(BudgetPart.REST).orElse(0)) + " % " + column.when() + ": "
                        + split(column.budget(), RunNotes.notRecorded(run.notes())) + ".");
    }

    private static String split(Budget budget, List<String> notRecorded) {
        List<String> clauses = new ArrayList<>();
        if (budget.cpusAreFull()) {
            clauses.add("the target used " + Show.percent(budget.cpusUsed().orElseThrow())
                    + " % of its CPUs, so requests waited for one in sockets and queues, before a thread had them"
                    + (budget.of(BudgetPart.BLOCKED).isEmpty() ? ", or they were blocked" : ""));
        }
        if (budget.of(BudgetPart.BLOCKED).isEmpty()) {
            clauses.add(undumped(notRecorded)
                    .orElseGet(() -> "thread dumps would split it, and none was taken then"
                            + reasons(notRecorded, NotRecorded.THREAD_DUMPS)));
        } else if (!budget.cpusAreFull()) {
            clauses.add(undumped(notRecorded)
                    .orElse("by the thread dumps, no thread stood with these requests: they were in a queue, or waited"
                            + " without a thread (asynchronous code)"));
        }
        // Where the kernel's time is not known, it is a part of what runs.
        List<String> parts = budget.missing().stream()
                .filter(part -> part != BudgetPart.BLOCKED && part != BudgetPart.KERNEL)
                .map(BudgetPart::words)
                .toList();
        if (!parts.isEmpty()) {
            clauses.add("not recorded, and so in it: " + String.join(", ", parts)
                    + reasons(notRecorded.stream()
                            .filter(note -> !note.startsWith(NotRecorded.THREAD_DUMPS)
                                    && !note.startsWith(NotRecorded.VIRTUAL_DUMPS))
                            .toList()));
        }
        if (budget.code().isEmpty()) {
            clauses.add("--flight-recorder would split the time in which it runs");
        }
        return clauses.getFirst()
                + clauses.stream()
                        .skip(1)
                        .map(clause -> ". " + Show.sentence(clause))
                        .collect(Collectors.joining());
    }

    private static Optional<String> undumped(List<String> notRecorded) {
        String why = reasons(notRecorded, NotRecorded.VIRTUAL_DUMPS);
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of("virtual threads may have had these requests, and were not dumped" + why);
    }

    private static String reasons(List<String> notes, String what) {
        return reasons(notes.stream().filter(note -> note.startsWith(what)).toList());
    }

    private static String reasons(List<String> notes) {
        return notes.isEmpty() ? "" : " (" + String.join("; ", notes) + ")";
    }

    /** Returns the table for a terminal; a label that does not fit is cut. */
    public String terminal(TerminalStyle style) {
        if (rows.isEmpty()) {
            return "";
        }
        int figures = IntStream.range(0, heads.size())
                .map(column -> GAP.length() + width(column))
                .sum();
        int room = Math.max(LEAST_LABEL, style.width() - figures);
        List<List<GridEntry>> entries = rows.stream()
                .map(row -> Stream.concat(Stream.of(label(row, room, style)), row.cells().stream())
                        .map(GridEntry::of)
                        .toList())
                .toList();
        List<String> all = Stream.concat(Stream.of("\n"), heads.stream()).toList();
        return style.chars(TITLE) + "\n"
                + new Grid(all, entries, List.of(), List.of(), true).terminal(style)
                + rest.map(style::paragraph).orElse("");
    }

    private int width(int column) {
        return Stream.concat(
                        heads.get(column).lines(),
                        rows.stream().map(row -> row.cells().get(column)))
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }

    private static String label(BudgetRow row, int room, TerminalStyle style) {
        String indent = row.within() ? GAP : "";
        String whole = style.chars(indent + row.label());
        String brief = whole.length() <= room ? whole : style.chars(indent + row.brief());
        String more = style.chars("\u2026");
        return brief.length() <= room ? brief : brief.substring(0, room - more.length()) + more;
    }
}
