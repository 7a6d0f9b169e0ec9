package dev.kiln.tune;

import dev.kiln.model.run.SearchTable;
import dev.kiln.model.run.SearchTable.CandidateFate;
import dev.kiln.model.run.SearchTable.SearchRow;
import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.StudyState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SearchStages are the stages of a search with what each candidate did in them. A stage is a folder with a number and a name,
 * such as {@code 3-round-1}; which stages there are, only the search knows.
 *
 * @param all in their order
 */
record SearchStages(SearchTable table, List<Listed> all) {
    private static final Pattern STAGE = Pattern.compile("(\\d{1,6})-(.*)");

    /** A CandidateState says where a candidate is in the search. */
    enum CandidateState {
        RUNNING,
        WAITING,
        OUT,
        PROVEN,
        /** The search has no word for it but what it last found. */
        TRIED
    }

    /** Returns the stages by their number, those of one number as they were begun. */
    static List<Listed> sorted(List<Listed> stages) {
        return stages.stream()
                .sorted(Comparator.comparingInt(SearchStages::number)
                        .thenComparingLong(stage -> stage.startedMillis().orElse(Long.MAX_VALUE))
                        .thenComparing(Listed::id))
                .toList();
    }

    private static int number(Listed stage) {
        Matcher matcher = STAGE.matcher(name(stage));
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : Integer.MAX_VALUE;
    }

    /** Returns the name of its folder. */
    static String name(Listed stage) {
        return stage.id().substring(stage.id().lastIndexOf('/') + 1);
    }

    /**
     * Returns the stage that runs; empty between two of them, and after the last. It is the last one that was begun: one that the
     * budget cut short seems to go on for a while.
     */
    static Optional<Listed> running(List<Listed> stages) {
        return stages.stream()
                .skip(Math.max(0, stages.size() - 1L))
                .filter(stage -> stage.state() == StudyState.RUNNING)
                .findFirst();
    }

    /** Returns the names of the stages that a variant was in. */
    List<String> of(String variant) {
        return all.stream()
                .filter(stage -> has(stage, variant))
                .map(SearchStages::name)
                .toList();
    }

    /** Returns the completed runs of a variant in all stages. */
    long runs(String variant) {
        return all.stream()
                .flatMap(stage -> stage.variants().stream())
                .filter(one -> one.name().equals(variant))
                .flatMap(one -> one.runs().stream())
                .filter(OfRun::valid)
                .count();
    }

    CandidateState state(SearchRow row) {
        boolean goesOn = table.verdict().isEmpty();
        if (row.fate() == CandidateFate.PROVEN) {
            return CandidateState.PROVEN;
        }
        if (row.fate() == CandidateFate.OUT) {
            return CandidateState.OUT;
        }
        if (goesOn && running(all).filter(stage -> has(stage, row.name())).isPresent()) {
            return CandidateState.RUNNING;
        }
        if (of(row.name()).isEmpty()) {
            return goesOn ? CandidateState.WAITING : CandidateState.TRIED;
        }
        return isLeftBehind(row.name()) ? CandidateState.OUT : CandidateState.TRIED;
    }

    /** Tells whether a later stage compared several candidates without this one. */
    private boolean isLeftBehind(String candidate) {
        int last = -1;
        for (int i = 0; i < all.size(); i++) {
            last = has(all.get(i), candidate) ? i : last;
        }
        return all.stream().skip(last + 1L).anyMatch(this::comparesSeveral);
    }

    private boolean comparesSeveral(Listed stage) {
        return table.candidates().stream().filter(row -> has(stage, row.name())).count() > 1;
    }

    private static boolean has(Listed stage, String variant) {
        return stage.variants().stream().map(VariantSummary::name).anyMatch(variant::equals);
    }
}
