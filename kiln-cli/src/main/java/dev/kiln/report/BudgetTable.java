package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.RunningCode.CodeTime;
import dev.kiln.explain.budget.RunningCode.FamilySplit;
import dev.kiln.explain.budget.RunningCode.FamilyTime;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.WaitKind;
import dev.kiln.report.BudgetWords.Column;
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
 * @param below sentences under the table: how well samples tell what ran, what stops were, and what would split the rest
 */
public record BudgetTable(List<String> heads, List<BudgetRow> rows, Optional<String> below) {
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

    public static BudgetTable of(RunResult run) {
        List<Column> columns = Column.all(run.budgets());
        if (columns.isEmpty()) {
            return new BudgetTable(List.of(), List.of(), Optional.empty());
        }
        List<BudgetRow> rows = new ArrayList<>();
        for (BudgetPart part : BudgetPart.values()) {
            rows.add(row(columns, part.words(), budget -> budget.of(part)));
            switch (part) {
                case RUNNING -> {
                    rows.addAll(code(columns));
                    rows.addAll(families(columns));
                }
                case SAFEPOINT ->
                    rows.add(
                            new BudgetRow(TO_SAFEPOINT, TO_SAFEPOINT, true, cells(columns, Budget::toSafepointMillis)));
                case BLOCKED -> rows.addAll(places(columns));
                default -> {}
            }
        }
        rows.removeIf(row -> !row.shows());
        rows.add(row(columns, "response time", budget -> OptionalDouble.of(budget.responseMillis())));
        return new BudgetTable(columns.stream().map(Column::head).toList(), rows, BudgetWords.of(run));
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

    /** Returns what the running part was for, where enough samples tell. */
    private static List<BudgetRow> families(List<Column> columns) {
        return columns.stream()
                .flatMap(column -> times(column.budget()).stream())
                .map(FamilyTime::family)
                .distinct()
                .sorted()
                .map(family -> family(columns, family, "in " + family.words()))
                .toList();
    }

    private static BudgetRow family(List<Column> columns, CodeFamily family, String label) {
        return within(
                columns,
                label,
                label,
                BudgetTable::times,
                budget -> times(budget).stream()
                        .filter(time -> time.family() == family)
                        .mapToDouble(FamilyTime::millis));
    }

    private static List<FamilyTime> times(Budget budget) {
        return budget.running().families().map(FamilySplit::times).orElse(List.of());
    }

    private static String words(String kind) {
        return switch (kind) {
            case "c1", "c2" -> "compiled by " + kind.toUpperCase(Locale.ROOT);
            case "native" -> "native code";
            default -> kind;
        };
    }

    /** A Place is where threads were blocked, as it was found first. */
    private record Place(BlockedTime first) {
        private boolean has(BlockedTime other) {
            WaitKind kind = first.kind();
            return kind == other.kind()
                    && first.frame().equals(other.frame())
                    && kind.placed(first.detail()).equals(kind.placed(other.detail()));
        }

        DoubleStream in(Budget budget) {
            return budget.blocked().stream().filter(this::has).mapToDouble(BlockedTime::millis);
        }

        String words(String shownFrame) {
            return Stream.of(first.id() + (shownFrame.isEmpty() ? "" : " " + shownFrame), first.detail())
                    .filter(word -> !word.isEmpty())
                    .collect(Collectors.joining(", "));
        }

        /** Returns the frame without its package. */
        String briefFrame() {
            int method = first.frame().lastIndexOf('.');
            return first.frame().substring(first.frame().lastIndexOf('.', method - 1) + 1);
        }
    }

    private static List<BudgetRow> places(List<Column> columns) {
        Comparator<Place> byMost = Comparator.comparingDouble(place -> columns.stream()
                .flatMapToDouble(column -> place.in(column.budget()))
                .max()
                .orElse(0));
        List<Place> all = new ArrayList<>();
        columns.stream()
                .flatMap(column -> column.budget().blocked().stream())
                .filter(time -> all.stream().noneMatch(place -> place.has(time)))
                .forEach(time -> all.add(new Place(time)));
        return all.stream()
                .sorted(byMost.reversed())
                .limit(MOST_PLACES)
                .map(place -> within(
                        columns,
                        place.words(place.first().frame()),
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
                + below.map(style::paragraph).orElse("");
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
